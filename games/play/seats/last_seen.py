"""When a player was last present at a table, stored in the column `seen_at` to the minute.

It is no change of the table: no page shows it, so the version stays. Each process writes it for the tables that it
serves, about once a minute.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from django.db import OperationalError

from games import models
from games.memo import Memo

logger = logging.getLogger(__name__)

WRITE_SECONDS = 60.0
"""Seconds between two writes for a table: a tenth of `idle_tables.IDLE_SECONDS`, which needs no finer figure."""
MAX_KEPT = 4096
"""Tables whose last write this process remembers: more than it serves at a time."""

_noted: Memo[str, float] = Memo("last seen", MAX_KEPT)
"""Table → when this process last wrote it (seconds since 1970)."""


def record_presence(table_ids: Iterable[str], *, now: float) -> None:
    """Store that players of these tables are present now (on a database thread). A failed write is only logged."""
    due = [pk for pk in table_ids if not now - WRITE_SECONDS < (_noted.get(pk) or 0.0) <= now]
    for table_id in due:
        _noted.put(table_id, now)
    if not due:
        return
    try:
        models.Table.objects.filter(pk__in=due).update(seen_at=now)
    except OperationalError as error:
        logger.info("who is there cannot be noted now: %s", error)
