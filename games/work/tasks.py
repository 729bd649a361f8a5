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
from games.play.moves.batch import Result, do_batch
from games.play.records import retention
from games.play.signals import table_changed
from games.play.storage import heartbeat
from games.play.storage.table import Loaded
from games.rules.clock import find_next_due
from games.work import task_sender
from games.work.queue_lag import Lag, find_period
from games.work.task_threads import Lasting

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
BOTS_TOGETHER = 6
"""Bots that move in one, where messages wait: few, as people's moves wait until all of them are on screens."""
CROWDED_SECONDS = 0.25
"""So long messages wait where bots move together."""
THINKING_SECONDS = 0.1
"""So long bots think that move together; one that has begun is not interrupted."""
MOMENT = 0.01
"""A clock's message comes when its event can run, and not a moment before."""


@receiver(table_changed)
def schedule(table: Loaded, **_kwargs: Any) -> None:
    """After a change: send the bot whose turn it is, and any clock that is over before the next sweep."""
    if table.desk.bot_due is not None:
        task_sender.post(partial(_send, bot_turn, table, table.desk.bot_due))
    due = table.wake_at
    if due is not None and due != table.desk.bot_due and due < time.time() + 2 * settings.SWEEP_SECONDS:
        task_sender.post(partial(_send_clock, table, due))


def _send_clock(table: Loaded, due: float) -> None:
    _send(clock_due, table, due + submission.patience(table) + MOMENT)


def _send(task: Any, table: Loaded, at: float) -> None:
    wait = max(0.0, at - time.time())
    task.apply_async((table.id, table.ply), countdown=wait, ignore_result=True, expires=wait + EXPIRES_SECONDS)


_lag = Lag()
_taking_along = threading.Lock()
"""Only one thread of a process does: the others would take the same ones."""
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
    """Make one bot's move, if the table is still at this ply.

    Where messages wait, clocks do not wait for bots: those that are over run out in the same transaction, and a few of
    the bots that are late move in it. One look at the disk serves them all, and their own messages find nothing to do.
    """
    trace.table_id.set(table_id)
    if submission.is_past(table_id, ply):
        return
    now, until = time.time(), time.monotonic() + THINKING_SECONDS
    with _take_along(table_id, now) as (clocks, bots):
        works: list[Callable[[], Any]] = [partial(submission.play_bot, table_id, ply=ply, now=now)]
        works += [partial(timers.run_late_clock, one, now=now) for one in clocks]
        works += [partial(_play_too, one, now=now, until=until) for one in bots]
        results = do_batch(works)
    _note_clocks(clocks, results[1 : 1 + len(clocks)])
    for result in (results[0], *results[1 + len(clocks) :]):
        if result.value is not None:
            metrics.note_bot_move()
    _tell(results[0].error, table_id, ply)  # of the other bots their own messages tell


def _tell(error: Exception | None, table_id: str, ply: int) -> None:
    if isinstance(error, Busy):  # the sweeper would leave it two seconds to be done by others, and there are none
        logger.info("bot at table %s, once more: %s", table_id, error)
        bot_turn.apply_async(
            (table_id, ply), countdown=AGAIN_SECONDS, ignore_result=True, expires=AGAIN_SECONDS + EXPIRES_SECONDS
        )
    elif isinstance(error, Refusal):
        logger.info("bot at table %s: %s", table_id, error)
    elif error is not None:
        raise error


@contextmanager
def _take_along(table_id: str, now: float) -> Iterator[tuple[list[str], list[due_tables.Due]]]:
    """Tables whose clocks are over, and some of those whose bots are late (others may take others): none where messages
    do not wait."""
    if _lag.read(at=time.monotonic()) < CROWDED_SECONDS or not _taking_along.acquire(blocking=False):
        yield [], []
        return
    dues: list[due_tables.Due] = []
    try:
        with suppress(Busy):  # then his own move is not made either, and is tried again
            dues = [due for due in due_tables.list_due(until=now) if due.table_id != table_id]
        clocks = [one.table_id for one in dues if not one.is_bot and one.at <= now - submission.ANSWER_GRACE][:TOGETHER]
        bots = [due for due in dues if due.is_bot and due.table_id not in clocks]
        yield clocks, random.sample(bots, min(BOTS_TOGETHER - 1, len(bots)))
    finally:
        _taking_along.release()


def _play_too(due: due_tables.Due, *, now: float, until: float) -> Loaded | None:
    """Move this bot, too, unless those before it have thought for long: nobody's move waits for all of them."""
    return submission.play_bot(due.table_id, ply=due.ply, now=now) if time.monotonic() < until else None


@shared_task(name="games.tasks.clock_due", base=Prompt, ignore_result=True)
def clock_due(table_id: str, ply: int) -> None:
    """Make happen what time decides at this table; at another ply nothing may be due.

    What is overdue at other tables happens in the same transaction: where many timers run out at once, one look at
    the disk serves them all, and their own messages find nothing to do.
    """
    trace.table_id.set(table_id)
    now = time.time()
    try:
        if heartbeat.is_interrupted(now):  # the first to wake after an interruption may be a timer
            downtime.forgive(now=now)
        late = [
            other for other in due_tables.list_late(now - submission.ANSWER_GRACE, most=TOGETHER) if other != table_id
        ]
    except Refusal as refusal:
        logger.info("clock at table %s, sent at ply %s: %s", table_id, ply, refusal)
        return
    tables = [table_id, *late]
    results = do_batch([partial(timers.run_late_clock, one, now=now) for one in tables])
    _note_clocks(tables, results)
    _send_again(results[0].value.table if results[0].value else None, ply, now=now)


def _note_clocks(tables: Sequence[str], results: Sequence[Result]) -> None:
    for one, result in zip(tables, results, strict=True):
        if isinstance(result.error, Refusal):
            logger.info("clock at table %s: %s", one, result.error)
        elif result.error is not None:
            logger.error("clock at table %s", one, exc_info=result.error)
        elif result.value.late is not None:
            metrics.LATENESS.observe(result.value.late)


def _send_again(table: Loaded | None, ply: int, *, now: float) -> None:
    """Once more, later, where a player is farther away than it seemed when the message was sent."""
    due = None if table is None or table.ply != ply else find_next_due(table.desk.clocks)
    if table is not None and due is not None and due + submission.patience(table) > now:
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
            task, late = (bot_turn, 0.0) if due.is_bot else (clock_due, submission.ANSWER_GRACE + MOMENT)
            wait = max(0.0, due.at + late - now)
            task.apply_async(
                (due.table_id, due.ply), countdown=wait, ignore_result=True, expires=wait + EXPIRES_SECONDS
            )
    except Refusal as refusal:
        logger.warning("sweep: %s", refusal)


@shared_task(name="games.tasks.look_after_games", base=Lasting, ignore_result=True)
def look_after_games() -> None:
    """Abandoned tables are closed, and old games become files, as far as the settings say so."""
    try:
        retention.look_after(now=time.time())
    except Refusal as refusal:
        logger.warning("old games: %s", refusal)


@shared_task(name="games.tasks.stand_still", ignore_result=True)
def stand_still() -> None:
    """Tables at which nobody has been for ten minutes stand still."""
    try:
        idle_tables.stand_still(now=time.time())
    except Refusal as refusal:
        logger.warning("tables without people: %s", refusal)


def _list_lost(now: float, period: float) -> list[due_tables.Due]:
    """What is due and was not sent in this period; from now on it was."""
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
