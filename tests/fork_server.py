"""Starts the Python processes of tests as forks of one that has loaded the site's libraries already.

A server or a command needs some three seconds of the processor to start; more than half of them it loads libraries.
`Fork` looks like `subprocess.Popen`. What is loaded beforehand is third-party code, and of ours what is pure: it knows
no framework and no settings (pyproject.toml has it checked), and is the same in every environment. Settings, models and
all the rest is loaded in the fork, from the environment that it is given.

The protocol, over one socket a process: a request as JSON with the file descriptors of standard output and error;
the answer is the process id, and the wait status when it has ended, as eight bytes each.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any

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


class Fork:
    """A running Python program. pid: leads a process group of its own; returncode: as `subprocess.Popen` gives it."""

    def __init__(self, args: Sequence[str], env: Mapping[str, str], cwd: Path, out: IO[Any], err: IO[Any]) -> None:
        """args: what follows `python` on a command line, either a script or `-m` and a module, and its arguments."""
        self.args = args
        self.returncode: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(start())
        request = json.dumps({"args": list(args), "env": dict(env), "cwd": str(cwd)}).encode()
        self._line.sendall(len(request).to_bytes(4, "big"))
        socket.send_fds(self._line, [b"!"], [out.fileno(), err.fileno()])
        self._line.sendall(request)
        self.pid = int.from_bytes(self._line.recv(8, socket.MSG_WAITALL), "big")

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


@cache
def start() -> str:
    """The socket of the server that forks for this process; started when it is first needed."""
    folder = tempfile.TemporaryDirectory(prefix="menagerie-forks-")
    path = f"{folder.name}/socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        command = [sys.executable, "-m", "tests.fork_server", str(listener.fileno())]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[listener.fileno()])

    def stop() -> None:
        server.kill()
        server.wait()
        folder.cleanup()

    atexit.register(stop)
    return path


def load_libraries() -> None:
    """Load the libraries that the whole site loads, and what is pure of the site itself; a fork finds out which.

    Settings and models stay unknown here.
    """
    reading, writing = os.pipe()
    if not os.fork():
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
            try:
                django = importlib.import_module("django")
                django.setup()
                for name in ("config.asgi", "config.urls", "django.core.management.commands.migrate"):
                    importlib.import_module(name)
            finally:
                names = [name for name in sys.modules if name.partition(".")[0] not in OURS or PURE.match(name)]
                with os.fdopen(writing, "w") as out:
                    json.dump(names, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        names = json.load(answer)
    os.wait()
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


def become(request: Mapping[str, Any]) -> None:
    """Run the program of a request in this process, as `python` would."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    tempfile.tempdir = None
    time.tzset()
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


if __name__ == "__main__":
    load_libraries()
    become(await_request(socket.socket(fileno=int(sys.argv[1]))))
