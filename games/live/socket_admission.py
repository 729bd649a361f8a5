"""Who comes to this process by a socket: looked at some at a time, and found in the database many at once.

After a restart all come back at the same moment. Each look may wait; a move that comes in between may not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from django.contrib.sessions.backends.base import SessionBase

from games.accounts import session as sessions
from games.accounts.middleware import Reader, find_readers
from games.live import database_threads
from games.live.event_loops import OfLoop
from games.models import Player

T = TypeVar("T")

LOOKED_AT_ONCE = 8
"""Looks that are under way: whatever else needs the database waits for no more of them."""
FOUND_AT_ONCE = 64
"""Sessions that are read at once, some 3 ms."""


class _Comer(NamedTuple):
    """Somebody whose session is to be read."""

    key: str
    found: asyncio.Future[Reader | None]


class Admission:
    """Of one process, on its loop. turn: to be held while a database thread looks at one of those who come."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Semaphore(LOOKED_AT_ONCE)
        self._comers: deque[_Comer] = deque()
        self._finding: asyncio.Task[None] | None = None

    async def identify(self, session: SessionBase) -> Player | None:
        """The player of this session, which is read by that. Raises Busy."""
        if session.session_key is None:
            return None
        comer = _Comer(session.session_key, self.loop.create_future())
        self._comers.append(comer)
        if self._finding is None or self._finding.done():
            self._finding = self.loop.create_task(self._find())
        reader = await comer.found
        if reader is None:
            return None
        sessions.fill(session, reader.data)
        return reader.player

    async def _find(self) -> None:
        while self._comers:
            some = [self._comers.popleft() for _ in range(min(FOUND_AT_ONCE, len(self._comers)))]
            try:
                readers = await database_threads.run(find_readers, [comer.key for comer in some])
            except Exception as error:  # noqa: BLE001 - it is raised where it was asked for: nobody waits for ever
                for comer in some:
                    _settle(comer.found.set_exception, comer, error)
            else:
                for comer in some:
                    _settle(comer.found.set_result, comer, readers.get(comer.key))


def _settle(give: Callable[[T], None], comer: _Comer, answer: T) -> None:
    if not comer.found.done():  # otherwise they have gone meanwhile
        give(answer)


_admission = OfLoop(Admission)
get_admission = _admission.get
