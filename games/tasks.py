"""Bots, clocks and the sweeper. Arguments are primitives; each may run twice, late or never.

The database decides: a table says when something is due (`wake_at`). Messages only make it prompt:
a bot's turn is sent when it begins, a clock's message when it is about to be over.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.core.cache import cache
from django.dispatch import receiver

from games import metrics, outbox, trace
from games.clock import next_due
from games.play import downtime, moves, pulse, wake
from games.play.batch import do_batch
from games.play.errors import Busy, Refusal
from games.play.signals import table_changed
from games.play.table import Loaded

logger = logging.getLogger(__name__)

EXPIRES_SECONDS = 60
"""A message so late is thrown away: the sweeper has long done its work."""
RESEND_SECONDS = 2
"""After so long a message of the sweeper counts as lost."""
STALE_SECONDS = 10
"""After so long a message of the sweeper is none: it was sent again four times by then."""
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


_Task: Any = Task


class Prompt(_Task):  # type: ignore[misc]
    """A task that is not done late. A worker looks when a message was to be over as it takes it, and not once it has
    waited for a thread: so what it cannot do would pile up, and be done before what is new."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do it, unless its time is over."""
        over = self.request.expires
        return None if over and datetime.fromisoformat(over) < datetime.now(UTC) else self.run(*args, **kwargs)


@shared_task(name="games.tasks.bot_turn", base=Prompt, ignore_result=True)
def bot_turn(table_id: str, ply: int) -> None:
    """Make one bot's move, if the table is still at this ply."""
    trace.table_id.set(table_id)
    try:
        if moves.play_bot(table_id, ply=ply, now=time.time()) is not None:
            metrics.note_bot_move()
    except Busy as refusal:  # the sweeper would leave it two seconds to be done by others, and there are none
        logger.info("bot at table %s, once more: %s", table_id, refusal)
        bot_turn.apply_async((table_id, ply), countdown=AGAIN_SECONDS, ignore_result=True, expires=EXPIRES_SECONDS)
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


@shared_task(name="games.tasks.sweep", ignore_result=True)
def sweep() -> None:
    """Whatever is due, or about to be, happens: what became of its message does not matter."""
    now = time.time()
    try:
        downtime.forgive(now=now)
        for due in wake.list_due(until=now + 2 * settings.SWEEP_SECONDS):
            if due.is_bot and due.at > now - wake.BOT_GRACE:
                continue
            # The moment is in the name: what keeps names forgets them late where its clock is set back.
            if cache.add(f"due:{due.table_id}:{due.ply}:{due.at}:{now // RESEND_SECONDS}", 1, timeout=RESEND_SECONDS):
                task, late = (bot_turn, 0.0) if due.is_bot else (clock_due, moves.ANSWER_GRACE + MOMENT)
                wait = max(0.0, due.at + late - now)
                over = wait + STALE_SECONDS
                task.apply_async((due.table_id, due.ply), countdown=wait, ignore_result=True, expires=over)
    except Refusal as refusal:
        logger.warning("sweep: %s", refusal)
