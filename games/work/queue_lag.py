"""How long messages of this process wait before they are done: what is not done by then is late, and not lost."""

from __future__ import annotations

REMEMBERED = 10.0
"""After so many seconds without a message nothing is known of how long one would wait."""


class Lag:
    """The wait of the last message. All times are seconds of one clock that only runs forward, waits are seconds."""

    def __init__(self) -> None:
        self._last = (0.0, float("-inf"))

    def note(self, wait: float, *, at: float) -> None:
        """A message was begun at this time, after this wait; two machines' clocks may make one of less than nothing."""
        self._last = (max(0.0, wait), at)

    def read(self, *, at: float) -> float:
        """How long a message waits that is begun at this time: 0 where none was lately."""
        wait, noted = self._last
        return wait if at - noted <= REMEMBERED else 0.0


def find_period(wait: float, *, least: float, most: float) -> float:
    """How long a message that waits so long is not yet lost: twice that, by doubling `least` so that it seldom changes,
    and never more than `most`. All are seconds."""
    period = least
    while period < min(most, 2 * wait):
        period *= 2
    return min(period, most)
