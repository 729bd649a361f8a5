"""The processes of a site. Each can be killed and comes back at the same port, over its durable data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from chaos.clock import Clock
from chaos.disk import Disk, small_disk
from tests import programs
from tests.programs import Program
from tests.servers import Installation, Running

SETTINGS = {
    "MOVES_PER_SECOND": "1000",
    "SOCKETS_PER_ADDRESS": "100000",
    "SOCKETS_PER_PLAYER": "1000",
    "TABLES_PER_HOUR": "100000",
    "TABLES_PER_GUEST": "100000",
    "TABLES_PER_ADDRESS": "100000",
    "GUESTS_PER_MINUTE": "100000",
    "BOT_DELAY": "0.1",
    "LOG_LEVEL": "WARNING",
}
"""No limits: all clients are at one address, and few people play many games."""


class Part(Protocol):
    """A process, or several that belong together."""

    name: str

    def start(self) -> None:
        """Start it, and wait until it is ready."""

    def kill(self) -> None:
        """SIGKILL."""

    @property
    def pid(self) -> int:
        """Its process, 0 while it does not run."""

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself."""


class MenageriePart:
    """A server or a worker of Menagerie. run: starts it and waits until it is ready."""

    def __init__(self, name: str, run: Callable[[], AbstractContextManager[Running]]) -> None:
        self.name = name
        self._run = run
        self._stack = ExitStack()
        self.running: Running | None = None

    @property
    def pid(self) -> int:
        """Its process, 0 while it does not run."""
        return self.running.process.pid if self.running is not None else 0

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        return self.running is not None and self.running.process.poll() is not None

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        self.running = self._stack.enter_context(self._run())

    def kill(self) -> None:
        """SIGKILL."""
        self._stack.close()
        self.running = None


class ServicePart:
    """PostgreSQL or Redis."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self.program = program

    @property
    def pid(self) -> int:
        """Its process, 0 while it does not run."""
        return self.program.pid

    @property
    def has_ended(self) -> bool:
        """Never: nothing in a campaign ends these without starting them again."""
        return False

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.program.start()

    def kill(self) -> None:
        """SIGKILL, its children too."""
        self.program.kill()


class Club:
    """Parts by name, in the order in which they start. addresses: of its web servers."""

    def __init__(
        self,
        installation: Installation,
        parts: Mapping[str, Part],
        clock: Clock,
        *,
        addresses: list[str],
        disk: Disk | None = None,
    ) -> None:
        self.installation = installation
        self.parts = dict(parts)
        self.addresses = addresses
        self.disk = disk
        self.clock = clock

    @property
    def database(self) -> str:
        """The URL of its database, or the file of it."""
        return self.installation.settings["DATABASE_URL"].removeprefix("sqlite:///")

    def names(self, kind: str) -> list[str]:
        """Its parts of this kind: "web" → "web-1", "web-2"."""
        return [name for name in self.parts if name.startswith(kind)]


@contextmanager
def embedded(folder: Path, made: Path | None = None) -> Iterator[Club]:
    """One process, SQLite, on a small disk. made: the folder of a club to begin with, otherwise it is set up."""
    clock = Clock(folder / "clock")
    with small_disk(folder / "disk") as disk:
        place = {"DATABASE_URL": f"sqlite:///{disk.folder}/menagerie.sqlite3"}
        club = Installation(folder, SETTINGS | place | clock.settings())
        if made is None:
            club.migrate()
        else:
            shutil.copy(made / "menagerie.sqlite3", disk.folder)
        address = f"http://127.0.0.1:{club.port}"
        with _running(Club(club, {"web-1": _server(club, 1)}, clock, addresses=[address], disk=disk)) as found:
            yield found


@contextmanager
def production(folder: Path, made: Path | None = None, *, servers: int = 2, workers: int = 2) -> Iterator[Club]:
    """PostgreSQL as Debian sets it up, Redis, so many web servers and workers, each worker with a beat.

    made: the data of a PostgreSQL in which the club is set up already.
    """
    clock = Clock(folder / "clock")
    for name in ("postgres", "redis"):
        (folder / name).mkdir()
    postgres, redis = (
        programs.make_postgres(folder / "postgres", is_durable=True, kept=made),
        programs.make_redis(folder / "redis"),
    )
    services = {
        "DATABASE_URL": f"postgres://menagerie@127.0.0.1:{postgres.port}/menagerie",
        "REDIS_URL": f"redis://127.0.0.1:{redis.port}/0",
    }
    club = Installation(folder, SETTINGS | services | clock.settings())
    if made is None:
        _set_up(club, postgres)
    ports = [programs.free_port() for _ in range(servers)]
    parts: dict[str, Part] = {"postgres": ServicePart("postgres", postgres), "redis": ServicePart("redis", redis)}
    parts |= {f"worker-{number + 1}": _worker(club, number + 1) for number in range(workers)}
    parts |= {f"web-{number + 1}": _server(club, number + 1, port) for number, port in enumerate(ports)}
    with _running(Club(club, parts, clock, addresses=[f"http://127.0.0.1:{port}" for port in ports])) as found:
        yield found


def _set_up(club: Installation, postgres: Program) -> None:
    postgres.start()
    try:
        programs.create_database(club.settings["DATABASE_URL"], "menagerie")
        club.migrate()
    finally:
        postgres.stop()


def _server(club: Installation, number: int, port: int | None = None) -> MenageriePart:
    return MenageriePart(f"web-{number}", lambda: club.serve(port=port, PGAPPNAME=f"web-{number}"))


def _worker(club: Installation, number: int) -> MenageriePart:
    return MenageriePart(f"worker-{number}", lambda: club.work(f"worker-{number}", PGAPPNAME=f"worker-{number}"))


@contextmanager
def _running(club: Club) -> Iterator[Club]:
    """Start everything; whatever runs in the end is ended by its process id."""
    try:
        for part in club.parts.values():
            part.start()
        yield club
    finally:
        for part in reversed(club.parts.values()):
            part.kill()


SETUPS: dict[str, Callable[[Path, Path | None], AbstractContextManager[Club]]] = {
    "embedded": embedded,
    "production": production,
}


def find_missing(setup: str) -> list[str]:
    """Packages that this setup needs and that are not installed."""
    marks = ("postgresql", "redis") if setup == "production" else ()
    return [programs.PACKAGES[mark] for mark in marks if programs.find(mark) is None]


def keep_logs(club: Club, folder: Path) -> None:
    """Copy the processes' logs, for later reading."""
    folder.mkdir(parents=True, exist_ok=True)
    for log in [*club.installation.folder.glob("*.log"), *club.installation.folder.glob("*/program.log")]:
        shutil.copy(log, folder / f"{log.parent.name}-{log.name}")
