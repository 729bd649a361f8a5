"""Bots, clocks and the sweeper. Arguments are primitives; each may run twice, late or never.

The database decides: a table says when something is due (`wake_at`). Messages only make it prompt:
a bot's turn is sent when it begins, a clock's message when it is about to be over.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime
from functools import partial
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.core.cache import cache
from django.dispatch import receiver

from games import metrics, outbox, trace
from games.clock import next_due
from games.lag import Lag, find_period
from games.play import downtime, moves, pulse, wake
from games.play.batch import do_batch
from games.play.errors import Busy, Refusal
from games.play.signals import table_changed
from games.play.table import Loaded

logger = logging.getLogger(__name__)

EXPIRES_SECONDS = 60
"""A message so late is thrown away: the sweeper has long done its work."""
RESEND_SECONDS = 2.0
"""After so long a message of the sweeper counts as lost, where messages do not wait."""
PATIENCE_SECONDS = 32.0
"""After so long it counts as lost however long messages wait."""
AGAIN_SECONDS = 0.5
"""Before a bot that the database did not let move tries once more."""
TOGETHER = 20
"""Tables whose timers run out in one transaction."""
MOMENT = 0.01
"""A clock's message comes when its event can run, and not a moment before."""


@receiver(table_changed)
def schedule(table: Loaded, **_kwargs: Any) -> None:
    """After a change: send the bot whose turn it is, and any clock that is over before the next sweep."""
    if table.desk.bot_due is not None:
        outbox.post(partial(_send, bot_turn, table, table.desk.bot_due))
    due = table.wake_at
    if due is not None and due != table.desk.bot_due and due < time.time() + 2 * settings.SWEEP_SECONDS:
        outbox.post(partial(_send_clock, table, due))


def _send_clock(table: Loaded, due: float) -> None:
    _send(clock_due, table, due + moves.patience(table) + MOMENT)


def _send(task: Any, table: Loaded, at: float) -> None:
    wait = max(0.0, at - time.time())
    task.apply_async((table.id, table.ply), countdown=wait, ignore_result=True, expires=wait + EXPIRES_SECONDS)


_lag = Lag()
_Task: Any = Task


class Prompt(_Task):  # type: ignore[misc]
    """A task whose message is over EXPIRES_SECONDS after its time. A worker looks for that as it takes the message, and
    not once it has waited for a thread: so what it cannot do would pile up, and be done before what is new."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do it, unless its message is over."""
        if self.request.expires:
            wait = EXPIRES_SECONDS + time.time() - datetime.fromisoformat(self.request.expires).timestamp()
            _lag.note(wait, at=time.monotonic())
            if wait > EXPIRES_SECONDS:
                return None
        return self.run(*args, **kwargs)


@shared_task(name="games.tasks.bot_turn", base=Prompt, ignore_result=True)
def bot_turn(table_id: str, ply: int) -> None:
    """Make one bot's move, if the table is still at this ply."""
    trace.table_id.set(table_id)
    try:
        if moves.play_bot(table_id, ply=ply, now=time.time()) is not None:
            metrics.note_bot_move()
    except Busy as refusal:  # the sweeper would leave it two seconds to be done by others, and there are none
        logger.info("bot at table %s, once more: %s", table_id, refusal)
        bot_turn.apply_async(
            (table_id, ply), countdown=AGAIN_SECONDS, ignore_result=True, expires=AGAIN_SECONDS + EXPIRES_SECONDS
        )
    except Refusal as refusal:
        logger.info("bot at table %s: %s", table_id, refusal)


@shared_task(name="games.tasks.clock_due", base=Prompt, ignore_result=True)
def clock_due(table_id: str, ply: int) -> None:
    """Make happen what time decides at this table; at another ply nothing may be due.

    What is overdue at other tables happens in the same transaction: where many timers run out at once, one look at
    the disk serves them all, and their own messages find nothing to do.
    """
    trace.table_id.set(table_id)
    now = time.time()
    try:
        if pulse.is_interrupted(now):  # the first to wake after an interruption may be a timer
            downtime.forgive(now=now)
        late = [other for other in wake.list_late(now - moves.ANSWER_GRACE, most=TOGETHER) if other != table_id]
    except Refusal as refusal:
        logger.info("clock at table %s, sent at ply %s: %s", table_id, ply, refusal)
        return
    tables = [table_id, *late]
    results = do_batch([partial(moves.run_late_clock, one, now=now) for one in tables])
    for one, result in zip(tables, results, strict=True):
        if isinstance(result.error, Refusal):
            logger.info("clock at table %s: %s", one, result.error)
        elif result.error is not None:
            logger.error("clock at table %s", one, exc_info=result.error)
        elif result.value.late is not None:
            metrics.LATENESS.observe(result.value.late)
    _send_again(results[0].value.table if results[0].value else None, ply, now=now)


def _send_again(table: Loaded | None, ply: int, *, now: float) -> None:
    """Once more, later, where a player is farther away than it seemed when the message was sent."""
    due = None if table is None or table.ply != ply else next_due(table.desk.clocks)
    if table is not None and due is not None and due + moves.patience(table) > now:
        schedule(table)


_last_sweep = float("-inf")
"""When this process last swept, by its clock that only runs forward."""


@shared_task(name="games.tasks.sweep", ignore_result=True)
def sweep() -> None:
    """Whatever is due, or about to be, happens: what became of its message does not matter.

    Where a worker has more to do than it can, messages wait, and those of the sweeper would be one more reason: so it
    takes none for lost that only waits, and of the sweeps that have waited behind one another does the first.
    """
    global _last_sweep
    now, at = time.time(), time.monotonic()
    lag = _lag.read(at=at)
    try:
        downtime.forgive(now=now)
        if at - _last_sweep < min(lag, RESEND_SECONDS):
            return
        _last_sweep = at
        period = find_period(lag, least=RESEND_SECONDS, most=PATIENCE_SECONDS)
        for due in _list_lost(now, period):
            task, late = (bot_turn, 0.0) if due.is_bot else (clock_due, moves.ANSWER_GRACE + MOMENT)
            wait = max(0.0, due.at + late - now)
            task.apply_async(
                (due.table_id, due.ply), countdown=wait, ignore_result=True, expires=wait + EXPIRES_SECONDS
            )
    except Refusal as refusal:
        logger.warning("sweep: %s", refusal)


def _list_lost(now: float, period: float) -> list[wake.Due]:
    """What is due and was not sent in this period; from now on it was."""
    grace = max(wake.BOT_GRACE, period)
    # The moment is in the name: what keeps names forgets them late where its clock is set back.
    dues = {
        f"due:{due.table_id}:{due.ply}:{due.at}:{period}:{now // period}": due
        for due in wake.list_due(until=now + 2 * settings.SWEEP_SECONDS)
        if not due.is_bot or due.at <= now - grace
    }
    sent = cache.get_many(dues)
    lost = {name: due for name, due in dues.items() if name not in sent}
    cache.set_many(dict.fromkeys(lost, 1), timeout=period)
    return list(lost.values())
