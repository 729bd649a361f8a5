"""Zero-half cuts: rows that add up to an odd number cannot be met by pods that all count evenly.

Half the sum of some rows, coefficients and right side rounded down, holds for every draw (Caprara and Fischetti 1996).
It cuts a solution of the linear program off if the right side was odd and the shares of the columns with odd
coefficients come to less than one. So rows are sought, by elimination over the field of two elements, in which the
largest shares count evenly. With three or five people as rows these are the subset rows of Jepsen et al. (2008);
nothing limits how many there are.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.relaxation import Columns, Rows

SMALL: Final = 1e-6
NEARLY_ONE: Final = 0.98
WIDEST: Final = 20
"""Rows with larger coefficients are no parities worth looking at."""
ORDERS: Final = 3
TRIES: Final = 6
"""For each order of the rows."""
CUTS: Final = 10
"""Added in one round, at most."""


class Halves(NamedTuple):
    """Cuts. coefficients: (columns, cuts); most: their right sides."""

    coefficients: Ints
    most: Ints


def find_halves(rows: Rows, columns: Columns, shares: NDArray[np.float64], rng: random.Random) -> Halves | None:
    """Cuts that the shares violate, None if none was found."""
    usable = np.flatnonzero((rows.widest <= WIDEST) & (rows.high <= 1 << 30)).tolist()
    high = [1] * rows.people + [int(rows.high[row]) for row in usable]
    terms = _list_terms(rows, columns, shares, usable)
    odd = {row for _, counted in terms for row in counted if high[row] & 1}
    found: dict[frozenset[int], float] = {}
    for _ in range(ORDERS):
        place = rng.sample(range(len(high)), len(high))
        masks = [(share, sum(1 << place[row] for row in counted)) for share, counted in terms]
        odd_rows = sum(1 << place[row] for row in odd)
        for turn in range(TRIES):
            order = sorted(masks, key=lambda term: -term[0] * (1 - 0.4 * rng.random() if turn else 1))
            solution, share = _solve(order, odd_rows, 1 << len(high))
            if solution:
                found[frozenset(row for row, bit in enumerate(place) if solution >> bit & 1)] = share
    best = sorted(found, key=lambda chosen: (found[chosen], len(chosen), sorted(chosen)))[:CUTS]
    return _round_down(rows, columns, usable, best) if best else None


def _list_terms(
    rows: Rows, columns: Columns, shares: NDArray[np.float64], usable: list[int]
) -> list[tuple[float, list[int]]]:
    """Shares, and slacks, with the rows in which they count oddly.

    People in a whole pod sit in no other, so their rows are of no use and left out.
    """
    support = np.flatnonzero(shares > SMALL)
    odd = (columns.extra[np.ix_(support, np.array(usable, dtype=np.int64))] & 1).astype(np.bool_)
    terms = []
    for number, column in enumerate(support.tolist()):
        is_whole = shares[column] > 1 - SMALL
        people = [one for one in columns.members[column].tolist() if one >= 0 and not is_whole]
        terms.append((float(shares[column]), people + (np.flatnonzero(odd[number]) + rows.people).tolist()))
    slack = rows.high[usable] - columns.extra[:, usable].T @ shares
    for number, row in enumerate(usable):
        if rows.low[row] < rows.high[row] and slack[number] > SMALL:
            terms.append((float(slack[number]), [rows.people + number]))
    return [term for term in terms if term[1]]


def _solve(terms: list[tuple[float, int]], odd_rows: int, truth: int) -> tuple[int, float]:
    """Rows, as bits, that are odd together, and the share of what counts oddly in them; no rows if that reaches one."""
    pivots: dict[int, int] = {}

    def add(equation: int) -> bool:
        while rest := equation & (truth - 1):
            pivot = rest.bit_length()
            if pivot not in pivots:
                pivots[pivot] = equation
                return True
            equation ^= pivots[pivot]
        return not equation

    if not add(truth | odd_rows):
        return 0, 1.0
    odd = 0.0
    for share, mask in terms:
        if not add(mask):
            odd += share
            if odd > NEARLY_ONE:
                return 0, 1.0
    solution = 0
    for pivot in sorted(pivots):
        equation = pivots[pivot]
        if ((equation & solution).bit_count() + (equation >= truth)) & 1:
            solution |= 1 << pivot - 1
    return solution, odd


def _round_down(rows: Rows, columns: Columns, usable: list[int], chosen: list[frozenset[int]]) -> Halves:
    coefficients, most = [], []
    for each in chosen:
        people = np.zeros(rows.people + 1, dtype=np.int64)
        people[[row for row in each if row < rows.people]] = 1
        further = [usable[row - rows.people] for row in sorted(each) if row >= rows.people]
        count = people[columns.members].sum(axis=1) + columns.extra[:, further].sum(axis=1)
        coefficients.append(count // 2)
        most.append((int(people.sum()) + int(rows.high[further].sum())) // 2)
    return Halves(np.stack(coefficients, axis=1), np.array(most, dtype=np.int64))
