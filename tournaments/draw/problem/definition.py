"""What is asked: who is present, what was played before, what must and must not be."""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = "menagerie-draw/1"
DEFAULT_REPEAT_WORTH = 1260
DEFAULT_TIME_LIMIT = 10.0


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
    """One draw; with `rounds`, a whole round robin of so many rounds.

    wanted, min_size, max_size: people in a pod. repeat_worth: what one repeated meeting may cost in closeness, in
    the unit of the scores. time_limit: seconds, turned into a fixed amount of work. history: oldest round first.
    locked: those of a list sit together. swiss: whether scores count. Unknown ids in history, absent, forbidden and
    locked are ignored. The meaning of everything: docs/draw.md.
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
