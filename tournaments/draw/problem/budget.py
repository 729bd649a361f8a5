"""How much work may be done: a fixed number of units, the same on every machine, and a clock for emergencies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

UNITS_PER_SECOND: Final = 850_000
"""Units of work for each second of the time limit. A unit is about one microsecond on the slow machine on which the
costs were measured; the 15 % missing from a million are a margin.
"""
EMERGENCY_FACTOR: Final = 3
"""The clock stops a draw after this many times its time limit. The result may then differ between machines."""


class Budget:
    """Work is charged by what is asked for, not by the time it took, so the same problem gets the same answer
    everywhere.
    """

    def __init__(
        self, seconds: float, parent: Budget | None = None, on_progress: Callable[[int], None] | None = None
    ) -> None:
        """on_progress: called with each new percentage that is spent, up to 100. Its exceptions end the work."""
        self._parent, self._on_progress, self._percent = parent, on_progress, 0
        self._began = time.perf_counter()
        self._stop_at: float = parent._stop_at if parent else self._began + seconds * EMERGENCY_FACTOR
        self.limit = int(seconds * UNITS_PER_SECOND)
        self.spent = 0
        self.is_clock_over = False

    def split_off(self, units: int) -> Budget:
        """A budget of at most so many of the units that are left. What it spends is charged here as well."""
        return Budget(min(units, self.remaining()) / UNITS_PER_SECOND, self)

    def spend(self, units: int) -> bool:
        """Charge work; False if the budget or the time has run out."""
        self.spent += units
        if self._parent is not None:
            self._parent.spend(units)
        if (
            self._on_progress is not None
            and (percent := min(100, 100 * self.spent // max(1, self.limit))) > self._percent
        ):
            self._percent = percent
            self._on_progress(percent)
        if not self.is_clock_over and time.perf_counter() > self._stop_at:
            self.is_clock_over = True
        return self.spent <= self.limit and not self.is_clock_over

    def remaining(self) -> int:
        """Units not yet spent."""
        return 0 if self.is_clock_over else max(0, self.limit - self.spent)

    @property
    def seconds(self) -> float:
        """Wall-clock time since the start."""
        return time.perf_counter() - self._began
