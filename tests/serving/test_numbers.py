"""Metrics of several processes add up to what happened."""

from __future__ import annotations

import math
import re
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress

import psycopg
import pytest
from prometheus_client import REGISTRY

import games.operation.metrics  # noqa: F401 - registers them
from tests import programs
from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import Person
from tests.serving.watching import Watcher

OF_OTHER_TESTS = {
    "menagerie_backup_age_seconds",
    "menagerie_bot_decisions_waiting",
    "menagerie_bot_process_deaths",
    "menagerie_database_connections",
    "menagerie_database_connections_max",
    "menagerie_deliveries",
    "menagerie_games_finished",
    "menagerie_task_errors",
    "menagerie_version_info",
}
"""What neither moves nor clocks of this form change: tests/operation/test_metrics.py, test_bot_processes.py and
tests/work/test_bot_thinking.py."""
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
    absent.sit(table)
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
        await_sample('menagerie_queue_length{queue="celery"}', 0, *servers)
    assert (counted['menagerie_moves_total{status="200"}'], by_workers["menagerie_bot_moves_total"]) == row[:2]
    assert (len(person.accepted), counted["menagerie_sockets"]) == (row[0], 2)
    assert by_workers["menagerie_timer_late_seconds_count"] == row[2] > 0
    assert by_workers["menagerie_timer_late_seconds_sum"] < 2 * row[2]
    assert counted['menagerie_tables{status="over"}'] == 2  # each server says it of the one there is


class Record:
    """Every value that a sample had, over several looks at several processes."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses
        self.seen: dict[str, set[float]] = {}

    def look(self) -> Counter[str]:
        """The samples now, of all processes that answer, added up. One that comes later was 0 until then."""
        absent = {0.0} if self.seen else set()
        samples: Counter[str] = Counter()
        for address in self._addresses:
            with suppress(OSError):  # this worker has not started yet
                samples.update(ask(address))
        for name, value in samples.items():
            if not math.isnan(value):
                self.seen.setdefault(name, set(absent)).add(value)
        return samples

    def until(self, name: str, is_right: Callable[[float], bool]) -> None:
        """Look until this sample is right."""
        last = time.monotonic() + 60
        while not is_right(found := self.look()[name]):
            assert time.monotonic() < last, f"{name} stays {found}"
            time.sleep(0.05)

    def moved(self) -> set[str]:
        """The metrics of ours with a sample that had at least two values."""
        return {
            re.split(r"[{]|_(?:total|bucket|sum|count)\b", name)[0]
            for name, found in self.seen.items()
            if len(found) > 1
        }


def test_every_number_moves_with_what_it_counts(big_club: Installation, processes: ExitStack) -> None:
    """Messages wait in the queue without a worker, and inside one while tables are locked; then all of it ends."""
    port = programs.free_port()
    server = processes.enter_context(big_club.serve())
    numbers = Record(server.address, f"http://127.0.0.1:{port}")
    assert numbers.look()['menagerie_queue_length{queue="celery"}'] == 0
    guest = Guest(server.address)
    table = guest.open_table("animal-poker", sessions=1, bots=3, turn_seconds=5)
    numbers.look()
    other = guest.open_table("animal-poker", sessions=1, bots=4, turn_seconds=5)
    assert guest.post(f"/tables/{other}/start/").status == 302
    with guest.socket(table) as connection:
        Watcher(connection).until(lambda: True)
        numbers.until("menagerie_sockets", lambda open_now: open_now == 1)
    assert guest.move(other, {}, ply=0).status in (409, 422), "whatever the answer is, it is counted"
    view = guest.view(other)
    if view["legal"]:  # the lot has given the guest the first move: a message is sent for bots
        assert guest.move(other, view["legal"][0], ply=view["ply"]).status == 200
    numbers.until('menagerie_queue_length{queue="celery"}', lambda waiting: waiting > 0)
    numbers.until("menagerie_overdue_tables", lambda overdue: overdue > 0)
    processes.enter_context(big_club.work(METRICS_PORT=str(port)))
    with psycopg.connect(big_club.settings["DATABASE_URL"]) as database:
        database.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        numbers.until("menagerie_worker_backlog", lambda backlog: backlog > 0)
        numbers.until('menagerie_unknown{source="database"}', lambda unknown: unknown == 1)
    for name in ("menagerie_worker_backlog", 'menagerie_queue_length{queue="celery"}', "menagerie_overdue_tables"):
        numbers.until(name, lambda left: left == 0)
    numbers.until("menagerie_timer_late_seconds_count", lambda late: late > 0)
    numbers.until("menagerie_bot_moves_total", lambda made: made > 0)
    published = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("menagerie_")}
    assert published - numbers.moved() - OF_OTHER_TESTS == set()
    assert {'menagerie_tables{status="waiting"}', 'menagerie_tables{status="playing"}'} <= {
        name for name, found in numbers.seen.items() if len(found) > 1
    }


def test_a_broker_that_is_away_is_no_empty_queue(big_club: Installation, processes: ExitStack) -> None:
    big_club.settings["REDIS_URL"] = f"redis://127.0.0.1:{programs.free_port()}/0"
    server = processes.enter_context(big_club.serve())
    found = ask(server.address)
    assert math.isnan(found['menagerie_queue_length{queue="celery"}'])
    assert found['menagerie_unknown{source="broker"}'] == 1
    assert found['menagerie_unknown{source="database"}'] == 0
