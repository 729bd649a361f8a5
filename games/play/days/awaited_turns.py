"""Rows that say who games over days wait for: for lists, calendars and notifications, without loading a board."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.dispatch import receiver

from games.models import AwaitedTurn, Table
from games.play.errors import Refusal
from games.play.moves.window_answers import choose_answer
from games.play.signals import table_changed
from games.play.storage import store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.day_pace import DAY_SECONDS

TELL_AFTER_SECONDS = 30.0
"""Seconds before somebody is told of their turn: who is at the table sees it."""
MAX_REPAIRED = 200
"""Tables in one run of `repair_rows`, which bounds its length."""

Wait = tuple[int, float]
"""A person, and when their time runs out."""


def list_awaited(table: LoadedTable) -> list[Wait]:
    """The people that this game over days waits for; none at another table, or while it is paused."""
    if not table.is_over_days or table.status != PLAYING or table.outcome is not None or table.is_suspended:
        return []
    found = []
    for seat in table.rules.to_act(table.state):
        place = table.place(seat)
        dues = [clock.due for clock in table.runtime.clocks if clock.left is None and seat in clock.seats]
        if place is None or place.player_id is None or seat in table.runtime.stand_ins or not dues:
            continue
        if choose_answer(table, seat) is None:  # else their order answers in a moment
            found.append((place.player_id, min(dues)))
    return found


@receiver(table_changed)
def record_awaited(table: LoadedTable, **_kwargs: Any) -> None:
    """Write down who the table waits for now. A wait that goes on keeps what its person was told."""
    if not table.is_over_days:
        return
    waits = dict(list_awaited(table))
    with transaction.atomic():
        rows = {row.player_id: row for row in AwaitedTurn.objects.select_for_update().filter(table=table.id)}
        if any(row.version > table.version for row in rows.values()):
            return  # another process wrote what came after
        kept = [row for one, row in rows.items() if waits.get(one) == row.due_at]
        AwaitedTurn.objects.filter(table=table.id).exclude(pk__in=[row.pk for row in kept]).delete()
        AwaitedTurn.objects.filter(pk__in=[row.pk for row in kept]).update(version=table.version)
        kept_ids, notice_at = {row.player_id for row in kept}, time.time() + TELL_AFTER_SECONDS
        AwaitedTurn.objects.bulk_create(
            AwaitedTurn(table_id=table.id, player_id=one, due_at=due, notice_at=notice_at, version=table.version)
            for one, due in waits.items()
            if one not in kept_ids
        )


def repair_rows() -> int:
    """Write the rows of tables again whose change was saved by a process that ended right after; returns how many."""
    outdated = AwaitedTurn.objects.exclude(version=F("table__version")).values_list("table", flat=True)
    running = Table.objects.filter(status=PLAYING, turn_seconds__gte=DAY_SECONDS, wake_at__isnull=False)
    missing = running.exclude(Exists(AwaitedTurn.objects.filter(table=OuterRef("pk")))).values_list("pk", flat=True)
    found = {*outdated[:MAX_REPAIRED], *missing[:MAX_REPAIRED]}
    return sum(_repair(table_id) for table_id in sorted(found))


def _repair(table_id: str) -> bool:
    done: list[str] = []
    with isolate_errors(f"table {table_id}"), suppress(Refusal):  # it is gone, or its game is no longer installed
        record_awaited(store.refresh(table_id))
        done.append(table_id)
    return bool(done)


def list_waits(player_id: int) -> list[AwaitedTurn]:
    """The tables that wait for this person, the most urgent first."""
    rows = AwaitedTurn.objects.filter(player=player_id).order_by("due_at", "table")
    return list(rows.select_related("table"))


def find_next_table(player_id: int, *, after: str = "") -> str | None:
    """The table that waits for this person next: of those after this one in order, else of all others; or None."""
    waiting = [row.table_id for row in list_waits(player_id)]
    if after in waiting:
        at = waiting.index(after)
        waiting = waiting[at + 1 :] + waiting[:at]
    return next(iter(waiting), None)


def find_dues(player_id: int, table_ids: Iterable[str]) -> dict[str, float]:
    """When this person's time runs out, at those of these tables that wait for them."""
    rows = AwaitedTurn.objects.filter(player=player_id, table__in=list(table_ids))
    return dict(rows.values_list("table", "due_at"))
