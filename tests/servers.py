"""Menagerie as its operators run it: processes over one data folder, started, killed and started again."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from tests import dealt, fork_server, programs
from tests.fork_server import Fork

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 300.0
MODULE_SECONDS = 7200.0
"""Seconds that a module of the benchmarks may take."""
NOT_INHERITED = (
    "DATABASE_URL",
    "REDIS_URL",
    "SITE_URL",
    "SECRET_KEY",
    "DEBUG",
    "PORT",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "PYTEST_CURRENT_TEST",
)
ON_PLAIN_DAPHNE_TOO = frozenset(
    f"tests.serving.{name}"
    for name in (
        "connections.test_connection_limits", "processes.test_crash", "processes.test_exit",
        "processes.test_graceful_shutdown", "test_shown", "test_trouble",
    )
)  # fmt: skip
"""Modules whose tests are about sockets and pages of a real server, not about what it stores."""
READY = re.compile(r"Menagerie is at (http://\S+?)/ ")


@dataclass(slots=True)
class Running:
    """One process of an installation. address: where it listens, empty for a worker."""

    process: subprocess.Popen[bytes] | Fork
    log: Path
    address: str = ""

    def kill(self) -> None:
        """End it, and what it has started, as a power cut would: it gets no chance to say anything."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; returns its exit status."""
        return programs.stop(self.process, how)

    def output(self) -> str:
        """What it has written so far."""
        return self.log.read_text(errors="replace")


@dataclass(slots=True)
class Installation:
    """One club: a data folder, and settings as environment variables. It comes back at the same port."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=programs.free_port)
    timeout: float = 600.0
    """Seconds that a command may take: what is slow ends before."""
    luck: str = ""
    """What its servers deal by; without it by chance, as `manage.py` does."""
    runs: int = 0
    python: str = ""
    """The interpreter of another environment than this one."""

    def deal_by(self, name: str) -> None:
        """From now on deal as the test of this name is dealt."""
        self.luck = dealt.luck_of(name)
        (self.folder / dealt.FILE).write_text(self.luck)

    def logs(self) -> list[Path]:
        """What each of its processes has written, in the order of their starts."""
        return sorted(self.folder.glob("run-*.log"), key=lambda log: log.stat().st_mtime)

    def environment(self, **settings: str) -> dict[str, str]:
        """The variables of its processes."""
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        ours = {"DATA_DIR": str(self.folder), "BOT_DELAY": "0", "MOVES_PER_SECOND": "1000", "PYTHONUNBUFFERED": "1"}
        ours |= {"TABLES_PER_GUEST": "1000", "TABLES_PER_ADDRESS": "1000"}  # everybody is at one address
        return inherited | ours | self.settings | settings

    def manage(self, *args: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run one command to its end."""
        args = (str(ROOT / "manage.py"), *args)
        return self._run_to_end([*args], self.environment(**settings), timeout=self.timeout)

    def run_module(self, module: str, *args: str, **settings: str) -> str:
        """Run a module with its settings; returns what that prints. Raises RuntimeError.

        It may take longer than a command: a benchmark makes a hundred thousand people with it.
        """
        environment = self.environment(DJANGO_SETTINGS_MODULE="config.settings", **settings)
        done = self._run_to_end(["-m", module, *args], environment, timeout=MODULE_SECONDS)
        if done.returncode:
            raise RuntimeError(f"{module} failed: {done.stderr[-2000:]}")
        return done.stdout

    def migrate(self) -> None:
        """Set its database up."""
        done = self.manage("migrate", "--noinput", "--verbosity", "0")
        assert done.returncode == 0, done.stderr

    @contextmanager
    def serve(self, *args: str, port: int | None = None, **settings: str) -> Iterator[Running]:
        """A server that takes connections; killed at the end unless it has ended before."""
        listen = str(self.port if port is None else port)
        program = ROOT / "tests" / "dealt.py" if self.luck else ROOT / "manage.py"
        with self._run([str(program), "serve", "--port", listen, *args], settings) as running:
            running.address = await_line(running, READY)
            yield running

    @contextmanager
    def work(self, name: str = "worker", **settings: str) -> Iterator[Running]:
        """A Celery worker with its beat, as in production; each of several needs a name of its own."""
        args = ["-m", "celery", "-q", "-A", "config", "worker", "--beat", "--concurrency", "2", "--pool", "threads"]
        quiet = ["--without-gossip", "--without-mingle", "--hostname", f"{name}@%h"]
        with self._run([*args, *quiet], {"LOG_LEVEL": "INFO"} | settings) as running:
            await_line(running, re.compile(r"(\S+) ready\."))
            yield running

    @contextmanager
    def _run(self, args: list[str], settings: Mapping[str, str]) -> Iterator[Running]:
        self.runs += 1
        log = self.folder / f"run-{self.runs}.log"
        with log.open("wb") as out:
            process = self._start(args, self.environment(**settings), out)
        running = Running(process, log)
        try:
            yield running
        finally:
            running.kill()

    def _run_to_end(self, args: list[str], env: dict[str, str], *, timeout: float) -> subprocess.CompletedProcess[str]:
        if self._is_forked(env):
            return fork_server.run(args, env, ROOT, timeout)
        command = [self.python or sys.executable, *args]
        return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False)

    def _start(self, args: list[str], env: dict[str, str], out: IO[bytes]) -> subprocess.Popen[bytes] | Fork:
        """A process of a group of its own: a worker's beat is a process too, and must not outlive it."""
        if self._is_forked(env):
            return Fork(args, env, ROOT, out, out)
        return subprocess.Popen(
            [self.python or sys.executable, *args],
            env=env,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )

    def _is_forked(self, env: Mapping[str, str]) -> bool:
        """In tests, if it may use what is loaded already; benchmarks measure processes as operators start them."""
        same_path = env.get("PYTHONPATH") == os.environ.get("PYTHONPATH")
        return "PYTEST_VERSION" in os.environ and not self.python and same_path


def await_line(running: Running, pattern: re.Pattern[str]) -> str:
    """The first group of a line that a process writes when it is ready. Raises RuntimeError if it ends or is late."""
    last = time.monotonic() + READY_SECONDS
    while time.monotonic() < last:
        has_ended = running.process.poll() is not None
        if found := pattern.search(running.output()):
            return found[1]
        if has_ended:
            break
        time.sleep(0.01)
    raise RuntimeError(f"no sign of being ready:\n{running.output()[-4000:]}")


def make_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder to copy from, made once in a run of the tests, by whichever of its processes wants it first."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, done = base / name, base / f"{name}.done"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def empty_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation that was set up and never used, to copy; its fragments are compiled.

    EMPTY_CLUB=... is one that another run of the tests has made.
    """
    if made_already := os.environ.get("EMPTY_CLUB"):
        return Path(made_already)

    def make(folder: Path) -> None:
        made = Installation(folder)
        made.migrate()
        done = made.manage("shell", "-c", "from games.presenters import render; render.compile_fragments()")
        assert done.returncode == 0, done.stderr

    return make_once(tmp_path_factory, "club", make)


@pytest.fixture
def ways(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of the servers: as they come, or without the ways past Daphne (`pytest_generate_tests`)."""
    return dict(getattr(request, "param", {}))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have what starts servers in these modules run on plain Daphne, too; of all the rest: SERVER_SHORTCUTS=NONE."""
    if "ways" in metafunc.fixturenames and metafunc.module.__name__ in ON_PLAIN_DAPHNE_TOO:
        metafunc.parametrize("ways", [{}, {"SERVER_SHORTCUTS": "NONE"}], ids=["fast", "plain"], indirect=True)


@pytest.fixture
def club(empty_club: Path, tmp_path: Path, ways: dict[str, str], request: pytest.FixtureRequest) -> Installation:
    """An installation as `make run` makes it: one process, SQLite."""
    shutil.copytree(empty_club, tmp_path / "club")
    made = Installation(tmp_path / "club", ways)
    made.deal_by(request.node.nodeid)
    return made


@pytest.fixture(scope="session")
def kept_postgres(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a PostgreSQL with a database that was set up and never used, to copy."""

    def make(folder: Path) -> None:
        with programs.run_postgres(keep=folder / "data") as service:
            Installation(folder, {"DATABASE_URL": service.url}).migrate()

    return make_once(tmp_path_factory, "postgres", make) / "data"


@pytest.fixture(scope="session")
def postgres(kept_postgres: Path) -> Iterator[str]:
    """The URL of a PostgreSQL database of our own, set up and never used: to copy, as its server runs."""
    with programs.run_postgres(kept=kept_postgres) as service:
        yield service.url


@pytest.fixture
def redis() -> Iterator[str]:
    """The URL of an empty Redis of our own."""
    with programs.run_redis() as service:
        yield service.url


@pytest.fixture
def big_club(
    postgres: str, redis: str, tmp_path: Path, ways: dict[str, str], request: pytest.FixtureRequest
) -> Installation:
    """An installation for production: PostgreSQL and Redis; its servers and workers are for the test to start."""
    services = {"DATABASE_URL": programs.copy_database(postgres, "club"), "REDIS_URL": redis}
    made = Installation(tmp_path, services | ways)
    made.deal_by(f"{request.node.nodeid} in the big club")
    return made


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    """For processes of a test: whatever is entered here is ended with it."""
    with ExitStack() as stack:
        yield stack
