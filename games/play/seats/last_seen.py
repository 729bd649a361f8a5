"""When one of its people was last at a table, as far as the database knows: durable to the minute.

Not a change of the table: nobody is shown anything else, so its version stays. Each process notes it for the tables
that it serves, at most once a minute each.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable

from django.db import OperationalError

from games import models

logger = logging.getLogger(__name__)

NOTED_SECONDS = 60.0
"""How often it is written for a table."""
MOST_KEPT = 4096
"""Tables of which this process remembers when it wrote that."""

_noted: dict[str, float] = {}
_lock = threading.Lock()


def note(table_ids: Iterable[str], *, now: float) -> None:
    """People of these tables are there now (on a database thread). Where that cannot be saved, they play on."""
    with _lock:
        due = [one for one in table_ids if not now - NOTED_SECONDS < _noted.get(one, 0.0) <= now]
        if len(_noted) + len(due) > MOST_KEPT:
            _noted.clear()
        _noted.update(dict.fromkeys(due, now))
    if not due:
        return
    try:
        models.Table.objects.filter(pk__in=due).update(seen_at=now)
    except OperationalError as error:
        logger.info("who is there cannot be noted now: %s", error)


def forget_all() -> None:
    """Write for every table anew (the database was exchanged, or between tests)."""
    with _lock:
        _noted.clear()
