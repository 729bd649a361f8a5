"""A server is exchanged while people play: no page fails, sockets come back to the next process."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests import programs
from tests.guest import Guest
from tests.servers import ROOT, Installation
from tests.serving.watching import Watcher

LISTENING = "0A"
"""The state of a socket that is listened at, in /proc/net/tcp."""


class Knocker(threading.Thread):
    """Asks for the lobby again and again. statuses: what it got, 0 for no answer."""

    def __init__(self, address: str, trust: ssl.SSLContext | None = None) -> None:
        super().__init__(daemon=True)
        self.guest = Guest(address, trust)
        self.statuses: list[int] = []
        self.has_to_stop = threading.Event()

    def run(self) -> None:
        while not self.has_to_stop.is_set():
            try:
                self.statuses.append(self.guest.get("/about/").status)
            except OSError:
                self.statuses.append(0)

    def finish(self) -> set[int]:
        """What it got in all."""
        self.has_to_stop.set()
        self.join(10)
        return set(self.statuses)


@pytest.mark.redis
def test_two_processes_at_one_port_take_turns(club: Installation, redis: str) -> None:
    club.settings["REDIS_URL"] = redis
    with club.serve("--reuse-port") as old:
        guest = Guest(old.address)
        table = guest.open_table(bots=4)
        with guest.socket(table) as connection:
            watcher = Watcher(connection)
            watcher.until(lambda: watcher.ply == 0)
            knocker = Knocker(old.address)
            knocker.start()
            with club.serve("--reuse-port"):
                assert old.stop(signal.SIGTERM) == 0
                with pytest.raises(ConnectionClosed) as closed:
                    watcher.until(lambda: False)
                assert closed.value.rcvd is not None, (old.output(), closed.value.__cause__)
                assert closed.value.rcvd.code == 1012
                with guest.socket(table) as again:
                    watcher = Watcher(again)
                    watcher.until(lambda: watcher.ply == 0)
                time.sleep(0.3)
                assert knocker.finish() <= {200, 0}
                # A connection that the old process had not yet taken when it closed the port is the kernel's loss.
                assert knocker.statuses.count(0) <= 1


def test_a_socket_of_the_service_manager_outlives_the_server(club: Installation) -> None:
    """As systemd does it: the socket is open before and after; who knocks in between waits."""
    port = programs.free_port()
    club.settings["LISTEN_FDS"] = "1"
    with socket.create_server(("127.0.0.1", port), backlog=100) as listener:
        address = f"http://127.0.0.1:{port}"
        knocker = Knocker(address)
        first = start(club, listener)
        try:
            assert Guest(address).get("/about/").status == 200
            knocker.start()
            assert programs.stop(first) == 0
        finally:
            programs.stop(first)
        second = start(club, listener)
        try:
            assert Guest(address).get("/about/").status == 200
            assert knocker.finish() == {200}
        finally:
            programs.stop(second)


def test_a_question_on_its_way_is_answered(club: Installation) -> None:
    """Its connection was taken before the server was told to leave; its words come a moment after."""
    port = programs.free_port()
    club.settings["LISTEN_FDS"] = "1"
    with socket.create_server(("127.0.0.1", port), backlog=100) as listener:
        server = start(club, listener)
        try:
            assert Guest(f"http://127.0.0.1:{port}").get("/about/").status == 200
            with socket.create_connection(("127.0.0.1", port), timeout=60) as caller:
                await_taken(port)
                server.send_signal(signal.SIGTERM)
                time.sleep(0.1)
                caller.sendall(b"GET /about/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                assert caller.recv(12) == b"HTTP/1.1 200"
        finally:
            assert programs.stop(server) == 0


def await_taken(port: int) -> None:
    """Until no connection waits at this port for its server to take it (the kernel counts them)."""
    last, place = time.monotonic() + 30, f"0100007F:{port:04X}"
    while True:
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
        (waiting,) = {row[4].partition(":")[2] for row in rows if row[1] == place and row[3] == LISTENING}
        if int(waiting, 16) == 0:
            return
        assert time.monotonic() < last
        time.sleep(0.02)


def start(club: Installation, listener: socket.socket) -> subprocess.Popen[bytes]:
    """A server that is given this socket as its first open file."""
    script = f'exec 3<&{listener.fileno()}; LISTEN_PID=$$ exec "$0" "$@"'
    command = ["bash", "-c", script, sys.executable, str(ROOT / "manage.py"), "serve"]
    return subprocess.Popen(
        command, env=club.environment(), cwd=ROOT, pass_fds=[listener.fileno()], stdout=subprocess.DEVNULL
    )


def test_a_shared_port_needs_redis(club: Installation) -> None:
    done = club.manage("serve", "--reuse-port")
    assert (done.returncode, "They need REDIS_URL" in done.stderr) == (1, True)
    assert os.environ.get("LISTEN_FDS") is None
