"""Transactions of one process wait in a queue, and none keeps the database when it ends."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.backends.sqlite3 import base as sqlite

from config.sqlite import base
from config.sqlite.base import FairLock
from games import models

SOON = 5.0
"""Seconds in which what a test waits for happens."""


def run_threads(*works: Callable[[], object]) -> list[threading.Thread]:
    """Start a thread for each, one after the other has begun to wait."""
    threads = []
    for work in works:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        time.sleep(0.05)
        threads.append(thread)
    return threads


def join(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


def test_a_lock_goes_to_the_thread_that_has_waited_longest() -> None:
    lock, order = FairLock(), list[str]()
    assert lock.acquire(0)

    def take(name: str) -> None:
        assert lock.acquire(SOON)
        order.append(name)
        lock.release()

    threads = run_threads(*(lambda name=name: take(name) for name in "abcde"))
    assert order == []
    lock.release()
    join(threads)
    assert order == list("abcde")
    assert lock.acquire(0)


def test_a_thread_that_gives_up_is_passed_over() -> None:
    lock, got = FairLock(), list[bool]()
    assert lock.acquire(0)
    threads = run_threads(lambda: got.append(lock.acquire(0.01)), lambda: got.append(lock.acquire(SOON)))
    join(threads[:1])
    assert got == [False]
    lock.release()
    join(threads[1:])
    assert got == [False, True]


@pytest.fixture
def lock(transactional_db: None) -> Iterator[FairLock]:
    """The lock of the tests' database. It is free before and after each test."""
    with transaction.atomic():
        held = base._locks[str(connection.settings_dict["NAME"])]
        assert not held.acquire(0)
    yield held
    assert held.acquire(0)
    held.release()


def test_a_transaction_holds_the_lock_until_it_is_committed(lock: FairLock) -> None:
    with transaction.atomic():
        models.Player.objects.create(name="Ana")
        with transaction.atomic():
            models.Player.objects.create(name="Ben")
        assert not lock.acquire(0)
    assert models.Player.objects.count() == 2


def test_a_transaction_that_is_rolled_back_gives_the_lock_back(lock: FairLock) -> None:
    with suppress(ZeroDivisionError), transaction.atomic():
        models.Player.objects.create(name="Ana")
        raise ZeroDivisionError
    assert not models.Player.objects.exists()


def test_a_commit_that_fails_gives_the_lock_back(lock: FairLock, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_wrapper: object) -> None:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite.DatabaseWrapper, "_commit", fail)
    with pytest.raises(OperationalError), transaction.atomic():
        models.Player.objects.create(name="Ana")
    assert not models.Player.objects.exists()


def test_a_connection_that_is_closed_inside_a_transaction_gives_the_lock_back(lock: FairLock) -> None:
    with suppress(DatabaseError), transaction.atomic():
        models.Player.objects.create(name="Ana")
        connection.close()
    assert not models.Player.objects.exists()


def test_another_process_that_writes_is_waited_for_and_then_refused(lock: FairLock) -> None:
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout=20")
        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            pass
        other.execute("ROLLBACK")
    connection.close()


def test_a_thread_waits_for_its_turn_no_longer_than_the_timeout(
    lock: FairLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)
    refused: list[str] = []

    def write() -> None:
        try:
            with transaction.atomic():
                pass
        except OperationalError as error:
            refused.append(str(error))
        connection.close()

    with transaction.atomic():
        threads = run_threads(write)
        join(threads)
    assert refused == ["database is locked"]


def test_many_threads_that_write_lose_nothing(lock: FairLock) -> None:
    def write() -> None:
        for _ in range(20):
            with transaction.atomic():
                player = models.Player.objects.select_for_update().get()
                player.name = str(int(player.name) + 1)
                player.save()
        connection.close()

    models.Player.objects.create(name="0")
    join(run_threads(*[write] * 4))
    assert models.Player.objects.get().name == "80"


def test_the_server_uses_this_backend() -> None:
    assert settings.DATABASES["default"]["ENGINE"] == "config.sqlite"
