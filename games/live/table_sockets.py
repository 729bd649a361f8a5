"""The sockets of one process that look at the same table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from games.live.base_socket import REFUSED
from games.live.table_regions import Picture
from games.play.storage.table import Loaded


class Socket(Protocol):
    """One connected browser."""

    table_id: str
    player_id: int | None
    seat: int | None
    language: str
    shown: Picture | None
    heard: tuple[int, int]
    """From which number on remarks stand, and the last one that it was told of."""
    told_presence: str
    """The last frame about who is here that it was sent."""

    def may_watch(self, table: Loaded) -> bool:
        """Whether its reader may look at this table now."""

    async def deliver(self, frame: str) -> None:
        """Send one frame; never raises because the browser has gone."""

    async def dismiss(self, code: int = REFUSED) -> None:
        """Close it: its reader may not look at the table any more, or another code says why."""


class Room:
    """Players apart from spectators, who may be thousands: players are served first."""

    def __init__(self) -> None:
        self._players: dict[Socket, int] = {}
        self._spectators: dict[Socket, None] = {}

    def __len__(self) -> int:
        return len(self._players) + len(self._spectators)

    def __contains__(self, socket: Socket) -> bool:
        return socket in self._players or socket in self._spectators

    def __iter__(self) -> Iterator[Socket]:
        """Everybody who is here now, players first; others may come and go meanwhile."""
        return iter([*self._players, *self._spectators])

    def add(self, socket: Socket) -> None:
        """Somebody comes, or has another seat now."""
        self.discard(socket)
        if socket.seat is None:
            self._spectators[socket] = None
        else:
            self._players[socket] = socket.seat

    def discard(self, socket: Socket) -> None:
        """Somebody goes."""
        self._players.pop(socket, None)
        self._spectators.pop(socket, None)

    @property
    def seats(self) -> frozenset[int]:
        """The seats whose people are here."""
        return frozenset(self._players.values())

    @property
    def spectators(self) -> int:
        """How many others look on."""
        return len(self._spectators)
