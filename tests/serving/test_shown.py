"""Moves on a real server are shown at once, to players and spectators."""

from __future__ import annotations

from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import Person
from tests.serving.watching import Watcher

AT_ONCE = 3.0
"""Seconds; the next heartbeat would come after ten."""


def test_a_move_is_on_the_screens_before_any_heartbeat(club: Installation) -> None:
    with club.serve() as server:
        host, stranger = Guest(server.address), Guest(server.address)
        table = host.open_table("karriere-poker", deals=1, bots=3, seats=4)
        host.post(f"/tables/{table}/start/")
        with host.socket(table) as mine, stranger.socket(table) as theirs:
            screens = Watcher(mine), Watcher(theirs)
            for screen in screens:
                screen.until(lambda screen=screen: screen.ply >= 0)  # type: ignore[misc]
            screens[0].until(lambda: screens[0].is_my_turn)
            before = host.view(table)["ply"]
            Person(host, table).play(moves=1)
            for screen in screens:
                assert screen.until(lambda screen=screen: screen.ply > before, within=AT_ONCE) < AT_ONCE  # type: ignore[misc]
