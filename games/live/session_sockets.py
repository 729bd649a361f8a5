"""Closes the sockets of a browser session when it ends, and of readers who lose the right to watch.

Signing out closes them at once (`dismiss_session`), in this process and, by a message, in the others. Other ends of a
session (a new password, a closed account, its expiry) are found by a regular check; so are readers whose permission
came from a tournament or evening and is gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from games.accounts.middleware import find_lost
from games.live import database_threads
from games.live.event_loops import LoopSingleton
from games.play.errors import NotAllowed, Refusal

logger = logging.getLogger(__name__)

CHECK_SECONDS = 10.0
"""Seconds between two checks of sessions and permissions: what a closed account may still see."""
MAX_PER_QUERY = 200
"""Sessions per query, which takes about 15 ms: moves may wait for the same thread."""


class SessionSocket(Protocol):
    """An open socket, as far as it is needed here."""

    player_id: int | None
    session_key: str | None
    recheck: Callable[[], object] | None
    """Raises NotAllowed (on a database thread) if the reader may not watch any more; None if nothing needs checking."""

    async def dismiss(self) -> None:
        """Close it; its page reloads."""


class SessionSockets:
    """The open sockets of this process with a session or a permission to check. Called on the loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._sockets: set[SessionSocket] = set()
        self._checking: asyncio.Task[None] | None = None

    def add(self, socket: SessionSocket) -> None:
        """Start checking the session and the permission of this socket."""
        if _find_session(socket) is None and socket.recheck is None:
            return
        self._sockets.add(socket)
        if self._checking is None or self._checking.done():
            self._checking = self.loop.create_task(self._check_repeatedly())

    def remove(self, socket: SessionSocket) -> None:
        """Stop checking this socket."""
        self._sockets.discard(socket)

    async def dismiss_session(self, session_key: str) -> None:
        """Close all sockets of this session, which has ended."""
        for socket in [session_socket for session_socket in self._sockets if session_socket.session_key == session_key]:
            await socket.dismiss()

    async def check_all(self) -> None:
        """Close the sockets of sessions that have ended and of readers who may not watch any more."""
        held = sorted({key for socket in self._sockets if (key := _find_session(socket)) is not None})
        lost: set[tuple[str, int]] = set()
        try:
            for first in range(0, len(held), MAX_PER_QUERY):
                lost |= await database_threads.run(find_lost, held[first : first + MAX_PER_QUERY])
        except Refusal as refusal:  # the next call finds the others
            logger.info("who is signed in cannot be asked now: %s", refusal)
        for socket in [session_socket for session_socket in self._sockets if _find_session(session_socket) in lost]:
            await socket.dismiss()
        for socket in list(self._sockets):
            if not await _may_stay(socket):
                await socket.dismiss()

    async def _check_repeatedly(self) -> None:
        while self._sockets:
            await asyncio.sleep(CHECK_SECONDS)
            await self.check_all()


async def _may_stay(socket: SessionSocket) -> bool:
    if socket.recheck is None:
        return True
    try:
        await database_threads.run(socket.recheck)
    except NotAllowed:
        return False
    except Refusal as refusal:  # the next call finds it
        logger.info("who may look cannot be asked now: %s", refusal)
    return True


def _find_session(socket: SessionSocket) -> tuple[str, int] | None:
    if socket.session_key is None or socket.player_id is None:
        return None
    return socket.session_key, socket.player_id


_session_sockets = LoopSingleton(SessionSockets)
get_session_sockets, find_session_sockets = _session_sockets.get, _session_sockets.find
