"""The kinds of rounds, as `Round.stage` stores them. `tournaments.models.Stage` has the same values."""

from __future__ import annotations

SWISS = "swiss"
PLAN = "round-robin"
KNOCKOUT = "knockout"
FINAL = "final"
LADDER = "ladder"
ARENA = "arena"

ELIMINATION = (KNOCKOUT, FINAL)
"""Those of a knockout, by itself or after Swiss rounds: whoever is not in the next one is out."""
