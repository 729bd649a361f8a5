"""PostgreSQL, Redis, a real worker, and two servers: one club."""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests import programs
from tests.guest import Guest
from tests.servers import Installation, Running
from tests.serving.playing import Person
from tests.serving.watching import Watcher

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


def test_two_servers_show_one_table(big_club: Installation, processes: ExitStack) -> None:
    processes.enter_context(big_club.work())
    ana = Guest(processes.enter_context(big_club.serve()).address)
    ben = Guest(processes.enter_context(big_club.serve(port=programs.free_port())).address)
    table = ana.open_table(bots=3)
    ben.sit(table)
    with ana.socket(table) as at_one, ben.socket(table) as at_two:
        one, two = Watcher(at_one), Watcher(at_two)
        for watcher in (one, two):
            watcher.until(lambda watcher=watcher: watcher.presence.get("seats") == [0, 1])  # type: ignore[misc]
        assert ana.post(f"/tables/{table}/start/").status == 302
        for _ in range(12):
            _see_one_turn([(ana, one), (ben, two)], table)
        at_two.close()
        one.until(lambda: one.presence.get("seats") == [ana.view(table)["seat"]])


def test_redis_behind_a_socket_file(club: Installation, processes: ExitStack) -> None:
    """Layer, broker, cache and limits all find it: two servers show each other's changes, the worker moves bots."""
    service = processes.enter_context(programs.run_redis(is_file=True))
    club.settings |= {"REDIS_URL": service.url, "LOG_FORMAT": "JSON"}
    worker = processes.enter_context(club.work())
    here = processes.enter_context(club.serve(LOG_LEVEL="INFO"))
    ana = Guest(here.address)
    ben = Guest(processes.enter_context(club.serve(port=programs.free_port())).address)
    table = ana.open_table(bots=4)
    with ana.socket(table) as connection:
        one = Watcher(connection)
        assert ana.post(f"/tables/{table}/start/").status == 302
        assert ben.get(f"/tables/{table}/").status == 200
        one.until(lambda: one.ply >= 1 or ana.view(table)["legal"] != [])
    person = Person(ana, table)
    person.play(moves=2)
    _read_log(worker, here, table)


def _read_log(worker: Running, server: Running, table: str) -> None:
    """Every line of both is one event; a worker says not of every sweep, though LOG_LEVEL is INFO. Bots' moves carry
    the id of the request, or the socket, that they follow."""
    answer, asked = ([json.loads(line) for line in one.output().splitlines()] for one in (worker, server))
    assert [line["logger"] for line in answer if line["message"].endswith(" ready.")] == ["celery.apps.worker"]
    assert "sweep" not in worker.output()
    assert all(datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0) for line in (*answer, *asked))
    moved = [line for line in answer if line["message"] == "bot moved"]
    assert {line["table"] for line in moved} == {table}
    assert all(line["ply"] > 0 for line in moved)
    origins = {line["request"] for line in asked if line["table"] == table}
    assert {line["request"] for line in moved} & origins != set()


def _see_one_turn(people: list[tuple[Guest, Watcher]], table: str) -> None:
    """The seat to act moves, person or bot; both see it."""
    now = people[0][0].view(table)
    for guest, watcher in people:
        view = guest.view(table)
        if view["ply"] == now["ply"] and view["legal"]:
            watcher.send(type="move", ply=now["ply"], key=f"at-{now['ply']}", move=view["legal"][0])
    for _guest, watcher in people:
        watcher.until(lambda watcher=watcher: watcher.ply > now["ply"])  # type: ignore[misc]


def test_a_game_survives_its_worker_and_its_server(big_club: Installation, tmp_path: Path) -> None:
    with big_club.work() as worker, big_club.serve() as server:
        guest = Guest(server.address)
        person = Person(guest, guest.play_now())
        person.play(moves=3)
        worker.kill()
        server.kill()
    with big_club.work(), big_club.serve():
        assert person.play()["status"] == "over"
        (tmp_path / "game.json").write_text(guest.get(f"/tables/{person.table}/record.json").text)
    assert big_club.manage("verify_record", str(tmp_path / "game.json")).returncode == 0
