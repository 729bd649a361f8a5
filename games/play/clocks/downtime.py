"""Downtime of the installation: all clocks are postponed by it, so that no player loses time.

The installation counts as up while any process writes the heartbeat: every server does, in a thread of its own
(games/serving/heartbeat_thread.py), and every sweep. So a busy worker is not mistaken for downtime.

A game over days keeps its times if it has more time left than was lost: thousands of them need not be written.
"""

from __future__ import annotations

import logging
import threading
from math import inf

from django.conf import settings
from django.db import OperationalError
from django.db.models import F, Q

from games import models
from games.play.errors import Busy, NotFound, Unreadable
from games.play.moves.advance import get_longest_turn
from games.play.moves.bot_pace import find_longest_pause
from games.play.moves.interludes import postpone_interlude
from games.play.moves.submission import retry
from games.play.storage import codec
from games.play.storage.heartbeat import BEAT_SECONDS, OUTAGE_SECONDS
from games.play.storage.store import commit, save_together
from games.play.storage.table import PLAYING, WAITING, LoadedTable, TableRuntime
from games.rules.clock import postpone_clocks
from games.rules.day_pace import DAY_SECONDS

logger = logging.getLogger(__name__)

_one_at_a_time = threading.Lock()
"""Threads of this process wait until the clocks are postponed."""


def compensate_downtime(*, now: float, was_down: bool = False) -> int:
    """Write the heartbeat; after an outage postpone all clocks by its length. Returns the number of tables.

    A change of the computer's clock looks the same and is treated the same, in both directions. Only the process that
    writes the heartbeat first does it. was_down: the caller knows of an outage of any length (the only process
    starts). Raises Busy.
    """
    with _one_at_a_time:
        return _compensate(now=now, was_down=was_down)


def _compensate(*, now: float, was_down: bool) -> int:
    try:
        pulse, is_new = models.Pulse.objects.get_or_create(pk=1, defaults={"at": now})
        gap = now - pulse.at
        if is_new or (0 <= gap < BEAT_SECONDS and not was_down):
            return 0
        if abs(gap) < OUTAGE_SECONDS and not was_down:
            models.Pulse.objects.filter(pk=1, at=pulse.at).update(at=now)
            return 0
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    with save_together():  # a process that dies here leaves the old heartbeat, and the next one does it all
        if not models.Pulse.objects.filter(pk=1, at=pulse.at).update(at=now):
            return 0
        live = Q(status=PLAYING, turn_seconds__lt=DAY_SECONDS)
        ends_soon = Q(status=PLAYING, turn_seconds__gte=DAY_SECONDS, wake_at__lte=now + abs(gap))
        seen = models.Table.objects.filter(live, seen_at__isnull=False)
        seen.update(seen_at=F("seen_at") + gap)  # who could not come has not stayed away
        waiting = Q(status=WAITING) & (Q(desk__contains=codec.ARRANGED) | Q(desk__contains=codec.WAITS))
        rows = models.Table.objects.filter(live | ends_soon | waiting)
        tables = list(rows.order_by("pk").values_list("pk", flat=True))
        return sum(_shift_table(table_id, gap, now=now) for table_id in tables)


def _shift_table(table_id: str, seconds: float, *, now: float) -> bool:
    """Postpone the clocks of one table; an unreadable one is logged and does not stop the others. Raises Busy."""
    try:
        retry(table_id, lambda table, _now: _shift_clocks(table, seconds, now=now))
    except (NotFound, Unreadable) as refusal:
        logger.warning("table %s: %s", table_id, refusal)
        return False
    return True


def _shift_clocks(table: LoadedTable, seconds: float, *, now: float) -> LoadedTable:
    if table.status == WAITING:
        since = now - max(0.0, seconds)
        waits = tuple((seat, until + seconds if until > since else until) for seat, until in table.runtime.waits)
        lost = table.runtime.lost + (seconds if table.runtime.arranged is not None else 0)
        after = table.changed(runtime=table.runtime._replace(lost=lost, waits=waits))
        return table if after.runtime == table.runtime else commit(table, after)
    if table.status != PLAYING or table.runtime.paused_at is not None:
        return table
    deadlines = table.list_deadlines(table.state)
    longest = get_longest_turn(table)
    clocks = postpone_clocks(table.runtime.clocks, deadlines, by=seconds, turn_seconds=longest, now=now)
    latest = inf if table.is_over_days else now + find_longest_pause(table.pace, settings.BOT_DELAY)
    runtime = _postpone_bots(table.runtime._replace(clocks=clocks), seconds, latest=latest)
    runtime = postpone_interlude(table.runtime, runtime, seconds, latest=now + settings.INTERLUDE_SECONDS)
    if seconds >= 0 or table.started_at is None:
        return commit(table, table.changed(runtime=runtime))
    # The computer's clock was set back, and the game began by the old one: its times count on from where they were.
    return commit(table, table.changed(runtime=runtime, started_at=table.started_at + seconds))


def _postpone_bots(runtime: TableRuntime, seconds: float, *, latest: float) -> TableRuntime:
    """Postpone bots, but by no more than their longest delay: newer times already use the new clock."""

    def postpone(due: float | None) -> float | None:
        return None if due is None else min(due + seconds, latest)

    bots = tuple(bot._replace(due=postpone(bot.due)) for bot in runtime.bots)
    answers = tuple(answer._replace(due=postpone(answer.due)) for answer in runtime.answers)
    return runtime._replace(bots=bots, answers=answers, bot_due=postpone(runtime.bot_due))
