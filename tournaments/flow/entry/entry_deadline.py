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
    """Whether people can no longer sign up themselves. Organisers and the door can still add them."""
    closes_at = tournament.entry_closes_at
    return closes_at is not None and closes_at.timestamp() <= now


def require_sign_up_open(tournament: Tournament, *, now: float) -> None:
    """Raises Stale once people cannot sign up by themselves any more."""
    if is_sign_up_closed(tournament, now=now):
        raise Stale("Sign-up has closed. Ask an organiser whether there is still a place.")


def require_no_draw(tournament: Tournament) -> None:
    """Raises Stale once a round has been drawn."""
    if tournament.rounds.exists():
        raise Stale("This cannot change after the first draw. Undo the draw first.")


def require_going(tournament: Tournament) -> None:
    """Raises Stale if the tournament is over or cancelled."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is finished. Undo that step first.")


def require_not_over(tournament: Tournament) -> None:
    """Raises Stale once the tournament is over."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is over.")


def require_not_called_off(tournament: Tournament) -> None:
    """Raises Stale if the tournament was cancelled."""
    if tournament.phase == Phase.CALLED_OFF:
        raise Stale("This tournament was cancelled.")


def require_room(step: TournamentStep) -> None:
    """Raises Stale if nobody new can play: a knockout has begun."""
    if list_stages(step).exists():
        raise Stale("The knockout has begun. Nobody new can join.")


def list_stages(step: TournamentStep) -> QuerySet[Round]:
    """The stages of a knockout that are or were played."""
    played = Round.objects.filter(tournament=step.tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    return played.filter(stage__in=LAST_STAGES)


def entry_status(step: TournamentStep) -> str:
    """The status of a new entrant: present from check-in on, before it only entered."""
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
