"""Who is connected to which table in this process, and how changes reach them.

One hub a process, on its event loop. A change arrives once a process, however many sockets look at
the table; the picture is drawn once and every socket gets what differs from what it has.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Any, NamedTuple, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live import database, messages
from games.live.picture import Picture, draw
from games.play import store
from games.play.errors import Refusal

logger = logging.getLogger(__name__)

PRESENCE_SECONDS = 45.0
"""How long another process's word about who is connected counts."""


class Socket(Protocol):
    """One connected browser."""

    table_id: str
    seat: int | None
    language: str
    shown: Picture | None

    async def deliver(self, frame: str) -> None:
        """Send one frame; never raises because the browser has gone."""


class Crowd(NamedTuple):
    """Who is connected in another process, and when it said so (monotonic seconds)."""

    seats: frozenset[int]
    watchers: int
    at: float


class Hub:
    """The sockets of one process."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(6)
        self.loop = asyncio.get_running_loop()
        self._rooms: dict[str, set[Socket]] = {}
        self._elsewhere: dict[str, dict[str, Crowd]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._listening = asyncio.Lock()

    @property
    def is_alone(self) -> bool:
        """Whether there are no other processes to tell."""
        return self._layer is None or isinstance(self._layer, InMemoryChannelLayer)

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: Socket) -> None:
        """Add a socket and show it the table as it is now."""
        room = self._rooms.setdefault(socket.table_id, set())
        room.add(socket)
        if len(room) == 1 and not self.is_alone:
            await self._subscribe(socket.table_id)
        await self.show(socket, await database.run(store.reload, socket.table_id))
        await self._tell_presence(socket.table_id, ask=True)

    async def leave(self, socket: Socket) -> None:
        """Remove a socket."""
        room = self._rooms.get(socket.table_id)
        if room is None or socket not in room:
            return
        room.discard(socket)
        await self._tell_presence(socket.table_id)
        if not room:
            self._rooms.pop(socket.table_id, None)
            self._elsewhere.pop(socket.table_id, None)
            if self._layer is not None and self._channel is not None:
                await self._layer.group_discard(group_of(socket.table_id), self._channel)

    async def show(self, socket: Socket, table: Any, *, whole: bool = False) -> None:
        """Bring one socket to this version, if it is behind; whole: all of it, whatever it has."""
        before = None if whole else socket.shown
        if before is not None and before.screen.version >= table.version:
            return
        socket.seat = table.seat_of(getattr(socket, "player_id", None))
        picture = draw(table, socket.language)
        socket.shown = picture
        await socket.deliver(picture.update(before, socket.seat, now=time.time()))

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed (on the loop's thread)."""
        if table_id in self._rooms:
            self._spawn(self._push(table_id, version))

    async def _push(self, table_id: str, version: int) -> None:
        try:
            table = store.peek(table_id)
            if table is None or table.version < version:
                table = await database.run(store.reload, table_id)
            for socket in list(self._rooms.get(table_id, ())):
                await self.show(socket, table)
        except Refusal as refusal:  # the table is gone, or the database away: the next ping tells
            logger.warning("table %s could not be shown: %s", table_id, refusal)

    def crowd(self, table_id: str) -> messages.Presence:
        """Who is connected, here and in other processes."""
        room = self._rooms.get(table_id, set())
        seats = {socket.seat for socket in room if socket.seat is not None}
        watchers = sum(socket.seat is None for socket in room)
        recently = time.monotonic() - PRESENCE_SECONDS
        for crowd in self._elsewhere.get(table_id, {}).values():
            if crowd.at > recently:
                seats |= crowd.seats
                watchers += crowd.watchers
        return messages.Presence(tuple(sorted(seats)), watchers)

    async def _tell_presence(self, table_id: str, *, ask: bool = False) -> None:
        await self._show_presence(table_id)
        if self._layer is not None and not self.is_alone:
            room = self._rooms.get(table_id, set())
            await self._layer.group_send(
                group_of(table_id),
                {
                    "type": "presence",
                    "table": table_id,
                    "from": self.name,
                    "ask": ask,
                    "seats": sorted({socket.seat for socket in room if socket.seat is not None}),
                    "watchers": sum(socket.seat is None for socket in room),
                },
            )

    async def _show_presence(self, table_id: str) -> None:
        frame = messages.write(self.crowd(table_id))
        for socket in list(self._rooms.get(table_id, ())):
            await socket.deliver(frame)

    async def _subscribe(self, table_id: str) -> None:
        assert self._layer is not None  # noqa: S101 - is_alone says so
        async with self._listening:
            if self._channel is None:
                self._channel = await self._layer.new_channel()
                self._spawn(self._listen())
        await self._layer.group_add(group_of(table_id), self._channel)

    async def _listen(self) -> None:
        assert self._layer is not None  # noqa: S101
        assert self._channel is not None  # noqa: S101
        while True:
            try:
                await self._hear(await self._layer.receive(self._channel))
            except asyncio.CancelledError:
                raise
            except Exception:
                logger.exception("the channel layer failed; listening again")
                await asyncio.sleep(0.5)

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "changed":
            self.notice(message["table"], message["version"])
        elif message["from"] != self.name:
            crowd = Crowd(frozenset(message["seats"]), message["watchers"], time.monotonic())
            self._elsewhere.setdefault(message["table"], {})[message["from"]] = crowd
            if message["ask"]:
                await self._tell_presence(message["table"])
            else:
                await self._show_presence(message["table"])

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel what is under way and wait for it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def group_of(table_id: str) -> str:
    """The channel layer's group of a table."""
    return f"table.{table_id}"


_hub: Hub | None = None


def get_hub() -> Hub:
    """The hub of the running loop (called on it), made at the first socket."""
    global _hub
    if _hub is None or _hub.loop is not asyncio.get_running_loop():
        _hub = Hub()
    return _hub


def find_hub() -> Hub | None:
    """The hub of this process, if it has sockets at all."""
    return _hub if _hub is not None and not _hub.loop.is_closed() else None
