"""Database work of the sockets: in threads of its own that keep their connections.

`database_sync_to_async` would open and close a connection for every message; here one thread
(SQLite: there is one writer anyway) or a few (PostgreSQL) serve all sockets of the process, and a
connection is looked at again only after an error.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from django.db import DatabaseError, close_old_connections, connection

from games.play.errors import Busy
from games.play.moves.batch import Result, do_batch

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = {"sqlite": (1, 0), "postgresql": (4, 4)}
"""Threads for looks, and for changes (0: the same ones): a move does not wait until all who come back are let in."""
_pools: dict[bool, ThreadPoolExecutor] = {}
"""By whether they are for changes."""


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run blocking work on a database thread and give back what it returns or raises.

    Raises Busy if the database does not answer, wherever that shows (a session is read from it, too).
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), _look, loop, partial(work, *args, **kwargs))


def _look(loop: asyncio.AbstractEventLoop, work: Callable[[], T]) -> T:
    """Do this; what changes tables goes first where it has no thread of its own."""
    if _waiting and not _THREADS[connection.vendor][True]:
        _change_batch(loop)
    return _call(work)


async def change(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `run`, for work that changes tables. What waits while the database writes is then written together.

    Each piece of work is accepted or refused by itself.
    """
    loop = asyncio.get_running_loop()
    job = _Job(partial(work, *args, **kwargs), loop.create_future())
    _waiting.append(job)
    if len(_waiting) == 1:  # otherwise who waits already has asked for the thread, and takes this along
        _threads(is_change=True).submit(_change_batch, loop)
    return cast(T, await job.done)


class _Job(NamedTuple):
    """Work that waits for the thread, and where its result goes."""

    work: Callable[[], Any]
    done: asyncio.Future[Any]


class _Batch(threading.local):
    """What this thread is writing. then: what is done on the loop when it is durable and answered; None: no batch."""

    then: list[Callable[[], object]] | None = None


def at_end(work: Callable[[], object]) -> bool:
    """Have this done on the loop when those whose changes this thread writes have their answers.

    False where this thread writes no batch: then nothing happens.
    """
    if _batch.then is None:
        return False
    _batch.then.append(work)
    return True


_batch = _Batch()
_waiting: deque[_Job] = deque()
MOST_IN_BATCH = 16


def _change_batch(loop: asyncio.AbstractEventLoop) -> None:
    """Do what waits (on a database thread), if another thread, or a look before which it came, has left anything."""
    jobs = _take()
    if not jobs:
        return
    if _waiting:
        _threads(is_change=True).submit(_change_batch, loop)
    then: list[Callable[[], object]] = []
    _batch.then = then
    try:
        results = do_batch([partial(_call, job.work) for job in jobs])
    except Exception as error:  # noqa: BLE001 - it is raised where the work was given: nobody waits for ever
        results = [Result(error=error)] * len(jobs)
    finally:
        _batch.then = None
    loop.call_soon_threadsafe(_hand_out, jobs, results, then)


def _take() -> list[_Job]:
    """What waits, not too much of it. Other threads take from it, too: what is there now may be gone in a moment."""
    jobs: list[_Job] = []
    with suppress(IndexError):
        while len(jobs) < MOST_IN_BATCH:
            jobs.append(_waiting.popleft())
    return jobs


def _hand_out(jobs: Sequence[_Job], results: Sequence[Result], then: Sequence[Callable[[], object]]) -> None:
    """On the loop: answers first, so that each can go the same way as the picture that follows."""
    for job, result in zip(jobs, results, strict=True):
        if job.done.done():  # its socket has gone
            continue
        if result.error is None:
            job.done.set_result(result.value)
        else:
            job.done.set_exception(result.error)
    for work in then:
        work()


def _call(work: Callable[[], T]) -> T:
    try:
        if connection.errors_occurred and not connection.in_atomic_block:
            close_old_connections()
        return work()
    except DatabaseError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error


def close() -> None:
    """Finish what is under way, close the threads' connections and end the threads."""
    while _pools:
        _, pool = _pools.popitem()
        for _ in range(pool._max_workers):
            pool.submit(connection.close)
        pool.shutdown(wait=True)


def _threads(*, is_change: bool = False) -> ThreadPoolExecutor:
    count = _THREADS[connection.vendor][is_change]
    if not count:
        return _threads()
    if is_change not in _pools:
        _pools[is_change] = ThreadPoolExecutor(count, thread_name_prefix="change" if is_change else "table")
    return _pools[is_change]
