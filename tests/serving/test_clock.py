"""A turn that runs out, an absent player, and their return, on real time."""

from __future__ import annotations

import time

from tests.guest import Guest
from tests.servers import Installation
from tests.serving.watching import Watcher

TURN_SECONDS = 5


def test_the_clock_plays_for_an_absent_person_then_a_bot_and_they_come_back(club: Installation) -> None:
    with club.serve() as server:
        guest = Guest(server.address)
        table = guest.open_table(turn_seconds=TURN_SECONDS)
        guest.post(f"/tables/{table}/start/")
        with guest.socket(table) as connection:
            watcher = Watcher(connection)
            for _ in range(2):
                assert _let_run_out(watcher, guest, table) < TURN_SECONDS
            watcher.until(lambda: watcher.is_bot_playing)
            at = watcher.ply
            assert watcher.until(lambda: watcher.ply >= at + 10) < TURN_SECONDS
            watcher.send(type="command", name="here")
            watcher.until(lambda: watcher.is_my_turn and not watcher.is_bot_playing)
            at = watcher.ply
            time.sleep(1)
            assert guest.view(table)["ply"] == at


def _let_run_out(watcher: Watcher, guest: Guest, table: str) -> float:
    """Wait for their turn, and let it pass. Returns how many seconds late the clock was."""
    watcher.until(lambda: watcher.is_my_turn)
    view = guest.view(table)
    watcher.until(lambda: watcher.ply > view["ply"])
    late = time.time() - float(view["deadlines"][0]["due"])
    assert late > 0
    return late
