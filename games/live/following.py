"""Pages that follow a version: a socket tells them when what they show is no longer the present.

One watch a process. It looks at the database once a second for each thing that somebody here looks at, however many
do, and so hears of every change, wherever it was made; a page then fetches itself anew.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from games.live import database
from games.live.socket import FLOOD, CountedSocket
from games.play.errors import Refusal

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
REPEAT_SECONDS = 5.0
"""How often a page is told the version though it is the same, so that it knows that it would be told."""


class FollowingSocket(CountedSocket, ABC):
    """A socket that says the version of one thing: on connect, on every change, and again and again."""

    thing: str = ""
    """What is looked at, by a name of its own in this process."""

    @abstractmethod
    def enter(self) -> Callable[[], str]:
        """Set `thing`, and return what reads its version (on a database thread). Raises a Refusal to who may not."""

    async def connect(self) -> None:
        """Let in who may look."""
        read = await self.admit(self.enter)
        if read is not None:
            await get_watch().join(self, read)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is to be said here."""
        await self.dismiss(FLOOD)

    async def forget(self) -> None:
        """Nobody tells it anything any more."""
        if watch := find_watch():
            watch.leave(self)


class Watch:
    """Who follows what in this process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._rooms: dict[str, set[FollowingSocket]] = {}
        self._versions: dict[str, str] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: FollowingSocket, read: Callable[[], str]) -> None:
        """From now on this socket is told."""
        self._rooms.setdefault(socket.thing, set()).add(socket)
        if socket.thing not in self._looking:
            self._looking[socket.thing] = self.loop.create_task(self._look(socket.thing, read))
        elif socket.thing in self._versions:
            await socket.deliver(_frame(self._versions[socket.thing]))

    def leave(self, socket: FollowingSocket) -> None:
        """It is told no more."""
        room = self._rooms.get(socket.thing)
        if room is not None:
            room.discard(socket)

    async def _look(self, thing: str, read: Callable[[], str]) -> None:
        """Look for as long as somebody does; the last look is at an empty room."""
        told_at = 0.0
        try:
            while self._rooms[thing]:
                try:
                    version = await database.run(read)
                except Refusal as refusal:  # pages notice that they are not told, and say so
                    logger.info("%s cannot be looked at now: %s", thing, refusal)
                else:
                    if version != self._versions.get(thing) or time.monotonic() - told_at >= REPEAT_SECONDS:
                        self._versions[thing], told_at = version, time.monotonic()
                        await self._tell(thing, version)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for known in (self._rooms, self._versions, self._looking):
                known.pop(thing, None)

    async def _tell(self, thing: str, version: str) -> None:
        frame = _frame(version)
        for socket in list(self._rooms[thing]):
            await socket.deliver(frame)

    async def send_away(self, code: int) -> None:
        """Close every socket of this process with this code."""
        for room in list(self._rooms.values()):
            for socket in list(room):
                await socket.dismiss(code)


def _frame(version: str) -> str:
    return json.dumps({"version": version})


_watch: Watch | None = None


def get_watch() -> Watch:
    """The watch of the running loop (called on it), made at the first socket."""
    global _watch
    if _watch is None or _watch.loop is not asyncio.get_running_loop():
        _watch = Watch()
    return _watch


def find_watch() -> Watch | None:
    """The watch of this process, if somebody follows anything at all."""
    return _watch if _watch is not None and not _watch.loop.is_closed() else None
