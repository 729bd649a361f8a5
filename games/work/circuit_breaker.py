"""The circuit breaker for Redis: after a failed call this process does not use Redis for a while.

A hanging Redis would delay every page and every socket by its timeout, and nothing essential is stored there. This is
the state of a connection, not a memory of rows.
"""

from __future__ import annotations

import threading
import time

TIMEOUT_SECONDS = 1.0
"""Timeout in seconds of one call to Redis."""
OPEN_SECONDS = 2.0
"""Seconds for which the breaker stays open: short, so that Redis is used again soon after it is back."""


class CircuitBreaker:
    """The breaker of one service, shared by all threads of this process."""

    def __init__(self) -> None:
        self._until = 0.0
        """When the service may be called again (monotonic seconds); 0: closed, it answers."""
        self._lock = threading.Lock()

    def may_ask(self) -> bool:
        """Whether to call the service now. After `OPEN_SECONDS` one caller tries it; the others still do without."""
        if not self._until:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            self._until = now + OPEN_SECONDS
            return True

    def note(self, *, has_answered: bool) -> None:
        """Note the outcome of a call."""
        self._until = 0.0 if has_answered else time.monotonic() + OPEN_SECONDS


redis = CircuitBreaker()


def reset() -> None:
    """Close the breaker (between tests)."""
    redis.note(has_answered=True)
