"""Who is drawn in a round, who attended earlier ones, and the result of a draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from games.models.spelling import fold
from tournaments.flow.drawing import bot_places
from tournaments.flow.standings.book import Book
from tournaments.models import ClubsApart, Entrant, Pod, PodSeat, Stage, Tournament


@dataclass(frozen=True)
class RoundDraw:
    """A drawn round. pods: (entrants by seat, reasons as [template, values]); solution: stored as `Round.solution`."""

    stage: Stage
    pods: tuple[tuple[tuple[Entrant, ...], list[Any]], ...]
    byes: tuple[Entrant, ...]
    solution: dict[str, Any] = field(default_factory=dict)


def list_present(book: Book, number: int) -> list[Entrant]:
    """The entrants to be drawn in this round, in the order of entry; bots only if they can play online."""
    present = [
        entrant
        for entrant in book.entrants.values()
        if entrant.status == Entrant.Status.PRESENT and not entrant.is_away and entrant.joined_round <= number
    ]
    return present if bot_places.can_sit(book, present, number) else [entrant for entrant in present if not entrant.bot]


def group_by_club(tournament: Tournament, people: Iterable[Entrant], rule: ClubsApart) -> list[list[Entrant]]:
    """The people of one club or family (`club_name`, capitals aside), two or more; empty without this rule."""
    if tournament.clubs_apart != rule or rule == ClubsApart.NO:
        return []
    groups: dict[str, list[Entrant]] = {}
    for entrant in people:
        if entrant.club_name:
            groups.setdefault(fold(entrant.club_name), []).append(entrant)
    return [group for group in groups.values() if len(group) > 1]


def group_by_team(book: Book, people: Iterable[Entrant]) -> list[list[Entrant]]:
    """The people who play for one team now, two or more of each."""
    groups: dict[int, list[Entrant]] = {}
    for entrant in people:
        if (team := book.find_team(entrant)) is not None:
            groups.setdefault(team.pk, []).append(entrant)
    return [group for group in groups.values() if len(group) > 1]


def list_attending(book: Book, pod: Pod) -> tuple[str, ...]:
    """The names of those who attended a table, by seat: no-shows have met nobody there."""
    attending = (seat for seat in book.seats.get(pod.pk, ()) if seat.fate != PodSeat.Fate.NO_SHOW)
    return tuple(book.entrants[seat.entrant_id].name for seat in attending)
