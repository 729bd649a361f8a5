"""Slow tasks delay no bot and no clock, even if a worker has one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from celery.contrib.testing.worker import start_worker
from django.db import connection

from config.celery import app
from games.notifications import tasks as notices
from games.work.task_threads import OutgoingTask, TaskQueue, ThreadedTask
from tournaments.work import tasks

WAIT = 60.0
_may_end, _has_begun = threading.Event(), threading.Event()
_done: list[object] = []


@app.task(base=ThreadedTask, name="tests.dawdle")
def run_slowly(what: str) -> None:
    _has_begun.set()
    _may_end.wait(WAIT)
    _done.append(what)


@app.task(base=OutgoingTask, name="tests.call")
def call(what: str) -> None:
    _done.append(what)


@app.task(base=ThreadedTask, name="tests.fail")
def fail() -> None:
    raise ValueError("it went wrong")


@app.task(base=ThreadedTask, name="tests.note_connection")
def note_connection(_what: str) -> None:
    connection.ensure_connection()
    _done.append(connection.connection)


@app.task(base=ThreadedTask, name="tests.break_connection")
def break_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM there_is_no_such_table")


@app.task(name="tests.hurry")
def run_at_once(what: str) -> None:
    _done.append(what)


@pytest.fixture(autouse=True)
def _events() -> Iterator[None]:
    for event in (_may_end, _has_begun):
        event.clear()
    _done.clear()
    yield
    _may_end.set()


def await_done(holds: Callable[[], bool]) -> None:
    last = time.monotonic() + WAIT
    while not holds() and time.monotonic() < last:
        time.sleep(0.01)
    assert holds()


def test_others_do_not_wait_for_it(transactional_db: None) -> None:
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=10):
        fail.delay()
        run_slowly.delay("slow")
        assert _has_begun.wait(WAIT)
        run_slowly.delay("next")
        run_at_once.delay("bot")
        call.delay("webhook")
        await_done(lambda: sorted(map(str, _done)) == ["bot", "webhook"])
        _may_end.set()
        await_done(lambda: _done[2:] == ["slow", "next"])


def test_called_directly_it_is_done_at_once(db: None) -> None:
    _may_end.set()
    run_slowly("now")
    run_slowly.apply(("eagerly",))
    assert _done == ["now", "eagerly"]


def test_what_waits_already_is_not_put_there_twice(transactional_db: None) -> None:
    line = TaskQueue("test")
    line.put(run_slowly, ("first",))
    assert _has_begun.wait(WAIT)
    for _ in range(3):
        line.put(run_slowly, ("again",))
    _may_end.set()
    line.put(run_slowly, ("last",))
    await_done(lambda: len(_done) >= 3)
    assert _done == ["first", "again", "last"]


def test_of_a_few_at_a_time_no_job_is_there_twice(transactional_db: None) -> None:
    """A slow receiver takes one thread of the queue, however often it is to be called; nobody waits for it."""
    line = TaskQueue("test", threads=3)
    line.put(run_slowly, ("slow",))
    assert _has_begun.wait(WAIT)
    for _ in range(5):
        line.put(run_slowly, ("slow",))
    line.put(call, ("quick",))
    await_done(lambda: _done == ["quick"])
    _may_end.set()
    await_done(lambda: _done == ["quick", "slow", "slow"])
    line.put(call, ("late",))
    await_done(lambda: _done[3:] == ["late"])


def test_a_thread_keeps_its_connection_to_sqlite_until_an_error(transactional_db: None) -> None:
    """Opening one takes longer than many jobs; what is wrong with one must not last."""
    line = TaskQueue("test")
    for what in ("first", "again", "after an error"):
        line.put(note_connection, (what,))
        await_done(lambda: not line._waiting and not line._under_way)
        if what == "again":
            line.put(break_connection, ())
            await_done(lambda: not line._waiting and not line._under_way)
    first, again, after = _done
    assert first is again
    assert after is not again


def test_long_tasks_of_tournaments_have_queues_of_their_own() -> None:
    found = {name: task for name, task in vars(tasks).items() if isinstance(task, ThreadedTask)}
    assert {name: task.queue_name for name, task in found.items()} == {
        "record_result": "default",
        "count_result": "default",
        "sweep_results": "default",
        "run_draw": "reckoning",
        "run_due": "watching",
        "run_job": "lasting",
        "sweep_jobs": "lasting",
        "count_real_tables": "default",
        "try_webhook": "doubtful",
        "send_to_webhook": "outgoing",
        "send_webhooks": "default",
        "tell_people": "notice-search",
        "look_for_news": "notice-search",
    }


def test_notifications_wait_for_nobody_and_delay_nothing() -> None:
    found = {name: task for name, task in vars(notices).items() if isinstance(task, ThreadedTask)}
    assert {name: task.queue_name for name, task in found.items()} == {
        "send_notices": "notice-search",
        "send_to_service": "notices",
        "retry_service": "doubtful-notices",
        "look_for_turns": "notice-search",
        "clear_notices": "notice-search",
    }
