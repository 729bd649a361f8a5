"""Who is connected to which table in this process, and how changes reach them.

One hub a process, on its event loop. A change arrives once a process, however many sockets look at
the table; the picture is drawn once and every socket gets what differs from what it has.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from games.live import database_threads, messages, talk_messages
from games.live.event_loops import OfLoop
from games.live.presence import Attendance
from games.live.process_channel import Crowd, Neighbours
from games.live.session_sockets import find_roll
from games.live.shared_reads import Shared
from games.live.staleness_check import Lookout
from games.live.table_regions import draw
from games.live.table_sockets import Room, Socket
from games.play.errors import Refusal
from games.play.storage import store
from games.play.storage.table import Loaded
from games.presenters.render import use_language

logger = logging.getLogger(__name__)


AT_ONCE = 50
"""Sockets that are served before the loop does something else: a move that comes in meanwhile waits for no more."""
SHARED_SECONDS = 1.0
"""How long what was said is given to all who come, without asking the database again."""


class Hub:
    """The sockets of one process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._rooms: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()
        self._news: list[tuple[str, int]] = []
        """Changes that the loop has not yet looked at."""
        self._talks: Shared[messages.Talk] = Shared(SHARED_SECONDS)
        self.neighbours = Neighbours(self)
        self.lookout = Lookout(self)
        self.attendance = Attendance(self._tell_presence, self.spawn)

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room) for room in self._rooms.values())

    async def join(self, socket: Socket, table: Loaded) -> None:
        """Add a socket, and show it the table: as it was read for it just now, or as it is known here since."""
        self._rooms.setdefault(table.id, Room()).add(socket)
        self.lookout.begin()
        self.neighbours.greet(table.id)
        await self.show(socket, table)
        await self._send_presence(socket, messages.write(self.crowd(table.id)))
        self.attendance.note(table.id)

    async def leave(self, socket: Socket) -> None:
        """Remove a socket."""
        room = self._rooms.get(socket.table_id)
        if room is None or socket not in room:
            return
        room.discard(socket)
        if room:
            self.attendance.note(socket.table_id)
        else:
            del self._rooms[socket.table_id]
            self.neighbours.part(socket.table_id)

    async def show(self, socket: Socket, table: Loaded, *, whole: bool = False, now: float | None = None) -> None:
        """Bring one socket to this version, if it is behind; whole: all of it, whatever it has."""
        before = None if whole else socket.shown
        if before is not None and before.screen.version >= table.version:
            return
        known = store.peek(table.id)
        newest = known if known is not None and known.version > table.version else table
        picture = draw(newest, socket.language)  # perhaps of a newer version, with other people on the chairs
        if not socket.may_watch(picture.table):
            await socket.dismiss()
            return
        seat = picture.table.seat_of(socket.player_id)
        if seat != socket.seat:  # what this browser shows was drawn for another viewer
            before = None
        has_moved, socket.seat, socket.shown = seat != socket.seat, seat, picture
        if has_moved and (room := self._rooms.get(table.id)) is not None and socket in room:
            room.add(socket)
            self.attendance.note(table.id)
        await socket.deliver(picture.update(before, seat, now=time.time() if now is None else now))

    def tell(self, table_id: str, version: int) -> None:
        """A table has changed (on any thread). The loop is woken once for all that changes before it looks."""
        if not database_threads.at_end(partial(self._note, table_id, version, self.loop.call_soon)):
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
        self._talks.forget()
        if table_id in self._rooms:
            self.spawn(self._pass_on(table_id))

    def end_session(self, session_key: str) -> None:
        """Somebody has signed out in another process (on the loop's thread)."""
        if roll := find_roll():
            self.spawn(roll.send_away(session_key))

    async def _pass_on(self, table_id: str) -> None:
        async for socket in self._serve(table_id):
            await self.tell_talk(socket)

    async def tell_talk(self, socket: Socket) -> None:
        """Tell one socket what was said since it was last told. Who hears the same is told of one reading."""
        since, last = socket.heard
        listener = None if socket.seat is None else socket.player_id
        asked = (socket.table_id, listener, last, socket.language)
        try:
            talk = await self._talks.ask(asked, partial(database_threads.run, _read_talk, *asked))
        except Refusal as refusal:
            logger.info("table %s: what was said cannot be read now: %s", socket.table_id, refusal)
            return
        socket.heard = talk.since, max([last, *(remark.number for remark in talk.remarks)])
        if talk.remarks or talk.since != since:
            await socket.deliver(messages.write(talk))

    async def _push(self, table_id: str, version: int) -> None:
        try:
            table = store.peek(table_id)
            if table is None or table.version < version:
                table = await database_threads.run(store.reload, table_id)
        except Refusal as refusal:  # the table is gone, or the database away: the lookout comes back to it
            logger.warning("table %s could not be shown: %s", table_id, refusal)
        else:
            await self._show_all([table])

    async def _show_all(self, tables: Sequence[Loaded]) -> None:
        """Bring every socket of these tables to these versions, one language after the other."""
        for language in {socket.language for table in tables for socket in self._rooms.get(table.id, ())}:
            with use_language(language):
                for table in tables:
                    try:
                        await self._show_room(table, language)
                    except Exception:  # whatever is wrong with one table, the others are shown
                        logger.exception("table %s could not be shown", table.id)

    async def _show_room(self, table: Loaded, language: str) -> None:
        now = time.time()
        async for socket in self._serve(table.id):
            if socket.language == language:
                await self.show(socket, table, now=now)

    async def _serve(self, table_id: str) -> AsyncIterator[Socket]:
        """Everybody at a table, players first, some at a time."""
        for number, socket in enumerate(self._rooms.get(table_id, ()), start=1):
            yield socket
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

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

    def list_attended(self) -> list[str]:
        """Tables at which one of their people is: one for whom a stand-in plays is not there, whatever is open."""
        return [
            table_id
            for table_id, room in self._rooms.items()
            if (seats := room.seats) and (table := store.peek(table_id)) is not None and seats - table.desk.stand_ins
        ]

    def is_open(self, table_id: str) -> bool:
        """Whether anybody here looks at this table."""
        return table_id in self._rooms

    def crowd_here(self, table_id: str) -> Crowd:
        """Who is connected here."""
        room = self._rooms.get(table_id, Room())
        return Crowd(room.seats, room.spectators, time.monotonic())

    def crowd(self, table_id: str) -> messages.Presence:
        """Who is connected, here and in other processes."""
        crowds = [self.crowd_here(table_id), *self.neighbours.list_crowds(table_id)]
        seats = frozenset[int]().union(*(crowd.seats for crowd in crowds))
        return messages.Presence(tuple(sorted(seats)), sum(crowd.watchers for crowd in crowds))

    def note_crowd(self, table_id: str) -> None:
        """Somebody has come or gone elsewhere."""
        self.attendance.note(table_id)

    async def _tell_presence(self, table_id: str) -> None:
        """Tell the other processes who is connected here, and everybody here who is connected anywhere."""
        self.neighbours.announce(table_id)
        frame = messages.write(self.crowd(table_id))
        async for socket in self._serve(table_id):
            await self._send_presence(socket, frame)

    async def _send_presence(self, socket: Socket, frame: str) -> None:
        if socket.told_presence != frame:
            socket.told_presence = frame
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
    with use_language(language):
        return talk_messages.read(store.fetch(table_id), player_id, after=after)


_hub = OfLoop(Hub)
get_hub, find_hub = _hub.get, _hub.find
