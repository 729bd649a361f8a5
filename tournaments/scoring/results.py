"""Raw results of pods and rounds, which scoring works on. Entrants are known by any text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PLAYS, NO_SHOW, FORFEIT = "plays", "no-show", "forfeit"
"""What became of a seat."""


@dataclass(frozen=True, slots=True)
class PodResult:
    """The result of one pod, all lists by seat. places: 1 = best, tied players share one; scores: the game's own, or
    None.

    is_void: not played, or counts for nobody: no points, no meetings.
    """

    entrants: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None
    fates: tuple[str, ...] = ()
    is_void: bool = False

    def fate(self, seat: int) -> str:
        """What became of this seat."""
        return self.fates[seat] if self.fates else PLAYS

    def ranks(self) -> tuple[int, ...]:
        """Places as they count: no-shows and forfeits are last, behind everybody who played."""
        behind = len(self.places) + 1 + max(self.places, default=0)
        return tuple(place if self.fate(seat) == PLAYS else behind for seat, place in enumerate(self.places))

    def shown_places(self) -> tuple[int | None, ...]:
        """Places as people are shown them: among those who played; None for others, and for all in a void pod."""
        came = () if self.is_void else [place for seat, place in enumerate(self.places) if self.fate(seat) == PLAYS]
        return tuple(
            1 + sum(other < place for other in came) if came and self.fate(seat) == PLAYS else None
            for seat, place in enumerate(self.places)
        )

    def shown_scores(self) -> tuple[int | None, ...]:
        """Scores of those who played, None for others."""
        scores = None if self.is_void else self.scores
        seats = range(len(self.places))
        return tuple(scores[seat] if scores and self.fate(seat) == PLAYS else None for seat in seats)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round: its pods with results, its byes and absences, and penalties (points to take away, in 840ths)."""

    pods: tuple[PodResult, ...]
    byes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    penalties: Mapping[str, int] = field(default_factory=dict)
