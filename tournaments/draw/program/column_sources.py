"""Where columns come from: from the rules, as needed, or from a list that has every one that can still matter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.columns import BARRED, Finder, Pods, Pricing, TooMany
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.heuristic_columns import choose_spread, find_nearby
from tournaments.draw.program.interval_cuts import find_stretches, no_stretches
from tournaments.draw.program.locked_columns import LockFinder
from tournaments.draw.program.relaxation import Columns, Prices, Rows, reduce_costs
from tournaments.draw.program.span_tables import NEVER, find_reach, spread_widths

ENOUGH: Final = 2
"""Columns a person that one round of pricing is content with, for each size."""
KEPT: Final = 16
"""And that it adds at most: so many of the best for each person."""
SAMPLES: Final = 12
COARSER: Final = 64
"""One step of the limit to the next, towards 0."""
EFFORT: Final = 800_000
"""Work for one step of the limit; then what was found must do."""
STEP: Final = 3
"""Pods to begin with: for each person so many, each member at most so far behind the one before."""
MOST: Final = 20_000
TABLE_SPEED: Final = 50
"""Entries of a finder's tables that one unit of work fills."""


class Source(Protocol):
    """All columns of a program, explicit or not."""

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """Some columns of negative reduced cost, none only if there are none.

        And a number ≤ 0 below which the reduced costs of no draw add up.

        Raises TooMany without budget.
        """
        ...

    def guess(self, prices: Prices, known: Columns, taken: Flags, budget: Budget) -> Columns:
        """Some columns of negative reduced cost that are like known ones; without them there may be others.

        taken: who is in none of them.
        """
        ...

    def sample(self) -> Columns:
        """Some columns to begin with."""
        ...

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """All columns with reduced cost ≤ limit. Raises TooMany."""
        ...

    def tighten(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> tuple[Rows, Columns] | None:
        """Further rows that every draw keeps and these shares of the columns do not; None if none is known.

        With them the columns that have their coefficients. From now on the source knows them.
        """
        ...


class Shape(NamedTuple):
    """What pods there may be, and their coefficients in the further rows.

    nodes: what they are made of, n in all. pair: (n, n) cost of two in one pod, more than the cap for foes; scores: of
    which (highest − lowest)² counts, all 0 for none. sizes: size → coefficients. thirds: (n, n) in the last row, or
    None. bye_rows, bye_extra: who may sit out, and coefficients. groups: locks. cap: what costs more can be left out.
    grit: as of Rows. under: by how many people all pods together are smaller than wanted. most: size → pods of it, at
    most; byes: how many. seated: per row, how many of it have a chair, up to people of the same score; all, where that
    is not settled.
    """

    nodes: Nodes
    pair: Ints
    scores: Ints
    sizes: dict[int, Ints]
    thirds: Ints | None
    bye_rows: Ints
    bye_extra: Ints
    groups: Sequence[Sequence[int]]
    cap: int
    grit: int
    wanted: int
    under: int
    most: dict[int, int]
    byes: int
    seated: Ints


class Rules:
    """Pods by the rules of one draw, found when their prices are known."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.cap = shape, shape.cap // shape.grit
        self.widest, self.count = max(shape.sizes), len(shape.scores)
        self.reach = find_reach(shape.scores, shape.cap // sum(shape.most.values()))
        self.width, self.past = spread_widths(shape.scores, self.reach, shape.cap + 1)
        self.pair = np.where(shape.pair > shape.cap, self.cap + 1, shape.pair // shape.grit)
        self.pairs = np.zeros(0, dtype=np.int64), 0
        self.stretches = no_stretches()
        self.byes = self._list_byes()
        self.is_locked = np.zeros(self.count, dtype=np.bool_)
        self.is_locked[[one for group in shape.groups for one in group]] = True

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """The best of every size."""
        found, total = [self.byes], sum_least(np.minimum(self.reduce(self.byes, prices), 0), self.shape.byes)
        for size, most in self.shape.most.items():
            finders, offset = self.open(size, prices)
            budget.spend(len(finders) * size * self.count * (self.reach + 1) // TABLE_SPEED)
            least = []
            for finder in finders:
                each, pods = self.bound_each(finder, offset, budget)
                if pods is not None:
                    found.append(self.describe(pods.members[choose_spread(pods, KEPT, self.count)]))
                least.append(finder.cover(each, offset, self.shape.nodes))
            total += sum_least(np.minimum(np.concatenate(least), 0), most)
        columns = join(found)
        return columns.take(np.flatnonzero(self.reduce(columns, prices) < 0)), total

    def guess(self, prices: Prices, known: Columns, taken: Flags, budget: Budget) -> Columns:
        """Pods like the known ones whose reduced cost is least."""
        found = [known.take(np.zeros(0, dtype=np.int64))]
        if self.shape.nodes.chains:
            return found[0]
        sizes = (known.members >= 0).sum(axis=1)
        order = np.argsort(self.reduce(known, prices), kind="stable")
        for size in self.shape.sizes:
            pricing, offset = self.weigh(size, prices)
            members = known.members[order[sizes[order] == size], :size]
            found.append(self.describe(find_nearby(pricing, members, self.is_locked | taken, offset, budget)))
        return join(found)

    def reduce(self, columns: Columns, prices: Prices) -> Ints:
        """Their reduced costs."""
        return reduce_costs(columns, prices)

    def sample(self) -> Columns:
        """Pods of neighbours in the standings, by lot: prices begin with them."""
        rng, found = np.random.Generator(np.random.PCG64(1)), [self.byes]
        chained = {node: before for chain in self.shape.nodes.chains for before, node in pairwise(chain)}
        barred = {one for group in self.shape.groups for one in group}
        for size in self.shape.sizes:
            steps = rng.integers(1, STEP + 1, (SAMPLES * self.count, size - 1))
            members = np.repeat(np.arange(self.count), SAMPLES)[:, None] + np.cumsum(
                np.insert(steps, 0, 0, axis=1), axis=1
            )
            members = members[members[:, -1] < self.count]
            legal = ~np.isin(members, list(barred)).any(axis=1)
            for node, before in chained.items():
                legal &= ~(members == node).any(axis=1) | (members == before).any(axis=1)
            columns = self.describe(np.unique(members[legal], axis=0))
            found.append(columns.take(np.flatnonzero(columns.cost <= self.cap)))
        return join(found)

    def bound_each(self, finder: Finder | LockFinder, offset: int, budget: Budget) -> tuple[Ints, Pods | None]:
        """Per owner: none of his pods has less; and pods that have less than 0, if there may be any."""
        each = finder.least_reduced() - offset
        if each.min() >= 0:
            return each, None
        pods, limit = self._find_best(finder, int(each.min()), offset, budget)
        each = np.maximum(each, limit + 1)
        np.minimum.at(each, finder.owner(pods.members), pods.reduced - offset)
        return each, pods

    def _find_best(self, finder: Finder | LockFinder, lowest: int, offset: int, budget: Budget) -> tuple[Pods, int]:
        """Pods, and a limit up to which all are among them: enough, or all below 0.

        Where one step of the limit gives too many, a part of them, and the limit before it.
        """
        few, limits = lowest - 1, [-1, lowest // COARSER**2, lowest // COARSER]
        while True:
            limit = limits.pop()
            pods, is_all = finder.find_some(limit + offset, most=MOST, budget=budget.part(EFFORT))
            if not is_all and limit == -1 and not len(pods.reduced):
                pods, is_all = finder.find_some(limit + offset, most=MOST, budget=budget)
            if not is_all and not budget.left():
                raise TooMany
            if not is_all and len(pods.reduced):
                return pods, few
            if is_all and (len(pods.reduced) >= ENOUGH * self.count or limit == -1):
                return pods, limit
            few = limit if is_all else few
            if not len(pods.reduced):
                limits = [-1]

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """Pods of every size, and byes."""
        found = [self.byes.take(np.flatnonzero(self.reduce(self.byes, prices) <= limit))]
        for size in self.shape.sizes:
            finders, offset = self.open(size, prices)
            for finder in finders:
                found.append(self.describe(finder.find(limit + offset, most=most, budget=budget).members))
        return join(found)

    def describe(self, members: Ints) -> Columns:
        """members: (pods, size) nodes."""
        shape, size = self.shape, members.shape[1]
        rows = shape.nodes.row[members]
        cost = (shape.scores[members[:, 0]] - shape.scores[members[:, -1]]) ** 2
        cost = np.where(cost > shape.cap, self.cap + 1, cost // shape.grit)
        extra = np.repeat(shape.sizes[size][None, :], len(members), axis=0)
        for one in range(size):
            for other in range(one):
                cost += self.pair[members[:, one], members[:, other]]
                if shape.thirds is not None:
                    extra[:, -1] += shape.thirds[members[:, one], members[:, other]]
        return Columns(pad(rows, self.widest), cost, np.hstack([extra, self.stretches.describe(rows)]))

    def tighten(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> tuple[Rows, Columns] | None:
        """By stretches of the standings, where scores count."""
        shape = self.shape
        size = (columns.members >= 0).sum(axis=1)
        last = columns.members[np.arange(len(size)), size - 1]
        pods = columns.members[:, 0], last, size
        levels = shape.scores[shape.nodes.first()], shape.seated
        found = find_stretches(levels, pods, shares, wanted=shape.wanted, under=shape.under)
        if not len(found.most):
            return None
        self.stretches = self.stretches.join(found)
        self.byes = self._list_byes()
        return rows.join(found.most), columns.widen(found.describe_ends(*pods))

    def open(self, size: int, prices: Prices) -> tuple[list[Finder | LockFinder], int]:
        """Finders of this size; their reduced costs less the offset are those of the columns. Raises TooMany."""
        (pricing, offset), shape, fine = self.weigh(size, prices), self.shape, prices.fine
        if not shape.groups:
            return [Finder(pricing, size, (), shape.nodes.chains)], offset
        single = pricing.price.copy()
        single[self.is_locked] = -BARRED
        locks = LockFinder(
            pricing,
            size,
            shape.groups,
            shape.nodes.chains,
            lambda first, last: self.price_widths((shape.scores[first] - shape.scores[last]) ** 2, fine),
            lambda members: self.reduce(self.describe(members), prices) + offset,
        )
        return [Finder(pricing._replace(price=single), size, (), shape.nodes.chains), locks], offset

    def weigh(self, size: int, prices: Prices) -> tuple[Pricing, int]:
        """What pods of this size cost; their reduced costs less the offset are those of the columns."""
        pair, shape = self._weigh_pairs(prices.fine), self.shape
        count = len(shape.sizes[size])
        if shape.thirds is not None:
            pair = pair - np.maximum(int(prices.row[count - 1]) * shape.thirds, -BARRED)
        offset = int(shape.sizes[size] @ prices.row[:count])
        width, fine = self.width // shape.grit * prices.fine, prices.fine
        self.charge(width, prices, size)
        width[self.width > shape.cap] = BARRED
        past = np.where(self.past > shape.cap, NEVER, self.past // shape.grit * fine)
        return Pricing(pair, width, past, prices.person[shape.nodes.row]), offset

    def price_widths(self, width: Ints, fine: int) -> Ints:
        """What so much width costs in fractions; what costs more than the cap is left out."""
        return np.where(width > self.shape.cap, BARRED, np.minimum(width, self.shape.cap) // self.shape.grit * fine)

    def charge(self, width: Ints, prices: Prices, size: int) -> None:
        """What cuts add to pods of this size, from each first to each last: in place."""
        count = len(self.shape.sizes[size])
        self.stretches.charge(width, prices.row[count:], size, self.shape.nodes.row)

    def _weigh_pairs(self, fine: int) -> Ints:
        if self.pairs[1] != fine:
            self.pairs = np.where(self.pair > self.cap, BARRED, self.pair * fine), fine
        return self.pairs[0]

    def _list_byes(self) -> Columns:
        shape = self.shape
        rows = shape.bye_rows
        extra = np.hstack([shape.bye_extra, np.zeros((len(rows), len(self.stretches.most)), dtype=np.int64)])
        return Columns(pad(rows[:, None], self.widest), np.zeros_like(rows), extra)


def pad(members: Ints, width: int) -> Ints:
    """Members with −1 behind them up to the width."""
    padded = np.full((len(members), width), -1, dtype=np.int64)
    padded[:, : members.shape[1]] = members
    return padded


def join(parts: Sequence[Columns]) -> Columns:
    """All columns of all parts."""
    return Columns(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def sum_least(least: Ints, pods: int) -> int:
    """least: per person that of the pods of which he is the first. The sum over the pods of a draw is no smaller."""
    return sum(np.sort(least)[:pods].tolist())
