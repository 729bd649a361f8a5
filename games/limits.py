"""Rate limits: how often one person may do what. Counted in Redis if there is one, else in this process."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from limits import RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter

SIGN_INS_PER_MINUTE = 10


@cache
def _shared() -> MovingWindowRateLimiter:
    storage: Storage = MemoryStorage() if settings.IS_EMBEDDED else storage_from_string(settings.REDIS_URL)  # type: ignore[assignment]
    return MovingWindowRateLimiter(storage)


@cache
def _local() -> FixedWindowRateLimiter:
    """Moves are counted in each process: a question to Redis would cost more than the move."""
    return FixedWindowRateLimiter(MemoryStorage())


@cache
def _move_rate() -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(int(settings.MOVES_PER_SECOND))


def allow_move(table_id: str, player_id: int | None) -> bool:
    """Whether this person may send one more move or command to this table in this second."""
    return _local().hit(_move_rate(), "move", table_id, str(player_id))


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
    for kept in (_shared, _local, _move_rate):
        kept.cache_clear()
