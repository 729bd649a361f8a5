"""The two ways to run Menagerie, each on fresh data, with prepared tables."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.driver import Group
from tests import programs
from tests.servers import ROOT, Installation

SETTINGS = {"MOVES_PER_SECOND": "10000", "SOCKETS_PER_ADDRESS": "1000000", "LOG_LEVEL": "ERROR"}
"""One table makes more moves a second than people may, and all browsers are at one address; nothing else is set."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A running installation. addresses: of its servers; pids: of its processes by what they are, servers first."""

    name: str
    addresses: list[str]
    groups: list[Group]
    pids: dict[str, int]


@contextmanager
def embedded(*, groups: int, games: int, deals: int, spectators: int = 0) -> Iterator[Setup]:
    """One process, SQLite: what `make run` starts."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals, spectators=spectators)
        with club.serve() as server:
            yield Setup("embedded", [server.address], prepared, {"server": server.process.pid})


@contextmanager
def production(*, groups: int, games: int, deals: int, spectators: int = 0, servers: int = 1) -> Iterator[Setup]:
    """PostgreSQL (as Debian sets it up) and Redis, so many servers, one worker."""
    with (
        tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder,
        programs.run_postgres(is_durable=True) as postgres,
        programs.run_redis() as redis,
        ExitStack() as running,
    ):
        club = Installation(Path(folder), SETTINGS | {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url})
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals, spectators=spectators)
        worker = running.enter_context(club.work())
        ours = [running.enter_context(club.serve(port=programs.free_port())) for _ in range(servers)]
        pids = {
            f"server {number + 1}" if number else "server": server.process.pid for number, server in enumerate(ours)
        }
        others = {"postgres": postgres.pid, "redis": redis.pid, "worker": worker.process.pid}
        name = "postgres+redis" if servers == 1 else f"{servers} × postgres+redis"
        yield Setup(name, [server.address for server in ours], prepared, pids | others)


SETUPS: dict[str, Callable[..., AbstractContextManager[Setup]]] = {
    "embedded": embedded,
    "production": production,
    "two-servers": partial(production, servers=2),
}


def prepare(club: Installation, *, groups: int, games: int, deals: int, spectators: int = 0) -> list[Group]:
    """Open and start the tables to be played at."""
    wish = ["--groups", str(groups), "--games", str(games), "--deals", str(deals), "--spectators", str(spectators)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.prepare", *wish],
        env=club.environment(DJANGO_SETTINGS_MODULE="config.settings"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the tables could not be prepared: {done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]
