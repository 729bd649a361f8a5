"""Pods with locks in them: the locks first, then others, whoever is worth most.

A lock of two who stand far apart makes a wide pod whatever comes, and others cost it nothing; so these pods are not
found from first to last (`columns.py`), but from the locks on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.columns import BARRED, CHUNK, ROW_COST, STEP_COST, Pods, Pricing, TooMany
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.span_tables import NEVER

MOST_BASES: Final = 20_000
"""Ways to put locks together that are looked at."""


class LockFinder:
    """Lists the pods of one size that hold a lock, or several.

    spans: (n, n) what a pod costs at least from this first to this last; rate: members → their reduced costs. chains:
    of each a pod has the first ones, if any.
    """

    def __init__(
        self,
        pricing: Pricing,
        size: int,
        groups: Sequence[Sequence[int]],
        chains: Sequence[Sequence[int]],
        spans: Callable[[Ints, Ints], Ints],
        rate: Callable[[Ints], Ints],
    ) -> None:
        self.pricing, self.size, self.groups, self.spans, self.rate = pricing, size, groups, spans, rate
        count = len(pricing.price)
        self.group_of = np.full(count, len(groups), dtype=np.int64)
        for number, group in enumerate(groups):
            self.group_of[list(group)] = number
        self.before = np.full(count, -1, dtype=np.int64)
        for chain in chains:
            self.before[list(chain[1:])] = chain[:-1]
        self.free = np.flatnonzero(self.group_of == len(groups))
        self.worth = self._tabulate()
        self.bases = self._list_bases()

    def owner(self, members: Ints) -> Ints:
        """(pods, size) → the first of their locks."""
        return np.asarray(self.group_of[members].min(axis=1))

    def cover(self, each: Ints, _offset: int, _nodes: Nodes) -> Ints:
        """Per lock: no pod of which it is the first lock has less."""
        return each

    def least_reduced(self) -> Ints:
        """Per lock: no pod of which it is the first lock has a reduced cost below this."""
        found = np.full(len(self.groups), NEVER, dtype=np.int64)
        for base in self.bases:
            np.minimum.at(found, self.owner(base.members), self._bound(base))
        return found

    def least_by_set(self) -> dict[tuple[int, ...], int]:
        """Per set of locks: no pod with these and no others has a reduced cost below this."""
        return {
            tuple(sorted(set(locks))): reduced
            for base in self.bases
            for locks, reduced in zip(self.group_of[base.members].tolist(), self._bound(base).tolist(), strict=True)
        }

    def _bound(self, base: Pods) -> Ints:
        return base.reduced - self._hope(base, np.zeros(len(base.reduced), dtype=np.int64))

    def find(self, limit: int, *, most: int, budget: Budget) -> Pods:
        """All with reduced cost ≤ limit. Raises TooMany."""
        pods, is_all = self.find_some(limit, most=most, budget=budget)
        if not is_all:
            raise TooMany
        return pods

    def find_some(self, limit: int, *, most: int, budget: Budget) -> tuple[Pods, bool]:
        """Pods with reduced cost ≤ limit, and whether these are all."""
        found = [Pods(np.zeros((0, self.size), dtype=np.int64), np.zeros(0, dtype=np.int64))]
        total, is_all = 0, True
        try:
            for grown in self._grow(limit, budget):
                members = np.sort(grown, axis=1)
                reduced = self.rate(members)
                kept = np.flatnonzero(reduced <= limit)
                found.append(Pods(members[kept], reduced[kept]))
                total += len(kept)
                if total > most:
                    is_all = False
                    break
        except TooMany:
            is_all = False
        return Pods(*(np.concatenate(arrays) for arrays in zip(*found, strict=True))), is_all

    def _tabulate(self) -> Ints:
        """(size, free + 1): the most that so many of the free ones from there on are worth together."""
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

    def _list_bases(self) -> list[Pods]:
        """Locks that go into one pod, by how many people they are; raises TooMany."""
        found: dict[int, list[tuple[int, ...]]] = {}
        stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for _ in range(MOST_BASES):
            if not stack:
                break
            first, members = stack.pop()
            if members:
                found.setdefault(len(members), []).append(members)
            for number in range(first, len(self.groups)):
                more = [*members, *self.groups[number]]
                if len(more) <= self.size and not (self.pricing.pair[np.ix_(more, more)] >= BARRED).any():
                    stack.append((number + 1, tuple(more)))
        if stack:
            raise TooMany
        bases = []
        for _, known in sorted(found.items()):
            people = np.sort(np.array(known, dtype=np.int64), axis=1)
            paid = self.pricing.price[people].sum(axis=1)
            pairs = self.pricing.pair[people[:, :, None], people[:, None, :]].sum(axis=(1, 2)) // 2
            bases.append(Pods(people, pairs - paid))
        return bases

    def _hope(self, part: Pods, place: Ints) -> Ints:
        """What those who can still come are worth, less what the pod is wide already."""
        members = part.members
        wide = self.spans(members.min(axis=1), members.max(axis=1))
        return np.asarray(self.worth[self.size - members.shape[1], place] - wide)

    def _grow(self, limit: int, budget: Budget) -> Iterator[Ints]:
        """Members of pods within the limit, cuts left out."""
        stack = [(base, np.zeros(len(base.reduced), dtype=np.int64)) for base in self.bases]
        while stack:
            part, place = stack.pop()
            alive = np.flatnonzero(part.reduced - self._hope(part, place) <= limit)
            part, place = Pods(part.members[alive], part.reduced[alive]), place[alive]
            if not len(alive):
                continue
            if part.members.shape[1] == self.size:
                yield part.members
                continue
            more = len(self.free) - place
            total = int(more.sum())
            if total > CHUNK and len(more) > 1:
                half = len(more) // 2
                for side in (slice(half, None), slice(half)):
                    stack.append((Pods(part.members[side], part.reduced[side]), place[side]))
                continue
            if not budget.spend(total // ROW_COST + STEP_COST):
                raise TooMany
            if total:
                stack.append(self._expand(part, place, more, limit))

    def _expand(self, part: Pods, place: Ints, more: Ints, limit: int) -> tuple[Pods, Ints]:
        level = part.members.shape[1]
        row = np.repeat(np.arange(len(more)), more)
        ends = np.cumsum(more)
        taken = np.arange(len(row)) - (ends - more)[row] + place[row]
        joins = self.free[taken]
        reduced = part.reduced[row] - self.pricing.price[joins]
        wide = self.spans(part.members.min(axis=1), part.members.max(axis=1))[row]
        kept = np.flatnonzero(reduced + wide - self.worth[self.size - level - 1, taken + 1] <= limit)
        row, joins, taken, reduced = row[kept], joins[kept], taken[kept], reduced[kept]
        members = part.members[row]
        reduced += self.pricing.pair[members, joins[:, None]].sum(axis=1)
        mate = self.before[joins]
        alive = (reduced < BARRED >> 1) & ((mate < 0) | (members == mate[:, None]).any(axis=1))
        grown = np.concatenate([members[alive], joins[alive, None]], axis=1)
        return Pods(grown, reduced[alive]), taken[alive] + 1
