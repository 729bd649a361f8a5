"""Who is connected to which table in this process, and how changes reach them.

One hub a process, on its event loop. A change arrives once a process, however many sockets look at
the table; the picture is drawn once and every socket gets what differs from what it has.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Protocol

from games.live import database, messages, talking
from games.live.lookout import Lookout
from games.live.loops import OfLoop
from games.live.neighbours import Crowd, Neighbours
from games.live.picture import Picture, draw
from games.live.render import speak
from games.live.roll import find_roll
from games.live.socket import REFUSED
from games.play import store
from games.play.errors import Refusal
from games.play.table import Loaded

logger = logging.getLogger(__name__)


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


class Hub:
    """The sockets of one process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._rooms: dict[str, set[Socket]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()
        self._news: list[tuple[str, int]] = []
        """Changes that the loop has not yet looked at."""
        self.neighbours = Neighbours(self)
        self.lookout = Lookout(self)

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: Socket) -> None:
        """Add a socket and show it the table as it is now."""
        room = self._rooms.setdefault(socket.table_id, set())
        room.add(socket)
        self.lookout.begin()
        self.neighbours.greet(socket.table_id)
        await self.show(socket, await database.run(store.refresh, socket.table_id))
        await self.show_presence(socket.table_id)

    async def leave(self, socket: Socket) -> None:
        """Remove a socket."""
        room = self._rooms.get(socket.table_id)
        if room is None or socket not in room:
            return
        room.discard(socket)
        await self.show_presence(socket.table_id)
        if not room and self._rooms.get(socket.table_id) is room:  # others may have come to a new one meanwhile
            del self._rooms[socket.table_id]
        self.neighbours.part(socket.table_id)

    async def show(self, socket: Socket, table: Loaded, *, whole: bool = False, now: float | None = None) -> None:
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
        await socket.deliver(picture.update(before, seat, now=time.time() if now is None else now))

    def tell(self, table_id: str, version: int) -> None:
        """A table has changed (on any thread). The loop is woken once for all that changes before it looks."""
        if not database.at_end(partial(self._note, table_id, version, self.loop.call_soon)):
            self._note(table_id, version, self.loop.call_soon_threadsafe)

    def _note(self, table_id: str, version: int, call_soon: Callable[[Callable[[], None]], object]) -> None:
        with self._lock:
            self._news.append((table_id, version))
            is_first = len(self._news) == 1
        if is_first:
            call_soon(self._read_news)

    def _read_news(self) -> None:
        with self._lock:
            news, self._news = self._news, []
        known: list[Loaded] = []
        for table_id, version in news:
            table = store.peek(table_id) if table_id in self._rooms else None
            if table is not None and table.version >= version:
                known.append(table)
            else:  # to be read first, for which the others do not wait
                self.notice(table_id, version)
        if known:
            self.spawn(self._show_all(known))

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed (on the loop's thread)."""
        if table_id in self._rooms:
            self.spawn(self._push(table_id, version))

    def notice_remark(self, table_id: str) -> None:
        """Something was said at a table (on the loop's thread)."""
        if table_id in self._rooms:
            self.spawn(self._pass_on(table_id))

    def end_session(self, session_key: str) -> None:
        """Somebody has signed out in another process (on the loop's thread)."""
        if roll := find_roll():
            self.spawn(roll.send_away(session_key))

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
        except Refusal as refusal:  # the table is gone, or the database away: the lookout comes back to it
            logger.warning("table %s could not be shown: %s", table_id, refusal)
        else:
            await self._show_all([table])

    async def _show_all(self, tables: Sequence[Loaded]) -> None:
        """Bring every socket of these tables to these versions, one language after the other."""
        for language in {socket.language for table in tables for socket in self._rooms.get(table.id, ())}:
            with speak(language):
                for table in tables:
                    try:
                        await self._show_room(table, language)
                    except Exception:  # whatever is wrong with one table, the others are shown
                        logger.exception("table %s could not be shown", table.id)

    async def _show_room(self, table: Loaded, language: str) -> None:
        has_moved, now = False, time.time()
        for socket in [socket for socket in self._rooms.get(table.id, ()) if socket.language == language]:
            seat = socket.seat
            await self.show(socket, table, now=now)
            has_moved = has_moved or socket.seat != seat
        if has_moved:
            await self.show_presence(table.id)
            self.neighbours.announce(table.id)

    def list_shown(self) -> dict[str, int]:
        """Open tables, each with the oldest version on any of its screens; those still empty do not count."""
        pictures = {
            table_id: [socket.shown for socket in room if socket.shown is not None]
            for table_id, room in self._rooms.items()
        }
        return {
            table_id: min((picture.screen.version for picture in shown), default=0)
            for table_id, shown in pictures.items()
        }

    def is_open(self, table_id: str) -> bool:
        """Whether anybody here looks at this table."""
        return table_id in self._rooms

    def crowd_here(self, table_id: str) -> Crowd:
        """Who is connected here."""
        room = self._rooms.get(table_id, set())
        seats = frozenset(socket.seat for socket in room if socket.seat is not None)
        return Crowd(seats, sum(socket.seat is None for socket in room), time.monotonic())

    def crowd(self, table_id: str) -> messages.Presence:
        """Who is connected, here and in other processes."""
        crowds = [self.crowd_here(table_id), *self.neighbours.list_crowds(table_id)]
        seats = frozenset[int]().union(*(crowd.seats for crowd in crowds))
        return messages.Presence(tuple(sorted(seats)), sum(crowd.watchers for crowd in crowds))

    async def show_presence(self, table_id: str) -> None:
        """Show everybody here who is connected, anywhere."""
        frame = messages.write(self.crowd(table_id))
        for socket in list(self._rooms.get(table_id, ())):
            await socket.deliver(frame)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else."""
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
        await self.lookout.end()
        await self.neighbours.say_last()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _read_talk(table_id: str, player_id: int | None, after: int, language: str) -> messages.Talk:
    with speak(language):
        return talking.read(store.fetch(table_id), player_id, after=after)


_hub = OfLoop(Hub)
get_hub, find_hub = _hub.get, _hub.find
