"""When one of its people was last at a table, as far as the database knows: durable to the minute.

Not a change of the table: nobody is shown anything else, so its version stays. Each process writes it for the tables
that it serves, about once a minute each.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from django.db import OperationalError

from games import models
from games.memo import Memo

logger = logging.getLogger(__name__)

NOTED_SECONDS = 60.0
"""How often it is written for a table."""
MOST_KEPT = 4096
"""Tables of which this process remembers when it wrote that: those that it serves at once, and some more."""

_noted: Memo[str, float] = Memo("last seen", MOST_KEPT)
"""Table → when this process last wrote it (seconds since 1970)."""


def note(table_ids: Iterable[str], *, now: float) -> None:
    """People of these tables are there now (on a database thread). Where that cannot be saved, they play on."""
    due = [one for one in table_ids if not now - NOTED_SECONDS < (_noted.get(one) or 0.0) <= now]
    for one in due:
        _noted.put(one, now)
    if not due:
        return
    try:
        models.Table.objects.filter(pk__in=due).update(seen_at=now)
    except OperationalError as error:
        logger.info("who is there cannot be noted now: %s", error)
