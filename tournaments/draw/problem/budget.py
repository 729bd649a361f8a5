"""How much may be done: a fixed amount of work, the same on every machine, and a clock for emergencies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

UNITS_PER_SECOND: Final = 850_000
"""One unit is about a microsecond of the slow machine on which the costs were measured; the rest is a margin."""
EMERGENCY: Final = 3
"""The clock stops what takes so many times the limit; such a result may differ from machine to machine."""


class Budget:
    """Work is charged by what is asked for, never by what it took, so that the same problem gets the same answer."""

    def __init__(self, seconds: float, whole: Budget | None = None, tell: Callable[[int], None] | None = None) -> None:
        """tell: called with every new percentage that is spent, up to 100; what it raises ends the work."""
        self._whole, self._tell, self._told = whole, tell, 0
        self._began = time.perf_counter()
        self._emergency: float = whole._emergency if whole else self._began + seconds * EMERGENCY
        self.limit = int(seconds * UNITS_PER_SECOND)
        self.spent = 0
        self.is_clock_over = False

    def part(self, units: int) -> Budget:
        """At most so much of what is left, charged here as well."""
        return Budget(min(units, self.left()) / UNITS_PER_SECOND, self)

    def spend(self, units: int) -> bool:
        """Charge work; False if there is no budget left, or no time."""
        self.spent += units
        if self._whole is not None:
            self._whole.spend(units)
        if self._tell is not None and (percent := min(100, 100 * self.spent // max(1, self.limit))) > self._told:
            self._told = percent
            self._tell(percent)
        if not self.is_clock_over and time.perf_counter() > self._emergency:
            self.is_clock_over = True
        return self.spent <= self.limit and not self.is_clock_over

    def left(self) -> int:
        """Units not yet spent."""
        return 0 if self.is_clock_over else max(0, self.limit - self.spent)

    @property
    def seconds(self) -> float:
        """Wall-clock time since the start."""
        return time.perf_counter() - self._began
