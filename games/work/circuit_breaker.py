"""Redis is not asked for a while after it did not answer: everybody who asked it then would wait as long again.

One that is gone refuses at once. One that hangs, or whose line is slow, would stop every page and every socket for as
long as it takes to find that out, and nothing that matters is there. What is kept here is the state of a connection, no
memory of rows.
"""

from __future__ import annotations

import threading
import time

ANSWER_SECONDS = 1.0
"""How long anybody waits for its answer."""
OPEN_SECONDS = 2.0
"""How long this process does not ask it then."""


class CircuitBreaker:
    """Of one service, for all threads of this process."""

    def __init__(self) -> None:
        self._until = 0.0
        """When it may be asked again (monotonic seconds); 0: it answers."""
        self._lock = threading.Lock()

    def may_ask(self) -> bool:
        """Whether to ask it now. After that time the first who comes tries it, and the others still do without."""
        if not self._until:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            self._until = now + OPEN_SECONDS
            return True

    def note(self, *, has_answered: bool) -> None:
        """What came of asking."""
        self._until = 0.0 if has_answered else time.monotonic() + OPEN_SECONDS


redis = CircuitBreaker()


def reset() -> None:
    """It may be asked again (between tests)."""
    redis.note(has_answered=True)
