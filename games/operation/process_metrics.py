"""Metrics of this process that are counted by signals, or looked up when somebody reads them, at no cost
until then."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from celery.signals import task_failure
from django.conf import settings
from django.db import connection
from django.dispatch import receiver

from games.operation import metrics
from games.operation.version import find_version
from games.play.signals import result_in
from games.play.storage.table import OVER, LoadedTable

BACKUPS = "menagerie-*.jsonl.gz"
"""Names of backups in DATA_DIR/backups."""
STATES: dict[str, Callable[[dict[str, int]], int]] = {
    "in_use": lambda stats: stats["pool_size"] - stats["pool_available"],
    "idle": lambda stats: stats["pool_available"],
    "waiting": lambda stats: stats["requests_waiting"],
}
"""What connections do, and requests for one; how many there are by the pool's own numbers."""


@receiver(result_in)
def count_game(table: LoadedTable, **_kwargs: Any) -> None:
    """Count a game that has ended with an outcome."""
    if table.status == OVER and table.outcome is not None:
        metrics.GAMES.labels(table.rules.slug).inc()


@task_failure.connect
def count_task_error(sender: Any = None, **_kwargs: Any) -> None:
    """Count a task that raised an error in a worker; those in threads of their own are counted there."""
    metrics.note_task_error(str(getattr(sender, "name", "unknown")))


def find_backup_age() -> float:
    """Seconds since the newest backup in DATA_DIR/backups; infinite without one."""
    found = [file.stat().st_mtime for file in (settings.DATA_DIR / "backups").glob(BACKUPS)]
    return max(0.0, time.time() - max(found)) if found else math.inf


def count_connections(state: str) -> float:
    """Connections of this process to PostgreSQL in this state (`STATES`); NaN where there is no pool."""
    pool = getattr(connection, "_connection_pools", {}).get(connection.alias)
    return math.nan if pool is None else float(STATES[state](pool.get_stats()))


def publish() -> None:
    """Make this process report these metrics."""
    for state in STATES:
        metrics.CONNECTIONS.labels(state).set_function(partial(count_connections, state))
    metrics.MAX_CONNECTIONS.set_function(lambda: settings.DATABASE_POOL)
    metrics.BACKUP_AGE.set_function(find_backup_age)
    metrics.VERSION.labels(find_version()).set(1)
