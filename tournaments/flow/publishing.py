"""Duplicate deals are published with their round: once it is complete, and nobody plays them any more."""

from __future__ import annotations

import msgspec

from games.play import arranged
from games.play.errors import Stale
from games.play.table import PLAYING
from tournaments.flow.steps import stir
from tournaments.models import Pod, Round, Step, Tournament

LOOK_BACK_SECONDS = 24 * 3600.0
"""How long after a round was completed, or a game of it ended, it is still looked at."""


def publish(tournament: Tournament, number: int) -> None:
    """Publish the deals of a round that is complete, unless a game of it still goes on. Twice is once."""
    if not tournament.duplicate:
        return
    pods = Pod.objects.filter(
        round__tournament=tournament, round__number=number, round__status=Round.Status.COMPLETE
    ).exclude(table=None)
    if pods.filter(table__status=PLAYING).exists():
        return
    sealed = [pod.table_id for pod in pods.filter(table__desk__contains=arranged.SEALED) if pod.table_id is not None]
    for table_id in sealed:
        arranged.unseal(table_id)
    if sealed:
        stir(tournament.pk)


def publish_due(*, now: float) -> None:
    """Publish what nobody has published who should have, or what a last game has held back."""
    since = now - LOOK_BACK_SECONDS
    sealed = Pod.objects.filter(table__desk__contains=arranged.SEALED)
    done = Round.objects.filter(completed_at__gte=since, tournament__duplicate=True)  # not by status: most rounds are
    held = {
        *sealed.filter(round__in=done.values("pk")).values_list("round", flat=True),
        *sealed.filter(table__ended_at__gte=since).values_list("round", flat=True),
    }
    for played in Round.objects.filter(pk__in=held).order_by("pk").select_related("tournament") if held else ():
        publish(played.tournament, played.number)


def find_held_back(tournament: Tournament) -> frozenset[int]:
    """The ids of rounds whose duplicate deals nobody must know yet, although they may be complete."""
    if not tournament.duplicate:
        return frozenset()
    pods = Pod.objects.filter(round__tournament=tournament, table__desk__contains=arranged.SEALED)
    return frozenset(pods.values_list("round", flat=True))


def require_unpublished(pod: Pod) -> None:
    """Raises Stale where this pod would begin to play, on screens, deals that everybody could have looked at."""
    played = pod.round
    if played.tournament.duplicate and were_published(played):
        raise Stale("The deals of table %(table)s have been published: nobody plays them any more.", table=pod.number)


def were_published(played: Round) -> bool:
    """Whether the duplicate deals of this round have ever been published; a round that is opened again forgets none."""
    if played.pk in find_held_back(played.tournament):
        return False
    told = Step.objects.filter(tournament=played.tournament_id, kind="complete").values_list("details", flat=True)
    return any(msgspec.json.decode(details).get("round") == played.number for details in told)
