"""One table on one program's stream: sends each version once, with the events since the one before."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

from games.live import database_threads
from games.live.streams import messages
from games.memo import Memo
from games.play.errors import Refusal
from games.play.records import game_record, table_description
from games.play.storage.table import OVER, LoadedTable

KEPT_LINES = 512
"""Lines that are remembered: those who may know the same, spectators above all, share one."""
_lines: Memo[tuple[str, int | None, int], tuple[int, str]] = Memo(
    "stream lines", KEPT_LINES, version_of=lambda line: line[0]
)
"""(Table, player with a seat or None, ply of the line before) → version and text of the newest line."""


class TableStream(Protocol):
    """A program's connection."""

    player_id: int | None
    is_playing: bool
    """Whether it may move, so that its player is there; a program that only reads is nobody's presence."""

    def may_watch(self, table: LoadedTable) -> bool:
        """Whether its player may watch this table now."""

    async def deliver(self, frame: str) -> None:
        """Send one message; does not raise if the program has gone."""

    async def dismiss(self, code: int = ...) -> None:
        """Close it."""

    async def drop(self, follower: Follower) -> None:
        """This table is not for its player any more."""

    async def finish(self, follower: Follower) -> None:
        """The game of this table is over, and the program has been told."""


class Follower:
    """Follows one table for one stream. after: the last ply that the program knows; None: it begins now."""

    __slots__ = ("is_done", "ply", "seat", "stream", "table_id", "version")

    def __init__(self, stream: TableStream, table: LoadedTable, after: int | None) -> None:
        self.stream = stream
        self.table_id = table.id
        self.seat = table.seat_of(stream.player_id)
        self.version = -1
        self.ply = table.ply if after is None else after
        self.is_done = False

    @property
    def present_seat(self) -> int | None:
        """The seat whose player is there by this stream."""
        return self.seat if self.stream.is_playing else None

    async def send(self, table: LoadedTable) -> None:
        """Bring the program to this version if it is behind."""
        if table.version <= self.version or self.is_done:
            return
        if not self.stream.may_watch(table):
            self.is_done = True
            await self.stream.drop(self)
            return
        seat, after = table.seat_of(self.stream.player_id), self.ply
        self.seat, self.version, self.ply = seat, table.version, table.ply
        reader = None if seat is None else self.stream.player_id
        cached_line = _lines.get((table.id, reader, after))
        if cached_line is None or cached_line[0] != table.version:
            events = table_description.describe_recent_events(table, seat, after=after)
            if events is None:
                events = await self._read_events(table, after)
            cached_line = table.version, messages.write_table(table, reader, events)
            _lines.put((table.id, reader, after), cached_line)
        await self.stream.deliver(cached_line[1])
        if table.status == OVER:
            self.is_done = True
            await self.stream.finish(self)

    async def _read_events(self, table: LoadedTable, after: int) -> list[dict[str, Any]]:
        """Events so old that the table does not have them in memory; none if they cannot be read now."""
        try:
            lines = await database_threads.run(partial(game_record.read_whole_log, table))
        except Refusal:  # the program still gets the view; `log` has every event
            return []
        wanted = (line for line in lines if after < line.ply <= table.ply)
        return table_description.describe_events(wanted, self.seat)
