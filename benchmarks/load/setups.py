"""The two ways to run Menagerie, each on fresh data, with prepared tables."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from benchmarks.load.driver import Group
from tests import programs
from tests.servers import Installation, Running

Prepare = Callable[[Installation], None]
"""What else is to be prepared in an installation before its servers start."""

SETTINGS = {"MOVES_PER_SECOND": "10000", "SOCKETS_PER_ADDRESS": "1000000", "LOG_LEVEL": "ERROR"}
"""One table makes more moves a second than people may, and all browsers are at one address; nothing else is set."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A running installation. addresses: of its servers; pids: of its processes by what they are, servers first.

    restart: ends all servers as a service manager does, and starts them again at the same addresses.
    """

    name: str
    addresses: list[str]
    groups: list[Group]
    pids: dict[str, int]
    restart: Callable[[], None]


class _Servers:
    """The servers of a club, one a port."""

    def __init__(self, club: Installation, ports: Sequence[int], running: ExitStack) -> None:
        self._club, self._ports, self._running = club, ports, running
        self._ours: list[Running] = []
        self.pids: dict[str, int] = {}
        self.start()

    def start(self) -> None:
        """Start them; their process ids are in `pids`."""
        self._ours = [self._running.enter_context(self._club.serve(port=port)) for port in self._ports]
        for number, server in enumerate(self._ours, start=1):
            self.pids[f"server {number}" if number > 1 else "server"] = server.process.pid

    def restart(self) -> None:
        """End them, and start them again."""
        for server in self._ours:
            server.stop()
        self.start()

    def list_addresses(self) -> list[str]:
        """Where they are."""
        return [server.address for server in self._ours]


@contextmanager
def embedded(
    *,
    groups: int,
    games: int,
    deals: int,
    spectators: int = 0,
    settings: Mapping[str, str] = MappingProxyType({}),
    also: Prepare | None = None,
) -> Iterator[Setup]:
    """One process, SQLite: what `make run` starts. settings: more variables of its environment."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), {**SETTINGS, **settings})
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals, spectators=spectators)
        if also is not None:
            also(club)
        with ExitStack() as running:
            servers = _Servers(club, [club.port], running)
            yield Setup("embedded", servers.list_addresses(), prepared, servers.pids, servers.restart)


@contextmanager
def production(
    *,
    groups: int,
    games: int,
    deals: int,
    spectators: int = 0,
    servers: int = 1,
    settings: Mapping[str, str] = MappingProxyType({}),
    also: Prepare | None = None,
) -> Iterator[Setup]:
    """PostgreSQL (as Debian sets it up) and Redis, so many servers, one worker. settings: more variables."""
    with (
        tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder,
        programs.run_postgres(is_durable=True) as postgres,
        programs.run_redis() as redis,
        ExitStack() as running,
    ):
        services = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        club = Installation(Path(folder), {**SETTINGS, **services, **settings})
        club.migrate()
        prepared = prepare(club, groups=groups, games=games, deals=deals, spectators=spectators)
        if also is not None:
            also(club)
        worker = running.enter_context(club.work())
        ours = _Servers(club, [programs.free_port() for _ in range(servers)], running)
        ours.pids.update(postgres=postgres.pid, redis=redis.pid, worker=worker.process.pid)
        name = "postgres+redis" if servers == 1 else f"{servers} × postgres+redis"
        yield Setup(name, ours.list_addresses(), prepared, ours.pids, ours.restart)


SETUPS: dict[str, Callable[..., AbstractContextManager[Setup]]] = {
    "embedded": embedded,
    "production": production,
    "two-servers": partial(production, servers=2),
}


def prepare(club: Installation, *, groups: int, games: int, deals: int, spectators: int = 0) -> list[Group]:
    """Open and start the tables to be played at."""
    options = ["--groups", str(groups), "--games", str(games), "--deals", str(deals), "--spectators", str(spectators)]
    lines = club.run_module("benchmarks.load.prepare_tables", *options).splitlines()
    return [json.loads(line) for line in lines]
