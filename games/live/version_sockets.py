"""Pages that follow a version: a socket tells them when what they show is no longer the present.

One watch a process. It looks at the database once a second for each thing that somebody here looks at, however many
do, and so hears of every change, wherever it was made; a page then fetches itself anew.

Where hundreds follow and something happens every second, not all of them can do that at once. Whom a change concerns
is told first: whose own mark in the thing is another one (`marks`), and who runs it. The others follow, the longest
untold first, so many in a second; each is told of the latest version only, however many he has missed.
Whoever may not look any more is sent away at the next look.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.live import database_threads
from games.live.base_socket import FLOOD, GONE, REFUSED, CountedSocket
from games.live.event_loops import OfLoop
from games.play.errors import NotFound, Refusal
from games.records import strict_json

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
REPEAT_SECONDS = 5.0
"""How often a page is told the version though it is the same, so that it knows that it would be told."""
FIRST_AT_ONCE, OTHERS_AT_ONCE = 60, 20
"""How many are told of a new version in one look: of those whom it concerns, and of the others."""

Marks: TypeAlias = Mapping[int, Hashable]
"""By person, what his own part of the thing is like: another mark says that the change concerns him."""


class Present(NamedTuple):
    """What a look finds: the thing's version, and who may look at it now (None: everybody)."""

    version: str
    readers: frozenset[int] | None = None


class FollowingSocket(CountedSocket, ABC):
    """A socket that says the version of one thing: on connect, on every change, and again and again."""

    thing: str = ""
    """What is looked at, by a name of its own in this process."""
    marks: Callable[[], Marks] | None = None
    """What reads everybody's mark in it (on a database thread), where a change may concern some and not others."""
    is_first: bool = False
    """Whether every change concerns him."""
    has_link: bool = False
    """Whether his browser has opened the thing's own link, which lets in whoever has it."""
    told: str = ""
    """The version that he was told last."""
    told_at: float = 0.0
    spoken_at: float = 0.0
    """When he was told that, and when he was told anything at all."""
    is_concerned: bool = False
    """Whether a change that he has not been told of concerns him."""

    @abstractmethod
    def enter(self) -> Callable[[], Present]:
        """Set `thing`, and return what looks at it (on a database thread). Raises a Refusal to who may not."""

    def may_look(self, readers: frozenset[int] | None) -> bool:
        """Whether he is among those who may look now."""
        return readers is None or self.has_link or self.player_id in readers

    async def say(self, version: str) -> None:
        """Tell him this version."""
        now = time.monotonic()
        if version != self.told:
            self.told, self.told_at, self.is_concerned = version, now, False
        self.spoken_at = now
        await self.deliver(_frame(version))

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
        self._marks: dict[str, Marks] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: FollowingSocket, read: Callable[[], Present]) -> None:
        """From now on this socket is told."""
        self._rooms.setdefault(socket.thing, set()).add(socket)
        if socket.thing not in self._looking:
            self._looking[socket.thing] = self.loop.create_task(self._look(socket.thing, read))
        elif socket.thing in self._versions:
            await socket.say(self._versions[socket.thing])

    def leave(self, socket: FollowingSocket) -> None:
        """It is told no more."""
        room = self._rooms.get(socket.thing)
        if room is not None:
            room.discard(socket)

    async def _look(self, thing: str, read: Callable[[], Present]) -> None:
        """Look for as long as somebody does; the last look is at an empty room."""
        try:
            while self._rooms[thing]:
                try:
                    version, readers = await database_threads.run(read)
                    await self._dismiss([one for one in self._rooms[thing] if not one.may_look(readers)], REFUSED)
                    if version != self._versions.get(thing):
                        await self._find_concerned(thing)
                        self._versions[thing] = version
                except NotFound:
                    await self._dismiss(list(self._rooms[thing]), GONE)
                except Refusal as refusal:  # pages notice that they are not told, and say so
                    logger.info("%s cannot be looked at now: %s", thing, refusal)
                else:
                    await self._tell(thing, version)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for known in (self._rooms, self._versions, self._marks, self._looking):
                known.pop(thing, None)

    async def _dismiss(self, sockets: Sequence[FollowingSocket], code: int) -> None:
        """Send these away; their pages ask for themselves anew, and are told why."""
        for socket in sockets:
            self.leave(socket)
            await socket.dismiss(code)

    async def _find_concerned(self, thing: str) -> None:
        """Note whom the change concerns that was just seen: everybody, where nobody says whom."""
        read = next((socket.marks for socket in self._rooms[thing] if socket.marks is not None), None)
        before, after = self._marks.get(thing), {} if read is None else await database_threads.run(read)
        self._marks[thing] = after
        for socket in self._rooms[thing]:
            me, is_known = socket.player_id, socket.marks is not None and before is not None
            is_other = not is_known or (me is not None and (before or {}).get(me) != after.get(me))
            socket.is_concerned = socket.is_concerned or socket.is_first or is_other

    async def _tell(self, thing: str, version: str) -> None:
        """Tell as many as can fetch the page now; to the others their version is repeated."""
        now, room = time.monotonic(), list(self._rooms[thing])
        for socket in choose(room, version):
            await socket.say(version)
        for socket in room:
            if socket.told and now - socket.spoken_at >= REPEAT_SECONDS:
                await socket.say(socket.told)

    async def send_away(self, code: int) -> None:
        """Close every socket of this process with this code."""
        for room in list(self._rooms.values()):
            for socket in list(room):
                await socket.dismiss(code)


def choose(room: Sequence[FollowingSocket], version: str) -> list[FollowingSocket]:
    """Who is told of this version now: those whom it concerns first, then the longest untold."""
    behind = sorted((one for one in room if one.told != version), key=lambda one: one.told_at)
    concerned = [one for one in behind if one.is_concerned or one.is_first]
    others = [one for one in behind if not (one.is_concerned or one.is_first)]
    return concerned[:FIRST_AT_ONCE] + others[:OTHERS_AT_ONCE]


def _frame(version: str) -> str:
    return strict_json.write({"version": version})


_watch = OfLoop(Watch)
get_watch, find_watch = _watch.get, _watch.find
