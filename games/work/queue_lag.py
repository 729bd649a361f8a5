"""How long task messages of this process wait for a thread: a message that waits is late, not lost."""

from __future__ import annotations

VALID_SECONDS = 10.0
"""Seconds for which the last measured wait counts; after that the queue is taken for empty."""


class QueueLag:
    """The wait of the last message. `at` is in seconds of a monotonic clock, waits are in seconds."""

    def __init__(self) -> None:
        self._last = (0.0, float("-inf"))

    def note(self, wait: float, *, at: float) -> None:
        """A message was started at this time after this wait; it can be negative if two machines' clocks differ."""
        self._last = (max(0.0, wait), at)

    def read(self, *, at: float) -> float:
        """The expected wait of a message at this time; 0 if there was none recently."""
        wait, noted_at = self._last
        return wait if at - noted_at <= VALID_SECONDS else 0.0


def find_resend_period(wait: float, *, least: float, most: float) -> float:
    """The seconds after which a message counts as lost: at least twice `wait`, at most `most`.

    It is `least` doubled several times, so that it seldom changes.
    """
    period = least
    while period < min(most, 2 * wait):
        period *= 2
    return min(period, most)
