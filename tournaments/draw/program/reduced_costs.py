"""What pods cost beyond the prices of those in them: the same program, in numbers that floating point tells apart.

Where a draw costs quadrillions, the linear program does not see what one pod costs more than another. Everybody is
in one column, so every draw pays all people's prices; without them its costs are as small as the gap that is left
(refinement of linear programs, Gleixner, Steffy and Wolter 2016). Nothing is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tournaments.draw.program.relaxation import Columns, Prices, Rows


class Beyond(NamedTuple):
    """The program of these columns without what every draw pays; `paid`: that, in truth."""

    rows: Rows
    prices: Prices
    floor: int
    columns: Columns
    paid: int


def look_beyond(rows: Rows, prices: Prices, floor: int, columns: Columns) -> Beyond:
    """floor: what prices prove, in fractions. As it is where prices have fractions, or costs come in steps.

    No draw of the new program costs less than 0.
    """
    if prices.fine > 1 or rows.grain.step > 1:
        return Beyond(rows, prices, floor, columns, 0)
    many = rows.people_a_row()
    over = max(0, int(prices.person @ many) - floor)
    person = prices.person - -(-over // int(many.sum()))
    paid, rate = int(person @ many), rows.rate
    if rate is not None:
        whole, true = rows.grit * paid, rate
        rows = rows._replace(rate=lambda members: true(members) - whole)
    cost = columns.cost - np.append(person, 0)[columns.members].sum(axis=1)
    rest = prices._replace(person=prices.person - person)
    return Beyond(rows, rest, floor - paid, columns._replace(cost=np.asarray(cost)), rows.grit * paid)
