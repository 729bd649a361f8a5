"""Every pod that could matter: all of a size whose reduced cost is at most a limit, found level by level.

A pod is built in the order of the instance (by score, highest first), so its width is known from its first and its
last member. A table of the least that the open places can still cost (meetings left out) prunes what cannot come
below the limit; nothing that can is left out, so what is found is a proof. All in integers.

Tables are bands: [first, steps from first to last]. Where many people all differ a pod is no wider than a few dozen
steps; what lies beyond the band is bounded, and if that bound does not exclude it, nothing is called complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.span_tables import NEVER, spread_out, spread_rows

CHUNK: Final = 1 << 17
"""Partial pods that are looked at together, at most."""
BARRED: Final = 1 << 54
"""Costs a pod so much that it is never listed."""
ROW_COST: Final = 25
"""Partial pods looked at for one unit of work."""
SPEED: Final = 700
"""Sums in them for one unit of work."""
STEP_COST: Final = 200
"""And for all that are looked at together."""


class Pricing(NamedTuple):
    """What a pod costs, in any integer unit: its pairs (n, n), BARRED for foes, and its width.

    width: (n, reach + 1), [first, steps to the last]. past: per person, no less than so wide is a pod of which he is
    the first, and whose last the band does not hold; NEVER where it holds all. price: per person, deducted from the
    pods he is in.
    """

    pair: Ints
    width: Ints
    past: Ints
    price: Ints


class TooMany(Exception):
    """More pods than asked for, or no budget to list them."""


class Pods(NamedTuple):
    """members: (pods, size), ascending; reduced: their reduced costs."""

    members: Ints
    reduced: Ints


class Finder:
    """Lists the pods of one size. groups: locks; a pod has all members of one or none.

    chains: of each a pod has the first ones, if any.
    """

    def __init__(
        self, pricing: Pricing, size: int, groups: Sequence[Sequence[int]], chains: Sequence[Sequence[int]] = ()
    ) -> None:
        self.pricing, self.size = pricing._replace(price=_gather(pricing.price, groups)), size
        self.count = len(pricing.price)
        self.before = np.full(self.count, -1, dtype=np.int64)
        self.after = np.full(self.count, -1, dtype=np.int64)
        for group in groups:
            self.before[list(group[1:])] = group[:-1]
            self.after[list(group[:-1])] = group[1:]
        for chain in chains:
            self.before[list(chain[1:])] = chain[:-1]
        self.has_locks, self.has_groups = bool(groups or chains), bool(groups)
        self.reach = self.pricing.width.shape[1] - 1
        self.prices = spread_out(self.pricing.price, self.reach)
        self.pairs = spread_rows(self.pricing.pair, self.reach)
        self.least = self._tabulate()

    def least_reduced(self) -> Ints:
        """Per person: no pod of which he is the first has a reduced cost below this (meetings left out).

        Of the pods that the band holds; see `beyond` for the others.
        """
        return self.least[self.size - 1][:, 0] - self.pricing.price

    def owner(self, members: Ints) -> Ints:
        """(pods, size) → their first members."""
        return members[:, 0]

    def cover(self, each: Ints, offset: int, nodes: Nodes) -> Ints:
        """Per person: no pod of which he is the first has less; each: of the pods that the band holds."""
        return np.repeat(np.minimum(each, self.beyond - offset)[nodes.first()], nodes.cover)

    def find(self, limit: int, *, most: int, budget: Budget) -> Pods:
        """All with reduced cost ≤ limit. Raises TooMany."""
        pods, is_all = self.find_some(limit, most=most, budget=budget)
        if not is_all or self.beyond.min() <= limit:
            raise TooMany
        return pods

    def find_some(self, limit: int, *, most: int, budget: Budget) -> tuple[Pods, bool]:
        """Pods with reduced cost ≤ limit, and whether these are all that the band holds.

        Not so if there are more, or the work is spent.
        """
        found, total, is_all = [_no_pods(self.size)], 0, True
        try:
            for pods in self._grow(limit, budget):
                total += len(pods.reduced)
                found.append(pods)
                if total > most:
                    is_all = False
                    break
        except TooMany:
            is_all = False
        members, reduced = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return Pods(members, reduced), is_all

    def _tabulate(self) -> list[Ints]:
        """Per number of open places: [first, steps to last] → the least that these add, width of the pod included."""
        price = self.prices
        steps = np.arange(self.reach + 1)
        is_there = np.arange(self.count)[:, None] + steps < self.count
        tables = [np.where(is_there, self.pricing.width, NEVER)]
        dearest = np.maximum.accumulate(price, axis=1)
        alone = tables[0] - price - price[:, :1] - (self.size - 2) * dearest
        self.alone = np.minimum.accumulate(alone[:, ::-1], axis=1)[:, ::-1]
        """[first, steps]: no pod of which he is the first, and whose last is so far off or more, costs less."""
        for _ in range(1, self.size):
            tables.append(_shift_least(tables[-1] - price))
        self.beyond = self._bound_beyond()
        return tables

    def _bound_beyond(self) -> Ints:
        """Per person: no pod of which he is the first, and whose last the band does not hold, costs less."""
        price, past = self.pricing.price, self.pricing.past
        return np.asarray(past - price - (self.size - 1) * int(price.max()))

    def _grow(self, limit: int, budget: Budget) -> Iterator[Pods]:
        firsts = np.arange(self.count)
        start = Pods(firsts[:, None], -self.pricing.price)
        alive = start.reduced + self.least[self.size - 1][:, 0] <= limit
        if self.has_locks:
            alive &= self.before < 0
        ends = np.minimum(np.count_nonzero(self.alone <= limit, axis=1), self.count - firsts) - 1
        stack = [Pods(start.members[alive], start.reduced[alive])]
        while stack:
            part = stack.pop()
            level = part.members.shape[1]
            if level == self.size:
                yield part
                continue
            low, high = self._find_span(part.members, ends)
            rows = max(1, CHUNK // max(1, high - low))
            if len(part.reduced) > rows:
                stack.append(Pods(part.members[rows:], part.reduced[rows:]))
                part = Pods(part.members[:rows], part.reduced[:rows])
                low, high = self._find_span(part.members, ends)
            work = len(part.reduced) * (high - low) * (level + 4 * (self.size - level))
            if not budget.spend(work // SPEED + STEP_COST):
                raise TooMany
            if high > low:
                stack.append(self._expand(part, low, high, limit))

    def _find_span(self, members: Ints, ends: Ints) -> tuple[int, int]:
        """So many steps from the first on the next member can stand, at least and less than; ends: the last such."""
        if not len(members):
            return 1, 1
        low = int((members[:, -1] - members[:, 0]).min()) + 1
        return low, max(low, int(ends[members[:, 0]].max()) + 1)

    def _expand(self, part: Pods, low: int, high: int, limit: int) -> Pods:
        """With a next member low … high − 1 steps from the first. `tail`: the least that all who come after him add."""
        members, level = part.members, part.members.shape[1]
        first = members[:, 0]
        joining = -self.prices[first, low:high]
        for place in range(level):
            joining += self.pairs[members[:, place], first, low:high]
        tail = self.least[0][first, low:high]
        for _ in range(self.size - level - 1):
            tail = _shift_least(joining + tail)
        joining += part.reduced[:, None]
        total = joining + tail
        alive = total <= limit
        alive &= np.arange(low, high) > (members[:, -1] - first)[:, None]
        row, step = np.nonzero(alive)
        joins = first[row] + low + step
        reduced = (total if level + 1 == self.size else joining)[row, step]
        grown = Pods(np.concatenate([members[row], joins[:, None]], axis=1), reduced)
        return self._keep_locks(grown) if self.has_locks else grown

    def _keep_locks(self, grown: Pods) -> Pods:
        """Without those who came before their mates, and whom not all mates can join any more."""
        mate = self.before[grown.members[:, -1]]
        alive = (mate < 0) | (grown.members == mate[:, None]).any(axis=1)
        if self.has_groups:
            alive &= self._can_complete(grown.members)
        return Pods(grown.members[alive], grown.reduced[alive])

    def _can_complete(self, members: Ints) -> Flags:
        """Whether everybody locked to a member can still come: nobody was passed over, and there is room."""
        mates = self.after[members]
        missing = (mates >= 0) & ~(mates[:, :, None] == members[:, None, :]).any(axis=2)
        passed = (missing & (mates < members[:, -1:])).any(axis=1)
        return np.asarray(~passed & (missing.sum(axis=1) <= self.size - members.shape[1]))


def _shift_least(table: Ints) -> Ints:
    """Per entry the least of those behind it in its row."""
    found = np.empty_like(table)
    found[:, -1] = NEVER
    np.minimum.accumulate(table[:, :0:-1], axis=1, out=found[:, -2::-1])
    return found


def _no_pods(size: int) -> Pods:
    return Pods(np.zeros((0, size), dtype=np.int64), np.zeros(0, dtype=np.int64))


def _gather(price: Ints, groups: Sequence[Sequence[int]]) -> Ints:
    """Prices of locks on their first members: nobody looks worth his price without those who must come along."""
    gathered = price.copy()
    for group in groups:
        members = list(group)
        gathered[members] = 0
        gathered[members[0]] = price[members].sum()
    return gathered
