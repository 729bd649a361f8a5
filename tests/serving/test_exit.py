"""Ending the server: at once, in order, whatever is connected."""

from __future__ import annotations

import signal
import time

import pytest

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
