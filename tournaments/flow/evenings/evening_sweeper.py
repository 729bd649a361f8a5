"""Keeps the tables of evenings in line with the evening: paused, resumed, rung and closed.

`sweep_evenings` repeats what was interrupted; every part may run twice, late or never.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet
from django.urls import resolve

from games import models as played
from games.play.seats import arranged_tables
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, WAITING, LoadedTable
from tournaments.flow.steps import happenings
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.pauses import measure_pauses
from tournaments.flow.steps.recorder import EveningStep, take_evening_step
from tournaments.models import SessionTable, Step, TimedSession

MINUTE = 60.0
GRACE_SECONDS = 300.0
"""Seconds after the start of the evening, or of the table, until stand-ins play for people who have not come."""

LEFT_SECONDS = 600.0
"""Seconds after the last move of a person until a table that only stand-ins play plays its last deal."""


def sweep_evenings(*, now: float) -> None:
    """Do everything that is due in evenings. An error in one does not stop the others."""
    with isolate_errors("webhooks of evenings"):
        happenings.tell_begun(now=now)
    begun = Exists(SessionTable.objects.filter(timed_session=OuterRef("pk")))
    open_evenings = TimedSession.objects.filter(Q(starts_at__lte=now) | Q(has_rung=True) | begun, ended_at=None)
    for evening in open_evenings:
        with isolate_errors(f"evening {evening.pk}"):
            ring_if_due(evening.pk, now=now)
            sync_tables(evening.pk, now=now)


def ring_if_due(evening_id: str, *, now: float) -> None:
    """Ring a bell that is due, once; also called before it is moved, because tables may have heard it already."""
    due = TimedSession.objects.filter(pk=evening_id, has_rung=False, paused_at=None, ends_at__lte=now)
    if due.exists():
        with take_evening_step(evening_id, Kind.BELL, actor=None, now=now) as step:
            if due.exists():
                return_tables(step)
                step.change(step.evening, has_rung=True)
        sync_tables(evening_id, now=now)


def sync_tables(evening_id: str, *, now: float) -> None:
    """Bring every table of an evening in line with its present state."""
    evening = TimedSession.objects.get(pk=evening_id)
    rows = SessionTable.objects.filter(timed_session=evening).select_related("table")
    for row in rows.filter(table__status__in=[WAITING, PLAYING]):
        with isolate_errors(f"table {row.table_id}"):
            _sync_table(evening, row, now=now)
    if evening.has_rung and not rows.filter(table__status=PLAYING).exists():
        _note_end(evening.pk, now=now)


def _note_end(evening_id: str, *, now: float) -> None:
    """The evening is over, unless that is known."""
    over = TimedSession.objects.filter(pk=evening_id, has_rung=True, ended_at=None)
    with transaction.atomic():
        if over.update(version=F("version") + 1, ended_at=now):
            happenings.tell_ended(TimedSession.objects.select_related("club").get(pk=evening_id), now=now)


def list_evening_tables(table_ids: Sequence[str]) -> frozenset[str]:
    """Those of these tables that belong to evenings that are not over: they are not stopped before the bell."""
    rows = SessionTable.objects.filter(table__in=table_ids, timed_session__ended_at=None)
    return frozenset(rows.values_list("table_id", flat=True))


def _sync_table(evening: TimedSession, row: SessionTable, *, now: float) -> None:
    if evening.has_rung:
        _finish(row, now=now)
        return
    if row.table.status == WAITING and evening.paused_at is None and _is_late(evening, row.table, now=now):
        arranged_tables.start_without_absent(row.table_id, now=now)
        row.table.refresh_from_db()
    _sync_pause(evening, row.table, now=now)
    if row.table.status == PLAYING and evening.paused_at is None and _is_left(evening, row.table, now=now):
        _end_one(evening, row, now=now)


def _is_late(evening: TimedSession, table: played.Table, *, now: float) -> bool:
    """Whether the grace period of a waiting table is over; pauses do not count."""
    since = max(evening.starts_at, table.created_at)
    if since + GRACE_SECONDS > now:
        return False
    steps = Step.objects.filter(evening=evening)
    since = max(since, _find_reopened_at(steps))
    return since + GRACE_SECONDS + measure_pauses(steps, since=since) + codec.read_runtime(table.desk).lost <= now


def _find_reopened_at(steps: QuerySet[Step]) -> float:
    """When a closed table may last have been reopened by an undo: its grace period starts again then."""
    undone = steps.filter(kind=Step.Kind.UNDO).exclude(details__contains='"extend"')
    at: float | None = undone.aggregate(at=Max("at"))["at"]
    return at or 0.0


def _is_left(evening: TimedSession, row: played.Table, *, now: float) -> bool:
    """Whether only stand-ins have played here for `LEFT_SECONDS`, in a game that would go on until the bell."""
    if not codec.read_runtime(row.desk).stand_ins:
        return False
    table = store.refresh(row.pk)
    people = {place.seat for place in table.places if place.player_id is not None}
    if not people <= table.runtime.stand_ins or not arranged_tables.can_ring_bell(table):
        return False
    moves = played.Ply.objects.filter(table=row.pk, key__isnull=False).order_by("-number")
    since = (table.started_at or now) + (moves.values_list("at", flat=True).first() or 0.0)
    return since + LEFT_SECONDS + measure_pauses(Step.objects.filter(evening=evening), since=since) <= now


def _end_one(evening: TimedSession, row: SessionTable, *, now: float) -> None:
    with store.save_together(), take_evening_step(evening.pk, Kind.LEFT, actor=None, now=now, table=row.number) as step:
        arranged_tables.ring_bell(row.table_id, now=now)
        step.is_always_logged = True


def _sync_pause(evening: TimedSession, table: played.Table, *, now: float) -> None:
    """Pause or resume a table with its evening. A running game without a wake-up time is paused."""
    is_waiting = table.status == WAITING
    stands_still = codec.read_runtime(table.desk).paused_at is not None if is_waiting else table.wake_at is None
    if evening.paused_at is not None:
        if not stands_still:
            arranged_tables.pause(table.pk, now=now)
        return
    if stands_still:
        arranged_tables.resume(table.pk, now=now)
    arranged_tables.set_bell(table.pk, evening.ends_at, now=now)


def _finish(row: SessionTable, *, now: float) -> None:
    if row.table.status == PLAYING:
        arranged_tables.resume(row.table_id, now=now)
        arranged_tables.ring_bell(row.table_id, now=now)
    elif is_own_table(store.refresh(row.table_id)):
        arranged_tables.close(row.table_id, now=now)
    else:
        row.delete()


def return_tables(step: EveningStep) -> None:
    """Within the bell's step: release tables that were brought along and have not begun."""
    for row in SessionTable.objects.filter(timed_session=step.evening, table__status=WAITING).order_by("number"):
        if not is_own_table(store.refresh(row.table_id)):
            step.delete(row)


def is_own_table(table: LoadedTable) -> bool:
    """Whether the evening opened this table; else its host brought it along, and it can go on without the evening."""
    return table.runtime.arranged is not None


def can_open_again(table: LoadedTable) -> bool:
    """Whether a closed table was opened by an evening, so that its closing can be undone."""
    home = table.runtime.arranged.home if table.runtime.arranged else ""
    return bool(home) and resolve(home).view_name == "tournaments:evening"


def remove_table(evening: TimedSession, table_id: str, *, now: float) -> None:
    """Close a table of an evening, or release it if it was brought along. Raises Stale if an own table has begun."""
    table = store.refresh(table_id)
    if is_own_table(table):
        arranged_tables.close(table_id, now=now)
    elif table.status == PLAYING and table.started_at is not None:
        _release_table(evening, table, table.started_at, now=now)


def _release_table(evening: TimedSession, table: LoadedTable, since: float, *, now: float) -> None:
    """Let a table that was brought along go on by itself: resumed, with the bell its own options agree on."""
    arranged_tables.resume(table.id, now=now)
    minutes = table.options.get("minutes")
    if minutes is not None:
        paused = measure_pauses(Step.objects.filter(evening=evening), since=since)
        arranged_tables.set_bell(table.id, since + minutes * MINUTE + paused, now=now)


def find_first_game(evening: TimedSession) -> float | None:
    """When the first game of the evening began; None if none has."""
    rows = SessionTable.objects.filter(timed_session=evening)
    begun: float | None = rows.aggregate(at=Min("table__started_at"))["at"]
    return begun
