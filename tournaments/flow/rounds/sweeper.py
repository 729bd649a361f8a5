"""The sweeper of tournaments: does what is due in rounds, and repeats what was interrupted.

Every part reads the database and may run twice, late or never; whatever a killed worker leaves undone is found here.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Table
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, WAITING
from games.rules.day_pace import DAY_SECONDS
from tournaments.flow.drawing import draw_requests
from tournaments.flow.evenings import evening_sweeper
from tournaments.flow.rounds import arena, lifecycle, results
from tournaments.flow.tables import deal_publishing, online_tables, seat_changes
from tournaments.models import Pod, Result, Round, Stage, TimedSession
from tournaments.models.rounds import NO_TABLE

LOOK_BACK_SECONDS = 7 * 24 * 3600.0
"""How long after its end the result of a game is still recorded if its round is over; it then does not count."""
MAX_RESULTS_A_RUN = 200
"""Results recorded in one run, so that no run takes long; the others are recorded in the next one, a second later."""


def is_under_way(*, now: float) -> bool:
    """Whether a round is being drawn or played, or an evening goes on or begins within a day: then much may be due.

    Otherwise only what was interrupted is, and results of games that go on although their round is over.
    """
    live = Round.objects.filter(status__in=(Round.Status.DRAWING, Round.Status.RELEASED))
    evenings = TimedSession.objects.filter(ended_at=None, starts_at__lte=now + DAY_SECONDS)
    return live.exists() or evenings.exists()


def sweep(*, now: float) -> None:
    """Do everything that is due. An error in one round or table does not stop the others."""
    _record_results(now=now)
    for played in _list_due(now=now).select_related("tournament__club"):
        with isolate_errors(f"round {played.pk}"):
            _sweep_round(played, now=now)
    lifecycle.complete_over_days(now=now)
    with isolate_errors("complete rounds"):
        _finish_rounds(now=now)
    evening_sweeper.sweep_evenings(now=now)


def _list_due(*, now: float) -> QuerySet[Round]:
    """The rounds in which something may be due; unfinished tournaments that nobody plays any more are left out.

    So are rounds over days in which all tables play: their clocks are the tables' own until the deadline.
    """
    pods = Pod.objects.filter(round=OuterRef("pk"))
    tables_on = pods.filter(table__status__in=(WAITING, PLAYING))
    tables_held = pods.filter(Q(table__status=WAITING) | Q(table__status=PLAYING, table__wake_at=None))
    accepted = Result.objects.filter(pod=OuterRef("pk"), status=Result.Status.ACCEPTED)
    unopened = pods.filter(NO_TABLE, ~Exists(accepted), is_online=True, trouble="")
    has_bell = Q(has_rung=False, ends_at__lte=now)
    takes_days = Q(tournament__turn_seconds__gte=DAY_SECONDS, has_rung=False, paused_at=None)
    wanting = has_bell | Q(stage=Stage.ARENA) | ~takes_days & Exists(tables_on) | Exists(tables_held) | Exists(unopened)
    released = Q(status=Round.Status.RELEASED)
    return Round.objects.filter(Q(status=Round.Status.DRAWING) | released & wanting)


def _sweep_round(played: Round, *, now: float) -> None:
    if played.status == Round.Status.DRAWING:
        if (played.drawing_since or 0) < now - draw_requests.LOST_AFTER_SECONDS:
            Round.objects.filter(pk=played.pk, drawing=played.drawing).update(drawing_since=now)
            draw_requests.run_draw(played.pk, played.drawing, None, now=now)
        return
    online_tables.close_decided(played, now=now)
    online_tables.open_tables(played, now=now)
    seat_changes.sync_seats(played, now=now)
    as_it_is = Round.objects.select_related("tournament__club").filter(pk=played.pk, status=Round.Status.RELEASED)
    for current in as_it_is:  # somebody may have paused it meanwhile, or moved its bell
        _apply_clock(current, now=now)


def _apply_clock(played: Round, *, now: float) -> None:
    _sync_pause(played, now=now)
    if played.paused_at is not None:
        return
    grace = played.tournament.grace_minutes * lifecycle.MINUTE
    if (played.released_at or now) + grace <= now:
        online_tables.begin_without_absent(played, now=now, grace=grace)
    if played.ends_at is not None and played.ends_at <= now and not played.has_rung:
        lifecycle.ring_bell(played.tournament_id, played.number, None, now=now)
    elif played.has_rung:
        lifecycle.ring_tables(played, now=now)
    if played.stage == Stage.ARENA:
        arena.sweep_arena(Round.objects.select_related("tournament__club").get(pk=played.pk), now=now)


def _sync_pause(played: Round, *, now: float) -> None:
    """Pause or resume the tables with their round. A running game without a wake-up time is paused."""
    still = Q(status=PLAYING, wake_at=None) | Q(status=WAITING, desk__contains=codec.PAUSED)
    tables = Table.objects.filter(pod__round=played, status__in=(WAITING, PLAYING))
    if played.paused_at is not None:
        if tables.exclude(still).exists():
            online_tables.pause_tables(played, now=now)
    elif tables.filter(still).exists():
        online_tables.resume_tables(played, now=now)
    else:
        online_tables.sync_bell(played, now=now)


def _finish_rounds(*, now: float) -> None:
    """Close tables and publish deals of complete rounds, if the process that completed them was interrupted."""
    deal_publishing.publish_due(now=now)
    idle = Table.objects.filter(Q(status=WAITING) | Q(status=PLAYING, wake_at=None))  # few, however much was played
    left = Pod.objects.filter(table__in=idle.values("pk")).values("round")
    for played in Round.objects.filter(pk__in=left, status=Round.Status.COMPLETE):
        online_tables.finish_tables(played, now=now)


def _record_results(*, now: float) -> None:
    """Record results of finished tables: of rounds being played, and of all tables that ended recently. The bound
    keeps the query small, which runs every second."""
    recorded = Result.objects.filter(pod=OuterRef("pk"), source=Result.Source.TABLE)
    ended = Pod.objects.filter(~Exists(recorded), table__result__gt="").order_by("table__ended_at", "pk")
    running = Round.objects.filter(status=Round.Status.RELEASED)
    for over in (ended.filter(table__ended_at__gte=now - LOOK_BACK_SECONDS), ended.filter(round__in=running)):
        for table_id in over.values_list("table_id", flat=True)[:MAX_RESULTS_A_RUN]:
            if table_id is not None:
                with isolate_errors(f"table {table_id}"):
                    results.record_table(store.refresh(table_id), now=now)
