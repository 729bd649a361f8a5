"""The hub: which browsers are connected to which table in this process, and how changes reach them.

One hub per process, on its event loop. A change arrives once per process, however many sockets show the table; the
table is rendered once and every socket gets what differs from what it has.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

from games.live import database_threads, messages, talk_messages
from games.live.event_loops import LoopSingleton
from games.live.presence import PresenceThrottle
from games.live.process_channel import OtherProcesses, ProcessPresence
from games.live.session_sockets import find_session_sockets
from games.live.shared_reads import Reading, SharedReads
from games.live.staleness_check import StalenessCheck
from games.live.streams.followers import Follower
from games.live.tables.regions import RenderedTable, render_table
from games.live.tables.sockets import TableSocket, TableSockets
from games.memo import Memo
from games.operation import spans
from games.play.errors import Refusal
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.presenters.render import use_language

logger = logging.getLogger(__name__)


SOCKETS_PER_SLICE = 50
"""Sockets that are served before the loop may do something else: an incoming move waits for no more than these."""
TALK_CACHE_SECONDS = 1.0
"""Seconds for which remarks that were read once are sent to all sockets without another query."""
MAX_TALK_READS = 1024
"""Reads of remarks that are shared: one for each table, listener and language within `TALK_CACHE_SECONDS`."""
_talk_reads: Memo[Hashable, Reading[messages.Talk]] = Memo("remarks", MAX_TALK_READS)


class Hub:
    """The sockets of one process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._sockets_by_table: dict[str, TableSockets] = {}
        self._followers: dict[str, dict[Follower, None]] = {}
        """Streams of programs, by table."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()
        self._pending: list[tuple[str, int]] = []
        """Changes (table id, version) that the loop has not shown yet."""
        self._shared_talk: SharedReads[messages.Talk] = SharedReads(_talk_reads, TALK_CACHE_SECONDS)
        self.other_processes = OtherProcesses(self)
        self.staleness_check = StalenessCheck(self)
        self.presence_throttle = PresenceThrottle(self._announce_presence, self.spawn)

    def sockets(self) -> int:
        """How many sockets are open; a program counts once for each table that it follows."""
        return sum(map(len, self._sockets_by_table.values())) + sum(map(len, self._followers.values()))

    async def join(self, socket: TableSocket, table: LoadedTable) -> None:
        """Add a socket, and show it the table as given, or a newer version if this process knows one."""
        self._sockets_by_table.setdefault(table.id, TableSockets()).add(socket)
        self._open(table.id)
        await self.show(socket, table)
        await self._send_presence(socket, messages.write(self.find_presence(table.id)))
        self.presence_throttle.note(table.id)

    def _open(self, table_id: str) -> None:
        self.staleness_check.begin()
        self.other_processes.subscribe(table_id)

    async def follow(self, follower: Follower, table: LoadedTable) -> None:
        """Add a program's stream, and send it the table as given, or a newer version if this process knows one."""
        await follower.send(_find_newest(table))
        if follower.is_done:
            return
        self._followers.setdefault(table.id, {})[follower] = None
        self._open(table.id)
        await follower.send(_find_newest(table))  # perhaps there is a newer one since
        self.presence_throttle.note(table.id)

    def unfollow(self, follower: Follower) -> None:
        """Remove a program's stream."""
        room = self._followers.get(follower.table_id)
        if room is None or room.pop(follower, self) is self:
            return
        if not room:
            del self._followers[follower.table_id]
        self._close_or_note(follower.table_id)

    def _close_or_note(self, table_id: str) -> None:
        """Announce who has left, or unsubscribe from the table if nobody here shows it any more."""
        if self.is_open(table_id):
            self.presence_throttle.note(table_id)
        else:
            self.other_processes.unsubscribe(table_id)

    async def leave(self, socket: TableSocket) -> None:
        """Remove a socket."""
        room = self._sockets_by_table.get(socket.table_id)
        if room is None or socket not in room:
            return
        room.discard(socket)
        if not room:
            del self._sockets_by_table[socket.table_id]
        self._close_or_note(socket.table_id)

    async def show(self, socket: TableSocket, table: LoadedTable, *, whole: bool = False) -> None:
        """Bring one socket to this version if it is behind. whole: send the whole table instead of the difference."""
        if not whole and _has_version(socket, table.version):
            return
        # Perhaps of a newer version, with other people on the chairs.
        rendered = render_table(_find_newest(table), socket.language)
        await self._update_socket(socket, rendered, None if whole else socket.shown, now=time.time())

    async def _update_socket(
        self, socket: TableSocket, rendered: RenderedTable, before: RenderedTable | None, *, now: float
    ) -> None:
        """Send one socket what differs between `before` (None: nothing) and this version, or dismiss it."""
        seat = socket.seat
        if seat is None or socket.shown is None or socket.shown.table.places is not rendered.table.places:
            if not socket.may_watch(rendered.table):
                await socket.dismiss()
                return
            seat = rendered.table.seat_of(socket.player_id)
        if seat != socket.seat:  # what this browser shows was drawn for another viewer
            before = None
        has_moved, socket.seat, socket.shown = seat != socket.seat, seat, rendered
        if has_moved and (room := self._sockets_by_table.get(rendered.table.id)) is not None and socket in room:
            room.add(socket)
            self.presence_throttle.note(rendered.table.id)
        await socket.deliver(rendered.render_update(before, seat, now=now))

    def notify(self, table_id: str, version: int) -> None:
        """A table has changed (on any thread). The loop is woken once for all changes until it runs."""
        if not database_threads.call_after_batch(partial(self._note_version, table_id, version, self.loop.call_soon)):
            self._note_version(table_id, version, self.loop.call_soon_threadsafe)

    def _note_version(self, table_id: str, version: int, call_soon: Callable[[Callable[[], None]], object]) -> None:
        with self._lock:
            self._pending.append((table_id, version))
            is_first = len(self._pending) == 1
        if is_first:
            call_soon(self._show_pending)

    def _show_pending(self) -> None:
        with self._lock:
            news, self._pending = self._pending, []
        tables: list[LoadedTable] = []
        for table_id, version in news:
            table = store.peek(table_id) if self.is_open(table_id) else None
            if table is not None and table.version >= version:
                tables.append(table)
            else:  # to be read first, for which the others do not wait
                self.notice(table_id, version)
        if tables:
            self.spawn(self._show_all(tables))

    def notice(self, table_id: str, version: int) -> None:
        """A table has changed (on the loop's thread)."""
        if self.is_open(table_id):
            self.spawn(self._push(table_id, version))

    def notice_remark(self, table_id: str) -> None:
        """There is a new remark at a table (on the loop's thread)."""
        self._shared_talk.forget()
        if table_id in self._sockets_by_table:
            self.spawn(self._send_remarks(table_id))

    def end_session(self, session_key: str) -> None:
        """A session was ended by another process (on the loop's thread)."""
        if session_sockets := find_session_sockets():
            self.spawn(session_sockets.dismiss_session(session_key))

    async def _send_remarks(self, table_id: str) -> None:
        async for socket in self._serve(table_id):
            await self.send_talk(socket)

    async def send_talk(self, socket: TableSocket) -> None:
        """Send one socket the remarks since its last ones. Sockets that may read the same share one query."""
        since, last = socket.heard
        listener = None if socket.seat is None else socket.player_id
        asked = (socket.table_id, listener, last, socket.language)
        try:
            talk = await self._shared_talk.ask(asked, partial(database_threads.run, _read_talk, *asked))
        except Refusal as refusal:
            logger.info("table %s: remarks cannot be read now: %s", socket.table_id, refusal)
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

    async def _show_all(self, tables: Sequence[LoadedTable]) -> None:
        """Bring every socket and stream of these tables to these versions, one language after the other."""
        for table in tables:
            for follower in list(self._followers.get(table.id, ())):
                try:
                    await follower.send(table)
                except Exception:  # whatever is wrong with one table, the others are shown
                    logger.exception("table %s could not be described", table.id)
        for language in {socket.language for table in tables for socket in self._sockets_by_table.get(table.id, ())}:
            with use_language(language):
                for table in tables:
                    try:
                        with spans.show(table.id, sockets=len(self._sockets_by_table.get(table.id, ()))):
                            await self._show_room(table, language)
                    except Exception:  # whatever is wrong with one table, the others are shown
                        logger.exception("table %s could not be shown", table.id)

    async def _show_room(self, table: LoadedTable, language: str) -> None:
        now = time.time()
        for sockets in self._list_slices(table.id):
            rendered = render_table(_find_newest(table), language)
            for socket in sockets:
                if socket.language == language and not _has_version(socket, rendered.screen.version):
                    await self._update_socket(socket, rendered, socket.shown, now=now)
            if len(sockets) == SOCKETS_PER_SLICE:
                await asyncio.sleep(0)

    async def _serve(self, table_id: str) -> AsyncIterator[TableSocket]:
        """The sockets of a table, players first, with a pause after every `SOCKETS_PER_SLICE`."""
        for sockets in self._list_slices(table_id):
            for socket in sockets:
                yield socket
            if len(sockets) == SOCKETS_PER_SLICE:
                await asyncio.sleep(0)

    def _list_slices(self, table_id: str) -> Iterator[Sequence[TableSocket]]:
        """The sockets of a table at this moment, players first, `SOCKETS_PER_SLICE` at a time."""
        sockets = tuple(self._sockets_by_table.get(table_id, ()))
        return (sockets[at : at + SOCKETS_PER_SLICE] for at in range(0, len(sockets), SOCKETS_PER_SLICE))

    def list_shown_versions(self) -> dict[str, int]:
        """Open tables, each with the oldest version that any of its sockets shows."""
        shown: dict[str, list[int]] = {table_id: [] for table_id in (*self._sockets_by_table, *self._followers)}
        for table_id, room in self._sockets_by_table.items():
            shown[table_id] += [socket.shown.screen.version for socket in room if socket.shown is not None]
        for table_id, followers in self._followers.items():
            shown[table_id] += [follower.version for follower in followers]
        return {table_id: min(versions, default=0) for table_id, versions in shown.items()}

    def list_attended_tables(self) -> list[str]:
        """Tables with a connected player who has no stand-in."""
        return [
            table_id
            for table_id in {*self._sockets_by_table, *self._followers}
            if (seats := self.find_local_presence(table_id).seats)
            and (table := store.peek(table_id)) is not None
            and seats - table.runtime.stand_ins
        ]

    def list_present_players(self) -> dict[int, list[str]]:
        """Players who are connected to tables at which they sit: the ids of these tables by player."""
        found: dict[int, list[str]] = {}
        for table_id, room in self._sockets_by_table.items():
            for player_id in {socket.player_id for socket in room if socket.seat is not None}:
                if player_id is not None:
                    found.setdefault(player_id, []).append(table_id)
        return found

    def is_open(self, table_id: str) -> bool:
        """Whether any socket or stream of this process shows this table."""
        return table_id in self._sockets_by_table or table_id in self._followers

    def find_local_presence(self, table_id: str) -> ProcessPresence:
        """Who is connected here."""
        room, streams = self._sockets_by_table.get(table_id, TableSockets()), self._followers.get(table_id, ())
        seats = room.seats | {seat for follower in streams if (seat := follower.present_seat) is not None}
        watching = room.spectators + sum(follower.seat is None for follower in streams)
        return ProcessPresence(seats, watching, time.monotonic())

    def find_presence(self, table_id: str) -> messages.Presence:
        """Who is connected, here and in other processes."""
        presences = [self.find_local_presence(table_id), *self.other_processes.list_presences(table_id)]
        seats = frozenset[int]().union(*(presence.seats for presence in presences))
        return messages.Presence(tuple(sorted(seats)), sum(presence.watchers for presence in presences))

    def note_remote_presence(self, table_id: str) -> None:
        """Presence has changed in another process."""
        self.presence_throttle.note(table_id)

    async def _announce_presence(self, table_id: str) -> None:
        """Send presence: that of this process to the others, and that of all to the sockets here."""
        self.other_processes.announce(table_id)
        frame = messages.write(self.find_presence(table_id))
        async for socket in self._serve(table_id):
            await self._send_presence(socket, frame)

    async def _send_presence(self, socket: TableSocket, frame: str) -> None:
        if socket.sent_presence != frame:
            socket.sent_presence = frame
            await socket.deliver(frame)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task of this hub."""
        task: asyncio.Task[None] = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a change could not be shown", exc_info=error)

    async def close_all(self, code: int) -> None:
        """Close every socket of this process with this code."""
        for room in list(self._sockets_by_table.values()):
            for socket in list(room):
                await socket.dismiss(code)
        for followers in list(self._followers.values()):
            for follower in list(followers):
                await follower.stream.dismiss(code)

    async def close(self) -> None:
        """Cancel running tasks and wait for them."""
        await self.staleness_check.end()
        await self.other_processes.flush()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _find_newest(table: LoadedTable) -> LoadedTable:
    """This version, or a newer one that this process knows."""
    remembered = store.peek(table.id)
    return remembered if remembered is not None and remembered.version > table.version else table


def _has_version(socket: TableSocket, version: int) -> bool:
    """Whether this socket shows this version, or a newer one."""
    return socket.shown is not None and socket.shown.screen.version >= version


def _read_talk(table_id: str, player_id: int | None, after: int, language: str) -> messages.Talk:
    with use_language(language):
        return talk_messages.read_talk(store.fetch(table_id), player_id, after=after)


_hub = LoopSingleton(Hub)
get_hub, find_hub = _hub.get, _hub.find
