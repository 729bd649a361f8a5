"""Bots think in a process beside the server: it may die, and it is gone when the server is."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.guest import Guest
from tests.servers import Installation, Running
from tests.serving.test_numbers import ask
from tests.work.test_thinking_process import await_that, is_alive


def list_children(server: Running) -> dict[int, str]:
    """The processes that a server has started: pid → command line."""
    pids = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    found = {int(pid) for file in pids for pid in file.read_text().split()}
    return {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in found if is_alive(pid)}


def list_thinking(server: Running) -> list[int]:
    """Those of them in which bots think."""
    return [pid for pid, command in list_children(server).items() if "spawn_main" in command]


def play_until_bots_have_moved(guest: Guest, table: str, plies: int) -> None:
    """Play the first legal move until so many plies more are made."""
    last = guest.view(table)["ply"] + plies

    def move() -> bool:
        view = guest.view(table)
        if view["legal"]:
            guest.move(table, view["legal"][0], ply=view["ply"])
        return bool(view["ply"] >= last)

    await_that(move)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_bots_play_on_when_their_process_dies_and_none_is_left(club: Installation, how: signal.Signals) -> None:
    with club.serve() as server:
        guest = Guest(server.address)
        assert list_thinking(server) == []
        table = guest.open_table(seats=4, bots=3, bot_level="sharp", options='{"deals": 5}')
        guest.contribute(table)
        guest.post(f"/tables/{table}/start/")
        play_until_bots_have_moved(guest, table, 10)
        (first,) = list_thinking(server)
        os.kill(first, signal.SIGKILL)
        play_until_bots_have_moved(guest, table, 10)
        (second,) = list_thinking(server)
        assert first != second
        assert ask(server.address)["menagerie_bot_process_deaths_total"] == 1
        children = list_children(server)
        server.stop(how)
        await_that(lambda: not any(map(is_alive, children)))
        assert "Traceback" not in server.output()
