"""The stages of rounds, as `Round.stage` stores them. `tournaments.models.Stage` has the same values."""

from __future__ import annotations

SWISS = "swiss"
PLAN = "round-robin"
KNOCKOUT = "knockout"
FINAL = "final"
LADDER = "ladder"
ARENA = "arena"

ELIMINATION = (KNOCKOUT, FINAL)
"""The stages of a knockout, by itself or after Swiss rounds: people who are not in the next one are out."""
