"""Every pod that could matter: all of one size whose reduced cost is at most a limit, enumerated level by level.

A pod is built in the order of the instance (by descending score), so its width is known from its first and its last
member. A table of the least that the open places can still cost, meetings left out, prunes what cannot come below the
limit; nothing else is left out, so the list is complete. All in integers.

Tables are bands: [first, steps from first to last]. Where many people all differ in score a pod spans a few dozen
places at most; pods beyond the band are bounded, and if that bound does not exclude them, no list counts as complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.span_tables import NEVER, tabulate_by_step, tabulate_pairs_by_step

MAX_BATCH: Final = 1 << 17
"""Partial pods that are extended together, at most: it bounds the memory of one step, 1 MB an array."""
BARRED: Final = 1 << 54
"""A cost so high that the pod is never listed."""
LOCKED_PODS_PER_UNIT: Final = 25
"""Partial pods that one unit of work extends where locks are enumerated (measured)."""
SUMS_PER_UNIT: Final = 700
"""Sums over partial pods that one unit of work computes (measured)."""
BATCH_COST: Final = 200
"""Units of work for each batch of partial pods (measured)."""


class PodPricing(NamedTuple):
    """What a pod costs, in any integer unit.

    pair: (n, n), BARRED for forbidden pairs. width: (n, reach + 1), cost of the width, [first, steps to the last].
    beyond_width: (n,), a lower bound for the width cost of a pod with this first member and a last one beyond the band;
    NEVER where the band holds all. price: (n,), deducted from the pods that a person is in.
    """

    pair: Ints
    width: Ints
    beyond_width: Ints
    price: Ints


class TooManyPods(Exception):
    """More pods than asked for, or no budget to list them."""


class PricedPods(NamedTuple):
    """members: (pods, size), ascending; reduced: (pods,) their reduced costs."""

    members: Ints
    reduced: Ints


class PodEnumerator:
    """Enumerates the pods of one size. locks: a pod has all members of a lock or none.

    chains: a pod has a prefix of each chain.
    """

    def __init__(
        self, pricing: PodPricing, size: int, locks: Sequence[Sequence[int]], chains: Sequence[Sequence[int]] = ()
    ) -> None:
        self.pricing, self.size = pricing._replace(price=_gather_lock_prices(pricing.price, locks)), size
        self.count = len(pricing.price)
        self.predecessor_of = np.full(self.count, -1, dtype=np.int64)
        self.successor_of = np.full(self.count, -1, dtype=np.int64)
        for lock in locks:
            self.predecessor_of[list(lock[1:])] = lock[:-1]
            self.successor_of[list(lock[:-1])] = lock[1:]
        for chain in chains:
            self.predecessor_of[list(chain[1:])] = chain[:-1]
        self.has_order, self.has_locks = bool(locks or chains), bool(locks)
        self.reach = self.pricing.width.shape[1] - 1
        self.prices = tabulate_by_step(self.pricing.price, self.reach)
        self.pairs = tabulate_pairs_by_step(self.pricing.pair, self.reach)
        self.least = self._tabulate()

    def bound_reduced_costs(self) -> Ints:
        """Per person: a lower bound for the reduced costs of pods of which they are first (meetings left out).

        Only of pods within the band; see `beyond` for the others.
        """
        return self.least[self.size - 1][:, 0] - self.pricing.price

    def find_owners(self, members: Ints) -> Ints:
        """(pods, size) → their first members."""
        return members[:, 0]

    def expand_bounds(self, each: Ints, offset: int, nodes: Nodes) -> Ints:
        """Per person a lower bound for all pods of which they are first; each: the bound of pods within the band."""
        return np.repeat(np.minimum(each, self.beyond - offset)[nodes.find_first()], nodes.multiplicity)

    def find(self, limit: int, *, most: int, budget: Budget) -> PricedPods:
        """All pods of reduced cost ≤ limit. Raises TooManyPods."""
        pods, is_all = self.find_some(limit, most=most, budget=budget)
        if not is_all or self.beyond.min() <= limit:
            raise TooManyPods
        return pods

    def find_some(self, limit: int, *, most: int, budget: Budget) -> tuple[PricedPods, bool]:
        """Pods of reduced cost ≤ limit, and whether these are all within the band.

        They are not if there are more than `most`, or the budget is spent.
        """
        found, total, is_all = [_no_pods(self.size)], 0, True
        try:
            for pods in self._grow(limit, budget):
                total += len(pods.reduced)
                found.append(pods)
                if total > most:
                    is_all = False
                    break
        except TooManyPods:
            is_all = False
        members, reduced = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return PricedPods(members, reduced), is_all

    def _tabulate(self) -> list[Ints]:
        """Per number of open places: [first, steps to last] → the least that they add, width of the pod included."""
        price = self.prices
        steps = np.arange(self.reach + 1)
        is_there = np.arange(self.count)[:, None] + steps < self.count
        tables = [np.where(is_there, self.pricing.width, NEVER)]
        highest_price = np.maximum.accumulate(price, axis=1)
        distant_bound = tables[0] - price - price[:, :1] - (self.size - 2) * highest_price
        self.distant_bound = np.minimum.accumulate(distant_bound[:, ::-1], axis=1)[:, ::-1]
        """[first, steps]: a lower bound for pods with this first member and a last one so many steps away or more."""
        for _ in range(1, self.size):
            tables.append(_shift_least(tables[-1] - price))
        self.beyond = self._bound_beyond()
        return tables

    def _bound_beyond(self) -> Ints:
        """Per person a lower bound for pods with this first member and a last one beyond the band."""
        price, beyond_width = self.pricing.price, self.pricing.beyond_width
        return np.asarray(beyond_width - price - (self.size - 1) * int(price.max()))

    def _grow(self, limit: int, budget: Budget) -> Iterator[PricedPods]:
        firsts = np.arange(self.count)
        start = PricedPods(firsts[:, None], -self.pricing.price)
        alive = start.reduced + self.least[self.size - 1][:, 0] <= limit
        if self.has_order:
            alive &= self.predecessor_of < 0
        ends = np.minimum(np.count_nonzero(self.distant_bound <= limit, axis=1), self.count - firsts) - 1
        stack = [PricedPods(start.members[alive], start.reduced[alive])]
        while stack:
            part = stack.pop()
            level = part.members.shape[1]
            if level == self.size:
                yield part
                continue
            low, high = self._find_span(part.members, ends)
            rows = max(1, MAX_BATCH // max(1, high - low))
            if len(part.reduced) > rows:
                stack.append(PricedPods(part.members[rows:], part.reduced[rows:]))
                part = PricedPods(part.members[:rows], part.reduced[:rows])
                low, high = self._find_span(part.members, ends)
            work = len(part.reduced) * (high - low) * (level + 4 * (self.size - level))
            if not budget.spend(work // SUMS_PER_UNIT + BATCH_COST):
                raise TooManyPods
            if high > low:
                stack.append(self._expand(part, low, high, limit))

    def _find_span(self, members: Ints, ends: Ints) -> tuple[int, int]:
        """The least number of steps from the first at which the next member can be, and one more than the largest.

        ends: per first member the largest.
        """
        if not len(members):
            return 1, 1
        low = int((members[:, -1] - members[:, 0]).min()) + 1
        return low, max(low, int(ends[members[:, 0]].max()) + 1)

    def _expand(self, part: PricedPods, low: int, high: int, limit: int) -> PricedPods:
        """With a next member low … high − 1 steps from the first. `tail`: the least that all later members add."""
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
        grown = PricedPods(np.concatenate([members[row], joins[:, None]], axis=1), reduced)
        return self._keep_locks(grown) if self.has_order else grown

    def _keep_locks(self, grown: PricedPods) -> PricedPods:
        """Without pods in which a person comes before their predecessor, or whose locks can no longer be completed."""
        predecessor = self.predecessor_of[grown.members[:, -1]]
        alive = (predecessor < 0) | (grown.members == predecessor[:, None]).any(axis=1)
        if self.has_locks:
            alive &= self._can_complete(grown.members)
        return PricedPods(grown.members[alive], grown.reduced[alive])

    def _can_complete(self, members: Ints) -> Flags:
        """Whether every lock can still be completed: nobody of it was passed over, and there is room."""
        partners = self.successor_of[members]
        missing = (partners >= 0) & ~(partners[:, :, None] == members[:, None, :]).any(axis=2)
        passed = (missing & (partners < members[:, -1:])).any(axis=1)
        return np.asarray(~passed & (missing.sum(axis=1) <= self.size - members.shape[1]))


def _shift_least(table: Ints) -> Ints:
    """Per entry the least of those after it in its row."""
    found = np.empty_like(table)
    found[:, -1] = NEVER
    np.minimum.accumulate(table[:, :0:-1], axis=1, out=found[:, -2::-1])
    return found


def _no_pods(size: int) -> PricedPods:
    return PricedPods(np.zeros((0, size), dtype=np.int64), np.zeros(0, dtype=np.int64))


def _gather_lock_prices(price: Ints, locks: Sequence[Sequence[int]]) -> Ints:
    """The prices of each lock on its first member, so that no member seems worth their price without the others."""
    gathered = price.copy()
    for lock in locks:
        members = list(lock)
        gathered[members] = 0
        gathered[members[0]] = price[members].sum()
    return gathered
