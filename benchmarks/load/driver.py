"""Closed-loop load: tables of five sockets, one move in flight a table.

The next move of a table is sent (after a pause, where there is one) when all five sockets have the
fragment of the one before. Latency is the time from sending a move to the last of the five fragments.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict
from urllib.parse import urlsplit
from zlib import crc32

from benchmarks.load.probe import Measured, Probe, percentile
from benchmarks.load.screen import Screen, is_fragment
from benchmarks.load.socket_client import Socket

CONNECTING_AT_ONCE = 8
PING_SECONDS = 10.0
"""How often a browser says which version it shows (static/js/table/connection.js)."""
STALLED_SECONDS = 5.0


class Group(TypedDict):
    """Five people, by their session keys, the tables at which they play one after the other, and who looks at them."""

    sessions: list[str]
    tables: list[str]
    spectators: list[str]


@dataclass(slots=True)
class Tally:
    """What is counted while `is_on`."""

    is_on: bool = False
    latencies: list[float] = field(default_factory=list)
    """Milliseconds."""
    updates: int = 0
    update_bytes: int = 0
    full_updates: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)


class Seat:
    """One player's browser."""

    def __init__(self, table: Table, number: int, session: str) -> None:
        self.table = table
        self.number = number
        self.session = session
        self.screen = Screen()
        self.socket: Socket | None = None
        self.ply = -1
        self.version = b""

    async def sit(self, address: str, table_id: str) -> None:
        """Open the socket of a table, in place of the one before."""
        if self.socket is not None:
            self.socket.close()
        self.screen, self.ply = Screen(), -1
        at = urlsplit(address)
        socket = Socket(self.hear, self.table.lose)
        await asyncio.get_running_loop().create_connection(lambda: socket, at.hostname or "", at.port or 80)
        await socket.open(address, f"/ws/tables/{table_id}/", f"sessionid={self.session}")
        self.socket = socket

    def hear(self, frame: bytes) -> None:
        """One frame of the server."""
        if is_fragment(frame):
            self.ply = self.screen.show(frame)
            tally = self.table.tally
            if tally.is_on:
                tally.updates += 1
                tally.update_bytes += len(frame)
                tally.full_updates += b'data-full="1"' in frame[:120]
            self.version = frame[frame.index(b'data-version="') + 14 :].partition(b'"')[0]
            self.table.note(self)
        elif frame.startswith(b'{"type":"answer"') and b'"status":200' not in frame:
            self.table.fail(frame.decode())

    def send(self, message: bytes) -> None:
        """Send a frame."""
        assert self.socket is not None
        self.socket.send(message)

    def ping(self) -> None:
        """Say which version this screen shows."""
        if self.version:
            self.send(b'{"type":"ping","version":%s}' % self.version)


class Table:
    """Five players and their games, one move at a time."""

    def __init__(self, group: Group, tally: Tally, addresses: Sequence[str], *, think: float = 0.0) -> None:
        self.tally = tally
        self.think = think
        self.seats = [Seat(self, number, session) for number, session in enumerate(group["sessions"])]
        self.last_step = time.perf_counter()
        self._tables = iter(group["tables"])
        self._addresses = addresses
        self._expected = 0
        self._missing = 0
        self._sent = 0.0
        self._is_over = False
        self._keys = itertools.count()
        self._moving: asyncio.Task[None] | None = None

    async def sit_down(self) -> None:
        """All five at the next table; a table is at one server, as a proxy that goes by the path would have it."""
        table_id = next(self._tables, None)
        if table_id is None:
            self.fail("no prepared tables are left")
            return
        self._expected, self._missing, self._sent = 0, len(self.seats), 0.0
        address = self._addresses[crc32(table_id.encode()) % len(self._addresses)]
        for seat in self.seats:
            await seat.sit(address, table_id)

    def begin(self) -> None:
        """Make the first move."""
        self._next()

    def note(self, seat: Seat) -> None:
        """A seat has a new fragment: when it is the last of the five, the move is done."""
        if seat.ply < self._expected or self._missing == 0:
            return
        self._missing = sum(other.ply < self._expected for other in self.seats)
        if self._missing:
            return
        self.last_step = time.perf_counter()
        if self._sent:
            if self.tally.is_on:
                self.tally.latencies.append((self.last_step - self._sent) * 1000)
            self._next()

    def _next(self) -> None:
        if self.think:
            asyncio.get_running_loop().call_later(self.think * (0.5 + random.random()), self._move)
        else:
            self._move()

    def _move(self) -> None:
        if self._is_over:
            return
        seat = next((seat for seat in self.seats if seat.screen.is_my_turn), None)
        if seat is None or seat.screen.is_over:
            self._go_on(seat)
            return
        cards = seat.screen.choose()
        move: dict[str, object] = {"pass": True} if cards is None else {"play": cards}
        message = {"type": "move", "ply": seat.ply, "key": str(next(self._keys)), "move": move}
        self._expected, self._missing = seat.ply + 1, len(self.seats)
        self._sent = time.perf_counter()
        seat.send(json.dumps(message).encode())

    def _go_on(self, seat: Seat | None) -> None:
        if not any(other.screen.is_over for other in self.seats):
            self.fail(f"nobody is to move; {seat}")
            return
        if self.tally.is_on:
            self.tally.games += 1
        self._moving = asyncio.get_running_loop().create_task(self._change_tables())

    async def _change_tables(self) -> None:
        await self.sit_down()
        while self._missing and not self._is_over:
            await asyncio.sleep(0.005)
        self._next()

    async def wait_until_seen(self) -> None:
        """Until all five have the table on their screens."""
        while self._missing:
            await asyncio.sleep(0.01)

    def fail(self, what: str) -> None:
        """Note an error; this table stops."""
        if not self._is_over:
            self._is_over = True
            self.tally.errors.append(what)

    def lose(self) -> None:
        """A socket was closed by the server."""
        self.fail("a socket was closed")

    def leave(self) -> None:
        """Close all sockets."""
        self._is_over = True
        for seat in self.seats:
            if seat.socket is not None:
                seat.socket.close()


async def drive(
    addresses: Sequence[str], groups: Sequence[Group], *, seconds: float, warm: float, think: float, probe: Probe
) -> Measured:
    """Play at all tables at once. think: mean pause before a move, in seconds."""
    tally = Tally()
    tables = [Table(group, tally, addresses, think=think) for group in groups]
    pinging: asyncio.Task[None] | None = None
    try:
        await seat_all(tables)
        pinging = asyncio.get_running_loop().create_task(_ping(tables))
        gc.collect()
        gc.disable()
        for table in tables:
            table.begin()
        await asyncio.sleep(warm)
        return await _measure(tables, tally, seconds=seconds, think=think, probe=probe)
    finally:
        gc.enable()
        if pinging is not None:
            pinging.cancel()
        for table in tables:
            table.leave()


async def _measure(tables: Sequence[Table], tally: Tally, *, seconds: float, think: float, probe: Probe) -> Measured:
    probe.begin()
    began, cpu = time.perf_counter(), time.process_time()
    tally.is_on = True
    await asyncio.sleep(seconds)
    tally.is_on = False
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    probe.end(took)
    ended = time.perf_counter()
    ranked = sorted(tally.latencies)
    return Measured(
        tables=len(tables),
        think=think,
        seconds=round(took, 2),
        moves=len(ranked),
        moves_s=round(len(ranked) / took, 1),
        p50=percentile(ranked, 0.5),
        p95=percentile(ranked, 0.95),
        p99=percentile(ranked, 0.99),
        max=percentile(ranked, 1),
        bytes_update=round(tally.update_bytes / max(1, tally.updates)),
        full_updates=tally.full_updates,
        games=tally.games,
        stalled=sum(ended - table.last_step > STALLED_SECONDS + 2 * think for table in tables),
        errors=tally.errors[:5],
        driver_cpu=round(100 * cpu / took, 1),
    )


async def seat_all(tables: Iterable[Table]) -> None:
    """Open the sockets of all tables, until all players see their tables."""
    gate = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def seat(table: Table) -> None:
        async with gate:
            await table.sit_down()
            await table.wait_until_seen()

    await asyncio.gather(*(seat(table) for table in tables))


async def _ping(tables: Sequence[Table]) -> None:
    seats = [seat for table in tables for seat in table.seats]
    for seat in itertools.cycle(seats):
        await asyncio.sleep(PING_SECONDS / len(seats))
        seat.ping()
