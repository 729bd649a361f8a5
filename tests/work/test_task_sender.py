"""Messages to workers: a move does not wait for a broker that hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from games import models
from games.operation import trace
from games.work import circuit_breaker, task_sender, tasks
from games.work.task_sender import TaskSender
from tests.cast import move_seat, start_table


def await_that(holds: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    last = time.monotonic() + 60
    while not holds() and time.monotonic() < last:
        time.sleep(0.005)
    assert holds()


def test_while_the_broker_hangs_nobody_waits_and_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_sender, "MAX_QUEUED", 10)
    box, is_back, sent = TaskSender(), threading.Event(), []

    def hang() -> None:
        is_back.wait(60)
        raise TimeoutError

    for _ in range(task_sender.THREADS):
        box.put(hang)
    await_that(box._waiting.empty)
    for number in range(100):
        box.put(lambda number=number: sent.append(number))  # type: ignore[misc]
    assert box._waiting.qsize() == 10
    is_back.set()
    await_that(box._waiting.empty)
    assert sent == []  # it is left alone for a moment: the sweepers do what was to be done

    def send() -> bool:
        circuit_breaker.redis.note(has_answered=True)  # again: the last ones that hung may fail after it
        box.put(lambda: sent.append(100))
        return 100 in sent

    await_that(send)


def test_what_is_said_of_a_message_belongs_to_its_table() -> None:
    box, seen = TaskSender(), list[str]()
    trace.table_id.set("of-this-table")
    box.put(lambda: seen.append(trace.table_id.get()))
    trace.table_id.set("")
    await_that(lambda: seen == ["of-this-table"])


@pytest.mark.django_db(transaction=True)
def test_who_moves_has_their_answer_before_any_message_is_sent(
    ana: models.Player, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IS_EMBEDDED = False
    is_back, sent = threading.Event(), []

    def hang(args: object, **_options: object) -> None:
        assert is_back.wait(60)
        sent.append(args)

    monkeypatch.setattr(task_sender, "_sender", TaskSender())
    monkeypatch.setattr(tasks.bot_turn, "apply_async", hang)
    table = start_table(ana, now=time.time())
    for _ in range(2):
        table = move_seat(table, now=time.time())
    assert sent == []
    is_back.set()
    await_that(lambda: bool(sent))
