"""Celery beat's scheduler, made independent of changes of the computer's clock."""

from __future__ import annotations

import time
from typing import Any

from celery.beat import Scheduler

JUMP_SECONDS = 1.0
"""Seconds of deviation between two ticks that mean that the clock was set, and did not only drift."""


class SteadyScheduler(Scheduler):
    """Celery's scheduler uses the wall clock: set back by an hour, it would send nothing for that hour.

    It stores nothing in a file.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._offset = _find_clock_offset()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; returns the seconds until the next look."""
        ahead = _find_clock_offset()
        if abs(ahead - self._offset) > JUMP_SECONDS:
            self._offset = ahead
            self._restart_intervals()
        return float(super().tick(*args, **kwargs))

    def _restart_intervals(self) -> None:
        """Restart all intervals from now."""
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        self._heap = None


def _find_clock_offset() -> float:
    """Seconds by which the wall clock is ahead of the monotonic clock."""
    return time.time() - time.monotonic()
