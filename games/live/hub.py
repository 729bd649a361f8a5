"""Who is connected to which table in this process, and how changes reach them.

One hub a process, on its event loop. A change arrives once a process, however many sockets look at
the table; the picture is drawn once and every socket gets what differs from what it has.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from typing import Any, NamedTuple, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live import database, messages, talking
from games.live.picture import Picture, draw
from games.live.render import speak
from games.live.socket import REFUSED
from games.play import store
from games.play.errors import Refusal
from games.play.table import Loaded

logger = logging.getLogger(__name__)

PRESENCE_SECONDS = 45.0
"""How long another process's word about who is connected counts."""
RENEW_SECONDS = PRESENCE_SECONDS / 3
"""How often a process repeats its word."""


class Socket(Protocol):
    """One connected browser."""

    table_id: str
    player_id: int | None
    seat: int | None
    language: str
    shown: Picture | None
    heard: tuple[int, int]
    """From which number on remarks stand, and the last one that it was told of."""

    def may_watch(self, table: Loaded) -> bool:
        """Whether its reader may look at this table now."""

    async def deliver(self, frame: str) -> None:
        """Send one frame; never raises because the browser has gone."""

    async def dismiss(self, code: int = REFUSED) -> None:
        """Close it: its reader may not look at the table any more, or another code says why."""


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
        self._lock = threading.Lock()
        self._news: list[tuple[str, int]] = []
        """Changes that the loop has not yet looked at."""
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._listening = asyncio.Lock()
        self._heard: set[str] = set()
        """Tables whose group this process has joined."""
        self._told: dict[str, float] = {}
        """When the other processes were told who is connected here (monotonic seconds)."""

    @property
    def is_alone(self) -> bool:
        """Whether there are no other processes to tell."""
        return self._layer is None or isinstance(self._layer, InMemoryChannelLayer)

    def is_alone_at(self, table_id: str) -> bool:
        """Whether the sockets at this table are all ours, as far as the other processes have told (on any thread)."""
        if table_id not in self._heard:
            return self.is_alone
        recently = time.monotonic() - PRESENCE_SECONDS
        crowds = list(self._elsewhere.get(table_id, {}).values())
        return not any(crowd.at > recently and (crowd.seats or crowd.watchers) for crowd in crowds)

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: Socket) -> None:
        """Add a socket and show it the table as it is now."""
        room = self._rooms.setdefault(socket.table_id, set())
        room.add(socket)
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
            self._told.pop(socket.table_id, None)
            await self._unsubscribe(socket.table_id)

    async def show(self, socket: Socket, table: Loaded, *, whole: bool = False) -> None:
        """Bring one socket to this version, if it is behind; whole: all of it, whatever it has."""
        before = None if whole else socket.shown
        if before is not None and before.screen.version >= table.version:
            return
        picture = draw(table, socket.language)  # perhaps of a newer version, with other people on the chairs
        if not socket.may_watch(picture.table):
            await socket.dismiss()
            return
        seat = picture.table.seat_of(socket.player_id)
        if seat != socket.seat:  # what this browser shows was drawn for another viewer
            before = None
        socket.seat, socket.shown = seat, picture
        await socket.deliver(picture.update(before, seat, now=time.time()))

    def tell(self, table_id: str, version: int) -> None:
        """A table has changed (on any thread). The loop is woken once for all that changes before it looks."""
        with self._lock:
            self._news.append((table_id, version))
            is_first = len(self._news) == 1
        if is_first:
            self.loop.call_soon_threadsafe(self._read_news)

    def _read_news(self) -> None:
        with self._lock:
            news, self._news = self._news, []
        for table_id, version in news:
            self.notice(table_id, version)

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed (on the loop's thread)."""
        if table_id in self._rooms:
            self._spawn(self._push(table_id, version))

    def notice_remark(self, table_id: str) -> None:
        """Something was said at a table (on the loop's thread)."""
        if table_id in self._rooms:
            self._spawn(self._pass_on(table_id))

    async def _pass_on(self, table_id: str) -> None:
        for socket in list(self._rooms.get(table_id, ())):
            await self.tell_talk(socket)

    async def tell_talk(self, socket: Socket) -> None:
        """Tell one socket what was said since it was last told."""
        try:
            talk = await database.run(_read_talk, socket.table_id, socket.player_id, socket.heard[1], socket.language)
        except Refusal as refusal:
            logger.info("table %s: what was said cannot be read now: %s", socket.table_id, refusal)
            return
        since, last = socket.heard
        socket.heard = talk.since, max([last, *(remark.number for remark in talk.remarks)])
        if talk.remarks or talk.since != since:
            await socket.deliver(messages.write(talk))

    async def _push(self, table_id: str, version: int) -> None:
        try:
            table = store.peek(table_id)
            if table is None or table.version < version:
                table = await database.run(store.reload, table_id)
            room = self._rooms.get(table_id, set())
            connected = {socket.seat for socket in room}
            for language in {socket.language for socket in room}:
                with speak(language):
                    for socket in [socket for socket in room if socket.language == language]:
                        await self.show(socket, table)
            if {socket.seat for socket in room} != connected:
                await self._tell_presence(table_id)
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

    async def renew(self, table_id: str) -> None:
        """Repeat to the other processes who is connected here, if that is due."""
        if not self.is_alone and self._told.get(table_id, 0.0) < time.monotonic() - RENEW_SECONDS:
            await self._subscribe(table_id)
            await self._tell_others(table_id, ask=False)

    async def _tell_presence(self, table_id: str, *, ask: bool = False) -> None:
        await self._show_presence(table_id)
        await self._tell_others(table_id, ask=ask)

    async def _tell_others(self, table_id: str, *, ask: bool) -> None:
        if self._layer is None or self.is_alone:
            return
        room = self._rooms.get(table_id, set())
        self._told[table_id] = time.monotonic()
        word = {
            "type": "presence",
            "table": table_id,
            "from": self.name,
            "ask": ask,
            "seats": sorted({socket.seat for socket in room if socket.seat is not None}),
            "watchers": sum(socket.seat is None for socket in room),
        }
        try:
            await self._layer.group_send(group_of(table_id), word)
        except Exception:
            logger.warning("table %s: the other processes could not be told who is here", table_id, exc_info=True)

    async def _tell_version(self, table_id: str) -> None:
        """To a process that has just come: what changed before we knew of it was not sent to it."""
        table = store.peek(table_id)
        if self._layer is not None and table is not None:
            word = {"type": "changed", "table": table_id, "version": table.version}
            await self._layer.group_send(group_of(table_id), word)

    async def _show_presence(self, table_id: str) -> None:
        frame = messages.write(self.crowd(table_id))
        for socket in list(self._rooms.get(table_id, ())):
            await socket.deliver(frame)

    async def _subscribe(self, table_id: str) -> None:
        if self._layer is None or self.is_alone:
            return
        async with self._listening:
            if table_id in self._heard or table_id not in self._rooms:
                return
            try:
                if self._channel is None:
                    self._channel = await self._layer.new_channel()
                    self._spawn(self._listen())
                await self._layer.group_add(group_of(table_id), self._channel)
                self._heard.add(table_id)
            except Exception:  # every heartbeat looks at the database, and tries this again
                logger.warning("table %s: changes in other processes are not heard", table_id, exc_info=True)

    async def _unsubscribe(self, table_id: str) -> None:
        async with self._listening:
            if self._layer is None or self._channel is None or table_id in self._rooms or table_id not in self._heard:
                return
            self._heard.discard(table_id)
            try:
                await self._layer.group_discard(group_of(table_id), self._channel)
            except Exception:
                logger.warning("table %s: its group could not be left", table_id, exc_info=True)

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
        elif message["type"] == "said":
            self.notice_remark(message["table"])
        elif message["from"] != self.name:
            await self._hear_presence(message["table"], message)

    async def _hear_presence(self, table_id: str, message: dict[str, Any]) -> None:
        if table_id not in self._rooms:
            return
        before = self.crowd(table_id)
        crowd = Crowd(frozenset(message["seats"]), message["watchers"], time.monotonic())
        self._elsewhere.setdefault(table_id, {})[message["from"]] = crowd
        if message["ask"]:
            await self._tell_others(table_id, ask=False)
            await self._tell_version(table_id)
        if self.crowd(table_id) != before:
            await self._show_presence(table_id)

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a change could not be shown", exc_info=error)

    async def send_away(self, code: int) -> None:
        """Close every socket of this process with this code."""
        for room in list(self._rooms.values()):
            for socket in list(room):
                await socket.dismiss(code)

    async def close(self) -> None:
        """Cancel what is under way and wait for it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def group_of(table_id: str) -> str:
    """The channel layer's group of a table."""
    return f"table.{table_id}"


def _read_talk(table_id: str, player_id: int | None, after: int, language: str) -> messages.Talk:
    with speak(language):
        return talking.read(store.fetch(table_id), player_id, after=after)


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
