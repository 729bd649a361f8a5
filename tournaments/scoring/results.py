"""What scoring works on: raw results of pods and rounds. Entrants are known by any text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PLAYS, NO_SHOW, FORFEIT = "plays", "no-show", "forfeit"
"""What became of a chair."""


@dataclass(frozen=True, slots=True)
class PodResult:
    """One pod, all lists by seat. places: 1 = best, shared places share; scores: the game's own, or None.

    is_void: it was not played, or counts for nobody: no points, no meeting.
    """

    entrants: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None
    fates: tuple[str, ...] = ()
    is_void: bool = False

    def fate(self, seat: int) -> str:
        """What became of this chair."""
        return self.fates[seat] if self.fates else PLAYS

    def ranks(self) -> tuple[int, ...]:
        """Places as they count: who did not come or forfeited is last, behind everybody who played."""
        behind = len(self.places) + 1 + max(self.places, default=0)
        return tuple(place if self.fate(seat) == PLAYS else behind for seat, place in enumerate(self.places))

    def told_places(self) -> tuple[int | None, ...]:
        """Places as people are told them: among those who played; nobody has one where the pod counts for nobody."""
        came = () if self.is_void else [place for seat, place in enumerate(self.places) if self.fate(seat) == PLAYS]
        return tuple(
            1 + sum(other < place for other in came) if came and self.fate(seat) == PLAYS else None
            for seat, place in enumerate(self.places)
        )

    def told_scores(self) -> tuple[int | None, ...]:
        """Scores of those who played."""
        scores = None if self.is_void else self.scores
        seats = range(len(self.places))
        return tuple(scores[seat] if scores and self.fate(seat) == PLAYS else None for seat in seats)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round: its pods with results, who sat out how, and penalties (points to take away, in 840ths)."""

    pods: tuple[PodResult, ...]
    byes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    penalties: Mapping[str, int] = field(default_factory=dict)
