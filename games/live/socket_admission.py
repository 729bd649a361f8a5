"""Admission of new sockets: a few are let in at a time, and many sessions are read with one query.

After a restart all browsers reconnect at the same moment. They may wait; a move that arrives in between may not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from django.contrib.sessions.backends.base import SessionBase

from games.accounts import session as sessions
from games.accounts.middleware import SessionReader, find_readers
from games.live import database_threads
from games.live.event_loops import LoopSingleton
from games.models import Player

T = TypeVar("T")

MAX_CONCURRENT_ADMISSIONS = 8
"""Sockets whose table is read at the same time: other database work waits for no more than these."""
SESSIONS_PER_QUERY = 64
"""Sessions per query, which takes about 3 ms."""


class _Newcomer(NamedTuple):
    """A socket whose session is to be read."""

    key: str
    found: asyncio.Future[SessionReader | None]


class Admission:
    """Admission of one process, on its loop. turn: hold it while a database thread reads for a new socket."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Semaphore(MAX_CONCURRENT_ADMISSIONS)
        self._newcomers: deque[_Newcomer] = deque()
        self._finding: asyncio.Task[None] | None = None

    async def identify(self, session: SessionBase) -> Player | None:
        """The player of this session, which is loaded by the way. Raises Busy."""
        if session.session_key is None:
            return None
        newcomer = _Newcomer(session.session_key, self.loop.create_future())
        self._newcomers.append(newcomer)
        if self._finding is None or self._finding.done():
            self._finding = self.loop.create_task(self._find())
        reader = await newcomer.found
        if reader is None:
            return None
        sessions.fill(session, reader.data)
        return reader.player

    async def _find(self) -> None:
        while self._newcomers:
            some = [self._newcomers.popleft() for _ in range(min(SESSIONS_PER_QUERY, len(self._newcomers)))]
            try:
                readers = await database_threads.run(find_readers, [newcomer.key for newcomer in some])
            except Exception as error:  # noqa: BLE001 - it is raised where it was asked for: nobody waits for ever
                for newcomer in some:
                    _resolve(newcomer.found.set_exception, newcomer, error)
            else:
                for newcomer in some:
                    _resolve(newcomer.found.set_result, newcomer, readers.get(newcomer.key))


def _resolve(give: Callable[[T], None], newcomer: _Newcomer, answer: T) -> None:
    if not newcomer.found.done():  # otherwise they have gone meanwhile
        give(answer)


_admission = LoopSingleton(Admission)
get_admission = _admission.get
