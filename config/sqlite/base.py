"""Django's SQLite backend, in which the transactions of one process wait in a queue.

SQLite has one writer. A connection that finds another one writing sleeps and tries again, after 1, 2, 5 … up to 100
milliseconds, and others may come between. Where all writers are threads of one process, as in the embedded setup, a
lock that goes to the thread that has waited longest does without the sleeping. Other processes are waited for as
before. Figures: docs/performance.md, "Moves of people while bots think".
"""

from __future__ import annotations

import os
import threading
from collections import deque

from django.db import OperationalError
from django.db.backends.sqlite3 import base as sqlite

SECONDS = 5.0
"""Seconds for which a transaction waits where the settings give no `timeout`: those of Python's sqlite3."""


class FairLock:
    """A lock that goes to the thread that has waited longest. Released by any thread, once per `acquire`."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_held = False
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Take the lock within a number of seconds. Returns False if it did not come free."""
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=timeout):
            return True
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # handed over just as the time ran out

    def release(self) -> None:
        """Hand the lock over to the next thread."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False


_locks: dict[str, FairLock] = {}
"""The lock of each database file that this process writes to."""
os.register_at_fork(after_in_child=_locks.clear)


class DatabaseWrapper(sqlite.DatabaseWrapper):
    """A connection whose transactions wait for those of other threads of this process, at most `timeout` seconds.

    SQLite then waits for other processes as long again.
    """

    _lock: FairLock | None = None
    """The lock, while this connection holds it."""

    def set_autocommit(self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        """Wait for the lock first if this begins a transaction. Raises OperationalError if it did not come free."""
        if not force_begin_transaction_with_broken_autocommit or autocommit:
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
            return
        self.ensure_connection()
        lock = _locks.setdefault(str(self.settings_dict["NAME"]), FairLock())
        if not lock.acquire(self.settings_dict["OPTIONS"].get("timeout", SECONDS)):
            raise OperationalError("database is locked")
        self._lock = lock
        try:
            super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)
        except BaseException:
            self._release()
            raise

    def commit(self) -> None:
        """Commit, and give the lock back. If it fails, `rollback` or `close` follows."""
        super().commit()
        self._release()

    def rollback(self) -> None:
        """Roll back, and give the lock back. If it fails, `close` follows."""
        super().rollback()
        self._release()

    def close(self) -> None:
        """Close, and give the lock back."""
        try:
            super().close()
        finally:
            self._release()

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()
