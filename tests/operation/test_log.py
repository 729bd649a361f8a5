"""Lines of the log: their time, one event a line, and the request they belong to, in workers and sockets too."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from games import models
from games.operation import log_format, trace
from games.work import task_origin, tasks
from games.work.task_threads import TaskQueue
from tests.cast import start_table


@pytest.fixture(autouse=True)
def _outside_of_requests() -> Iterator[None]:
    trace.request_id.set("")
    trace.table_id.set("")
    yield
    trace.request_id.set("")
    trace.table_id.set("")


def make_record(words: str = "hello", **more: Any) -> logging.LogRecord:
    """A record of one fixed moment."""
    record = logging.LogRecord("games", logging.INFO, "", 0, words, (), more.pop("exc_info", None))
    record.created = 1_782_930_600.1234
    vars(record).update(more)
    trace.ContextFilter().filter(record)
    return record


def test_times_are_iso_8601_with_a_zone() -> None:
    record = make_record()
    assert log_format.LineFormatter().format(record) == "2026-07-01T18:30:00.123+00:00 INFO games: hello"
    answer = json.loads(log_format.LogJsonFormatter().format(record))
    assert answer == {
        "time": "2026-07-01T18:30:00.123+00:00", "level": "INFO", "logger": "games", "message": "hello",
        "request": "", "table": "", "ply": None,
    }  # fmt: skip


def test_an_error_with_its_traceback_is_one_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = make_record("first\nsecond", exc_info=sys.exc_info())
    line = log_format.LogJsonFormatter().format(record)
    assert "\n" not in line
    answer = json.loads(line)
    assert answer["message"] == "first\nsecond"
    assert answer["exc_info"].endswith("ValueError: two\nlines")


def test_a_record_may_name_its_own_table_and_ply() -> None:
    answer = json.loads(log_format.LogJsonFormatter().format(make_record(table="t-9", ply=41)))
    assert (answer["table"], answer["ply"]) == ("t-9", 41)


def test_what_nobody_caught_is_an_event_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, name in ((sys, "excepthook"), (threading, "excepthook")):
        monkeypatch.setattr(place, name, getattr(place, name))
    log_format.catch_all()
    try:
        failing = threading.Thread(target=lambda: 1 // 0, name="failing")
        failing.start()
        failing.join()
        sys.excepthook(ValueError, ValueError("why"), None)
    finally:
        logging.captureWarnings(False)
    log_events = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert log_events == [
        ("ERROR", "the thread failing ends with an error"),
        ("CRITICAL", "the process ends with an error"),
    ]


def test_a_message_carries_the_id_of_its_request_into_the_worker() -> None:
    headers: dict[str, Any] = {}
    trace.request_id.set("r-7")
    trace.table_id.set("t-7")
    task_origin.name_origin(headers=headers)
    trace.request_id.set("another")
    task_origin.take_origin(task=SimpleNamespace(request=SimpleNamespace(headers=headers)))
    assert (trace.request_id.get(), trace.table_id.get()) == ("r-7", "")
    task_origin.take_origin(task=SimpleNamespace(request=SimpleNamespace(headers=None)))
    assert trace.request_id.get() not in ("", "r-7"), "what no request asked for has an id of its own"
    trace.request_id.set("")
    task_origin.name_origin(headers=headers)
    assert headers == {task_origin.HEADER: "r-7"}


def test_a_job_in_a_thread_of_its_own_keeps_the_id() -> None:
    seen: list[str] = []
    done = threading.Event()

    class Noting:
        name = "test.noting"

        def run(self) -> None:
            seen.append(trace.request_id.get())
            done.set()

    trace.request_id.set("r-8")
    TaskQueue("test-ids").put(Noting(), ())
    assert done.wait(30)
    trace.request_id.set("")
    assert seen == ["r-8"]


@pytest.mark.parametrize(("behind", "expected"), [(True, "proxy-0001"), (False, None)])
def test_a_socket_has_the_id_that_the_proxy_wrote_down(
    monkeypatch: pytest.MonkeyPatch, settings: Any, behind: bool, expected: str | None
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind else None
    assert (trace.choose_id("proxy-0001") == "proxy-0001") is (expected is not None)


@pytest.mark.django_db(transaction=True)
def test_bots_and_clocks_are_lines_with_table_and_ply(ana: models.Player, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger=tasks.__name__)
    now = time.time()
    table = start_table(ana, now=now - 600)
    tasks.clock_due(table.id, table.ply)
    for _ in range(8):
        after = models.Table.objects.get(pk=table.id)
        tasks.bot_turn(table.id, after.ply)
    lines = [record for record in caplog.records if record.name == tasks.__name__]
    kinds = {record.getMessage().partition(",")[0] for record in lines}
    assert kinds == {"bot moved", "clock ran out"}
    assert {vars(record)["table"] for record in lines} == {table.id}
    plies = [vars(record)["ply"] for record in lines]
    assert plies == sorted(set(plies))
    assert plies[-1] > 0
