"""The program with reduced costs in place of costs, so that floating point can distinguish them.

Where a draw costs quadrillions, the linear program cannot tell what one pod costs more than another. Everybody is in
one column, so every draw pays all people's prices; without them costs are as small as the remaining gap (iterative
refinement of linear programs, Gleixner, Steffy and Wolter 2016). Nothing is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tournaments.draw.program.relaxation import Columns, Prices, Rows


class ReducedProgram(NamedTuple):
    """The program of these columns without what every draw pays; `paid`: that amount, in true cost."""

    rows: Rows
    prices: Prices
    floor: int
    columns: Columns
    paid: int


def deduct_prices(rows: Rows, prices: Prices, floor: int, columns: Columns) -> ReducedProgram:
    """floor: what the prices prove, in price fractions.

    The program stays as it is where prices have fractions or costs come in steps. No draw of the new program costs less
    than 0.
    """
    if prices.fractions > 1 or rows.attainable.width_step > 1:
        return ReducedProgram(rows, prices, floor, columns, 0)
    many = rows.count_people_by_row()
    over = max(0, int(prices.person @ many) - floor)
    person = prices.person - -(-over // int(many.sum()))
    paid, true_cost = int(person @ many), rows.true_cost
    if true_cost is not None:
        total_paid, full_cost = rows.cost_unit * paid, true_cost
        rows = rows._replace(true_cost=lambda members: full_cost(members) - total_paid)
    cost = columns.cost - np.append(person, 0)[columns.members].sum(axis=1)
    rest = prices._replace(person=prices.person - person)
    return ReducedProgram(rows, rest, floor - paid, columns._replace(cost=np.asarray(cost)), rows.cost_unit * paid)
