"""Where columns come from: the contract of a source, and the source that generates pods from the rules as needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.columns import BARRED, PodEnumerator, PodPricing, PricedPods, TooManyPods
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.heuristic_columns import choose_per_person, find_by_exchange
from tournaments.draw.program.interval_cuts import build_no_cuts, separate_intervals
from tournaments.draw.program.locked_columns import LockedPodEnumerator
from tournaments.draw.program.relaxation import Columns, Prices, Rows, reduce_costs
from tournaments.draw.program.span_tables import NEVER, find_reach, tabulate_widths

ENOUGH_PER_PERSON: Final = 2
"""One round of pricing is content with so many columns a person, for each pod size. More make the program larger, fewer
take more rounds.
"""
KEPT_PER_PERSON: Final = 16
"""Columns that one round of pricing adds for each person, at most: those of the least reduced cost."""
SAMPLES_PER_PERSON: Final = 12
"""Random columns that the program starts with, for each person and pod size. They save the first rounds of pricing."""
LIMIT_FACTOR: Final = 64
"""Pricing raises its limit on reduced costs by this factor towards 0, from the least one."""
LIMIT_WORK: Final = 800_000
"""Units of work for one such limit; then what was found must do."""
MAX_SAMPLE_STEP: Final = 3
"""In the initial columns, each member is at most so many places behind the one before."""
MAX_PRICED_PODS: Final = 20_000
"""Pods that one round of pricing lists, at most."""
TABLE_ENTRIES_PER_UNIT: Final = 50
"""Entries of an enumerator's tables that one unit of work fills (measured)."""


class ColumnSource(Protocol):
    """All columns of a program, listed or generated."""

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """Some columns of negative reduced cost, none only if there are none; and a number ≤ 0 that is a lower bound
        for the sum of the reduced costs of any draw.

        Raises TooManyPods if the budget is spent.
        """
        ...

    def price_heuristically(self, prices: Prices, columns: Columns, taken: Flags, budget: Budget) -> Columns:
        """Columns of negative reduced cost that resemble known ones; an empty answer proves nothing.

        taken: people that must be in none of them.
        """
        ...

    def sample(self) -> Columns:
        """Some columns to begin with."""
        ...

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """All columns of reduced cost ≤ limit. Raises TooManyPods."""
        ...

    def separate_cuts(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> tuple[Rows, Columns] | None:
        """Further rows that every draw satisfies and these shares of the columns violate; None if none is found.

        Also returns the columns with their coefficients in them. From now on the source includes them.
        """
        ...


class PodModel(NamedTuple):
    """Which pods there are, and their coefficients in the further rows.

    nodes: what pods are made of, n in all. pair: (n, n) cost of two in one pod, above max_cost for forbidden pairs.
    scores: (n,), of which (highest − lowest)² counts; all 0 if they do not count. sizes: size → coefficients. thirds:
    (n, n) coefficients in the last row, or None. bye_rows, bye_extra: who may have a bye, and its coefficients.
    max_cost: pods above this cost are left out. cost_unit: as in Rows. under: by how many people all pods together are
    smaller than wanted. most: size → pods of it, at most. byes: how many. seated: per row how many of its people have a
    seat (up to exchanging equal scores); all if that is not settled.
    """

    nodes: Nodes
    pair: Ints
    scores: Ints
    sizes: dict[int, Ints]
    thirds: Ints | None
    bye_rows: Ints
    bye_extra: Ints
    locks: Sequence[Sequence[int]]
    max_cost: int
    cost_unit: int
    wanted: int
    under: int
    most: dict[int, int]
    byes: int
    seated: Ints


class GeneratedColumns:
    """Pods of one draw, generated from its rules when their prices are known."""

    def __init__(self, model: PodModel) -> None:
        self.model, self.max_cost = model, model.max_cost // model.cost_unit
        self.largest_size, self.count = max(model.sizes), len(model.scores)
        self.reach = find_reach(model.scores, model.max_cost // sum(model.most.values()))
        self.width, self.beyond_width = tabulate_widths(model.scores, self.reach, model.max_cost + 1)
        self.pair = np.where(model.pair > model.max_cost, self.max_cost + 1, model.pair // model.cost_unit)
        self.pair_prices = np.zeros(0, dtype=np.int64), 0
        self.interval_cuts = build_no_cuts()
        self.byes = self._list_byes()
        self.is_locked = np.zeros(self.count, dtype=np.bool_)
        self.is_locked[[member for lock in model.locks for member in lock]] = True

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """The best columns of every size."""
        found, total = [self.byes], sum_least(np.minimum(self.reduce(self.byes, prices), 0), self.model.byes)
        for size, most in self.model.most.items():
            enumerators, offset = self.open_enumerators(size, prices)
            budget.spend(len(enumerators) * size * self.count * (self.reach + 1) // TABLE_ENTRIES_PER_UNIT)
            least = []
            for enumerator in enumerators:
                each, pods = self.bound_each(enumerator, offset, budget)
                if pods is not None:
                    found.append(self.describe(pods.members[choose_per_person(pods, KEPT_PER_PERSON, self.count)]))
                least.append(enumerator.expand_bounds(each, offset, self.model.nodes))
            total += sum_least(np.minimum(np.concatenate(least), 0), most)
        columns = join(found)
        return columns.take(np.flatnonzero(self.reduce(columns, prices) < 0)), total

    def price_heuristically(self, prices: Prices, columns: Columns, taken: Flags, budget: Budget) -> Columns:
        """Pods like the known ones, of the least reduced cost."""
        found = [columns.take(np.zeros(0, dtype=np.int64))]
        if self.model.nodes.chains:
            return found[0]
        sizes = (columns.members >= 0).sum(axis=1)
        order = np.argsort(self.reduce(columns, prices), kind="stable")
        for size in self.model.sizes:
            pricing, offset = self.build_pricing(size, prices)
            members = columns.members[order[sizes[order] == size], :size]
            found.append(self.describe(find_by_exchange(pricing, members, self.is_locked | taken, offset, budget)))
        return join(found)

    def reduce(self, columns: Columns, prices: Prices) -> Ints:
        """Their reduced costs, cuts included."""
        return reduce_costs(columns, prices)

    def sample(self) -> Columns:
        """Random pods of neighbours in the standings."""
        rng, found = np.random.Generator(np.random.PCG64(1)), [self.byes]
        predecessor_of = {node: before for chain in self.model.nodes.chains for before, node in pairwise(chain)}
        locked_nodes = {member for lock in self.model.locks for member in lock}
        for size in self.model.sizes:
            steps = rng.integers(1, MAX_SAMPLE_STEP + 1, (SAMPLES_PER_PERSON * self.count, size - 1))
            members = np.repeat(np.arange(self.count), SAMPLES_PER_PERSON)[:, None] + np.cumsum(
                np.insert(steps, 0, 0, axis=1), axis=1
            )
            members = members[members[:, -1] < self.count]
            legal = ~np.isin(members, list(locked_nodes)).any(axis=1)
            for node, before in predecessor_of.items():
                legal &= ~(members == node).any(axis=1) | (members == before).any(axis=1)
            columns = self.describe(np.unique(members[legal], axis=0))
            found.append(columns.take(np.flatnonzero(columns.cost <= self.max_cost)))
        return join(found)

    def bound_each(
        self, enumerator: PodEnumerator | LockedPodEnumerator, offset: int, budget: Budget
    ) -> tuple[Ints, PricedPods | None]:
        """Per owner a lower bound for the reduced costs of their pods; and pods below 0, if there may be any."""
        each = enumerator.bound_reduced_costs() - offset
        if each.min() >= 0:
            return each, None
        pods, limit = self._find_best(enumerator, int(each.min()), offset, budget)
        each = np.maximum(each, limit + 1)
        np.minimum.at(each, enumerator.find_owners(pods.members), pods.reduced - offset)
        return each, pods

    def _find_best(
        self, enumerator: PodEnumerator | LockedPodEnumerator, lowest: int, offset: int, budget: Budget
    ) -> tuple[PricedPods, int]:
        """Pods, and a limit up to which all are among them: enough of them, or all below 0.

        If one limit gives too many, some of them, and the limit before it.
        """
        previous_limit, limits = lowest - 1, [-1, lowest // LIMIT_FACTOR**2, lowest // LIMIT_FACTOR]
        while True:
            limit = limits.pop()
            pods, is_all = enumerator.find_some(
                limit + offset, most=MAX_PRICED_PODS, budget=budget.split_off(LIMIT_WORK)
            )
            if not is_all and limit == -1 and not len(pods.reduced):
                pods, is_all = enumerator.find_some(limit + offset, most=MAX_PRICED_PODS, budget=budget)
            if not is_all and not budget.remaining():
                raise TooManyPods
            if not is_all and len(pods.reduced):
                return pods, previous_limit
            if is_all and (len(pods.reduced) >= ENOUGH_PER_PERSON * self.count or limit == -1):
                return pods, limit
            previous_limit = limit if is_all else previous_limit
            if not len(pods.reduced):
                limits = [-1]

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """Pods of every size, and byes."""
        found = [self.byes.take(np.flatnonzero(self.reduce(self.byes, prices) <= limit))]
        for size in self.model.sizes:
            enumerators, offset = self.open_enumerators(size, prices)
            for enumerator in enumerators:
                found.append(self.describe(enumerator.find(limit + offset, most=most, budget=budget).members))
        return join(found)

    def describe(self, members: Ints) -> Columns:
        """members: (pods, size) nodes."""
        model, size = self.model, members.shape[1]
        rows = model.nodes.row[members]
        cost = (model.scores[members[:, 0]] - model.scores[members[:, -1]]) ** 2
        cost = np.where(cost > model.max_cost, self.max_cost + 1, cost // model.cost_unit)
        extra = np.repeat(model.sizes[size][None, :], len(members), axis=0)
        for one in range(size):
            for other in range(one):
                cost += self.pair[members[:, one], members[:, other]]
                if model.thirds is not None:
                    extra[:, -1] += model.thirds[members[:, one], members[:, other]]
        return Columns(pad(rows, self.largest_size), cost, np.hstack([extra, self.interval_cuts.describe(rows)]))

    def separate_cuts(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> tuple[Rows, Columns] | None:
        """Interval cuts, where scores count."""
        model = self.model
        size = (columns.members >= 0).sum(axis=1)
        last = columns.members[np.arange(len(size)), size - 1]
        pods = columns.members[:, 0], last, size
        levels = model.scores[model.nodes.find_first()], model.seated
        found = separate_intervals(levels, pods, shares, wanted=model.wanted, under=model.under)
        if not len(found.most):
            return None
        self.interval_cuts = self.interval_cuts.join(found)
        self.byes = self._list_byes()
        return rows.join(found.most), columns.widen(found.describe_ends(*pods))

    def open_enumerators(self, size: int, prices: Prices) -> tuple[list[PodEnumerator | LockedPodEnumerator], int]:
        """Enumerators of this size; their reduced costs less the offset are the columns'. Raises TooManyPods."""
        (pricing, offset), model, fractions = self.build_pricing(size, prices), self.model, prices.fractions
        if not model.locks:
            return [PodEnumerator(pricing, size, (), model.nodes.chains)], offset
        single = pricing.price.copy()
        single[self.is_locked] = -BARRED
        locks = LockedPodEnumerator(
            pricing,
            size,
            model.locks,
            model.nodes.chains,
            lambda first, last: self.price_widths((model.scores[first] - model.scores[last]) ** 2, fractions),
            lambda members: self.reduce(self.describe(members), prices) + offset,
        )
        return [PodEnumerator(pricing._replace(price=single), size, (), model.nodes.chains), locks], offset

    def build_pricing(self, size: int, prices: Prices) -> tuple[PodPricing, int]:
        """The prices of pods of this size; their reduced costs less the offset are those of the columns."""
        pair, model = self._scale_pairs(prices.fractions), self.model
        count = len(model.sizes[size])
        if model.thirds is not None:
            pair = pair - np.maximum(int(prices.row[count - 1]) * model.thirds, -BARRED)
        offset = int(model.sizes[size] @ prices.row[:count])
        width, fractions = self.width // model.cost_unit * prices.fractions, prices.fractions
        self.add_cut_charges(width, prices, size)
        width[self.width > model.max_cost] = BARRED
        beyond_width = np.where(
            self.beyond_width > model.max_cost, NEVER, self.beyond_width // model.cost_unit * fractions
        )
        return PodPricing(pair, width, beyond_width, prices.person[model.nodes.row]), offset

    def price_widths(self, width: Ints, fractions: int) -> Ints:
        """The cost of squared widths in price fractions; above max_cost they are barred."""
        return np.where(
            width > self.model.max_cost,
            BARRED,
            np.minimum(width, self.model.max_cost) // self.model.cost_unit * fractions,
        )

    def add_cut_charges(self, width: Ints, prices: Prices, size: int) -> None:
        """Add what cuts charge pods of this size, from each first to each last member: in place."""
        count = len(self.model.sizes[size])
        self.interval_cuts.add_charges(width, prices.row[count:], size, self.model.nodes.row)

    def _scale_pairs(self, fractions: int) -> Ints:
        if self.pair_prices[1] != fractions:
            self.pair_prices = np.where(self.pair > self.max_cost, BARRED, self.pair * fractions), fractions
        return self.pair_prices[0]

    def _list_byes(self) -> Columns:
        model = self.model
        rows = model.bye_rows
        extra = np.hstack([model.bye_extra, np.zeros((len(rows), len(self.interval_cuts.most)), dtype=np.int64)])
        return Columns(pad(rows[:, None], self.largest_size), np.zeros_like(rows), extra)


def pad(members: Ints, width: int) -> Ints:
    """members, filled up with −1 to this width."""
    padded = np.full((len(members), width), -1, dtype=np.int64)
    padded[:, : members.shape[1]] = members
    return padded


def join(parts: Sequence[Columns]) -> Columns:
    """All columns of all parts."""
    return Columns(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def sum_least(least: Ints, pods: int) -> int:
    """least: per person a lower bound for the pods of which they are first. The sum over the pods of a draw is no
    smaller.
    """
    return sum(np.sort(least)[:pods].tolist())
