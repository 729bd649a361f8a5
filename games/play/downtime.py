"""Time during which the installation was not there counts for nobody: after it clocks go on as they were.

It is there as long as one of its processes notes it: every server does, in a thread of its own (serving/heartbeat.py),
and every sweep. So one that is merely busy, whose worker is late, is not taken for one that was away.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from django.db import OperationalError

from games import models
from games.clock import put_off
from games.play.errors import Busy
from games.play.moves import retry
from games.play.store import commit
from games.play.table import PLAYING, Loaded

BEAT_SECONDS = 2.0
"""How often the pulse is written."""
FORGIVEN_FROM = 6.0
"""A gap shorter than this is no interruption, only a slow moment."""
_one_at_a_time = threading.Lock()
"""Nobody of this process goes on before the clocks are set."""


def forgive(*, now: float, has_stopped: bool = False) -> int:
    """Note that the installation is alive; after an interruption set all clocks forward by its length.

    A computer's clock that was set to another time looks the same, and is treated the same, in both
    directions. One process does it, whoever writes the pulse first. has_stopped: the caller knows that
    nobody was there, however short it was (the one process starts). Returns the number of tables.
    Raises Busy.
    """
    with _one_at_a_time:
        return _forgive(now=now, has_stopped=has_stopped)


def _forgive(*, now: float, has_stopped: bool) -> int:
    try:
        pulse, is_new = models.Pulse.objects.get_or_create(pk=1, defaults={"at": now})
        gap = now - pulse.at
        if is_new or (0 <= gap < BEAT_SECONDS and not has_stopped):
            return 0
        is_mine = models.Pulse.objects.filter(pk=1, at=pulse.at).update(at=now)
        if not is_mine or (abs(gap) < FORGIVEN_FROM and not has_stopped):
            return 0
        tables = list(models.Table.objects.filter(status=PLAYING).values_list("pk", flat=True))
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    for table_id in tables:
        retry(table_id, lambda table: _shift(table, gap, now=now))
    return len(tables)


def _shift(table: Loaded, seconds: float, *, now: float) -> Loaded:
    if table.status != PLAYING or table.desk.paused_at is not None:
        return table
    deadlines = table.rules.deadlines(table.state)
    clocks = put_off(table.desk.clocks, deadlines, by=seconds, turn_seconds=table.turn_seconds, now=now)
    return commit(table, table.changed(desk=replace(table.desk, clocks=clocks)))
