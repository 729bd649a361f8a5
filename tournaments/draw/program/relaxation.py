"""The linear program over pods: everybody in one pod, at least cost; its prices become integer bounds.

HiGHS solves it in floating point. Nothing it says is relied on: prices are rounded to integers, and weak duality makes
a bound of any prices (`bound_draw_cost`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.attainable_costs import ANY_COST, AttainableCosts
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints

VALUE_FRACTIONS: Final = 1 << 43
"""Price fractions: a unit of cost has so many that the value of the draw is about 2⁴³ of them. More are more exact, but
64 bits must hold sums of products.
"""
MAX_PRICE: Final = 2.0**52
"""Largest price in price fractions: floating point represents integers exactly up to 2⁵³."""
MAX_COEFFICIENT: Final = 2.0**30
"""Largest coefficient that HiGHS is given; larger rows are scaled down."""
TOLERANCE: Final = 1e-9
"""HiGHS's dual feasibility tolerance, in units of a typical column cost."""
RUN_COST: Final = 600
"""Units of work to solve a program, whatever its size (measured)."""
ITERATION_COST: Final = 30
"""Units of work for one simplex iteration, plus 3/5 for every row and 1/40 for every column (measured)."""
MANY_COLUMNS: Final = 5_000
"""Columns beyond which an iteration takes about twice as long for each further column (measured)."""
FEW_PODS: Final = 13
"""Pods of a draw up to which diving and enumerating all draws are tried first; with more, branching closes the gap
sooner (measured with `benchmarks.draw --wide`).
"""


class Columns(NamedTuple):
    """Pods and byes as columns of the program.

    members: (columns, widest) rows, padded with −1. cost: (columns,) on the line at hand. extra: (columns, further
    rows).
    """

    members: Ints
    cost: Ints
    extra: Ints

    def take(self, chosen: Ints) -> Columns:
        """Some of them."""
        return Columns(self.members[chosen], self.cost[chosen], self.extra[chosen])

    def widen(self, extra: Ints) -> Columns:
        """With coefficients in more rows, (columns, rows)."""
        return self._replace(extra=np.hstack([self.extra, extra]))


class Rows(NamedTuple):
    """The rows of a program. people: rows that must be covered; pods: columns in a draw, at most.

    low, high: limits of the further rows; max_coefficient: their largest coefficients. multiplicity: how many people
    share a row, None for one each. attainable: which costs a draw can have. cost_unit: columns are costed in multiples
    of this, each rounded down; true_cost: members → the exact cost of a draw, where the unit is above 1.
    """

    people: int
    low: Ints
    high: Ints
    max_coefficient: Ints
    pods: int
    multiplicity: Ints | None = None
    attainable: AttainableCosts = ANY_COST
    cost_unit: int = 1
    true_cost: Callable[[Ints], int] | None = None

    @property
    def has_few_pods(self) -> bool:
        """Whether a draw has so few pods that diving and enumerating all draws are worth it."""
        return self.pods <= FEW_PODS

    def count_people_by_row(self) -> Ints:
        """How often each row of people must be covered."""
        return np.ones(self.people, dtype=np.int64) if self.multiplicity is None else self.multiplicity

    def sum_true_costs(self, chosen: Columns) -> int:
        """The true cost of these columns together."""
        return int(chosen.cost.sum()) if self.true_cost is None else self.true_cost(chosen.members)

    def bound_true_cost(self, floor: int, fractions: int) -> int:
        """A lower bound for the true cost of a draw that costs at least so many price fractions."""
        return self.attainable.round_up(-(-floor // fractions) * self.cost_unit)

    def find_cost_limit(self, below: int, fractions: int) -> int:
        """How many price fractions a draw can have, at most, whose true cost is below this."""
        return self.attainable.find_next_lower(below) // self.cost_unit * fractions

    def round_up_units(self, value: int) -> int:
        """A true cost in units of columns, rounded up."""
        return -(-value // self.cost_unit)

    def estimate_column_cost(self, value: int) -> float:
        """About what a column costs, in units of columns, where a draw costs so much."""
        return max(1.0, self.round_up_units(value) / max(1, self.pods))

    def is_feasible(self, chosen: Columns) -> bool:
        """Whether these columns form a draw."""
        people = chosen.members[chosen.members >= 0]
        total = chosen.extra.sum(axis=0)
        return bool(
            (np.bincount(people, minlength=self.people) == self.count_people_by_row()).all()
            and (total >= self.low).all()
            and (total <= self.high).all()
        )

    def find_row_scales(self) -> NDArray[np.float64]:
        """The divisor of each further row for HiGHS, which rejects coefficients of a quadrillion."""
        return np.maximum(1.0, self.max_coefficient / MAX_COEFFICIENT)

    def take(self, kept: Flags) -> Rows:
        """Only some of the further rows."""
        return self._replace(low=self.low[kept], high=self.high[kept], max_coefficient=self.max_coefficient[kept])

    def join(self, most: Ints, coefficients: Ints | None = None) -> Rows:
        """With more rows, ≤ `most`. coefficients: (columns, rows), None if they are 0 and 1."""
        max_coefficient = np.ones_like(most) if coefficients is None else coefficients.max(axis=0, initial=1)
        return self._replace(
            low=np.concatenate([self.low, np.zeros_like(most)]),
            high=np.concatenate([self.high, most]),
            max_coefficient=np.concatenate([self.max_coefficient, max_coefficient]),
        )


class Prices(NamedTuple):
    """Integer prices per person and per further row; fractions: how many of them make a unit of cost."""

    person: Ints
    row: Ints
    fractions: int

    def lengthen(self, count: int) -> Prices:
        """For so many further rows; the new ones have price 0."""
        return self._replace(row=np.append(self.row, np.zeros(count - len(self.row), dtype=np.int64)))


class LinearSolution(NamedTuple):
    """The program's answer: prices in floating point, the share of each column, the value, simplex iterations."""

    prices: NDArray[np.float64]
    shares: NDArray[np.float64]
    value: float
    steps: int


def create_solver() -> highspy.Highs:
    """HiGHS with one thread, a fixed seed and no output."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("presolve", "off"),
        ("random_seed", 1),
        ("dual_feasibility_tolerance", TOLERANCE),
    ):
        highs.setOptionValue(option, value)
    return highs


class RestrictedMaster:
    """The restricted master program, which keeps its basis while columns come and go. unit: a typical column cost, for
    scaling.
    """

    def __init__(self, rows: Rows, unit: float, budget: Budget) -> None:
        self.rows, self.unit, self.budget, self.count = rows, unit, budget, 0
        self.highs = create_solver()
        self.row_scale = rows.find_row_scales()
        low = np.concatenate([rows.count_people_by_row(), rows.low / self.row_scale])
        high = np.concatenate([rows.count_people_by_row(), rows.high / self.row_scale])
        self.length = len(low)
        empty = np.zeros(0, dtype=np.int32)
        self.highs.addRows(self.length, low, high, 0, np.zeros(self.length, dtype=np.int32), empty, np.zeros(0))
        self.first_column = 2 * self.length
        add_artificials(self.highs, self.length, float(4 * max(1, rows.pods)))

    def add(self, columns: Columns) -> None:
        """Append columns, in their order."""
        count = len(columns.cost)
        used, counts = _count_rows(columns.members)
        extra = columns.extra != 0
        taken = np.concatenate([used, extra], axis=1)
        named = np.broadcast_to(np.arange(self.rows.people, self.length), extra.shape)
        indices = np.concatenate([columns.members, named], axis=1)[taken].astype(np.int32)
        values = np.concatenate([counts, columns.extra / self.row_scale], axis=1)[taken]
        starts = np.concatenate([[0], np.cumsum(taken.sum(axis=1))[:-1]]).astype(np.int32)
        cost = columns.cost.astype(float) / self.unit
        zeros, ends = np.zeros(count), np.full(count, highspy.kHighsInf)
        self.highs.addCols(count, cost, zeros, ends, len(indices), starts, indices, values)
        self.count += count

    def cut(self, rows: Rows, columns: Columns) -> None:
        """Add further rows. columns: all that were added, with their coefficients there."""
        before = len(self.rows.low)
        self.row_scale = rows.find_row_scales()
        row_scale = self.row_scale[before:]
        extra = (columns.extra[:, before:] / row_scale).T
        starts = np.concatenate([[0], np.cumsum((extra != 0).sum(axis=1))[:-1]]).astype(np.int32)
        row, column = np.nonzero(extra)
        low, high = rows.low[before:] / row_scale, rows.high[before:] / row_scale
        indices, values = (column + self.first_column).astype(np.int32), extra[row, column]
        self.highs.addRows(len(low), low, high, len(values), starts, indices, values)
        self.rows, self.length = rows, self.length + len(low)

    def drop(self, rows: Rows, kept: Flags) -> None:
        """Remove some of the further rows."""
        gone = (np.flatnonzero(~kept) + rows.people).astype(np.int32)
        self.highs.deleteRows(len(gone), gone)
        self.rows, self.length, self.row_scale = rows, self.length - len(gone), rows.find_row_scales()

    def enable(self, which: NDArray[np.bool_]) -> None:
        """Restrict the program to these columns."""
        indices = np.arange(self.first_column, self.first_column + self.count, dtype=np.int32)
        ends = np.where(which, highspy.kHighsInf, 0.0)
        self.highs.changeColsBounds(self.count, indices, np.zeros(self.count), ends)

    def solve(self) -> LinearSolution:
        """Solve it. Charged afterwards: the number of iterations is the same on every machine."""
        self.highs.run()
        steps = max(0, int(self.highs.getInfo().simplex_iteration_count))
        each = ITERATION_COST + 3 * self.length // 5 + self.count // 40 + max(0, self.count - MANY_COLUMNS) // 30
        self.budget.spend(RUN_COST + steps * each + self.count // 20)
        found = self.highs.getSolution()
        shares = np.array(found.col_value[self.first_column :])
        dual = np.array(found.row_dual) * self.unit
        dual[self.rows.people :] /= self.row_scale
        return LinearSolution(dual, shares, self.highs.getInfo().objective_function_value, steps)


def add_artificials(highs: highspy.Highs, count: int, cost: float) -> None:
    """Artificial columns that fill gaps in the first so many rows at a high cost, so that a solution always exists."""
    indices = np.tile(np.arange(count), 2).astype(np.int32)
    values = np.repeat([1.0, -1.0], count)
    zeros, ends = np.zeros(2 * count), np.full(2 * count, highspy.kHighsInf)
    starts = np.arange(2 * count, dtype=np.int32)
    highs.addCols(2 * count, np.full(2 * count, cost), zeros, ends, 2 * count, starts, indices, values)


def _count_rows(members: Ints) -> tuple[Flags, Ints]:
    """Where each row occurs first in a column (equal ones are adjacent), and how often it occurs."""
    used, counts = members >= 0, np.ones_like(members)
    for place in range(members.shape[1] - 2, -1, -1):
        same = used[:, place] & (members[:, place] == members[:, place + 1])
        counts[same, place] += counts[same, place + 1]
        used[same, place + 1] = False
    return used, counts


def round_prices(prices: NDArray[np.float64], rows: Rows, value: int) -> Prices:
    """Integers near the program's prices, small enough for 64 bits to hold their products.

    A row from 0 up to something is an upper limit, whose price is never above 0.
    """
    fractions = max(1, VALUE_FRACTIONS // max(1, rows.round_up_units(value)))
    scaled = np.nan_to_num(prices) * fractions
    is_limit = np.append(np.zeros(rows.people, dtype=np.bool_), (rows.low == 0) & (rows.high > 0))
    scaled = np.where(is_limit, np.minimum(scaled, 0), scaled)
    person = np.rint(np.clip(scaled[: rows.people], -MAX_PRICE, MAX_PRICE)).astype(np.int64)
    most = MAX_PRICE / np.maximum(1, rows.max_coefficient)
    return Prices(person, np.rint(np.clip(scaled[rows.people :], -most, most)).astype(np.int64), fractions)


def lower_prices(prices: Prices, unit: float) -> Prices:
    """Prices lowered by HiGHS's tolerance: otherwise thousands of fairly priced columns would look too cheap."""
    return prices._replace(person=prices.person - 1 - int(TOLERANCE * unit * prices.fractions))


def reduce_costs(columns: Columns, prices: Prices) -> Ints:
    """Per column: its cost less the prices of its people and of its further rows, in price fractions."""
    person = np.append(prices.person, 0)  # −1 pads
    return np.asarray(
        columns.cost * prices.fractions - person[columns.members].sum(axis=1) - columns.extra @ prices.row
    )


def bound_draw_cost(rows: Rows, prices: Prices, least: int) -> int:
    """A lower bound for every draw in price fractions, if the reduced costs of each add up to `least` or more (weak
    duality).
    """
    total = sum(
        price * counts
        for price, counts in zip(prices.person.tolist(), rows.count_people_by_row().tolist(), strict=True)
    )
    for price, low, high in zip(prices.row.tolist(), rows.low.tolist(), rows.high.tolist(), strict=True):
        total += price * (low if price > 0 else high)
    return int(total + min(0, least))


def mix_prices(one: Prices, other: Prices) -> Prices:
    """The mean of both: what lies between good prices is often better, and always valid."""
    return Prices((one.person + other.person) // 2, (one.row + other.row) // 2, one.fractions)
