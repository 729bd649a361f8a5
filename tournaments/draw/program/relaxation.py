"""The linear program over pods: everybody in one pod, at least cost; its prices become bounds in integers.

HiGHS solves it in floating point. Nothing it says is believed: prices are rounded to integers, and a bound follows
from those by weak duality, whatever they are (`bound_pods`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.attainable_costs import PLAIN, Grain
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints

FINE: Final = 1 << 43
"""Prices are counted in fractions of a unit of cost, so many that the value of the draw is about this."""
LARGEST: Final = 2.0**52
WIDE: Final = 2.0**30
TOLERANCE: Final = 1e-9
RUN_COST: Final = 600
ITERATION_COST: Final = 30
"""And three fifths of a unit for every row, and a fortieth for every column; beyond so many about twice that."""
MANY: Final = 5_000
FEW_PODS: Final = 13
"""With more of them in a draw, branching closes the gap sooner than dives and going through all draws do."""


class Columns(NamedTuple):
    """Pods and byes as columns of the program.

    members: (columns, widest), padded with −1. cost: of the line at hand. extra: (columns, further rows).
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
    """people: how many must be covered; pods: columns in a draw, at most.

    low, high: what the further rows must come to; widest: their largest coefficients. cover: how many people share a
    row, None for one each. grain: what the columns of a draw can cost together. grit: what they cost is counted in so
    much, rounded down in each; rate: what a draw of such columns costs in truth, where that is more than one.
    """

    people: int
    low: Ints
    high: Ints
    widest: Ints
    pods: int
    cover: Ints | None = None
    grain: Grain = PLAIN
    grit: int = 1
    rate: Callable[[Ints], int] | None = None

    @property
    def is_short(self) -> bool:
        """Whether a draw has so few pods that diving and going through all draws are worth it."""
        return self.pods <= FEW_PODS

    def people_a_row(self) -> Ints:
        """How often each row of people must be covered."""
        return np.ones(self.people, dtype=np.int64) if self.cover is None else self.cover

    def pay(self, chosen: Columns) -> int:
        """What these columns cost together, in truth."""
        return int(chosen.cost.sum()) if self.rate is None else self.rate(chosen.members)

    def prove(self, floor: int, fine: int) -> int:
        """What a draw costs at least, in truth, if it costs no less than so many fractions."""
        return self.grain.raise_up(-(-floor // fine) * self.grit)

    def allow(self, below: int, fine: int) -> int:
        """So many fractions a draw has at most that costs less than this, in truth."""
        return self.grain.lower(below) // self.grit * fine

    def count(self, value: int) -> int:
        """A true cost as columns count it, rounded up."""
        return -(-value // self.grit)

    def scale(self, value: int) -> float:
        """What a column costs, as columns count it, where a draw costs so much: about."""
        return max(1.0, self.count(value) / max(1, self.pods))

    def is_met(self, chosen: Columns) -> bool:
        """Whether these columns are a draw."""
        people = chosen.members[chosen.members >= 0]
        total = chosen.extra.sum(axis=0)
        return bool(
            (np.bincount(people, minlength=self.people) == self.people_a_row()).all()
            and (total >= self.low).all()
            and (total <= self.high).all()
        )

    def find_shrink(self) -> NDArray[np.float64]:
        """By how much to divide each further row for HiGHS, which takes no coefficient of a quadrillion."""
        return np.maximum(1.0, self.widest / WIDE)

    def take(self, kept: Flags) -> Rows:
        """Only some of the further rows."""
        return self._replace(low=self.low[kept], high=self.high[kept], widest=self.widest[kept])

    def join(self, most: Ints, coefficients: Ints | None = None) -> Rows:
        """And more of them, at most so much; coefficients: (columns, rows), none for 0 and 1."""
        widest = np.ones_like(most) if coefficients is None else coefficients.max(axis=0, initial=1)
        return self._replace(
            low=np.concatenate([self.low, np.zeros_like(most)]),
            high=np.concatenate([self.high, most]),
            widest=np.concatenate([self.widest, widest]),
        )


class Prices(NamedTuple):
    """In integers: per person, per further row, and how many of them make a unit of cost."""

    person: Ints
    row: Ints
    fine: int

    def lengthen(self, count: int) -> Prices:
        """For so many further rows, the new ones free."""
        return self._replace(row=np.append(self.row, np.zeros(count - len(self.row), dtype=np.int64)))


class Relaxed(NamedTuple):
    """The program's answer: prices in floating point, and the share of each column."""

    prices: NDArray[np.float64]
    shares: NDArray[np.float64]
    value: float
    steps: int


def open_solver() -> highspy.Highs:
    """HiGHS, as it is wanted here: one thread, nothing left to chance, nothing said."""
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


class Program:
    """A linear program that keeps its basis while columns come and go. unit: a typical cost, for scaling."""

    def __init__(self, rows: Rows, unit: float, budget: Budget) -> None:
        self.rows, self.unit, self.budget, self.count = rows, unit, budget, 0
        self.highs = open_solver()
        self.shrink = rows.find_shrink()
        low = np.concatenate([rows.people_a_row(), rows.low / self.shrink])
        high = np.concatenate([rows.people_a_row(), rows.high / self.shrink])
        self.length = len(low)
        empty = np.zeros(0, dtype=np.int32)
        self.highs.addRows(self.length, low, high, 0, np.zeros(self.length, dtype=np.int32), empty, np.zeros(0))
        self.spares = 2 * self.length
        add_spares(self.highs, self.length, float(4 * max(1, rows.pods)))

    def add(self, columns: Columns) -> None:
        """Append columns, in their order."""
        count = len(columns.cost)
        used, times = _count_times(columns.members)
        extra = columns.extra != 0
        taken = np.concatenate([used, extra], axis=1)
        named = np.broadcast_to(np.arange(self.rows.people, self.length), extra.shape)
        indices = np.concatenate([columns.members, named], axis=1)[taken].astype(np.int32)
        values = np.concatenate([times, columns.extra / self.shrink], axis=1)[taken]
        starts = np.concatenate([[0], np.cumsum(taken.sum(axis=1))[:-1]]).astype(np.int32)
        cost = columns.cost.astype(float) / self.unit
        zeros, ends = np.zeros(count), np.full(count, highspy.kHighsInf)
        self.highs.addCols(count, cost, zeros, ends, len(indices), starts, indices, values)
        self.count += count

    def cut(self, rows: Rows, columns: Columns) -> None:
        """The same program with further rows; columns: all that were added, with their coefficients there."""
        before = len(self.rows.low)
        self.shrink = rows.find_shrink()
        shrink = self.shrink[before:]
        extra = (columns.extra[:, before:] / shrink).T
        starts = np.concatenate([[0], np.cumsum((extra != 0).sum(axis=1))[:-1]]).astype(np.int32)
        row, column = np.nonzero(extra)
        low, high = rows.low[before:] / shrink, rows.high[before:] / shrink
        indices, values = (column + self.spares).astype(np.int32), extra[row, column]
        self.highs.addRows(len(low), low, high, len(values), starts, indices, values)
        self.rows, self.length = rows, self.length + len(low)

    def drop(self, rows: Rows, kept: Flags) -> None:
        """The same program without some of the further rows."""
        gone = (np.flatnonzero(~kept) + rows.people).astype(np.int32)
        self.highs.deleteRows(len(gone), gone)
        self.rows, self.length, self.shrink = rows, self.length - len(gone), rows.find_shrink()

    def allow(self, which: NDArray[np.bool_]) -> None:
        """Only these columns may be used from now on."""
        indices = np.arange(self.spares, self.spares + self.count, dtype=np.int32)
        ends = np.where(which, highspy.kHighsInf, 0.0)
        self.highs.changeColsBounds(self.count, indices, np.zeros(self.count), ends)

    def solve(self) -> Relaxed:
        """Costs what it takes, charged afterwards; the number of iterations is the same on every machine."""
        self.highs.run()
        steps = max(0, int(self.highs.getInfo().simplex_iteration_count))
        each = ITERATION_COST + 3 * self.length // 5 + self.count // 40 + max(0, self.count - MANY) // 30
        self.budget.spend(RUN_COST + steps * each + self.count // 20)
        found = self.highs.getSolution()
        shares = np.array(found.col_value[self.spares :])
        dual = np.array(found.row_dual) * self.unit
        dual[self.rows.people :] /= self.shrink
        return Relaxed(dual, shares, self.highs.getInfo().objective_function_value, steps)


def add_spares(highs: highspy.Highs, count: int, worth: float) -> None:
    """Columns that fill any gap in the first so many rows at a price, so that there always is an answer."""
    indices = np.tile(np.arange(count), 2).astype(np.int32)
    values = np.repeat([1.0, -1.0], count)
    zeros, ends = np.zeros(2 * count), np.full(2 * count, highspy.kHighsInf)
    starts = np.arange(2 * count, dtype=np.int32)
    highs.addCols(2 * count, np.full(2 * count, worth), zeros, ends, 2 * count, starts, indices, values)


def _count_times(members: Ints) -> tuple[Flags, Ints]:
    """Where each row stands first in a column (equal ones stand together), and how often it stands there."""
    used, times = members >= 0, np.ones_like(members)
    for place in range(members.shape[1] - 2, -1, -1):
        same = used[:, place] & (members[:, place] == members[:, place + 1])
        times[same, place] += times[same, place + 1]
        used[same, place + 1] = False
    return used, times


def round_prices(prices: NDArray[np.float64], rows: Rows, value: int) -> Prices:
    """Integers near the program's prices, small enough for 64 bits to hold whatever they are multiplied with.

    A row from 0 up to something is an upper limit, whose price is never above 0.
    """
    fine = max(1, FINE // max(1, rows.count(value)))
    scaled = np.nan_to_num(prices) * fine
    is_limit = np.append(np.zeros(rows.people, dtype=np.bool_), (rows.low == 0) & (rows.high > 0))
    scaled = np.where(is_limit, np.minimum(scaled, 0), scaled)
    person = np.rint(np.clip(scaled[: rows.people], -LARGEST, LARGEST)).astype(np.int64)
    most = LARGEST / np.maximum(1, rows.widest)
    return Prices(person, np.rint(np.clip(scaled[rows.people :], -most, most)).astype(np.int64), fine)


def lower_prices(prices: Prices, unit: float) -> Prices:
    """By as much as HiGHS does not see: what it holds for fairly priced must not look too cheap by thousands."""
    return prices._replace(person=prices.person - 1 - int(TOLERANCE * unit * prices.fine))


def reduce_costs(columns: Columns, prices: Prices) -> Ints:
    """Per column: its cost less the prices of those in it and of its further rows."""
    person = np.append(prices.person, 0)  # −1 pads
    return np.asarray(columns.cost * prices.fine - person[columns.members].sum(axis=1) - columns.extra @ prices.row)


def bound_pods(rows: Rows, prices: Prices, least: int) -> int:
    """No draw can cost less than this many fractions, if the reduced costs of none add up to less than `least`."""
    total = sum(
        price * times for price, times in zip(prices.person.tolist(), rows.people_a_row().tolist(), strict=True)
    )
    for price, low, high in zip(prices.row.tolist(), rows.low.tolist(), rows.high.tolist(), strict=True):
        total += price * (low if price > 0 else high)
    return int(total + min(0, least))


def mix_prices(one: Prices, other: Prices) -> Prices:
    """Half of each; what lies between good prices is often better, and never wrong."""
    return Prices((one.person + other.person) // 2, (one.row + other.row) // 2, one.fine)
