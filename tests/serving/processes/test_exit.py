"""Ending the server: at once, in order, whatever is connected."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from kombu import Connection

from games.serving import broker
from games.serving.embedded import EmbeddedWorker
from tests.guest import Guest
from tests.servers import Installation
from tests.serving.watching import Watcher


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_cleanly_with_games_and_sockets_open(club: Installation, how: signal.Signals) -> None:
    with club.serve() as server:
        guest = Guest(server.address)
        table = guest.play_now()
        with guest.socket(table) as connection:
            watcher = Watcher(connection)
            watcher.until(lambda: watcher.is_my_turn)
            began = time.monotonic()
            assert server.stop(how) == 0
        assert time.monotonic() - began < 5
        assert [line for line in server.output().splitlines() if "Traceback" in line or "ERROR" in line] == []


def test_the_worker_inside_does_not_wait_for_a_message_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_is_over", threading.Event())
    is_told = threading.Event()

    def wait() -> None:
        with Connection("memory://") as connection:
            while not is_told.is_set():
                with suppress(TimeoutError):
                    connection.drain_events(timeout=4.0)

    worker: Any = EmbeddedWorker()
    worker._worker = SimpleNamespace(stop=lambda in_sighandler: is_told.set())
    worker._thread = threading.Thread(target=wait, daemon=True)
    worker._thread.start()
    time.sleep(0.05)
    began = time.monotonic()
    worker.stop()
    assert time.monotonic() - began < 3
