"""Whatever a round has promised and nobody has done yet: the sweeper's view of tournaments.

Every part looks at the database and may run twice, late or never; a worker that is killed in the middle of
anything leaves only what is found here again.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Table
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, WAITING
from tournaments.flow.drawing import draw_requests
from tournaments.flow.evenings import evening_sweeper
from tournaments.flow.rounds import arena, lifecycle, results
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import Pod, Result, Round, Stage
from tournaments.models.rounds import NO_TABLE

LOOK_BACK_SECONDS = 7 * 24 * 3600.0
"""How long after its end a game is still looked for whose round is over: its result is kept beside what counts."""
MOST_AT_ONCE = 200
"""Results that are recorded in one look; the others a second later."""


def look_after(*, now: float) -> None:
    """Make everything happen that is due. What one round or table refuses, or what fails there, stops no other."""
    _record_results(now=now)
    for played in _list_wanting(now=now).select_related("tournament__club"):
        with isolate_errors(f"round {played.pk}"):
            _look_at(played, now=now)
    with isolate_errors("complete rounds"):
        _wind_up(now=now)
    evening_sweeper.look_after(now=now)


def _list_wanting(*, now: float) -> QuerySet[Round]:
    """The rounds of which something may be due: tournaments that were left in the middle stay there for years."""
    tables_on = Pod.objects.filter(round=OuterRef("pk"), table__status__in=(WAITING, PLAYING))
    accepted = Result.objects.filter(pod=OuterRef("pk"), status=Result.Status.ACCEPTED)
    unopened = Pod.objects.filter(NO_TABLE, ~Exists(accepted), round=OuterRef("pk"), is_online=True, trouble="")
    has_bell = Q(has_rung=False, ends_at__lte=now)
    released = Q(status=Round.Status.RELEASED)
    wanting = has_bell | Q(stage=Stage.ARENA) | Exists(tables_on) | Exists(unopened)
    return Round.objects.filter(Q(status=Round.Status.DRAWING) | released & wanting)


def _look_at(played: Round, *, now: float) -> None:
    if played.status == Round.Status.DRAWING:
        if (played.drawing_since or 0) < now - draw_requests.LOST_AFTER_SECONDS:
            Round.objects.filter(pk=played.pk, drawing=played.drawing).update(drawing_since=now)
            draw_requests.run_draw(played.pk, played.drawing, None, now=now)
        return
    online_tables.close_decided(played, now=now)
    online_tables.open_tables(played, now=now)
    seat_changes.put_right(played, now=now)
    as_it_is = Round.objects.select_related("tournament__club").filter(pk=played.pk, status=Round.Status.RELEASED)
    for known in as_it_is:  # somebody may have paused it meanwhile, or moved its bell
        _keep_time(known, now=now)


def _keep_time(played: Round, *, now: float) -> None:
    _keep_pace(played, now=now)
    if played.paused_at is not None:
        return
    grace = played.tournament.grace_minutes * lifecycle.MINUTE
    if (played.released_at or now) + grace <= now:
        online_tables.begin_late(played, now=now, grace=grace)
    if played.ends_at is not None and played.ends_at <= now and not played.has_rung:
        lifecycle.ring_bell(played.tournament_id, played.number, None, now=now)
    elif played.has_rung:
        lifecycle.ring_tables(played, now=now)
    if played.stage == Stage.ARENA:
        arena.look_after(Round.objects.select_related("tournament__club").get(pk=played.pk), now=now)


def _keep_pace(played: Round, *, now: float) -> None:
    """Tables stand still exactly while their round does. A running game without a clock that is due is paused."""
    still = Q(status=PLAYING, wake_at=None) | Q(status=WAITING, desk__contains=codec.PAUSED)
    here = Table.objects.filter(pod__round=played, status__in=(WAITING, PLAYING))
    if played.paused_at is not None:
        if here.exclude(still).exists():
            online_tables.stand_still(played, now=now)
    elif here.filter(still).exists():
        online_tables.go_on(played, now=now)
    else:
        online_tables.keep_bell(played, now=now)


def _wind_up(*, now: float) -> None:
    """Tables and records of complete rounds, where whoever completed them could not do it any more."""
    deal_publishing.publish_due(now=now)
    idle = Table.objects.filter(Q(status=WAITING) | Q(status=PLAYING, wake_at=None))  # few, however much was played
    left = Pod.objects.filter(table__in=idle.values("pk")).values("round")
    for played in Round.objects.filter(pk__in=left, status=Round.Status.COMPLETE):
        online_tables.wind_up(played, now=now)


def _record_results(*, now: float) -> None:
    """What ended at a table of a round that is played, or lately at any: this looks every second, and all that was ever
    played is much."""
    known = Result.objects.filter(pod=OuterRef("pk"), source=Result.Source.TABLE)
    ended = Pod.objects.filter(~Exists(known), table__result__gt="").order_by("table__ended_at", "pk")
    running = Round.objects.filter(status=Round.Status.RELEASED)
    for over in (ended.filter(table__ended_at__gte=now - LOOK_BACK_SECONDS), ended.filter(round__in=running)):
        for table_id in over.values_list("table_id", flat=True)[:MOST_AT_ONCE]:
            if table_id is not None:
                with isolate_errors(f"table {table_id}"):
                    results.record_table(store.refresh(table_id), now=now)
