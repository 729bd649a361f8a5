"""Closed-loop load by programs: five bot accounts with one stream each play at all tables at once.

One move is in flight a table. The next one is sent when all five streams have the line of the one before.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from benchmarks.load.driver import STALLED_SECONDS, Tally
from benchmarks.load.probe import Measured, Probe, percentile
from benchmarks.load.socket_client import Socket


class Line(msgspec.Struct):
    """What a bot needs of a message."""

    type: str
    table: str = ""
    ply: int = -1
    status: Any = ""
    legal: list[dict[str, Any]] = []


_decode = msgspec.json.Decoder(Line).decode


class Place:
    """One table under way, one move at a time."""

    __slots__ = ("expected", "legal", "mover", "seen", "sent", "step")

    def __init__(self) -> None:
        self.expected = 0
        self.seen: dict[int, int] = {}
        self.mover: int | None = None
        self.legal: list[dict[str, Any]] = []
        self.sent = 0.0
        self.step = time.perf_counter()


class Bots:
    """The five, their sockets, and the tables in play; when one is over, the next prepared one takes its place."""

    def __init__(self, tables: Sequence[str], most: int, tally: Tally) -> None:
        self.places = {table: Place() for table in tables}
        self.active = set(tables[:most])
        self._waiting = list(tables[most:])
        self.tally = tally
        self.sockets: list[Socket] = []
        self.is_over = False

    async def connect(self, address: str, tokens: Sequence[str]) -> None:
        """Open one stream for each of the five."""
        at = urlsplit(address)
        for number, token in enumerate(tokens):
            socket = Socket(lambda frame, number=number: self.hear(number, frame), self.lose)  # type: ignore[misc]
            await asyncio.get_running_loop().create_connection(lambda: socket, at.hostname or "", at.port or 80)  # noqa: B023
            await socket.open(address, "/api/v1/stream", "", extra=f"Authorization: Bearer {token}\r\n")
            self.sockets.append(socket)

    async def wait_until_seen(self) -> None:
        """Until all five have seen every prepared table."""
        while any(len(place.seen) < len(self.sockets) for place in self.places.values()):
            await asyncio.sleep(0.01)

    def hear(self, number: int, frame: bytes) -> None:
        """One message to one of the five."""
        line = _decode(frame)
        if line.type == "answer" and line.status != 200:
            self.tally.errors.append(frame.decode())
        if line.type != "table":
            return
        if self.tally.is_on:
            self.tally.updates += 1
            self.tally.update_bytes += len(frame)
        place = self.places[line.table]
        place.seen[number] = line.ply
        if line.legal:
            place.mover, place.legal = number, line.legal
        if line.status == "over":
            self._replace(line.table)
        elif line.table in self.active and place.sent:
            self._note(line.table, place)

    def _note(self, table: str, place: Place) -> None:
        if any(ply < place.expected for ply in place.seen.values()) or place.mover is None:
            return
        place.step = time.perf_counter()
        if self.tally.is_on:
            self.tally.latencies.append((place.step - place.sent) * 1000)
        self.move(table)

    def move(self, table: str) -> None:
        """Make the next move at this table: the first that is no pass."""
        place = self.places[table]
        if self.is_over or place.mover is None:
            return
        move = next((one for one in place.legal if "pass" not in one), place.legal[0])
        ply = place.seen[place.mover]
        place.expected, place.sent, mover = ply + 1, time.perf_counter(), place.mover
        place.mover = None
        message = {"type": "move", "table": table, "ply": ply, "key": f"{ply}", "move": move}
        self.sockets[mover].send(msgspec.json.encode(message))

    def _replace(self, table: str) -> None:
        if table not in self.active:
            return
        self.active.discard(table)
        self.tally.games += self.tally.is_on
        if self._waiting:
            following = self._waiting.pop()
            self.active.add(following)
            self.move(following)
        elif not self.is_over:
            self.tally.errors.append("no prepared tables are left")

    def lose(self) -> None:
        """A socket was closed by the server."""
        if not self.is_over:
            self.tally.errors.append("a socket was closed")

    def leave(self) -> None:
        """Close all sockets."""
        self.is_over = True
        for socket in self.sockets:
            socket.close()


async def drive(
    address: str, prepared: dict[str, Any], *, tables: int, seconds: float, warm: float, probe: Probe
) -> Measured:
    """Play at so many tables at once, as fast as the server answers."""
    tally = Tally()
    bots = Bots(prepared["tables"], tables, tally)
    try:
        await bots.connect(address, prepared["tokens"])
        await bots.wait_until_seen()
        gc.collect()
        gc.disable()
        for table in list(bots.active):
            bots.move(table)
        await asyncio.sleep(warm)
        probe.begin()
        began, cpu = time.perf_counter(), time.process_time()
        tally.is_on = True
        await asyncio.sleep(seconds)
        tally.is_on = False
        ended, cpu = time.perf_counter(), time.process_time() - cpu
        took = ended - began
        probe.end(took)
    finally:
        gc.enable()
        bots.leave()
    ranked = sorted(tally.latencies)
    return Measured(
        tables=tables,
        think=0.0,
        seconds=round(took, 2),
        moves=len(ranked),
        moves_s=round(len(ranked) / took, 1),
        p50=percentile(ranked, 0.5),
        p95=percentile(ranked, 0.95),
        p99=percentile(ranked, 0.99),
        max=percentile(ranked, 1),
        bytes_update=round(tally.update_bytes / max(1, tally.updates)),
        full_updates=0,
        games=tally.games,
        stalled=sum(ended - bots.places[table].step > STALLED_SECONDS for table in bots.active),
        errors=tally.errors[:5],
        driver_cpu=round(100 * cpu / took, 1),
    )
