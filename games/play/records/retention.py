"""Retention of casual tables: abandoned ones are closed, and finished games become files after some time.

Each run is bounded and may be interrupted and repeated. Arranged tables are never touched.
"""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Q

from games import models
from games.play.clocks import idle_tables
from games.play.moves.submission import retry
from games.play.records import filing
from games.play.seats import table_limits
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable

DAY = 86_400.0
MAX_PER_RUN = 200
"""Tables in one run, so that moves do not wait long for the disk that writes them."""


class TidyResult(NamedTuple):
    """How many tables were closed, and how many games were written to files."""

    closed: int
    filed: int


def tidy_tables(*, now: float, most: int = MAX_PER_RUN) -> TidyResult:
    """One run of what is due by the settings. An error of one table is logged and does not stop the others."""
    table_limits.forget_openers()
    closed = sum(close(table_id, now=now) for table_id in list_abandoned(now=now, most=most))
    if not settings.KEEP_GAMES_DAYS:
        return TidyResult(closed, 0)
    filed = 0
    for table_id in filing.list_old(before=now - settings.KEEP_GAMES_DAYS * DAY, most=most):
        with isolate_errors(f"table {table_id}"):
            filed += filing.file_game(table_id, now=now)
    return TidyResult(closed, filed)


def list_abandoned(*, now: float, most: int) -> list[str]:
    """Casual tables that have waited, or been paused for lack of players or by one of them, for CLOSE_STANDING_DAYS."""
    limit = now - settings.CLOSE_STANDING_DAYS * DAY
    seen = Q(seen_at=None) | Q(seen_at__lt=limit)
    waiting = Q(status=WAITING, created_at__lt=limit)
    is_paused = Q(desk__contains=codec.STANDING) | Q(desk__contains=codec.HELD)
    standing_still = is_paused & Q(status=PLAYING, started_at__lt=limit, wake_at=None)
    casual = models.Table.objects.filter(seen, waiting | standing_still).exclude(desk__contains=codec.ARRANGED)
    found = list(casual.order_by("created_at").values_list("pk", flat=True)[:most])
    kept = {table_id for exempt in idle_tables.EXEMPTIONS for table_id in exempt(found)} if found else set()
    return [table_id for table_id in found if table_id not in kept]


def close(table_id: str, *, now: float) -> bool:
    """Close an abandoned table: its finished deals count, the one under way does not. Returns whether it is closed."""
    limit = now - settings.CLOSE_STANDING_DAYS * DAY

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        since = table.created_at if table.status == WAITING else table.runtime.paused_at
        is_paused = table.runtime.is_standing or table.runtime.is_held
        is_left = table.status == WAITING or (table.status == PLAYING and is_paused)
        if not is_left or since is None or since >= limit:
            return table
        return store.commit(table, table.changed(status=OVER, ended_at=now, state=None))

    done: list[LoadedTable] = []
    with isolate_errors(f"table {table_id}"):
        done.append(retry(table_id, attempt, now=now))
    return any(table.status == OVER for table in done)
