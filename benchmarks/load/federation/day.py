"""Drives a federation's Saturday: people, spectators, hall displays, readers and organisers, all from one process."""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

from benchmarks.load import resources
from benchmarks.load.chair import HEARTBEAT_SECONDS, Chair, Notes
from benchmarks.load.federation.crowd import Onlooker, Readers, Sights, Wall
from benchmarks.load.federation.desk import Desk, Desks
from benchmarks.load.federation.preparation import Prepared, Size
from benchmarks.load.setups import Setup

WARM_SECONDS = 15.0
"""After the start, and after all have come, before anything is measured."""
SETTLE_SECONDS = 4.0
"""After a part has begun."""
LAST_ANSWERS_SECONDS = 5.0
MAX_ROUNDS_SECONDS = 240.0
COMING_AT_ONCE = 30
TICK = 0.05
"""Seconds after which the driver looks how late it is itself."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time that was measured. brings: the unit of the cost model that began before it, or "all".

    frames, pages, rounds: how many there were; sockets: how many were open.
    """

    brings: str
    since: float
    until: float
    use: resources.Use
    frames: int
    pages: int
    rounds: int
    sockets: int


class Counts(NamedTuple):
    """How many answers to moves, pages and pages of hall displays had come at a moment."""

    answers: int
    pages: int
    walls: int


class Day:
    """Everybody who is there. addresses: of the servers; a table is at one of them.

    counts_before: what had come when the last window began; before it everybody arrives at once.
    """

    def __init__(self, setup: Setup, ready: Prepared, size: Size) -> None:
        self.setup, self.ready, self.size = setup, ready, size
        self.notes, self.sights, self.desks = Notes(), Sights(), Desks()
        self.queues = resources.Queues()
        self.delays: list[float] = []
        self.windows: list[Window] = []
        self.counts_before = Counts(0, 0, 0)
        self.trouble: list[str] = []
        self.final = ready["tables"][0]["table"]
        self.by_table = [
            [
                Chair(self.notes, self._find(one["table"]), one["table"], key, is_playing=False)
                for key in one["sessions"]
            ]
            for one in ready["tables"]
        ]
        self.chairs = list(itertools.chain.from_iterable(self.by_table))
        self.onlookers = [Onlooker(self.sights, self.final, session) for session in ready["spectators"]]
        address = setup.addresses[0]
        self.organisers = [Desk(address, club, self.desks) for club in ready["clubs"]]
        self.walls: list[Wall] = []
        self._going: list[asyncio.Task[None]] = []

    def _find(self, table: str) -> str:
        return self.setup.addresses[crc32(table.encode()) % len(self.setup.addresses)]

    async def rest(self, seconds: float) -> None:
        """Measure the installation as it is without anybody."""
        await asyncio.sleep(WARM_SECONDS)
        await self._measure("clock", seconds)

    async def run(self, seconds: float, *, in_parts: bool) -> None:
        """Have everybody come, and measure. in_parts: they begin one after another, and each part is measured."""
        gc.collect()
        gc.disable()
        try:
            await (self._run_parts(seconds) if in_parts else self._run_whole(seconds))
            for chair in self.chairs:
                chair.stop()
            await asyncio.sleep(LAST_ANSWERS_SECONDS)
        finally:
            gc.enable()

    async def _run_parts(self, seconds: float) -> None:
        await self.rest(seconds)
        await self._come()
        await self._measure("socket", seconds)
        ordinary, with_bots = self.by_table[1 : -self.ready["bot_tables"]], self.by_table[-self.ready["bot_tables"] :]
        for unit, tables in (("move", ordinary), ("bot move", with_bots), ("frame", self.by_table[:1])):
            self._play(tables)
            await self._measure(unit, seconds)
        self._begin(self._read())
        await self._measure("page", seconds)
        await self._measure("round", seconds, with_rounds=True)

    async def _run_whole(self, seconds: float) -> None:
        await asyncio.sleep(WARM_SECONDS)
        self._play(self.by_table)
        await self._come()
        self._begin(self._read())
        await asyncio.sleep(WARM_SECONDS - SETTLE_SECONDS)
        await self._measure("all", seconds, with_rounds=True)

    def _play(self, tables: Sequence[Sequence[Chair]]) -> None:
        for chair in itertools.chain.from_iterable(tables):
            chair.play()

    async def _come(self) -> None:
        """Tournaments are opened, then people sit down, hall displays are switched on, spectators come."""
        gate = asyncio.Semaphore(COMING_AT_ONCE)

        async def one(coming: Coroutine[Any, Any, None]) -> None:
            async with gate:
                await coming

        await asyncio.gather(*[one(chair.sit()) for chair in self.chairs])
        self._begin(self._ping())
        for desk in self.organisers:
            await desk.open()
        self.walls = [
            Wall(self.sights, self.setup.addresses[number % len(self.setup.addresses)], desk.tournament, chair.session)
            for number, (desk, chair) in enumerate(
                zip(self.organisers[: self.size.walls], itertools.cycle(self.chairs), strict=False)
            )
        ]
        for wall in self.walls:
            await wall.open()
            self._begin(wall.follow())
        await asyncio.gather(*[one(onlooker.come(self._find(self.final))) for onlooker in self.onlookers])
        self._begin(self.queues.watch(self.setup.addresses[0]))
        self._begin(self._note_delays())

    async def _measure(self, brings: str, seconds: float, *, with_rounds: bool = False) -> None:
        await asyncio.sleep(SETTLE_SECONDS)
        before, counts = resources.measure_now(self.setup.pids), self._count()
        self.counts_before = Counts(len(self.notes.answers), len(self.sights.pages), len(self.sights.walls))
        if with_rounds:
            await asyncio.gather(asyncio.sleep(seconds), self._play_rounds(seconds))
        else:
            await asyncio.sleep(seconds)
        after = resources.measure_now(self.setup.pids)
        frames, pages, rounds = (now - then for now, then in zip(self._count(), counts, strict=True))
        sockets = len(self.chairs) + len(self.onlookers) + len(self.walls) if self.walls else 0
        use = resources.find_use(before, after)
        self.windows.append(Window(brings, before.at, after.at, use, frames, pages, rounds, sockets))

    def _count(self) -> tuple[int, int, int]:
        return self.sights.frames, len(self.sights.pages) + len(self.sights.walls), self.desks.rounds

    async def _play_rounds(self, seconds: float) -> None:
        """Rounds that begin one after another in the first half of this time, each to its last result."""
        count = self.size.count_rounds(seconds)

        async def one(number: int, desk: Desk) -> None:
            await asyncio.sleep(seconds / 2 * number / count)
            try:
                async with asyncio.timeout(MAX_ROUNDS_SECONDS):
                    await desk.play_round()
            except Exception as error:  # noqa: BLE001 - told at the end, with all others
                self.trouble.append(f"a round: {error or type(error).__name__}")

        await asyncio.gather(*[one(number, desk) for number, desk in enumerate(self.organisers[:count])])

    async def _read(self) -> None:
        tournaments = [f"/tournaments/{desk.tournament}/" for desk in self.organisers]
        clubs = [f"/clubs/{club['slug']}/" for club in self.ready["clubs"]]
        paths: list[str] = []
        for tournament, club in zip(tournaments, clubs, strict=True):
            paths += ["/", f"/tables/{self.final}/", tournament, f"{tournament}standings/", club, "/tournaments/"]
        sessions = [chair.session for chair in self.chairs]
        await Readers(self.sights, self.setup.addresses, sessions, paths).read(self.size.pages_per_second)

    async def _ping(self) -> None:
        """Heartbeats of all, spread over their time."""
        everybody: list[Chair | Onlooker] = [*self.chairs, *self.onlookers]
        began = time.perf_counter()
        for number in itertools.count(1):
            due = began + number * HEARTBEAT_SECONDS / len(everybody)
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(max(wait, 0.01))
            everybody[number % len(everybody)].ping()

    async def _note_delays(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK)
            self.delays.append(time.perf_counter() - began - TICK)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._going.append(asyncio.create_task(work))

    async def leave(self) -> None:
        """Close all sockets; what went wrong with a part that ran beside them is among the trouble."""
        for task in self._going:
            task.cancel()
        for task in self._going:
            with suppress(asyncio.CancelledError):
                try:
                    await task
                except Exception as error:  # noqa: BLE001 - told at the end, with all others
                    self.trouble.append(str(error) or type(error).__name__)
        for chair in self.chairs:
            if chair.ply >= 0:
                chair.leave()
        for onlooker in self.onlookers:
            onlooker.leave()
        for wall in self.walls:
            wall.leave()
