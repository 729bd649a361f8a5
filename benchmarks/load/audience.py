"""Spectators of one table, as a load: what each is sent, and when a move is on the last of their screens."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TypedDict
from urllib.parse import urlsplit

from benchmarks.load.driver import PING_SECONDS, Group, Table, Tally
from benchmarks.load.probe import percentile
from benchmarks.load.screen import is_fragment
from benchmarks.load.socket_client import Socket

THINK = 0.25
"""Mean pause before a player's move, in seconds."""
RETRY_SECONDS = (0.25, 0.5, 1.0, 2.0, 3.0)
"""Before a page opens its socket again, after each failure, 0.5 to 1.5 times (static/js/table/connection.js)."""
JOINING_AT_ONCE = 50
MAX_RETRIES = 20
SETTLE_SECONDS = 120.0
_PLY, _PRESENCE, _PONG = b'<div data-ply="', b'{"type":"presence"', b'{"type":"pong"'


class Spread(TypedDict):
    """Seconds; how many values there were."""

    count: int
    p50: float
    p95: float
    max: float


class Phase(TypedDict):
    """What happened while the spectators did one thing.

    lost: connections that the server refused or closed; presence_peak: most presence frames that one socket got within
    a second; to_players: from a move to the last of the
    five players; to_open: to the last screen whose socket was open when it was made; to_all: to the last of all
    screens, those included that were still coming.
    """

    seconds: float
    lost: int
    frames: int
    presence_frames: int
    presence_peak: int
    megabytes: float
    to_players: Spread
    to_open: Spread
    to_all: Spread


@dataclass(slots=True, eq=False)
class Move:
    """A move that is on its way to the screens."""

    ply: int
    sent: float
    open: set[Spectator]
    every: set[Spectator]


@dataclass(slots=True)
class Count:
    """What is counted in a phase. presence: frames by socket and second."""

    began: float = field(default_factory=time.perf_counter)
    frames: int = 0
    lost: int = 0
    size: int = 0
    presence: Counter[tuple[int, int]] = field(default_factory=Counter)
    to_open: list[float] = field(default_factory=list)
    to_all: list[float] = field(default_factory=list)


class Spectator:
    """One browser that watches."""

    def __init__(self, audience: Audience, number: int, session: str) -> None:
        self.audience = audience
        self.number = number
        self.session = session
        self.socket: Socket | None = None
        self.ply = -1
        self.version = b""
        self.is_shown = False
        """Whether the open socket has brought a picture."""

    async def come(self) -> None:
        """Open the socket, again and again until it is open."""
        if not await _try_again(self._open, self._note_failure):
            self.audience.tally.errors.append("a spectator gave up")

    def _note_failure(self) -> None:
        self.audience.count.lost += 1

    async def _open(self) -> None:
        at = urlsplit(self.audience.address)
        socket = Socket(self.hear, lambda: self.lose(socket))
        await asyncio.get_running_loop().create_connection(lambda: socket, at.hostname or "", at.port or 80)
        await socket.open(self.audience.address, self.audience.path, f"sessionid={self.session}")
        self.socket = socket

    def lose(self, socket: Socket) -> None:
        """The server has closed this socket: reconnect, as a page does."""
        if socket is self.socket:
            self.audience.count.lost += 1
            self.socket, self.is_shown = None, False
            self.audience.bring_back(self)

    def close(self) -> None:
        """Lose the connection."""
        if self.socket is not None:
            self.socket.close()
            self.socket, self.is_shown = None, False

    def hear(self, frame: bytes) -> None:
        """One frame of the server."""
        count = self.audience.count
        count.frames += 1
        count.size += len(frame)
        if is_fragment(frame):
            self.ply = int(frame[len(_PLY) : frame.index(b'"', len(_PLY))])
            self.version = frame[frame.index(b'data-version="') + 14 :].partition(b'"')[0]
            self.is_shown = True
            self.audience.note(self)
        elif frame.startswith(_PRESENCE):
            count.presence[self.number, int(time.perf_counter() - count.began)] += 1
        elif frame.startswith(_PONG) and self.socket is not None:
            self.socket.send(b'{"type":"echo","token":%d}' % json.loads(frame)["token"])

    def ping(self) -> None:
        """Say which version this screen shows."""
        if self.version and self.socket is not None:
            self.socket.send(b'{"type":"ping","version":%s}' % self.version)


class Watched(Table):
    """The players' table; each move is told to the audience."""

    audience: Audience
    is_away: bool = False
    """Whether its server is being restarted."""

    async def come_back(self, address: str, table_id: str) -> None:
        """All five open the table again, as pages do, and play on."""
        self._expected, self._missing, self._sent = 0, len(self.seats), 0.0
        for came in await asyncio.gather(
            *[_try_again(partial(seat.sit, address, table_id), lambda: None) for seat in self.seats]
        ):
            if not came:
                self.fail("a player gave up")
        await self.wait_until_seen()
        self.is_away = False
        self.begin()

    def lose(self) -> None:
        """A socket was closed by the server."""
        if not self.is_away:
            super().lose()

    def _move(self) -> None:
        if self.is_away:
            return
        before = self._sent
        super()._move()
        if self._sent != before:
            self.audience.expect(self._expected, self._sent)


class Audience:
    """All spectators of one table."""

    def __init__(self, group: Group, address: str) -> None:
        self.address, self.table_id = address, group["tables"][0]
        self.path = f"/ws/tables/{self.table_id}/"
        self.tally = Tally()
        self.table = Watched(group, self.tally, [address], think=THINK)
        self.table.audience = self
        self.spectators = [Spectator(self, number, key) for number, key in enumerate(group["spectators"])]
        self.count = Count()
        self._moves: list[Move] = []
        self._coming: set[asyncio.Task[None]] = set()

    def expect(self, ply: int, sent: float) -> None:
        """A move was sent: from now on it is on its way to all screens."""
        shown = {one for one in self.spectators if one.is_shown}
        self._moves.append(Move(ply, sent, shown, set(self.spectators)))

    def note(self, spectator: Spectator) -> None:
        """A screen shows something new."""
        now = time.perf_counter()
        for move in list(self._moves):
            if spectator.ply < move.ply:
                break
            for screens, took in ((move.open, self.count.to_open), (move.every, self.count.to_all)):
                if spectator in screens:
                    screens.discard(spectator)
                    if not screens:
                        took.append(now - move.sent)
            if not move.every:
                self._moves.remove(move)

    def bring_back(self, spectator: Spectator) -> None:
        """Reconnect a spectator whose socket was closed."""
        task = asyncio.get_running_loop().create_task(_return(spectator))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    def begin(self) -> None:
        """Count from here; moves that are under way count no more."""
        self.count, self._moves = Count(), []
        self.tally.latencies, self.tally.is_on = [], True

    def end(self) -> Phase:
        """What was counted."""
        count, took = self.count, time.perf_counter() - self.count.began
        self.tally.is_on = False
        return Phase(
            seconds=round(took, 2),
            lost=count.lost,
            frames=count.frames,
            presence_frames=count.presence.total(),
            presence_peak=max(count.presence.values(), default=0),
            megabytes=round(count.size / 1e6, 1),
            to_players=summarise_ms([one / 1000 for one in self.tally.latencies]),
            to_open=summarise_ms(count.to_open),
            to_all=summarise_ms(count.to_all),
        )

    async def join(self) -> None:
        """All of them open the table, some at a time."""
        gate = asyncio.Semaphore(JOINING_AT_ONCE)

        async def one(spectator: Spectator) -> None:
            async with gate:
                await spectator.come()

        await asyncio.gather(*map(one, self.spectators))
        await self.settle()

    async def come_back(self) -> None:
        """All of them lose the connection at the same moment, and open it again as pages do."""
        for spectator in self.spectators:
            spectator.close()
        await asyncio.gather(*map(_return, self.spectators))
        await self.settle()

    async def follow_restart(self, restart: Callable[[], None]) -> None:
        """Restart the server; all spectators reconnect. Counting begins when it listens again."""
        self.table.is_away = True
        await asyncio.to_thread(restart)
        self.begin()
        await asyncio.gather(self.table.come_back(self.address, self.table_id), self.settle())

    async def settle(self) -> None:
        """Until every screen shows the table."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while not all(one.is_shown for one in self.spectators):
                await asyncio.sleep(0.01)

    async def ping(self) -> None:
        """Heartbeats, as pages send them."""
        for one in itertools.cycle(self.spectators):
            await asyncio.sleep(PING_SECONDS / len(self.spectators))
            one.ping()

    def leave(self) -> None:
        """Close all sockets."""
        self.table.leave()
        for spectator in self.spectators:
            spectator.close()


async def _try_again(work: Callable[[], Awaitable[None]], note_failure: Callable[[], None]) -> bool:
    """Do this until it succeeds, after the pauses that pages make; False where it never did."""
    for pause in (*RETRY_SECONDS, *[RETRY_SECONDS[-1]] * MAX_RETRIES):
        try:
            await work()
        except (OSError, TimeoutError):
            note_failure()
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
        else:
            return True
    return False


async def _return(spectator: Spectator) -> None:
    await asyncio.sleep(RETRY_SECONDS[0] * random.uniform(0.5, 1.5))
    await spectator.come()


def summarise_ms(values: Iterable[float]) -> Spread:
    """p50, p95 and the greatest of these seconds."""
    ranked = sorted(values)
    return Spread(
        count=len(ranked),
        p50=percentile(ranked, 0.5),
        p95=percentile(ranked, 0.95),
        max=percentile(ranked, 1),
    )
