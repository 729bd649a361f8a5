"""What a pairing can cost at all: so many repeats, so many steps of the standings, squared. Most sums do not occur.

With whole and half wins and repeats that outweigh everything, a draw costs a multiple of a step's square: a bound
between two of them is the upper one, and whatever is better than a known draw is better by a step.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MOST: Final = 1_000
"""Numbers of repeats that are looked at; where there are more, all sums are held for possible."""


class Grain(NamedTuple):
    """Costs are sums of these two, each so many times, 0 or more."""

    worth: int
    step: int

    def raise_up(self, cost: int) -> int:
        """The least there is from this one on."""
        repeats = self._list_repeats(cost)
        if repeats is None:
            return cost
        paid: list[int] = [times * self.worth for times in (*repeats, len(repeats))]
        return min(one + max(0, (cost - one + self.step - 1) // self.step) * self.step for one in paid)

    def lower(self, cost: int) -> int:
        """The largest there is below this one, which is above 0."""
        repeats = self._list_repeats(cost - 1)
        if repeats is None:
            return cost - 1
        return max(cost - 1 - (cost - 1 - times * self.worth) % self.step for times in repeats)

    def _list_repeats(self, cost: int) -> range | None:
        """Numbers of them that so much can have in it; so many repeats as a step has units are steps again."""
        if cost <= 0 or min(self) < 0 or self.step <= 1 or self.worth == 1:
            return None
        count = min(self.step, cost // self.worth + 1) if self.worth else 1
        return range(count) if count <= MOST else None


PLAIN: Final = Grain(1, 1)
"""Every sum."""
