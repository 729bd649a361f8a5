"""Database threads for sockets, which keep their connections open.

`database_sync_to_async` would open and close a connection for every message. Here one thread (SQLite, which has one
writer anyway) or a few (PostgreSQL) serve all sockets of the process; a connection is checked only after an error.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from django.db import DatabaseError, close_old_connections, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import get_connection

from games.play.errors import Busy
from games.play.moves.batch import BatchResult, run_batch

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = {"sqlite": (1, 0), "postgresql": (4, 4)}
"""Threads for reads, and for changes (0: shared). With threads of their own, moves do not wait for many reads."""
_pools: dict[bool, ThreadPoolExecutor] = {}
"""Thread pools, by whether they are for changes."""


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run blocking work on a database thread and give back what it returns or raises.

    Raises Busy if the database does not answer, wherever that shows (a session is read from it, too).
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_get_pool(), _run_read, loop, copy_context(), partial(work, *args, **kwargs))


def _run_read(loop: asyncio.AbstractEventLoop, context: Context, work: Callable[[], T]) -> T:
    """Run a read in the context of who asked; where changes share its thread, waiting changes go first."""
    if _waiting and not _THREADS[connection.vendor][True]:
        _change_batch(loop)
    return context.run(_call, work)


async def run_change(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `run`, for work that changes tables. Jobs that wait while the database writes are then written together.

    Each job is accepted or refused by itself.
    """
    loop = asyncio.get_running_loop()
    job = _Job(partial(work, *args, **kwargs), copy_context(), loop.create_future())
    _waiting.append(job)
    if len(_waiting) == 1:  # otherwise an earlier job has asked for the thread, and takes this one along
        _get_pool(is_change=True).submit(_change_batch, loop)
    return cast(T, await job.done)


class _Job(NamedTuple):
    """Work that waits for the thread, the context of its socket, and the future of its result."""

    work: Callable[[], Any]
    context: Context
    done: asyncio.Future[Any]


class _Batch(threading.local):
    """The batch that this thread writes. then: callbacks to run on the loop after its results; None: no batch."""

    then: list[Callable[[], object]] | None = None


def call_after_batch(work: Callable[[], object]) -> bool:
    """Run a callback on the event loop after the results of this thread's batch were delivered.

    Returns False, and does nothing, if this thread writes no batch.
    """
    if _batch.then is None:
        return False
    _batch.then.append(work)
    return True


_batch = _Batch()
_waiting: deque[_Job] = deque()
MAX_IN_BATCH = 16
"""Jobs in one transaction: more would make the first of them wait too long for its answer."""


def _change_batch(loop: asyncio.AbstractEventLoop) -> None:
    """Run waiting jobs (on a database thread), unless another thread or a read has taken them all."""
    jobs = _take_jobs()
    if not jobs:
        return
    if _waiting:
        _get_pool(is_change=True).submit(_change_batch, loop)
    then: list[Callable[[], object]] = []
    _batch.then = then
    try:
        database = get_connection()  # which is this thread's: looked up once for all jobs
        results = run_batch([partial(job.context.run, _call, job.work, database) for job in jobs])
    except Exception as error:  # noqa: BLE001 - it is raised where the work was given: nobody waits for ever
        results = [BatchResult(error=error)] * len(jobs)
    finally:
        _batch.then = None
    loop.call_soon_threadsafe(_deliver_results, jobs, results, then)


def _take_jobs() -> list[_Job]:
    """Up to `MAX_IN_BATCH` waiting jobs. Other threads take from the same queue, so it may be empty."""
    jobs: list[_Job] = []
    with suppress(IndexError):
        while len(jobs) < MAX_IN_BATCH:
            jobs.append(_waiting.popleft())
    return jobs


def _deliver_results(
    jobs: Sequence[_Job], results: Sequence[BatchResult], then: Sequence[Callable[[], object]]
) -> None:
    """Deliver results on the loop, before the callbacks: an answer is then sent together with the HTML that follows."""
    for job, result in zip(jobs, results, strict=True):
        if job.done.done():  # its socket has gone
            continue
        if result.error is None:
            job.done.set_result(result.value)
        else:
            job.done.set_exception(result.error)
    for work in then:
        work()


def _call(work: Callable[[], T], database: BaseDatabaseWrapper | None = None) -> T:
    """Run work. database: the connection of this thread, if the caller knows it."""
    try:
        database = database or get_connection()
        if database.errors_occurred and not database.in_atomic_block:
            close_old_connections()
        return work()
    except DatabaseError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error


def close() -> None:
    """Finish what is under way, close the threads' connections and end the threads."""
    while _pools:
        _, pool = _pools.popitem()
        for _ in range(pool._max_workers):
            pool.submit(connection.close)
        pool.shutdown(wait=True)


def _get_pool(*, is_change: bool = False) -> ThreadPoolExecutor:
    count = _THREADS[connection.vendor][is_change]
    if not count:
        return _get_pool()
    if is_change not in _pools:
        _pools[is_change] = ThreadPoolExecutor(count, thread_name_prefix="change" if is_change else "table")
    return _pools[is_change]
