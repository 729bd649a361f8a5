"""The faults. Each strikes, lasts a while, and ends; `watch.during` marks when parts are missing."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import psycopg

from chaos.parts import Club, Part
from chaos.silent_sockets import SilentSockets, open_silent_sockets
from chaos.tables import GameTimes
from chaos.watch import Watch
from tests.programs import list_children

GONE_SECONDS = 1.0
"""How long a part is away before it is started again, as a service manager would do."""
SLOW_SECONDS = 4.0
"""How long the database is slow."""
STOPPED, RUNNING = 0.18, 0.02
"""Seconds: a slow database is stopped and runs in turn."""
LOCKED_SECONDS = 4.0
"""How long a lock is held, or the disk is full."""
SLEEP_SECONDS = 8.0
"""How long the machine sleeps."""
JUMPS = (37, 3600, -3, -45, -3600)
"""Seconds by which the clock is set to another time."""


class Scene(NamedTuple):
    """The site that a fault is injected into."""

    club: Club
    watch: Watch
    book: GameTimes
    rng: random.Random
    notes: dict[str, object]
    """What a fault found out, by its name."""
    silent: list[SilentSockets]
    """What became of sockets that read nothing."""

    def part(self, kind: str) -> Part:
        """One part of this kind, by chance."""
        return self.club.parts[self.rng.choice(self.club.names(kind))]


Strike = Callable[[Scene], Awaitable[None]]


async def kill_web(scene: Scene) -> None:
    """SIGKILL of a web server."""
    await _restart(scene, [scene.part("web")], "web killed")


async def kill_worker(scene: Scene) -> None:
    """SIGKILL of a worker in the middle of a task: the database makes it wait in one, and there it dies."""
    worker = scene.part("worker")
    async with scene.watch.during("worker killed"):
        in_task = await asyncio.to_thread(_kill_in_task, scene.club.database, worker)
        scene.notes["workers killed in a task"] = int(str(scene.notes.get("workers killed in a task", 0))) + in_task
        await asyncio.sleep(GONE_SECONDS)
        await asyncio.to_thread(worker.start)


def _kill_in_task(database: str, worker: Part) -> bool:
    """Whether it was seen to wait in a task when it was killed."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"
    with psycopg.connect(database) as lock, psycopg.connect(database, autocommit=True) as look:
        lock.execute("LOCK TABLE games_ply IN SHARE MODE")
        last = time.monotonic() + 3
        is_waiting = False
        while not is_waiting and time.monotonic() < last:
            row = look.execute(query, (worker.name,)).fetchone()
            is_waiting = bool(row and row[0])
        worker.kill()
    return is_waiting


async def kill_redis(scene: Scene) -> None:
    """SIGKILL of Redis, which comes back empty."""
    await _restart(scene, [scene.club.parts["redis"]], "Redis killed", away=2 * GONE_SECONDS)


async def kill_postgres(scene: Scene) -> None:
    """SIGKILL of PostgreSQL and all its processes; it recovers what was committed."""
    await _restart(scene, [scene.club.parts["postgres"]], "PostgreSQL killed", away=2 * GONE_SECONDS)


async def cut_power(scene: Scene) -> None:
    """SIGKILL of everything at once."""
    await _restart(scene, list(scene.club.parts.values()), "power cut")


async def _restart(scene: Scene, parts: list[Part], name: str, *, away: float = GONE_SECONDS) -> None:
    async with scene.watch.during(name):
        for part in reversed(parts):
            await asyncio.to_thread(part.kill)
        await asyncio.sleep(away)
        for part in parts:
            await asyncio.to_thread(part.start)


async def slow_postgres(scene: Scene) -> None:
    """PostgreSQL works a tenth of the time."""
    pid = scene.club.parts["postgres"].pid
    async with scene.watch.during("slow database"):
        last = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < last:
            await _pause([pid, *list_children(pid)], STOPPED)
            await asyncio.sleep(RUNNING)


async def _pause(pids: list[int], seconds: float) -> None:
    try:
        for pid in pids:
            _signal(pid, signal.SIGSTOP)
        await asyncio.sleep(seconds)
    finally:
        for pid in pids:
            _signal(pid, signal.SIGCONT)


def _signal(pid: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, what)


async def lock_postgres(scene: Scene) -> None:
    """Another connection locks the table of tables."""
    async with scene.watch.during("locked database"):
        lock = await psycopg.AsyncConnection.connect(scene.club.database)
        try:
            await lock.execute("SET lock_timeout = '3s'")
            await lock.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
            await asyncio.sleep(LOCKED_SECONDS)
        finally:
            await lock.close()


async def lock_sqlite(scene: Scene) -> None:
    """Another process writes for longer than anybody waits."""
    async with scene.watch.during("locked database"):
        lock = sqlite3.connect(scene.club.database, isolation_level=None, timeout=5)
        try:
            lock.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(LOCKED_SECONDS + 3)
        finally:
            lock.close()


async def send_to_sleep(scene: Scene) -> None:
    """The machine sleeps, as a laptop whose lid is closed."""
    async with scene.watch.during("asleep"):
        await _pause([part.pid for part in scene.club.parts.values()], SLEEP_SECONDS)


async def open_silent_sockets_at_table(scene: Scene) -> None:
    """Sockets that read nothing and ask for a whole board again and again. Games go on meanwhile."""
    tables = [table for table in scene.book.began if table not in scene.book.ended]
    if tables:
        found = await open_silent_sockets(scene.club, scene.rng.choice(tables))
        scene.silent.append(found)
        scene.notes["MB more in the servers while sockets read nothing"] = found.grown


async def fill_disk(scene: Scene) -> None:
    """No further byte can be written."""
    assert scene.club.disk is not None
    async with scene.watch.during("disk full"):
        with scene.club.disk.full(scene.club.parts["web-1"].pid):
            await asyncio.sleep(LOCKED_SECONDS)


async def set_clock(scene: Scene) -> None:
    """The wall clock is set to another time while everything runs."""
    jump = scene.rng.choice(JUMPS)
    async with scene.watch.during(f"clock {jump:+d} s"):
        scene.club.clock.set(scene.club.clock.ahead + jump)


FAULTS: dict[str, dict[str, Strike]] = {
    "embedded": {
        "web": kill_web,
        "disk": fill_disk,
        "clock": set_clock,
        "lock": lock_sqlite,
        "sleep": send_to_sleep,
        "deaf": open_silent_sockets_at_table,
    },
    "production": {
        "web": kill_web,
        "worker": kill_worker,
        "redis": kill_redis,
        "clock": set_clock,
        "postgres": kill_postgres,
        "slow": slow_postgres,
        "lock": lock_postgres,
        "power": cut_power,
        "deaf": open_silent_sockets_at_table,
    },
}
"""What may strike which setup, in this order again and again."""


def describe(strike: Strike) -> str:
    """The fault in a sentence."""
    return (strike.__doc__ or "").partition("\n")[0]
