"""Rate limits: how often one person may do what. Counted in Redis if there is one, else in this process."""

from __future__ import annotations

import threading
import time
from collections import Counter
from functools import cache

from django.conf import settings
from limits import RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

SIGN_INS_PER_MINUTE = 10


@cache
def _shared() -> MovingWindowRateLimiter:
    storage: Storage = MemoryStorage() if settings.IS_EMBEDDED else storage_from_string(settings.REDIS_URL)  # type: ignore[assignment]
    return MovingWindowRateLimiter(storage)


class Second:
    """Moves of the present second, counted in each process: a question to Redis would cost more than the move."""

    def __init__(self) -> None:
        self._number = 0
        self._counts: Counter[tuple[str, int | None]] = Counter()
        self._lock = threading.Lock()

    def count(self, table_id: str, player_id: int | None) -> int:
        """How many there are in this second of this person at this table, with this one."""
        with self._lock:
            number = int(time.monotonic())
            if number != self._number:
                self._number, self._counts = number, Counter()
            self._counts[table_id, player_id] += 1
            return self._counts[table_id, player_id]


_second = Second()


def allow_move(table_id: str, player_id: int | None) -> bool:
    """Whether this person may send one more move or command to this table in this second."""
    return _second.count(table_id, player_id) <= settings.MOVES_PER_SECOND


def allow_table(player_id: int) -> bool:
    """Whether this person may open one more table in this hour."""
    return _shared().hit(RateLimitItemPerHour(settings.TABLES_PER_HOUR), "table", str(player_id))


def allow_guest(address: str) -> bool:
    """Whether one more guest may come from this address in this minute."""
    return _shared().hit(RateLimitItemPerMinute(settings.GUESTS_PER_MINUTE), "guest", address)


def allow_sign_in(address: str) -> bool:
    """Whether one more password may be tried from this address in this minute."""
    return _shared().hit(RateLimitItemPerMinute(SIGN_INS_PER_MINUTE), "sign-in", address)


def forget_all() -> None:
    """Count from nothing again (between tests)."""
    global _second
    _second = Second()
    _shared.cache_clear()
