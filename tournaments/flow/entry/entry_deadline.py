"""The end of sign-up, and the round from which late entrants play."""

from __future__ import annotations

from django.db.models import Max, QuerySet

from games.play.errors import Stale
from tournaments import formats
from tournaments.flow.steps.recorder import TournamentStep
from tournaments.models import LAST_STAGES, Entrant, Phase, Round, Tournament

OPEN = (Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING)
"""Phases in which people come in; with the first draw on, they come late and play from the next round on."""


def require_open(tournament: Tournament) -> None:
    """Raises Stale while nobody can enter."""
    if tournament.phase == Phase.PLANNED:
        raise Stale("Sign-up is not open yet.")
    require_not_called_off(tournament)
    if tournament.phase not in OPEN:
        raise Stale("The tournament is over.")
    if not formats.of(tournament).has_rounds and Round.objects.filter(tournament=tournament, has_rung=True).exists():
        raise Stale("This arena is closed. Nobody is seated any more.")


def is_sign_up_closed(tournament: Tournament, *, now: float) -> bool:
    """Whether the time is over in which people sign up by themselves. Organisers and the door add them still."""
    closes_at = tournament.entry_closes_at
    return closes_at is not None and closes_at.timestamp() <= now


def require_sign_up_open(tournament: Tournament, *, now: float) -> None:
    """Raises Stale once people cannot sign up by themselves any more."""
    if is_sign_up_closed(tournament, now=now):
        raise Stale("Sign-up has closed. Ask an organiser whether there is still a place.")


def require_no_draw(tournament: Tournament) -> None:
    """Raises Stale for what cannot change once something has been drawn on its ground."""
    if tournament.rounds.exists():
        raise Stale("This cannot change after the first draw. Undo the draw first.")


def require_going(tournament: Tournament) -> None:
    """Raises Stale where nothing may follow from it any more."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is finished. Undo that step first.")


def require_not_over(tournament: Tournament) -> None:
    """Raises Stale for people who come too late to say anything about themselves."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is over.")


def require_not_called_off(tournament: Tournament) -> None:
    """Raises Stale where nothing will be played."""
    if tournament.phase == Phase.CALLED_OFF:
        raise Stale("This tournament was cancelled.")


def require_room(step: TournamentStep) -> None:
    """Raises Stale where nobody new can play any more: who is out of a knockout does not come in again either."""
    if list_stages(step).exists():
        raise Stale("The knockout has begun. Nobody new can join.")


def list_stages(step: TournamentStep) -> QuerySet[Round]:
    """The stages of a knockout that are or were played."""
    played = Round.objects.filter(tournament=step.tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    return played.filter(stage__in=LAST_STAGES)


def arriving(step: TournamentStep) -> str:
    """Who comes in at check-in or later stands at the desk; before, they have only said that they will come."""
    is_here = step.tournament.phase in (Phase.CHECK_IN, Phase.RUNNING)
    return Entrant.Status.PRESENT if is_here else Entrant.Status.ENTERED


def next_round(step: TournamentStep) -> int:
    """The first round that has not been released yet: a draft can be drawn again with people who came meanwhile."""
    if not formats.of(step.tournament).has_rounds:
        return 1
    return last_released(step) + 1


def last_released(step: TournamentStep) -> int:
    """The number of the last round that is or was played; 0 before the first."""
    played = Round.objects.filter(tournament=step.tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    return played.aggregate(last=Max("number"))["last"] or 0
