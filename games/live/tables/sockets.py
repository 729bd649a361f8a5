"""The sockets of one process that show the same table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from games.live.base_socket import REFUSED
from games.live.tables.regions import RenderedTable
from games.play.storage.table import LoadedTable


class TableSocket(Protocol):
    """One connected browser."""

    table_id: str
    player_id: int | None
    seat: int | None
    language: str
    shown: RenderedTable | None
    heard: tuple[int, int]
    """The number below which remarks were cleared, and the number of the last one that was sent."""
    sent_presence: str
    """The last presence frame that was sent."""

    def may_watch(self, table: LoadedTable) -> bool:
        """Whether its reader may watch this table now."""

    async def deliver(self, frame: str) -> None:
        """Send one frame; does not raise if the browser has gone."""

    async def dismiss(self, code: int = REFUSED) -> None:
        """Close it: its reader may not watch any more, or the code says why."""


class TableSockets:
    """Players apart from spectators, who may be thousands: players are served first."""

    def __init__(self) -> None:
        self._players: dict[TableSocket, int] = {}
        self._spectators: dict[TableSocket, None] = {}

    def __len__(self) -> int:
        return len(self._players) + len(self._spectators)

    def __contains__(self, socket: TableSocket) -> bool:
        return socket in self._players or socket in self._spectators

    def __iter__(self) -> Iterator[TableSocket]:
        """All sockets of this moment, players first; others may be added or removed meanwhile."""
        return iter([*self._players, *self._spectators])

    def add(self, socket: TableSocket) -> None:
        """Add a socket, or note its new seat."""
        self.discard(socket)
        if socket.seat is None:
            self._spectators[socket] = None
        else:
            self._players[socket] = socket.seat

    def discard(self, socket: TableSocket) -> None:
        """Remove a socket."""
        self._players.pop(socket, None)
        self._spectators.pop(socket, None)

    @property
    def seats(self) -> frozenset[int]:
        """The seats of connected players."""
        return frozenset(self._players.values())

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return len(self._spectators)
