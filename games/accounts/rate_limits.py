"""Rate limits for people and network addresses, counted in Redis if there is one, else in this process.

These are counters, no memory of rows: what they hold stands nowhere else, and losing it lets somebody do more. Hence no
`memo`: nothing is dropped for want of room, only once its time is over.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from functools import cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from games.work import circuit_breaker

logger = logging.getLogger(__name__)


MEMORY = "memory://"
"""What is counted in this process."""
_making = threading.Lock()


def _limiter(url: str) -> MovingWindowRateLimiter:
    with _making:  # the library looks for its driver at the first use, and not for two at once
        return _make_limiter(url)


@cache
def _make_limiter(url: str) -> MovingWindowRateLimiter:
    waits = {
        "socket_timeout": circuit_breaker.TIMEOUT_SECONDS,
        "socket_connect_timeout": circuit_breaker.TIMEOUT_SECONDS,
    }
    storage: Storage = storage_from_string(url, **({} if url == MEMORY else waits))  # type: ignore[assignment]
    return MovingWindowRateLimiter(storage)


def _lost_redis() -> tuple[type[Exception], ...]:
    """What is raised while Redis does not answer; its driver is not loaded where there is none."""
    from redis import RedisError

    return RedisError, OSError


def _count_within_limit(item: RateLimitItem, *who: str) -> bool:
    """Count one more, unless it is too many."""
    return bool(_query_limiter("hit", item, *who))


def _query_limiter(question: str, item: RateLimitItem, *who: str) -> Any:
    """What the limiter says: hit, test, clear, get_window_stats. While Redis is away each process counts for itself."""
    if settings.LIMITS_URL == MEMORY:
        return getattr(_limiter(MEMORY), question)(item, *who)
    if circuit_breaker.redis.may_ask():
        try:
            answer = getattr(_limiter(settings.LIMITS_URL), question)(item, *who)
        except _lost_redis() as error:
            circuit_breaker.redis.note(has_answered=False)
            logger.warning("limits are counted in this process: %s", error)
        else:
            circuit_breaker.redis.note(has_answered=True)
            return answer
    return getattr(_limiter(MEMORY), question)(item, *who)


class Slowdown(NamedTuple):
    """A limit that slows attempts down and never locks: a number of tries an hour, then one every few seconds."""

    name: str
    at_once: int
    seconds: int

    def take(self, *who: str) -> bool:
        """Use one try, if there is one now."""
        return any(_count_within_limit(item, self.name, *who) for item in self._items())

    def has_one(self, *who: str) -> bool:
        """Whether there is a try now."""
        return any(_query_limiter("test", item, self.name, *who) for item in self._items())

    def wait(self, *who: str) -> int:
        """Seconds until the next try is allowed; at least 1."""
        ends: list[float] = [
            _query_limiter("get_window_stats", item, self.name, *who).reset_time for item in self._items()
        ]
        return max(1, ceil(min(ends) - time.time()))

    def forget(self, *who: str) -> None:
        """Reset the count after a successful sign-in."""
        for item in self._items():
            _query_limiter("clear", item, self.name, *who)

    def _items(self) -> tuple[RateLimitItem, RateLimitItem]:
        return RateLimitItemPerHour(self.at_once), RateLimitItemPerSecond(1, self.seconds)


IPV6_LINE = 64
"""Prefix length in bits of one connection's IPv6 network (RFC 6177); addresses within it are free to choose."""


def network_of(address: str) -> str:
    """The network that limits count for an address: an IPv4 address itself, an IPv6 address's /64."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv4Address):
        return address
    return str(ip.ipv4_mapped or IPv6Network((int(ip), IPV6_LINE), strict=False))


CLEAN_SECONDS = 10.0
EXPORTS_PER_HOUR = 6


class Window(NamedTuple):
    """A second that began with a person's move (monotonic seconds), and the number of their moves in it."""

    began: float
    moves: int


class MovesPerSecond:
    """Moves in a second, counted in each process: a question to Redis would cost more than the move."""

    def __init__(self) -> None:
        self._windows: dict[tuple[str, int | None], Window] = {}
        self._clean_at = 0.0
        self._lock = threading.Lock()

    def count(self, table_id: str, player_id: int | None, *, now: float) -> int:
        """How many this person has made at this table in the present second, with this one."""
        with self._lock:
            if now >= self._clean_at:
                self._clean_at = now + CLEAN_SECONDS
                self._windows = {who: window for who, window in self._windows.items() if window.began > now - 1}
            began, moves = self._windows.get((table_id, player_id), Window(now, 0))
            window = Window(began, moves + 1) if began > now - 1 else Window(now, 1)
            self._windows[table_id, player_id] = window
            return window.moves


_seconds = MovesPerSecond()


def allow_move(table_id: str, player_id: int | None) -> bool:
    """Whether this person may send one more move or command to this table in this second."""
    return _seconds.count(table_id, player_id, now=time.monotonic()) <= settings.MOVES_PER_SECOND


class Sockets:
    """Open sockets of this process by network address and by person."""

    def __init__(self) -> None:
        self._open: Counter[tuple[str, str | int]] = Counter()

    def enter(self, address: str, player_id: int | None) -> str:
        """Count one more socket, until `leave`; or return the limit that it exceeds: "network", "person"."""
        if self._open["network", network_of(address)] >= settings.SOCKETS_PER_ADDRESS:
            return "network"
        if player_id is not None and self._open["person", player_id] >= settings.SOCKETS_PER_PLAYER:
            return "person"
        self._open.update(self._keys(address, player_id))
        return ""

    def leave(self, address: str, player_id: int | None) -> None:
        """A counted socket is closed."""
        for key in self._keys(address, player_id):
            self._open[key] -= 1
            if self._open[key] <= 0:
                del self._open[key]

    def _keys(self, address: str, player_id: int | None) -> list[tuple[str, str | int]]:
        network: tuple[str, str | int] = ("network", network_of(address))
        return [network] if player_id is None else [network, ("person", player_id)]


sockets = Sockets()


def allow_remark(player_id: int) -> bool:
    """Whether this person may say one more thing in this minute."""
    return _count_within_limit(RateLimitItemPerMinute(settings.REMARKS_PER_MINUTE), "remark", str(player_id))


SIGN_INS_PER_MINUTE = 60


def allow_sign_in(address: str) -> bool:
    """Whether one more password from this address is looked at in this minute: each costs a third of a second."""
    return _count_within_limit(RateLimitItemPerMinute(SIGN_INS_PER_MINUTE), "sign-in", network_of(address))


UPLOADS_PER_MINUTE = 20


def allow_upload(address: str) -> bool:
    """Whether one more record may be uploaded from this address in this minute: each is replayed to check it."""
    return _count_within_limit(RateLimitItemPerMinute(UPLOADS_PER_MINUTE), "upload", network_of(address))


PHOTOS_PER_MINUTE = 10


def allow_photo(player_id: int) -> bool:
    """Whether this person may add one more photo in this minute: each takes up to a second."""
    return _count_within_limit(RateLimitItemPerMinute(PHOTOS_PER_MINUTE), "photo", str(player_id))


PICTURES_PER_MINUTE = 30


def allow_picture(address: str) -> bool:
    """Whether one more share picture is made for this address in this minute: each takes up to a second."""
    return _count_within_limit(RateLimitItemPerMinute(PICTURES_PER_MINUTE), "picture", network_of(address))


ARCHIVES_PER_HOUR = 60


def allow_archive(address: str) -> bool:
    """Whether one more archive may be sent from this address in this hour: its games are played through."""
    return _count_within_limit(RateLimitItemPerHour(ARCHIVES_PER_HOUR), "archive", network_of(address))


def allow_question(who: str) -> bool:
    """Whether a program with this key, or of this network address, may ask the API once more in this minute."""
    return _count_within_limit(RateLimitItemPerMinute(settings.QUESTIONS_PER_MINUTE), "question", network_of(who))


def allow_table(player_id: int) -> bool:
    """Whether this person may open one more table in this hour."""
    return _count_within_limit(RateLimitItemPerHour(settings.TABLES_PER_HOUR), "table", str(player_id))


def allow_export(player_id: int) -> bool:
    """Whether this person may export their data once more in this hour."""
    return _count_within_limit(RateLimitItemPerHour(EXPORTS_PER_HOUR), "export", str(player_id))


def allow_guest(address: str) -> bool:
    """Whether one more guest may come from this address in this minute."""
    return _count_within_limit(RateLimitItemPerMinute(settings.GUESTS_PER_MINUTE), "guest", network_of(address))


def reset() -> None:
    """Clear all counters (between tests)."""
    global _seconds, sockets
    _seconds, sockets = MovesPerSecond(), Sockets()
    _make_limiter.cache_clear()
