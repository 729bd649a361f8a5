"""Database work of the sockets: in threads of its own that keep their connections.

`database_sync_to_async` would open and close a connection for every message; here one thread
(SQLite: there is one writer anyway) or a few (PostgreSQL) serve all sockets of the process, and a
connection is looked at again only after an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, close_old_connections, connection

from games.play.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = {"sqlite": 1, "postgresql": 4}
_pool: ThreadPoolExecutor | None = None


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run blocking work on a database thread and give back what it returns or raises.

    Raises Busy if the database does not answer, wherever that shows (a session is read from it, too).
    """

    def call() -> T:
        try:
            if connection.errors_occurred:
                close_old_connections()
            return work(*args, **kwargs)
        except DatabaseError as error:
            raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error

    return await asyncio.get_running_loop().run_in_executor(_threads(), call)


def close() -> None:
    """Finish what is under way, close the threads' connections and end the threads."""
    global _pool
    pool, _pool = _pool, None
    if pool is not None:
        for _ in range(pool._max_workers):
            pool.submit(connection.close)
        pool.shutdown(wait=True)


def _threads() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(_THREADS.get(connection.vendor, 1), thread_name_prefix="table")
    return _pool
