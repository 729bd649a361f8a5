"""Programs that some tests and benchmarks need: found, started on private ports, stopped by their process id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 30.0
STOP_SECONDS = 10.0

PACKAGES = {"chromium": "chromium", "postgresql": "postgresql", "redis": "redis-server"}
"""Mark of a test → Debian's package with the program it needs."""


def find(mark: str) -> Path | None:
    """The program behind a mark, or None where it is not installed."""
    if mark == "postgresql":
        return _find_postgres()
    name = {"redis": "redis-server"}.get(mark, mark)
    found = shutil.which(name)
    return Path(found) if found else None


def _find_postgres() -> Path | None:
    """The server of the newest version; Debian keeps it off the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    found = shutil.which("postgres")
    return versions[-1] if versions else Path(found) if found else None


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def stop(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> int:
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


@contextmanager
def run_redis(*, is_file: bool = False) -> Iterator[Service]:
    """An empty Redis that writes nothing to disk. is_file: its URL is that of a socket file."""
    program = _require("redis")
    with tempfile.TemporaryDirectory(prefix="menagerie-redis-") as folder:
        port = free_port()
        command = [str(program), "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
        file = Path(folder, "redis.sock")
        with _running([*command, "--dir", folder, "--unixsocket", str(file)], folder, port) as process:
            yield Service(f"unix://{file}?db=1" if is_file else f"redis://127.0.0.1:{port}/0", process.pid)


@contextmanager
def run_postgres(*, is_durable: bool = False) -> Iterator[Service]:
    """A PostgreSQL with one empty database. is_durable: as Debian sets it up; otherwise it never waits for the disk."""
    program = _require("postgresql")
    with tempfile.TemporaryDirectory(prefix="menagerie-postgres-") as folder:
        as_owner = _give_to_postgres(folder)
        data, port = f"{folder}/data", free_port()
        initdb = [*as_owner, str(program.with_name("initdb")), "-D", data, "-U", "menagerie", "-A", "trust"]
        subprocess.run([*initdb, "--no-sync", "-E", "UTF8", "--locale=C"], check=True, capture_output=True)
        fast = [] if is_durable else ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
        command = [*as_owner, str(program), "-D", data, "-k", folder, "-p", str(port), *fast]
        with _running([*command, "-c", "listen_addresses=127.0.0.1"], folder, port, end=signal.SIGINT) as process:
            url = f"postgres://menagerie@127.0.0.1:{port}/"
            create_database(url, "menagerie")
            yield Service(f"{url}menagerie", process.pid)


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
def _running(
    command: Sequence[str], folder: str, port: int, *, end: signal.Signals = signal.SIGTERM
) -> Iterator[subprocess.Popen[bytes]]:
    log = Path(folder, "program.log")
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder)
    try:
        _await_port(process, port, log)
        yield process
    finally:
        stop(process, end)


def _await_port(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} did not start: {log.read_text(errors='replace')[-2000:]}")
