"""Bots, clocks and the sweeper. Arguments are primitives; each may run twice, late or never.

The database decides: a table says when something is due (`wake_at`). Messages only make it prompt:
a bot's turn is sent when it begins, a clock's message when it is about to be over.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.core.cache import cache
from django.dispatch import receiver

from games.operation import metrics, trace
from games.play.clocks import downtime, due_tables, idle_tables, timers
from games.play.errors import Busy, Refusal
from games.play.moves import submission
from games.play.moves.batch import BatchResult, run_batch
from games.play.records import retention
from games.play.signals import table_changed
from games.play.storage import heartbeat
from games.play.storage.table import LoadedTable
from games.rules.clock import find_next_due
from games.work import task_sender
from games.work.bot_thinking import choose_or_ask
from games.work.queue_lag import QueueLag, find_resend_period
from games.work.task_threads import LongTask

logger = logging.getLogger(__name__)

EXPIRES_SECONDS = 60
"""Seconds after its time at which a message is dropped: the sweeper has long done its work."""
RESEND_SECONDS = 2.0
"""Seconds after which a message of the sweeper counts as lost while queues are empty."""
MAX_RESEND_SECONDS = 32.0
"""Seconds after which it counts as lost however long messages wait: `RESEND_SECONDS` doubled four times."""
RETRY_SECONDS = 0.5
"""Seconds before a bot whose move the database could not save tries again."""
CLOCKS_PER_BATCH = 20
"""Tables whose clocks run out in one transaction (docs/performance.md)."""
BOTS_PER_BATCH = 6
"""Bots that move in one transaction while messages wait: few, as people's moves wait until all of them are shown."""
BUSY_LAG_SECONDS = 0.25
"""Seconds of queue lag from which on bots move in batches."""
BATCH_BOT_SECONDS = 0.1
"""Seconds that the bots of a batch may compute; one that has begun is not interrupted."""
FAR_SECONDS = 60.0
"""A bot that waits longer than this (in a game over days) gets no message now: the sweeper sends it in time."""
CLOCK_MARGIN_SECONDS = 0.01
"""Seconds added to a clock's message, so that it does not come just before its event can run."""


@receiver(table_changed)
def schedule(table: LoadedTable, **_kwargs: Any) -> None:
    """Send messages for the next bot, and for a clock that runs out before the next sweep. Runs after a change."""
    soon = time.time() + FAR_SECONDS
    if table.runtime.bot_due is not None and table.runtime.bot_due < soon:
        task_sender.send_task(partial(_send, bot_turn, table, table.runtime.bot_due))
    due = table.wake_at
    if due is not None and due != table.runtime.bot_due and due < time.time() + 2 * settings.SWEEP_SECONDS:
        task_sender.send_task(partial(_send_clock, table, due))


_MESSAGE: dict[str, Any] = {"ignore_result": True, "argsrepr": "", "kwargsrepr": "", "retry": not settings.IS_EMBEDDED}
"""Options of every message. Nobody reads the texts of its arguments, and a queue in memory needs no second attempt:
together they are a third of what sending costs."""


def send_message(task: Any, table_id: str, ply: int, *, wait: float = 0.0) -> None:
    """Send the message of a table's task, to be run in so many seconds. Raises what the broker's client raises."""
    task.apply_async((table_id, ply), countdown=wait, expires=wait + EXPIRES_SECONDS, **_MESSAGE)


def _send_clock(table: LoadedTable, due: float) -> None:
    _send(clock_due, table, due + submission.find_answer_grace(table) + CLOCK_MARGIN_SECONDS)


def _send(task: Any, table: LoadedTable, at: float) -> None:
    wait = max(0.0, at - time.time())
    send_message(task, table.id, table.ply, wait=wait)


_lag = QueueLag()
_batching = threading.Lock()
"""Held by the one thread of a process that builds a batch: others would choose the same tables."""
_Task: Any = Task


class ExpiringTask(_Task):  # type: ignore[misc]
    """A task whose message expires `EXPIRES_SECONDS` after its time, also while it waits for a thread.

    Celery checks that only when it receives the message; an overloaded worker would run old messages before new ones.
    """

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it, unless its message has expired."""
        if self.request.expires:
            wait = EXPIRES_SECONDS + time.time() - datetime.fromisoformat(self.request.expires).timestamp()
            _lag.note(wait, at=time.monotonic())
            if wait > EXPIRES_SECONDS:
                return None
        return self.run(*args, **kwargs)


@shared_task(name="games.tasks.bot_turn", base=ExpiringTask, ignore_result=True)
def bot_turn(table_id: str, ply: int) -> None:
    """Make one bot's move, if the table is still at this ply.

    While messages wait, overdue clocks run out in the same transaction, so that they do not wait for bots, and a few
    late bots move in it. One disk write serves them all, and their own messages find nothing to do.
    """
    trace.table_id.set(table_id)
    if submission.has_passed(table_id, ply):
        return
    now, until = time.time(), time.monotonic() + BATCH_BOT_SECONDS
    with _list_batch(table_id, now) as (clocks, bots):
        jobs: list[Callable[[], Any]] = [partial(_play_bot, table_id, ply, now=now)]
        jobs += [partial(timers.run_clock_timed, clock, now=now) for clock in clocks]
        jobs += [partial(_play_batched_bot, action, now=now, until=until) for action in bots]
        results = run_batch(jobs)
    _note_clocks(clocks, results[1 : 1 + len(clocks)])
    for result in (results[0], *results[1 + len(clocks) :]):
        if result.value is not None:
            metrics.note_bot_move()
            _log_change("bot moved", result.value)
    _handle_bot_error(results[0].error, table_id, ply)  # of the other bots their own messages tell


def _handle_bot_error(error: Exception | None, table_id: str, ply: int) -> None:
    if isinstance(error, Busy):  # the sweeper would leave it two seconds to be done by others, and there are none
        logger.info("bot at table %s, once more: %s", table_id, error)
        send_message(bot_turn, table_id, ply, wait=RETRY_SECONDS)
    elif isinstance(error, Refusal):
        logger.info("bot at table %s: %s", table_id, error)
    elif error is not None:
        raise error


@contextmanager
def _list_batch(table_id: str, now: float) -> Iterator[tuple[list[str], list[due_tables.DueAction]]]:
    """Tables with overdue clocks, and a random few of the late bots, so that workers choose different ones.

    Both are empty while messages do not wait.
    """
    if _lag.read(at=time.monotonic()) < BUSY_LAG_SECONDS or not _batching.acquire(blocking=False):
        yield [], []
        return
    dues: list[due_tables.DueAction] = []
    try:
        with suppress(Busy):  # then their own move is not made either, and is tried again
            dues = [due for due in due_tables.list_due(until=now) if due.table_id != table_id]
        overdue = [due.table_id for due in dues if not due.is_bot and due.at <= now - submission.ANSWER_GRACE]
        clocks = overdue[:CLOCKS_PER_BATCH]
        bots = [due for due in dues if due.is_bot and due.table_id not in clocks]
        yield clocks, random.sample(bots, min(BOTS_PER_BATCH - 1, len(bots)))
    finally:
        _batching.release()


def _play_batched_bot(due: due_tables.DueAction, *, now: float, until: float) -> LoadedTable | None:
    """Move this bot unless the time of the batch is over, so that people's moves do not wait for all of them."""
    return _play_bot(due.table_id, due.ply, now=now) if time.monotonic() < until else None


def _play_bot(table_id: str, ply: int, *, now: float) -> LoadedTable | None:
    """Move this bot; None, too, if a process thinks about it now: its turn is then sent again."""
    again = partial(task_sender.send_task, partial(_send_decided, table_id, ply))
    return submission.play_bot(table_id, ply=ply, now=now, choose=partial(choose_or_ask, when_decided=again))


def _send_decided(table_id: str, ply: int) -> None:
    send_message(bot_turn, table_id, ply)


@shared_task(name="games.tasks.clock_due", base=ExpiringTask, ignore_result=True)
def clock_due(table_id: str, ply: int) -> None:
    """Run what is overdue at this table; at another ply there may be nothing to do.

    Overdue clocks of other tables run in the same transaction: one disk write serves many timers that run out at once,
    and their own messages find nothing to do.
    """
    trace.table_id.set(table_id)
    now = time.time()
    try:
        if heartbeat.is_interrupted(now):  # the first to wake after an interruption may be a timer
            downtime.compensate_downtime(now=now)
        late = [
            other
            for other in due_tables.list_late(now - submission.ANSWER_GRACE, most=CLOCKS_PER_BATCH)
            if other != table_id
        ]
    except Refusal as refusal:
        logger.info("clock at table %s, sent at ply %s: %s", table_id, ply, refusal)
        return
    tables = [table_id, *late]
    results = run_batch([partial(timers.run_clock_timed, table, now=now) for table in tables])
    _note_clocks(tables, results)
    _resend_clock(results[0].value.table if results[0].value else None, ply, now=now)


def _note_clocks(tables: Sequence[str], results: Sequence[BatchResult]) -> None:
    for one, result in zip(tables, results, strict=True):
        if isinstance(result.error, Refusal):
            logger.info("clock at table %s: %s", one, result.error)
        elif result.error is not None:
            logger.error("clock at table %s", one, exc_info=result.error)
        elif result.value.late is not None:
            metrics.LATENESS.observe(result.value.late)
            _log_change("clock ran out, %.2f s late", result.value.table, result.value.late)


def _log_change(words: str, table: LoadedTable, *args: object) -> None:
    """One line a bot's move and a clock's event, with the table and the ply after it."""
    logger.info(words, *args, extra={"table": table.id, "ply": table.ply})


def _resend_clock(table: LoadedTable | None, ply: int, *, now: float) -> None:
    """Send the clock's message again if a player's network delay has grown since it was sent."""
    due = None if table is None or table.ply != ply else find_next_due(table.runtime.clocks)
    if table is not None and due is not None and due + submission.find_answer_grace(table) > now:
        schedule(table)


_last_sweep = float("-inf")
"""When this process last swept (monotonic seconds)."""


@shared_task(name="games.tasks.sweep", ignore_result=True)
def sweep() -> None:
    """Send messages for everything that is due, or about to be, whose message may be lost.

    An overloaded worker must not get more messages: those that only wait are not sent again, and of several sweeps that
    waited in the queue only the first one runs.
    """
    global _last_sweep
    now, at = time.time(), time.monotonic()
    lag = _lag.read(at=at)
    try:
        downtime.compensate_downtime(now=now)
        if at - _last_sweep < min(lag, RESEND_SECONDS):
            return
        _last_sweep = at
        period = find_resend_period(lag, least=RESEND_SECONDS, most=MAX_RESEND_SECONDS)
        for due in _list_unsent(now, period):
            task, late = (bot_turn, 0.0) if due.is_bot else (clock_due, submission.ANSWER_GRACE + CLOCK_MARGIN_SECONDS)
            wait = max(0.0, due.at + late - now)
            send_message(task, due.table_id, due.ply, wait=wait)
    except Refusal as refusal:
        logger.warning("sweep: %s", refusal)


@shared_task(name="games.tasks.look_after_games", base=LongTask, ignore_result=True)
def look_after_games() -> None:
    """Close abandoned tables and write old games to files, as the settings say."""
    try:
        retention.tidy_tables(now=time.time())
    except Refusal as refusal:
        logger.warning("old games: %s", refusal)


@shared_task(name="games.tasks.stand_still", ignore_result=True)
def stand_still() -> None:
    """Pause idle tables."""
    try:
        idle_tables.pause_idle_tables(now=time.time())
    except Refusal as refusal:
        logger.warning("tables without people: %s", refusal)


def _list_unsent(now: float, period: float) -> list[due_tables.DueAction]:
    """What is due and was not sent in this period (seconds); it is marked as sent."""
    grace = max(due_tables.BOT_GRACE, period)
    # The moment is in the name: what keeps names forgets them late where its clock is set back.
    dues = {
        f"due:{due.table_id}:{due.ply}:{due.at}:{period}:{now // period}": due
        for due in due_tables.list_due(until=now + 2 * settings.SWEEP_SECONDS)
        if not due.is_bot or due.at <= now - grace
    }
    sent = cache.get_many(dues)
    lost = {name: due for name, due in dues.items() if name not in sent}
    cache.set_many(dict.fromkeys(lost, 1), timeout=period)
    return list(lost.values())
