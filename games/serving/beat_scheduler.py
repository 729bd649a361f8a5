"""The beat's scheduler: its pace stays the same when the computer's clock is set to another time."""

from __future__ import annotations

import time
from typing import Any

from celery.beat import Scheduler

JUMP_SECONDS = 1.0
"""From so much on the clock was set, and did not only drift."""


class SteadyScheduler(Scheduler):
    """Celery's own reckons by the wall clock: set back by an hour, it would send nothing for that hour.

    It keeps nothing in a file: what is due is in the club's database.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._ahead = _find_ahead()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; returns the seconds until the next look."""
        ahead = _find_ahead()
        if abs(ahead - self._ahead) > JUMP_SECONDS:
            self._ahead = ahead
            self._begin_anew()
        return float(super().tick(*args, **kwargs))

    def _begin_anew(self) -> None:
        """As if everything had been sent just now."""
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        self._heap = None


def _find_ahead() -> float:
    """The wall clock, in seconds, against one that only counts on."""
    return time.time() - time.monotonic()
