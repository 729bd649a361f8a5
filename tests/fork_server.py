"""Starts the Python processes of tests as forks of one that has loaded the site's libraries already.

A server or a command needs some three seconds of the processor to start; most of them it loads libraries and modules.
`Fork` looks like `subprocess.Popen`. Two servers fork:

- The plain one has loaded third-party code, and of ours what is pure: it knows no framework and no settings
  (pyproject.toml has it checked), and is the same in every environment. All the rest is loaded in the fork.
- The site's has loaded models, addresses and views, too, with settings of its own. A fork of it reads the settings
  from the environment that it is given. If one of those that were looked up while modules were loaded is another there,
  or if the settings are refused, it declines, and the plain one forks instead.

The protocol, over one socket a process: a request as JSON with the file descriptors of standard output and error;
the answer is the process id, 0 if it declines, and the wait status when it has ended, as eight bytes each.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import re
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import IO, Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
GAMES = {entry.module.partition(".")[0] for entry in entry_points(group="menagerie.games")}
OURS = frozenset({"__main__", "config", "games", "manage", "tests", "tournaments", *GAMES})
PURE = re.compile(
    r"(games|tournaments|games\.catalogue(\.\w+)?)$"  # packages, with a game's declaration
    r"|(games\.(rules|bots|records)|games\.catalogue\.\w+\.(rules|bots|lesson))(\.|$)"
    r"|games\.play(\.errors)?$"
    r"|tournaments\.(careers|draw|formats|ratings|scoring)(\.|$)"
)
"""Modules of ours that know no framework."""
NOT_BEFOREHAND = ("daphne.server", "twisted.internet.reactor")
"""Their import installs an event loop: forks would share its file descriptors."""
LOADED_BY_FORKS = frozenset(
    ("config.asgi", "games.serving.graceful_shutdown", "games.serving.server", "games.serving.wire")
)
"""Modules of the site that build on an event loop, or on settings."""
USED_LATER = (
    "config.asgi", "config.urls", "celery.beat", "celery.bin.worker", "celery.concurrency.thread",
    "celery.contrib.django.task", "celery.worker.components", "django.core.management.commands.migrate",
    "games.management.commands.serve", "games.serving.embedded", "games.serving.heartbeat_thread",
    "games.serving.server", "kombu.transport.redis",
)  # fmt: skip
"""What servers, workers and commands load, beside what the site's applications do."""
SITE = OURS - {"__main__", "manage", "tests"}
SITE_PROGRAMS = frozenset(map(str, (ROOT / "manage.py", ROOT / "tests" / "dealt.py")))
SET_ANEW = frozenset({"COMPILED_FRAGMENTS", "DATABASES"})
"""Settings that were looked up when modules were loaded, and that a fork replaces there (`adopt_settings`)."""
LONGEST_NAME = 63
"""Characters of a table's name in PostgreSQL. All that models ask their database is how long theirs may be."""
LOOKED_UP: dict[str, Any] = {}
"""In the server of the site: the settings that were looked up when its modules were loaded."""


class Fork:
    """A running Python program. pid: leads a process group of its own; returncode: as `subprocess.Popen` gives it."""

    def __init__(self, args: Sequence[str], env: Mapping[str, str], cwd: Path, out: IO[Any], err: IO[Any]) -> None:
        """args: what follows `python` on a command line, either a script or `-m` and a module, and its arguments."""
        self.args = args
        self.returncode: int | None = None
        request = json.dumps({"args": list(args), "env": dict(env), "cwd": str(cwd)}).encode()
        files = [out.fileno(), err.fileno()]
        for server in ("site", "plain") if is_of_site(args) else ("plain",):
            self._line, self.pid = ask(f"{start()}/{server}", request, files)
            if self.pid:
                break

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, as soon as it has ended. timeout: seconds. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._line.settimeout(timeout if timeout is None else max(timeout, 0.0001))
            try:
                status = int.from_bytes(self._line.recv(8, socket.MSG_WAITALL), "big")
            except TimeoutError:
                assert timeout is not None
                raise subprocess.TimeoutExpired(self.args, timeout) from None
            self.returncode = os.waitstatus_to_exitcode(status)
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def run(args: Sequence[str], env: Mapping[str, str], cwd: Path, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, as `subprocess.run` does. timeout: seconds. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = Fork(args, env, cwd, out, err)
        try:
            status = process.wait(timeout)
        except BaseException:
            process.kill()
            process.wait()
            raise
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(args, status, out.read(), err.read())


def ask(path: str, request: bytes, files: Sequence[int]) -> tuple[socket.socket, int]:
    """The line to a new fork, and its process id, 0 if the server declines."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    line.sendall(len(request).to_bytes(4, "big"))
    socket.send_fds(line, [b"!"], files)
    line.sendall(request)
    pid = int.from_bytes(line.recv(8, socket.MSG_WAITALL), "big")
    if not pid:
        line.close()
    return line, pid


def is_of_site(args: Sequence[str]) -> bool:
    """Whether a program loads models and views whatever happens: a server, a worker, a command with a database."""
    from manage import PURE_COMMANDS

    if args[0] == "-m":
        return args[1] == "celery"
    name = args[1] if len(args) > 1 else ""
    is_pure = name in PURE_COMMANDS or name == "collectstatic"  # the storage of a site that is loaded has no manifest
    return args[0] in SITE_PROGRAMS and not name.startswith("-") and not is_pure


@cache
def start() -> str:
    """The folder with the sockets of the servers that fork for this process; started when they are first needed."""
    folder = tempfile.TemporaryDirectory(prefix="menagerie-forks-")
    with ExitStack() as stack:
        numbers = []
        for name in ("plain", "site"):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(f"{folder.name}/{name}")
            listener.listen(64)
            numbers.append(listener.fileno())
        command = [sys.executable, "-m", "tests.fork_server", *map(str, numbers)]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=numbers)

    def stop() -> None:
        server.kill()
        server.wait()
        folder.cleanup()

    atexit.register(stop)
    return folder.name


def load_libraries() -> list[str]:
    """Load the libraries that the whole site loads, and what is pure of the site itself; a fork finds out which.

    Settings and models stay unknown here. Returns the names of the rest of the site's modules, in the order in which
    they are loaded.
    """
    reading, writing = os.pipe()
    if not os.fork():
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
            try:
                django = importlib.import_module("django")
                django.setup()
                for name in USED_LATER:
                    importlib.import_module(name)
            finally:
                with os.fdopen(writing, "w") as out:
                    json.dump(list(sys.modules), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        found = json.load(answer)
    os.wait()
    names = [name for name in found if name.partition(".")[0] not in OURS or PURE.match(name)]
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    sys.unraisablehook = lambda _trouble: None  # settings that are asked for in a destructor
    before = len(list(Path("/dev/fd").iterdir()))
    for name in names:
        if name not in NOT_BEFOREHAND:
            with suppress(Exception):  # it reads the settings: the fork loads it
                importlib.import_module(name)
    sys.unraisablehook = sys.__unraisablehook__
    assert len(list(Path("/dev/fd").iterdir())) <= before, "a library that opens something is loaded in the fork"
    ours = [name for name in list_ours() if not PURE.match(name)]
    assert not ours, f"{ours} must be loaded in the fork"
    gc.collect()
    gc.freeze()  # forks share what is loaded
    return [name for name in found if name not in names]


def load_site(names: Sequence[str]) -> None:
    """Load these modules of the site, too, with settings of its own; `LOOKED_UP` are those that had a say in that."""
    from django.apps import apps
    from django.conf import settings

    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}),
        mock.patch("django.utils.log.configure_logging"),  # the fork does
    ):
        sys.modules["daphne.server"] = ModuleType("daphne.server")  # `daphne` wants its event loop: the fork has it
        importlib.import_module("django").setup()
        for name in names:
            if name.partition(".")[0] in SITE and name not in LOADED_BY_FORKS:
                importlib.import_module(name)
    del sys.modules["daphne.server"]
    LOOKED_UP.update({name: value for name, value in vars(settings).items() if name.isupper()})
    assert threading.active_count() == 1, "a module that starts a thread is loaded in the fork"
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    assert max(map(len, tables)) <= LONGEST_NAME, "the name of a table depends on the database"
    assert not LOADED_BY_FORKS.union(NOT_BEFOREHAND).intersection(sys.modules)
    gc.collect()
    gc.freeze()


def adopt_settings() -> bool:
    """Read the settings from the environment; whether modules would have been loaded the same with them."""
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    del sys.modules["config.settings"]
    settings._wrapped = empty
    try:
        if any(getattr(settings, name) != value for name, value in LOOKED_UP.items() if name not in SET_ANEW):
            return False
    except BaseException:  # noqa: BLE001 - whatever is wrong: the program shall say it, as it would by itself
        return False
    for alias in connections.settings:
        del connections[alias]
    vars(connections).update(_settings=None)
    del connections.settings
    render = sys.modules["games.presenters.render"]
    render.environment.bytecode_cache.directory = str(settings.COMPILED_FRAGMENTS)
    for module in [sys.modules[name] for name in list_ours()]:
        for one in vars(module).values():
            if isinstance(one, random.Random):
                one.seed()
    return True


def list_ours() -> list[str]:
    """Modules of the site and its games that are loaded."""
    return [name for name in sys.modules if name.partition(".")[0] in OURS - {"__main__", "tests"}]


def read_request(line: socket.socket) -> dict[str, Any]:
    """One request; standard output and error of this process become those that came with it."""
    size = int.from_bytes(line.recv(4, socket.MSG_WAITALL), "big")
    _mark, files, *_ = socket.recv_fds(line, 1, 2)
    request: dict[str, Any] = json.loads(line.recv(size, socket.MSG_WAITALL))
    for number, file in zip((1, 2), files, strict=True):
        os.dup2(file, number)
        os.close(file)
    return request


def fork_and_tell(line: socket.socket) -> dict[str, Any]:
    """In a fork of the server: fork once more, tell the process id and later the exit status. Returns in the fork."""
    request = read_request(line)
    enter(request)
    if LOOKED_UP and not adopt_settings():
        line.sendall(bytes(8))
        os._exit(0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        line.close()
        os.close(reading)
        os.setsid()
        os.close(writing)
        return request
    os.close(writing)
    os.read(reading, 1)  # it leads its group
    for number in (1, 2):  # or a pipe would stay open when the program has ended
        os.close(number)
    line.sendall(child.to_bytes(8, "big"))
    _pid, status = os.waitpid(child, 0)
    with suppress(OSError):  # nobody may be waiting any more
        line.sendall(status.to_bytes(8, "big"))
    os._exit(0)


def await_request(listener: socket.socket) -> dict[str, Any]:
    """Serve; returns in a fork, with what it shall run."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    parent = os.getppid()
    listener.settimeout(1)
    while os.getppid() == parent:
        try:
            line, _address = listener.accept()
        except TimeoutError:
            continue
        if not os.fork():
            listener.close()
            line.settimeout(None)
            return fork_and_tell(line)
        line.close()
    sys.exit()


def enter(request: Mapping[str, Any]) -> None:
    """Take over the environment of a request."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    tempfile.tempdir = None
    time.tzset()


def become(request: Mapping[str, Any]) -> None:
    """Run the program of a request in this process, as `python` would."""
    if LOOKED_UP:
        importlib.import_module("daphne.server")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, write_through=True)  # type: ignore[union-attr]
    first, *rest = request["args"]
    if first == "-m":
        sys.path[0] = request["cwd"]
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(first).parent)
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


def serve(plain: socket.socket, site: socket.socket) -> dict[str, Any]:
    """Load what is loaded beforehand, and serve with two processes; returns in a fork, with what it shall run."""
    rest = load_libraries()
    if os.fork():
        site.close()
        return await_request(plain)
    plain.close()
    load_site(rest)
    return await_request(site)


if __name__ == "__main__":
    become(serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:])))
