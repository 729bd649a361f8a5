"""Publishes duplicate deals: once their round is complete, and nobody plays them any more."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from games.play.errors import Stale
from games.play.seats import arranged_tables
from games.play.storage.table import PLAYING
from tournaments.flow import duplicate_commitments
from tournaments.flow.steps.recorder import bump_version, lock_tournament
from tournaments.models import Pod, Round, RoundDeals, Tournament

LOOK_BACK_SECONDS = 24 * 3600.0
"""How long after a round was completed, or a game of it ended, the sweeper still looks for unpublished deals."""


def publish(tournament: Tournament, number: int, *, now: float) -> None:
    """Publish the deals of a complete round, unless a game of it still goes on. Idempotent."""
    if not tournament.duplicate:
        return
    with lock_tournament(tournament.pk):
        played = Round.objects.filter(tournament=tournament, number=number, status=Round.Status.COMPLETE).first()
        pods = Pod.objects.filter(round=played).exclude(table=None)
        if played is None or pods.filter(table__status=PLAYING).exists():
            return
        revealed = duplicate_commitments.reveal(tournament, number, now=now)
    sealed = [
        pod.table_id
        for pod in pods.filter(table__desk__contains=arranged_tables.SEALED_MARK)
        if pod.table_id is not None
    ]
    for table_id in sealed:
        arranged_tables.unseal(table_id)
    if sealed or revealed:
        bump_version(tournament.pk)


def publish_due(*, now: float) -> None:
    """Publish deals whose publication was interrupted, or delayed by a last game."""
    since = now - LOOK_BACK_SECONDS
    sealed = Pod.objects.filter(table__desk__contains=arranged_tables.SEALED_MARK)
    done = Round.objects.filter(completed_at__gte=since, tournament__duplicate=True)  # not by status: most rounds are
    held = {
        *sealed.filter(round__in=done.values("pk")).values_list("round", flat=True),
        *sealed.filter(table__ended_at__gte=since).values_list("round", flat=True),
        *_list_unrevealed().values_list("pk", flat=True),
    }
    for played in Round.objects.filter(pk__in=held).order_by("pk").select_related("tournament") if held else ():
        publish(played.tournament, played.number, now=now)


def _list_unrevealed() -> QuerySet[Round]:
    """Complete rounds whose secrets are not published although no game of them goes on.

    Read by the index of unpublished secrets, which are few. The status is excluded and not asked for: most rounds ever
    played are complete, and SQLite would read all of them by the index of the status.
    """
    waiting = RoundDeals.objects.filter(revealed_at=None)
    own = waiting.filter(number=OuterRef("number"), tournament=OuterRef("tournament"))
    played = Round.objects.filter(Exists(own), tournament__in=waiting.values("tournament"), tournament__duplicate=True)
    others = [status for status in Round.Status if status != Round.Status.COMPLETE]
    return played.exclude(status__in=others).exclude(pods__table__status=PLAYING)


def find_held_back(tournament: Tournament) -> frozenset[int]:
    """The ids of rounds whose duplicate deals must stay secret, although they may be complete."""
    if not tournament.duplicate:
        return frozenset()
    pods = Pod.objects.filter(round__tournament=tournament, table__desk__contains=arranged_tables.SEALED_MARK)
    return frozenset(pods.values_list("round", flat=True))


def require_unpublished(pod: Pod) -> None:
    """Raises Stale if this pod would play deals that have been published."""
    played = pod.round
    if played.tournament.duplicate and were_published(pod):
        raise Stale(
            "The deals of table %(table)s have been published, so they cannot be played any more.", table=pod.number
        )


def were_published(pod: Pod) -> bool:
    """Whether the deals of this pod have ever been published, also before its round was reopened."""
    played = pod.round
    deals = duplicate_commitments.find(played.tournament, duplicate_commitments.DealKey(played.number, pod.wave))
    if deals is not None:
        return deals.revealed_at is not None
    if played.pk in find_held_back(played.tournament):
        return False
    return duplicate_commitments.was_completed(played.tournament, played.number)
