"""What an operator keeps of casual tables: closed where nobody comes back, and finished games as files after some time.

Bounded pieces, each of which may be interrupted and done again. Nothing here touches what a tournament or an evening
has arranged.
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
from games.play.storage.table import OVER, PLAYING, WAITING, Loaded

DAY = 86_400.0
MOST = 200
"""Tables in one piece of work: nobody's move waits long for a disk that writes them."""


class Kept(NamedTuple):
    """What was done: tables closed, games written to files."""

    closed: int
    filed: int


def look_after(*, now: float, most: int = MOST) -> Kept:
    """One piece of what is due by the settings. What one table refuses, or fails with, stops no other."""
    table_limits.forget_openers()
    closed = sum(close(table_id, now=now) for table_id in list_abandoned(now=now, most=most))
    if not settings.KEEP_GAMES_DAYS:
        return Kept(closed, 0)
    filed = 0
    for table_id in filing.list_old(before=now - settings.KEEP_GAMES_DAYS * DAY, most=most):
        with isolate_errors(f"table {table_id}"):
            filed += filing.file_game(table_id, now=now)
    return Kept(closed, filed)


def list_abandoned(*, now: float, most: int) -> list[str]:
    """Casual tables that have not begun, or have stood still, for so many days."""
    limit = now - settings.CLOSE_STANDING_DAYS * DAY
    seen = Q(seen_at=None) | Q(seen_at__lt=limit)
    waiting = Q(status=WAITING, created_at__lt=limit)
    standing_still = Q(status=PLAYING, started_at__lt=limit, wake_at=None, desk__contains=codec.STANDING)
    casual = models.Table.objects.filter(seen, waiting | standing_still).exclude(desk__contains=codec.ARRANGED)
    found = list(casual.order_by("created_at").values_list("pk", flat=True)[:most])
    kept = {table_id for keeper in idle_tables.KEEPERS for table_id in keeper(found)} if found else set()
    return [table_id for table_id in found if table_id not in kept]


def close(table_id: str, *, now: float) -> bool:
    """Close a table to which nobody has come back: its finished deals count, the one under way does not."""
    limit = now - settings.CLOSE_STANDING_DAYS * DAY

    def attempt(table: Loaded, now: float) -> Loaded:
        since = table.created_at if table.status == WAITING else table.desk.paused_at
        is_left = table.status == WAITING or (table.status == PLAYING and table.desk.is_standing)
        if not is_left or since is None or since >= limit:
            return table
        return store.commit(table, table.changed(status=OVER, ended_at=now, state=None))

    done: list[Loaded] = []
    with isolate_errors(f"table {table_id}"):
        done.append(retry(table_id, attempt, now=now))
    return any(table.status == OVER for table in done)
