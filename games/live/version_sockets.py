"""Sockets of pages that follow a version: they tell a page when it is outdated, and the page fetches itself again.

One `VersionWatch` per process queries the version of each open topic (a tournament, a club, …) once a second, however
many sockets follow it, and so notices every change, wherever it was made.

With hundreds of followers not all pages can be fetched at once. Readers that a change concerns come first: those whose
own mark has changed (`marks`), and organisers. The others follow, the longest outdated first, a limited number per
second; each gets only the newest version. Readers who lose their permission are disconnected at the next query.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.live import database_threads
from games.live.base_socket import NOT_FOUND, POLICY_VIOLATION, REFUSED, BaseSocket
from games.live.event_loops import LoopSingleton
from games.play.errors import NotFound, Refusal
from games.records import strict_json

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Seconds between two queries of a topic's version: the delay of a change, against one query a second per topic."""
REPEAT_SECONDS = 5.0
"""Seconds after which an unchanged version is repeated, so that a page can notice a broken connection."""
CONCERNED_PER_LOOK, OTHERS_PER_LOOK = 60, 20
"""Sockets that get a new version per look: concerned readers, and others. Bounds page requests per second."""

Marks: TypeAlias = Mapping[int, Hashable]
"""Player id → a mark of their own part of the topic: a different mark means that the change concerns them."""


class CurrentVersion(NamedTuple):
    """The topic's version, and the ids of players who may view it now (None: everybody)."""

    version: str
    readers: frozenset[int] | None = None


class VersionSocket(BaseSocket, ABC):
    """A socket that sends the version of one topic: on connect, on every change, and regularly."""

    topic: str = ""
    """Unique name of what is followed."""
    marks: Callable[[], Marks] | None = None
    """Reads all marks (on a database thread); None if every change concerns all readers."""
    is_always_concerned: bool = False
    """Whether every change concerns this reader."""
    has_link: bool = False
    """Whether this browser has opened the topic's invitation link, which permits viewing."""
    sent_version: str = ""
    """The version that was sent last."""
    sent_version_at: float = 0.0
    spoken_at: float = 0.0
    """When that version was first sent, and when anything was sent (monotonic seconds)."""
    is_concerned: bool = False
    """Whether a change that was not sent yet concerns this reader."""

    @abstractmethod
    def enter(self) -> Callable[[], CurrentVersion]:
        """Set `topic`, and return what reads its version. Both run on a database thread. Raises Refusal."""

    def can_view(self, readers: frozenset[int] | None) -> bool:
        """Whether this reader is among `readers`, or has the link."""
        return readers is None or self.has_link or self.player_id in readers

    async def send_version(self, version: str) -> None:
        """Send this version."""
        now = time.monotonic()
        if version != self.sent_version:
            self.sent_version, self.sent_version_at, self.is_concerned = version, now, False
        self.spoken_at = now
        await self.deliver(_build_frame(version))

    async def connect(self) -> None:
        """Admit readers who may view the topic."""
        read = await self.admit(self.enter)
        if read is not None:
            await get_watch().join(self, read)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Close it: a page sends nothing here."""
        await self.dismiss(POLICY_VIOLATION)

    async def unregister(self) -> None:
        """Stop following."""
        if watch := find_watch():
            watch.leave(self)


class VersionWatch:
    """The sockets of this process that follow versions, by topic."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._sockets_by_topic: dict[str, set[VersionSocket]] = {}
        self._versions: dict[str, str] = {}
        self._marks: dict[str, Marks] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._sockets_by_topic.values())

    async def join(self, socket: VersionSocket, read: Callable[[], CurrentVersion]) -> None:
        """Add a socket; the first one of a topic starts its queries."""
        self._sockets_by_topic.setdefault(socket.topic, set()).add(socket)
        if socket.topic not in self._looking:
            self._looking[socket.topic] = self.loop.create_task(self._poll_version(socket.topic, read))
        elif socket.topic in self._versions:
            await socket.send_version(self._versions[socket.topic])

    def leave(self, socket: VersionSocket) -> None:
        """Remove a socket."""
        room = self._sockets_by_topic.get(socket.topic)
        if room is not None:
            room.discard(socket)

    async def _poll_version(self, topic: str, read: Callable[[], CurrentVersion]) -> None:
        """Query the version until no socket is left."""
        try:
            while self._sockets_by_topic[topic]:
                try:
                    version, readers = await database_threads.run(read)
                    await self._dismiss(
                        [socket for socket in self._sockets_by_topic[topic] if not socket.can_view(readers)], REFUSED
                    )
                    if version != self._versions.get(topic):
                        await self._find_concerned(topic)
                        self._versions[topic] = version
                except NotFound:
                    await self._dismiss(list(self._sockets_by_topic[topic]), NOT_FOUND)
                except Refusal as refusal:  # pages notice that they are not told, and say so
                    logger.info("%s cannot be looked at now: %s", topic, refusal)
                else:
                    await self._send_due(topic, version)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for by_topic in (self._sockets_by_topic, self._versions, self._marks, self._looking):
                by_topic.pop(topic, None)

    async def _dismiss(self, sockets: Sequence[VersionSocket], code: int) -> None:
        """Close these sockets; their pages reload and show why."""
        for socket in sockets:
            self.leave(socket)
            await socket.dismiss(code)

    async def _find_concerned(self, topic: str) -> None:
        """Mark the sockets that the newest change concerns: all, unless marks say which."""
        read = next((socket.marks for socket in self._sockets_by_topic[topic] if socket.marks is not None), None)
        before, after = self._marks.get(topic), {} if read is None else await database_threads.run(read)
        self._marks[topic] = after
        for socket in self._sockets_by_topic[topic]:
            me, is_known = socket.player_id, socket.marks is not None and before is not None
            is_other = not is_known or (me is not None and (before or {}).get(me) != after.get(me))
            socket.is_concerned = socket.is_concerned or socket.is_always_concerned or is_other

    async def _send_due(self, topic: str, version: str) -> None:
        """Send the version to as many as may fetch the page now, and repeat the others' old version."""
        now, room = time.monotonic(), list(self._sockets_by_topic[topic])
        for socket in choose_sockets(room, version):
            await socket.send_version(version)
        for socket in room:
            if socket.sent_version and now - socket.spoken_at >= REPEAT_SECONDS:
                await socket.send_version(socket.sent_version)

    async def close_all(self, code: int) -> None:
        """Close every socket of this process with this code."""
        for room in list(self._sockets_by_topic.values()):
            for socket in list(room):
                await socket.dismiss(code)


def choose_sockets(room: Sequence[VersionSocket], version: str) -> list[VersionSocket]:
    """The sockets that get this version now: concerned ones first, then the longest outdated."""
    behind = sorted(
        (socket for socket in room if socket.sent_version != version),
        key=lambda behind_socket: behind_socket.sent_version_at,
    )
    concerned = [socket for socket in behind if socket.is_concerned or socket.is_always_concerned]
    others = [socket for socket in behind if not (socket.is_concerned or socket.is_always_concerned)]
    return concerned[:CONCERNED_PER_LOOK] + others[:OTHERS_PER_LOOK]


def _build_frame(version: str) -> str:
    return strict_json.write({"version": version})


_watch = LoopSingleton(VersionWatch)
get_watch, find_watch = _watch.get, _watch.find
