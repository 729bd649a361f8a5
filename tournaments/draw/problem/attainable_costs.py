"""Which values the line `pairing` can take: so many repeats, plus so many squared score steps. Most integers do not
occur.

Where scores are whole and half wins and repeats outweigh everything, a draw costs a multiple of one squared step. A
bound between two multiples rounds up to the next, and a draw better than a known one is better by a whole step.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MAX_REPEATS: Final = 1_000
"""Numbers of repeats that are tried, at most; with more, every sum counts as attainable (a weaker bound, still valid).
It only keeps the arithmetic short: it is one loop over them for each bound.
"""


class AttainableCosts(NamedTuple):
    """Attainable costs are a · repeat_cost + b · width_step with integers a, b ≥ 0, all in one unit."""

    repeat_cost: int
    width_step: int

    def round_up(self, cost: int) -> int:
        """The least attainable cost that is no less than this one."""
        repeats = self._list_repeats(cost)
        if repeats is None:
            return cost
        repeat_costs: list[int] = [times * self.repeat_cost for times in (*repeats, len(repeats))]
        return min(
            repeat_cost + max(0, (cost - repeat_cost + self.width_step - 1) // self.width_step) * self.width_step
            for repeat_cost in repeat_costs
        )

    def find_next_lower(self, cost: int) -> int:
        """The largest attainable cost below this one, which is positive."""
        repeats = self._list_repeats(cost - 1)
        if repeats is None:
            return cost - 1
        return max(cost - 1 - (cost - 1 - times * self.repeat_cost) % self.width_step for times in repeats)

    def _list_repeats(self, cost: int) -> range | None:
        """The numbers of repeats that so large a cost can contain; None if every sum counts as attainable.

        Numbers from `width_step` on need not be tried: so many repeats cost a multiple of the step.
        """
        if cost <= 0 or min(self) < 0 or self.width_step <= 1 or self.repeat_cost == 1:
            return None
        count = min(self.width_step, cost // self.repeat_cost + 1) if self.repeat_cost else 1
        return range(count) if count <= MAX_REPEATS else None


ANY_COST: Final = AttainableCosts(1, 1)
"""Every sum is attainable."""
