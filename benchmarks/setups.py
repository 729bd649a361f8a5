"""The two ways to run Menagerie, each on fresh data, with prepared tables."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.driver import Group
from tests import programs
from tests.servers import ROOT, Installation

SETTINGS = {"MOVES_PER_SECOND": "10000", "LOG_LEVEL": "ERROR"}
"""One table makes more moves a second than people may; nothing else is set."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A running installation. pids: of its processes by what they are; the server is the first."""

    name: str
    address: str
    groups: list[Group]
    pids: dict[str, int]


@contextmanager
def embedded(*, groups: int, games: int, deals: int) -> Iterator[Setup]:
    """One process, SQLite: what `make run` starts."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals)
        with club.serve() as server:
            yield Setup("embedded", server.address, prepared, {"server": server.process.pid})


@contextmanager
def production(*, groups: int, games: int, deals: int) -> Iterator[Setup]:
    """PostgreSQL (as Debian sets it up) and Redis, one server, one worker."""
    with (
        tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder,
        programs.run_postgres(is_durable=True) as postgres,
        programs.run_redis() as redis,
    ):
        club = Installation(Path(folder), SETTINGS | {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url})
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals)
        with club.work() as worker, club.serve() as server:
            pids = {"server": server.process.pid, "postgres": postgres.pid, "redis": redis.pid}
            yield Setup("postgres+redis", server.address, prepared, pids | {"worker": worker.process.pid})


SETUPS = {"embedded": embedded, "production": production}


def prepare(club: Installation, *, groups: int, games: int, deals: int) -> list[Group]:
    """Open and start the tables to be played at."""
    wish = ["--groups", str(groups), "--games", str(games), "--deals", str(deals)]
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
