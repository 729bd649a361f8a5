"""Zero-half cuts: rows that add up to an odd number cannot be met by pods that all count evenly.

Half the sum of some rows, coefficients and right side rounded down, holds for every draw (Caprara and Fischetti 1996).
It cuts off a solution of the linear program if the right side was odd and the total share of columns with odd
coefficients is less than one. So rows are sought, by elimination over the field of two elements, in which the largest
shares count evenly. With three or five people as rows these are the subset-row cuts of Jepsen et al. (2008); here their
number is not limited.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.relaxation import Columns, Rows

MIN_SHARE: Final = 1e-6
"""Shares below this count as 0."""
MAX_ODD_SHARE: Final = 0.98
"""A cut is kept only if the odd shares come to no more than this: the rest, half of which is its violation, must exceed
rounding errors.
"""
MAX_COEFFICIENT: Final = 20
"""Rows with larger coefficients are left out: their parities cut little."""
ROW_ORDERS: Final = 3
"""Random orders of the rows; each leads the elimination to other cuts."""
COLUMN_ORDERS: Final = 6
"""Random orders of the columns for each order of the rows."""
MAX_CUTS: Final = 10
"""Cuts added in one round, at most."""


class ZeroHalfCuts(NamedTuple):
    """coefficients: (columns, cuts); most: (cuts,) their right sides."""

    coefficients: Ints
    most: Ints


def separate_zero_half(
    rows: Rows, columns: Columns, shares: NDArray[np.float64], rng: random.Random
) -> ZeroHalfCuts | None:
    """Cuts that the shares violate, None if none was found."""
    usable = np.flatnonzero((rows.max_coefficient <= MAX_COEFFICIENT) & (rows.high <= 1 << 30)).tolist()
    high = [1] * rows.people + [int(rows.high[row]) for row in usable]
    terms = _list_terms(rows, columns, shares, usable)
    odd = {row for _, counted in terms for row in counted if high[row] & 1}
    found: dict[frozenset[int], float] = {}
    for _ in range(ROW_ORDERS):
        place = rng.sample(range(len(high)), len(high))
        masks = [(share, sum(1 << place[row] for row in counted)) for share, counted in terms]
        odd_rows = sum(1 << place[row] for row in odd)
        for turn in range(COLUMN_ORDERS):
            order = sorted(masks, key=lambda term: -term[0] * (1 - 0.4 * rng.random() if turn else 1))
            solution, share = _solve(order, odd_rows, 1 << len(high))
            if solution:
                found[frozenset(row for row, bit in enumerate(place) if solution >> bit & 1)] = share
    best = sorted(found, key=lambda chosen: (found[chosen], len(chosen), sorted(chosen)))[:MAX_CUTS]
    return _round_down(rows, columns, usable, best) if best else None


def _list_terms(
    rows: Rows, columns: Columns, shares: NDArray[np.float64], usable: list[int]
) -> list[tuple[float, list[int]]]:
    """Shares and slacks, each with the rows in which it counts oddly.

    People in a pod that is taken whole are in no other, so their rows are left out.
    """
    support = np.flatnonzero(shares > MIN_SHARE)
    odd = (columns.extra[np.ix_(support, np.array(usable, dtype=np.int64))] & 1).astype(np.bool_)
    terms = []
    for number, column in enumerate(support.tolist()):
        is_whole = shares[column] > 1 - MIN_SHARE
        people = [member for member in columns.members[column].tolist() if member >= 0 and not is_whole]
        terms.append((float(shares[column]), people + (np.flatnonzero(odd[number]) + rows.people).tolist()))
    slack = rows.high[usable] - columns.extra[:, usable].T @ shares
    for number, row in enumerate(usable):
        if rows.low[row] < rows.high[row] and slack[number] > MIN_SHARE:
            terms.append((float(slack[number]), [rows.people + number]))
    return [term for term in terms if term[1]]


def _solve(terms: list[tuple[float, int]], odd_rows: int, odd_bit: int) -> tuple[int, float]:
    """Rows, as bits, whose sum is odd, and the total share of what counts oddly in them; no rows if that exceeds the
    limit.
    """
    pivots: dict[int, int] = {}

    def add(equation: int) -> bool:
        while rest := equation & (odd_bit - 1):
            pivot = rest.bit_length()
            if pivot not in pivots:
                pivots[pivot] = equation
                return True
            equation ^= pivots[pivot]
        return not equation

    if not add(odd_bit | odd_rows):
        return 0, 1.0
    odd = 0.0
    for share, mask in terms:
        if not add(mask):
            odd += share
            if odd > MAX_ODD_SHARE:
                return 0, 1.0
    solution = 0
    for pivot in sorted(pivots):
        equation = pivots[pivot]
        if ((equation & solution).bit_count() + (equation >= odd_bit)) & 1:
            solution |= 1 << pivot - 1
    return solution, odd


def _round_down(rows: Rows, columns: Columns, usable: list[int], chosen: list[frozenset[int]]) -> ZeroHalfCuts:
    """The cuts of these sets of rows."""
    coefficients, most = [], []
    for each in chosen:
        people = np.zeros(rows.people + 1, dtype=np.int64)
        people[[row for row in each if row < rows.people]] = 1
        further = [usable[row - rows.people] for row in sorted(each) if row >= rows.people]
        count = people[columns.members].sum(axis=1) + columns.extra[:, further].sum(axis=1)
        coefficients.append(count // 2)
        most.append((int(people.sum()) + int(rows.high[further].sum())) // 2)
    return ZeroHalfCuts(np.stack(coefficients, axis=1), np.array(most, dtype=np.int64))
