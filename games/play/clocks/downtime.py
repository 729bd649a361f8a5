"""Time during which the installation was not there counts for nobody: after it clocks go on as they were.

It is there as long as one of its processes notes it: every server does, in a thread of its own (serving/heartbeat.py),
and every sweep. So one that is merely busy, whose worker is late, is not taken for one that was away.
"""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import OperationalError
from django.db.models import F, Q

from games import models
from games.play.errors import Busy, NotFound, Unreadable
from games.play.moves.advance import BOT_SPREAD
from games.play.moves.submission import retry
from games.play.storage import codec
from games.play.storage.heartbeat import BEAT_SECONDS, FORGIVEN_FROM
from games.play.storage.store import commit, together
from games.play.storage.table import PLAYING, WAITING, Desk, Loaded
from games.rules.clock import postpone_clocks

logger = logging.getLogger(__name__)

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
        if abs(gap) < FORGIVEN_FROM and not has_stopped:
            models.Pulse.objects.filter(pk=1, at=pulse.at).update(at=now)
            return 0
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    with together():  # whoever dies in the middle of it leaves the old pulse, and the next one does it all
        if not models.Pulse.objects.filter(pk=1, at=pulse.at).update(at=now):
            return 0
        seen = models.Table.objects.filter(status=PLAYING, seen_at__isnull=False)
        seen.update(seen_at=F("seen_at") + gap)  # who could not come has not stayed away
        waiting = Q(status=WAITING) & (Q(desk__contains=codec.ARRANGED) | Q(desk__contains=codec.WAITS))
        rows = models.Table.objects.filter(Q(status=PLAYING) | waiting)
        tables = list(rows.order_by("pk").values_list("pk", flat=True))
        return sum(_set_on(table_id, gap, now=now) for table_id in tables)


def _set_on(table_id: str, seconds: float, *, now: float) -> bool:
    """Set the clocks of one table on; one that cannot be read stops no other. Raises Busy."""
    try:
        retry(table_id, lambda table, _now: _shift(table, seconds, now=now))
    except (NotFound, Unreadable) as refusal:
        logger.warning("table %s: %s", table_id, refusal)
        return False
    return True


def _shift(table: Loaded, seconds: float, *, now: float) -> Loaded:
    if table.status == WAITING:
        since = now - max(0.0, seconds)
        waits = tuple((seat, until + seconds if until > since else until) for seat, until in table.desk.waits)
        lost = table.desk.lost + (seconds if table.desk.arranged is not None else 0)
        after = table.changed(desk=table.desk._replace(lost=lost, waits=waits))
        return table if after.desk == table.desk else commit(table, after)
    if table.status != PLAYING or table.desk.paused_at is not None:
        return table
    deadlines = table.rules.deadlines(table.state)
    clocks = postpone_clocks(table.desk.clocks, deadlines, by=seconds, turn_seconds=table.turn_seconds, now=now)
    desk = _put_off_bots(table.desk._replace(clocks=clocks), seconds, now=now)
    if seconds >= 0 or table.started_at is None:
        return commit(table, table.changed(desk=desk))
    # The computer's clock was set back, and the game began by the old one: its times count on from where they were.
    return commit(table, table.changed(desk=desk, started_at=table.started_at + seconds))


def _put_off_bots(desk: Desk, seconds: float, *, now: float) -> Desk:
    """None by more than it may think: what was decided since the jump was decided by the new time."""
    latest = now + settings.BOT_DELAY * (1 + BOT_SPREAD)

    def postpone(due: float | None) -> float | None:
        return None if due is None else min(due + seconds, latest)

    bots = tuple(bot._replace(due=postpone(bot.due)) for bot in desk.bots)
    return desk._replace(bots=bots, bot_due=postpone(desk.bot_due))
