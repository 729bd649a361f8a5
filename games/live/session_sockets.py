"""By what right the sockets of this process are open: a socket outlives that by which it was opened.

Whoever signs out is sent away from all of them at once (`send_away`), in this process and, told by it, in the others.
However else a session ends (another password, an account closed, its time), it is found by asking now and then; and so
is who was let in by what a table belongs to, and may not see that any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from games.accounts.middleware import find_lost
from games.live import database_threads
from games.live.event_loops import OfLoop
from games.play.errors import NotAllowed, Refusal

logger = logging.getLogger(__name__)

CALL_SECONDS = 10.0
"""How often it is asked who is still signed in, and may still look."""
MOST_ASKED = 200
"""Sessions that one look is about, some 15 ms: moves may wait for the same thread."""


class Socket(Protocol):
    """One that is open."""

    player_id: int | None
    session_key: str | None
    ask_again: Callable[[], object] | None
    """What raises NotAllowed (on a database thread) if its reader may not look any more; None: it need not be asked."""

    async def dismiss(self) -> None:
        """Close it: its page loads itself anew."""


class Roll:
    """The sockets of people. Called on the loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._sockets: set[Socket] = set()
        self._calling: asyncio.Task[None] | None = None

    def enter(self, socket: Socket) -> None:
        """From now on it is asked whether this socket's reader is signed in and may look."""
        if _key_of(socket) is None and socket.ask_again is None:
            return
        self._sockets.add(socket)
        if self._calling is None or self._calling.done():
            self._calling = self.loop.create_task(self._call_on())

    def leave(self, socket: Socket) -> None:
        """It is closed."""
        self._sockets.discard(socket)

    async def send_away(self, session_key: str) -> None:
        """Close whatever is open by this session, which has ended."""
        for socket in [one for one in self._sockets if one.session_key == session_key]:
            await socket.dismiss()

    async def call(self) -> None:
        """Close the sockets of all sessions that are no longer their people's: signed out, or another password now."""
        held = sorted({key for socket in self._sockets if (key := _key_of(socket)) is not None})
        lost: set[tuple[str, int]] = set()
        try:
            for first in range(0, len(held), MOST_ASKED):
                lost |= await database_threads.run(find_lost, held[first : first + MOST_ASKED])
        except Refusal as refusal:  # the next call finds the others
            logger.info("who is signed in cannot be asked now: %s", refusal)
        for socket in [one for one in self._sockets if _key_of(one) in lost]:
            await socket.dismiss()
        for socket in list(self._sockets):
            if not await _may_stay(socket):
                await socket.dismiss()

    async def _call_on(self) -> None:
        while self._sockets:
            await asyncio.sleep(CALL_SECONDS)
            await self.call()


async def _may_stay(socket: Socket) -> bool:
    if socket.ask_again is None:
        return True
    try:
        await database_threads.run(socket.ask_again)
    except NotAllowed:
        return False
    except Refusal as refusal:  # the next call finds it
        logger.info("who may look cannot be asked now: %s", refusal)
    return True


def _key_of(socket: Socket) -> tuple[str, int] | None:
    if socket.session_key is None or socket.player_id is None:
        return None
    return socket.session_key, socket.player_id


_roll = OfLoop(Roll)
get_roll, find_roll = _roll.get, _roll.find
