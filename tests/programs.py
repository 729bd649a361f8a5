"""Programs that some tests and benchmarks need: found, started on private ports, stopped by their process id."""

from __future__ import annotations

import fcntl
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fork_server import Fork

START_SECONDS = 300.0
STOP_SECONDS = 30.0
PORTS = range(12_000, 32_000)
"""Below those that systems give to clients (Linux: from 32768)."""

PACKAGES = {
    "cc": "gcc libc6-dev",
    "chromium": "chromium-headless-shell",
    "docker_compose": "docker-compose",
    "nginx": "nginx-light",
    "postgresql": "postgresql",
    "promtool": "prometheus",
    "redis": "redis-server",
    "systemd": "systemd",
}
"""Mark of a test → Debian's package with the program it needs."""
_NAMES = {
    "chromium": ("chromium-headless-shell", "chromium"),
    "docker_compose": ("docker-compose",),
    "nginx": ("/usr/sbin/nginx",),
    "redis": ("redis-server",),
    "systemd": ("systemd-analyze",),
}
"""Its names, the best one first: a browser that never draws a window takes a quarter less of the processor."""


def find(mark: str) -> Path | None:
    """The program behind a mark, or None where it is not installed."""
    if mark == "postgresql":
        return _find_postgres()
    found = next(filter(None, map(shutil.which, _NAMES.get(mark, (mark,)))), None)
    return Path(found) if found else None


def _find_postgres() -> Path | None:
    """The server of the newest version; Debian keeps it off the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    found = shutil.which("postgres")
    return versions[-1] if versions else Path(found) if found else None


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now; nobody who asks here gets it again before all others had their turn.

    So it is still free when a server comes back to it: no other test has it, and no connection begins there.
    """
    turns = Path(tempfile.gettempdir()) / f"menagerie-ports-{os.getuid()}"
    with turns.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        last = int(file.read() or random.choice(PORTS))
        port = next(
            port for port in (PORTS[(last + step) % len(PORTS)] for step in range(len(PORTS))) if _is_free(port)
        )
        file.truncate(0)
        file.write(str(PORTS.index(port) + 1))
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def stop(process: subprocess.Popen[Any] | Fork, how: signal.Signals = signal.SIGTERM) -> int:
    """End one process, by force if it does not go by itself. Returns its exit status."""
    if process.poll() is None:
        process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


@dataclass(frozen=True, slots=True)
class Service:
    """A program that listens: the URL for clients, and the process to look at."""

    url: str
    pid: int


@dataclass(slots=True)
class Program:
    """A program that listens at a port of its own and writes to a log; it may be started and ended again and again."""

    command: Sequence[str]
    folder: Path
    port: int
    end: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process, 0 while it does not run."""
        return self.process.pid if self.process is not None else 0

    def start(self) -> None:
        """Start it, and wait until it listens. Raises RuntimeError."""
        log = self.folder / "program.log"
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=self.folder
            )
        _await_port(self.process, self.port, log)

    def stop(self) -> None:
        """End it in order."""
        if self.process is not None:
            stop(self.process, self.end)

    def kill(self) -> None:
        """End it, and what it has started, as a power cut would."""
        if self.process is None:
            return
        for pid in (self.process.pid, *list_children(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()


def list_children(pid: int) -> list[int]:
    """The processes that this one has started and that still run."""
    return [other for other in _list_pids() if _parent_of(other) == pid]


def _list_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
    except OSError:
        return 0


def make_redis(folder: Path) -> Program:
    """A Redis that writes nothing to disk: empty whenever it starts. It also listens at redis.sock in its folder."""
    port = free_port()
    command = [str(_require("redis")), "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    return Program([*command, "--dir", str(folder), "--unixsocket", str(folder / "redis.sock")], folder, port)


@contextmanager
def run_redis(*, is_file: bool = False) -> Iterator[Service]:
    """An empty Redis. is_file: its URL is that of a socket file."""
    with tempfile.TemporaryDirectory(prefix="menagerie-redis-") as folder:
        redis = make_redis(Path(folder))
        with _running(redis):
            url = f"unix://{folder}/redis.sock?db=1" if is_file else f"redis://127.0.0.1:{redis.port}/0"
            yield Service(url, redis.pid)


def make_postgres(folder: Path, *, is_durable: bool = False, kept: Path | None = None) -> Program:
    """A PostgreSQL that is to be started. is_durable: as Debian sets it up; otherwise it never waits for the disk.

    kept: what another one has left, to begin with.
    """
    program = _require("postgresql")
    as_owner = _give_to_postgres(str(folder))
    data, port = f"{folder}/data", free_port()
    initdb = [*as_owner, str(program.with_name("initdb")), "-D", data, "-U", "menagerie", "-A", "trust"]
    if kept is None:
        subprocess.run([*initdb, "--no-sync", "-E", "UTF8", "--locale=C"], check=True, capture_output=True)
    else:
        _copy(kept, data)
    fast = [] if is_durable else ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
    command = [*as_owner, str(program), "-D", data, "-k", str(folder), "-p", str(port), *fast]
    return Program([*command, "-c", "listen_addresses=127.0.0.1"], folder, port, signal.SIGINT)


@contextmanager
def run_postgres(*, is_durable: bool = False, kept: Path | None = None, keep: Path | None = None) -> Iterator[Service]:
    """A PostgreSQL with one empty database. keep: where its data go in the end; kept: where such data are."""
    with tempfile.TemporaryDirectory(prefix="menagerie-postgres-") as folder:
        postgres = make_postgres(Path(folder), is_durable=is_durable, kept=kept)
        with _running(postgres):
            url = f"postgres://menagerie@127.0.0.1:{postgres.port}/menagerie"
            if kept is None:
                create_database(url, "menagerie")
            yield Service(url, postgres.pid)
        if keep is not None:
            _copy(Path(folder) / "data", str(keep))


def _copy(data: Path, to: str) -> None:
    """The files of a database, which stay its owner's."""
    subprocess.run(["/bin/cp", "-a", str(data), to], check=True)


def create_database(url: str, name: str, *, template: str = "template1") -> str:
    """Make a database beside the one of this URL, and return its URL."""
    import psycopg
    from psycopg import sql

    server = url[: url.rindex("/") + 1]
    create = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    last = time.monotonic() + START_SECONDS
    while True:
        try:
            with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
                connection.execute(create)
            return f"{server}{name}"
        except psycopg.OperationalError:  # it listens before it lets anybody in
            if time.monotonic() > last:
                raise
            time.sleep(0.05)


def copy_database(url: str, name: str) -> str:
    """Make a database with what is in the one of this URL beside it, and return its URL."""
    return create_database(url, f"{name}_{free_port()}", template=url.rpartition("/")[2])


def _require(mark: str) -> Path:
    program = find(mark)
    if program is None:
        raise FileNotFoundError(f"This needs {mark}: apt-get install {PACKAGES[mark]}")
    return program


def _give_to_postgres(folder: str) -> list[str]:
    """PostgreSQL refuses to be run by root: then its own user owns the folder and runs it."""
    if os.geteuid() != 0:
        return []
    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]


@contextmanager
def _running(program: Program) -> Iterator[None]:
    try:
        program.start()
        yield
    finally:
        program.stop()


def _await_port(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} did not start: {log.read_text(errors='replace')[-2000:]}")
