"""The problem: who is present, what was played before, which rules hold."""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = "menagerie-draw/1"
DEFAULT_REPEAT_WORTH = 1260
"""Cost of a repeated meeting in score units: one and a half rounds won. From draw-format.md."""
DEFAULT_TIME_LIMIT = 10.0
"""Seconds. From draw-format.md."""


@dataclass(frozen=True)
class Entrant:
    """score: an integer; by default the share beaten times 840, summed over rounds."""

    id: str
    score: int = 0


@dataclass(frozen=True)
class PastRound:
    """pods: ids in seat order, the first to play first; byes: who sat out."""

    pods: tuple[tuple[str, ...], ...] = ()
    byes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """One round to draw or, with `rounds`, a whole round robin of so many rounds.

    wanted, min_size, max_size: people in a pod. repeat_worth: how much score difference one repeated meeting is worth,
    in the unit of the scores. time_limit: seconds, turned into a fixed amount of work. history: oldest round first.
    forbidden: pairs that may not meet. locked: the people of one list sit together. swiss: whether scores count.
    apart: groups (a club, a family); two people of one group count as if they had met once more. Unknown ids in
    history, absent, forbidden, locked and apart are ignored. docs/draw.md defines everything.
    """

    entrants: tuple[Entrant, ...]
    wanted: int
    min_size: int
    max_size: int
    seed: str = ""
    time_limit: float = DEFAULT_TIME_LIMIT
    repeat_worth: int = DEFAULT_REPEAT_WORTH
    history: tuple[PastRound, ...] = ()
    absent: tuple[str, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    locked: tuple[tuple[str, ...], ...] = ()
    swiss: bool = True
    rounds: int | None = None
    apart: tuple[tuple[str, ...], ...] = ()
