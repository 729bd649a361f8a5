"""The numbers of several processes, added up, are what happened."""

from __future__ import annotations

import time
import urllib.request
from collections import Counter
from contextlib import ExitStack

import psycopg
import pytest

from tests import programs
from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import Person
from tests.serving.watching import Watcher

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


def ask(*addresses: str) -> Counter[str]:
    """The samples of these processes, added up by name and labels."""
    found: Counter[str] = Counter()
    for address in addresses:
        with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:  # noqa: S310 - our own address
            lines = [line for line in answer.read().decode().splitlines() if not line.startswith("#")]
        for name, _, value in (line.rpartition(" ") for line in lines):
            found[name] += float(value)  # type: ignore[assignment]
    return found


def await_sample(name: str, value: float, *addresses: str) -> None:
    """Until these processes together say so."""
    last = time.monotonic() + 60
    while (found := ask(*addresses)[name]) != value:
        assert time.monotonic() < last, f"{name} stays {found}"
        time.sleep(0.05)


def test_what_two_servers_and_two_workers_count_is_what_is_in_the_log(
    big_club: Installation, processes: ExitStack
) -> None:
    ports = [programs.free_port() for _ in range(2)]
    for number, port in enumerate(ports):
        processes.enter_context(big_club.work(f"worker-{number}", METRICS_PORT=str(port)))
    servers = [processes.enter_context(big_club.serve(port=programs.free_port())).address for _ in range(2)]
    workers = [f"http://127.0.0.1:{port}" for port in ports]
    here, absent = Guest(servers[0]), Guest(servers[1])
    table = here.open_table("animal-poker", sessions=1, bots=3, turn_seconds=5)
    assert absent.post(f"/tables/{table}/sit/").status == 302
    with here.socket(table) as one, absent.socket(table) as two:
        for connection in (one, two):
            Watcher(connection).until(lambda: True)
        assert here.post(f"/tables/{table}/start/").status == 302
        person = Person(here, table)
        assert person.play()["status"] == "over"
        with psycopg.connect(big_club.settings["DATABASE_URL"]) as database:
            row = database.execute(
                "SELECT count(*) FILTER (WHERE key IS NOT NULL),"
                " count(*) FILTER (WHERE key IS NULL AND event LIKE '%move%'),"
                " count(*) FILTER (WHERE event LIKE '%clock%') FROM games_ply"
            ).fetchone()
        assert row is not None
        await_sample("menagerie_bot_moves_total", row[1], *workers)  # counted a moment after it is to be seen
        await_sample("menagerie_timer_late_seconds_count", row[2], *workers)
        counted, by_workers = ask(*servers), ask(*workers)
        await_sample("menagerie_worker_backlog", 0, *workers)  # what is due every second comes in between
        await_sample("menagerie_queue_length", 0, *servers)
    assert (counted['menagerie_moves_total{status="200"}'], by_workers["menagerie_bot_moves_total"]) == row[:2]
    assert (len(person.accepted), counted["menagerie_sockets"]) == (row[0], 2)
    assert by_workers["menagerie_timer_late_seconds_count"] == row[2] > 0
    assert by_workers["menagerie_timer_late_seconds_sum"] < 2 * row[2]
    assert counted['menagerie_tables{status="over"}'] == 2  # each server says it of the one there is
