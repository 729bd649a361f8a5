"""Pods that contain locks: the locks first, then other people by their prices.

A lock of two who are far apart in score makes a wide pod in any case, and others inside add no width; so these pods are
not enumerated from first to last (columns.py), but from the locks on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.columns import (
    BARRED,
    BATCH_COST,
    LOCKED_PODS_PER_UNIT,
    MAX_BATCH,
    PodPricing,
    PricedPods,
    TooManyPods,
)
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.span_tables import NEVER

MAX_BASES: Final = 20_000
"""Combinations of locks in one pod that are examined, at most."""


class LockedPodEnumerator:
    """Enumerates the pods of one size that contain one or more locks.

    spans: (first, last) → a lower bound for the width cost of a pod; rate: members → their reduced costs. chains: a pod
    has a prefix of each chain.
    """

    def __init__(
        self,
        pricing: PodPricing,
        size: int,
        locks: Sequence[Sequence[int]],
        chains: Sequence[Sequence[int]],
        spans: Callable[[Ints, Ints], Ints],
        rate: Callable[[Ints], Ints],
    ) -> None:
        self.pricing, self.size, self.locks, self.spans, self.rate = pricing, size, locks, spans, rate
        count = len(pricing.price)
        self.lock_of = np.full(count, len(locks), dtype=np.int64)
        for number, lock in enumerate(locks):
            self.lock_of[list(lock)] = number
        self.predecessor_of = np.full(count, -1, dtype=np.int64)
        for chain in chains:
            self.predecessor_of[list(chain[1:])] = chain[:-1]
        self.free = np.flatnonzero(self.lock_of == len(locks))
        self.best_prices = self._tabulate()
        self.bases = self._list_bases()

    def find_owners(self, members: Ints) -> Ints:
        """(pods, size) → the first of their locks."""
        return np.asarray(self.lock_of[members].min(axis=1))

    def expand_bounds(self, each: Ints, _offset: int, _nodes: Nodes) -> Ints:
        """Per lock: no pod of which it is the first lock has less."""
        return each

    def bound_reduced_costs(self) -> Ints:
        """Per lock a lower bound for the reduced costs of pods of which it is the first lock."""
        found = np.full(len(self.locks), NEVER, dtype=np.int64)
        for base in self.bases:
            np.minimum.at(found, self.find_owners(base.members), self._bound(base))
        return found

    def bound_by_set(self) -> dict[tuple[int, ...], int]:
        """Per set of locks a lower bound for the reduced costs of pods with these locks and no others."""
        return {
            tuple(sorted(set(locks))): reduced
            for base in self.bases
            for locks, reduced in zip(self.lock_of[base.members].tolist(), self._bound(base).tolist(), strict=True)
        }

    def _bound(self, base: PricedPods) -> Ints:
        return base.reduced - self._bound_gain(base, np.zeros(len(base.reduced), dtype=np.int64))

    def find(self, limit: int, *, most: int, budget: Budget) -> PricedPods:
        """All pods of reduced cost ≤ limit. Raises TooManyPods."""
        pods, is_all = self.find_some(limit, most=most, budget=budget)
        if not is_all:
            raise TooManyPods
        return pods

    def find_some(self, limit: int, *, most: int, budget: Budget) -> tuple[PricedPods, bool]:
        """Pods of reduced cost ≤ limit, and whether these are all."""
        found = [PricedPods(np.zeros((0, self.size), dtype=np.int64), np.zeros(0, dtype=np.int64))]
        total, is_all = 0, True
        try:
            for grown in self._grow(limit, budget):
                members = np.sort(grown, axis=1)
                reduced = self.rate(members)
                kept = np.flatnonzero(reduced <= limit)
                found.append(PricedPods(members[kept], reduced[kept]))
                total += len(kept)
                if total > most:
                    is_all = False
                    break
        except TooManyPods:
            is_all = False
        return PricedPods(*(np.concatenate(arrays) for arrays in zip(*found, strict=True))), is_all

    def _tabulate(self) -> Ints:
        """(size, free + 1): the largest sum of prices of so many unlocked people from there on."""
        count = len(self.free)
        table = np.full((self.size, count + 1), -NEVER, dtype=np.int64)
        table[0] = 0
        prices = self.pricing.price[self.free].tolist()
        for many in range(1, self.size):
            best, row = -NEVER, table[many - 1].tolist()
            for place in range(count - 1, -1, -1):
                best = max(best, prices[place] + row[place + 1])
                table[many, place] = best
        return np.maximum(table, -NEVER)

    def _list_bases(self) -> list[PricedPods]:
        """Combinations of locks in one pod, by their number of people. Raises TooManyPods."""
        found: dict[int, list[tuple[int, ...]]] = {}
        stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for _ in range(MAX_BASES):
            if not stack:
                break
            first, members = stack.pop()
            if members:
                found.setdefault(len(members), []).append(members)
            for number in range(first, len(self.locks)):
                more = [*members, *self.locks[number]]
                if len(more) <= self.size and not (self.pricing.pair[np.ix_(more, more)] >= BARRED).any():
                    stack.append((number + 1, tuple(more)))
        if stack:
            raise TooManyPods
        bases = []
        for _, member_lists in sorted(found.items()):
            people = np.sort(np.array(member_lists, dtype=np.int64), axis=1)
            prices = self.pricing.price[people].sum(axis=1)
            pairs = self.pricing.pair[people[:, :, None], people[:, None, :]].sum(axis=(1, 2)) // 2
            bases.append(PricedPods(people, pairs - prices))
        return bases

    def _bound_gain(self, part: PricedPods, place: Ints) -> Ints:
        """An upper bound for the prices of those who can still join, less the width cost so far."""
        members = part.members
        wide = self.spans(members.min(axis=1), members.max(axis=1))
        return np.asarray(self.best_prices[self.size - members.shape[1], place] - wide)

    def _grow(self, limit: int, budget: Budget) -> Iterator[Ints]:
        """Members of pods within the limit, cuts left out."""
        stack = [(base, np.zeros(len(base.reduced), dtype=np.int64)) for base in self.bases]
        while stack:
            part, place = stack.pop()
            alive = np.flatnonzero(part.reduced - self._bound_gain(part, place) <= limit)
            part, place = PricedPods(part.members[alive], part.reduced[alive]), place[alive]
            if not len(alive):
                continue
            if part.members.shape[1] == self.size:
                yield part.members
                continue
            more = len(self.free) - place
            total = int(more.sum())
            if total > MAX_BATCH and len(more) > 1:
                half = len(more) // 2
                for side in (slice(half, None), slice(half)):
                    stack.append((PricedPods(part.members[side], part.reduced[side]), place[side]))
                continue
            if not budget.spend(total // LOCKED_PODS_PER_UNIT + BATCH_COST):
                raise TooManyPods
            if total:
                stack.append(self._expand(part, place, more, limit))

    def _expand(self, part: PricedPods, place: Ints, more: Ints, limit: int) -> tuple[PricedPods, Ints]:
        level = part.members.shape[1]
        row = np.repeat(np.arange(len(more)), more)
        ends = np.cumsum(more)
        taken = np.arange(len(row)) - (ends - more)[row] + place[row]
        newcomers = self.free[taken]
        reduced = part.reduced[row] - self.pricing.price[newcomers]
        wide = self.spans(part.members.min(axis=1), part.members.max(axis=1))[row]
        kept = np.flatnonzero(reduced + wide - self.best_prices[self.size - level - 1, taken + 1] <= limit)
        row, newcomers, taken, reduced = row[kept], newcomers[kept], taken[kept], reduced[kept]
        members = part.members[row]
        reduced += self.pricing.pair[members, newcomers[:, None]].sum(axis=1)
        predecessor = self.predecessor_of[newcomers]
        alive = (reduced < BARRED >> 1) & ((predecessor < 0) | (members == predecessor[:, None]).any(axis=1))
        grown = np.concatenate([members[alive], newcomers[alive, None]], axis=1)
        return PricedPods(grown, reduced[alive]), taken[alive] + 1
