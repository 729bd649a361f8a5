"""The waiting list of a tournament with a capacity: who waits, and who moves up when a place becomes free."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from tournaments.flow.steps.recorder import TournamentStep
from tournaments.models import Entrant, Phase, Tournament

MOVES_UP_IN = (Phase.PLANNED, Phase.ENTRY, Phase.CHECK_IN)
"""Phases in which people move up by themselves. Later only an organiser lets somebody in."""
IN = (Entrant.Status.ENTERED, Entrant.Status.PRESENT)


def list_waiting(tournament: Tournament) -> QuerySet[Entrant]:
    """Who waits, the next one first: in the order in which they asked for a place."""
    return Entrant.objects.filter(tournament=tournament, status=Entrant.Status.WAITING).order_by("ready_at", "number")


def sort_waiting(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Those of these entrants who wait, in the order of `list_waiting`."""
    waiting = [entrant for entrant in entrants if entrant.status == Entrant.Status.WAITING]
    return sorted(waiting, key=lambda entrant: (entrant.ready_at or 0.0, entrant.number))


def count_free(tournament: Tournament) -> int | None:
    """The number of free places; None without a capacity, or once nobody moves up any more."""
    if tournament.capacity is None or tournament.phase not in MOVES_UP_IN:
        return None
    taken = Entrant.objects.filter(tournament=tournament, status__in=IN, is_filler=False).count()
    return max(0, tournament.capacity - taken)


def place_new(tournament: Tournament, new: Sequence[Entrant]) -> None:
    """Put those of these people for whom there is no place on the waiting list, before they are stored."""
    free = count_free(tournament)
    if free is None:
        return
    if free and list_waiting(tournament).exists():
        free = 0
    for entrant in new[free:]:
        entrant.status = Entrant.Status.WAITING


def must_wait(tournament: Tournament) -> bool:
    """Whether somebody who asks for a place now has to wait for it."""
    free = count_free(tournament)
    return free is not None and (not free or list_waiting(tournament).exists())


def move_up(step: TournamentStep) -> list[Entrant]:
    """Within a step: give the free places to those who wait, the first ones first. Returns who moved up."""
    free = count_free(step.tournament)
    if not free:
        return []
    moved = list(list_waiting(step.tournament)[:free])
    for entrant in moved:
        step.change(entrant, status=Entrant.Status.ENTERED)
    if moved:
        step.details["moved_up"] = [person.name for person in moved]
    return moved
