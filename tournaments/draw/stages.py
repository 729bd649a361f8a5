"""One line of the objective: a bound by column generation, then a draw that reaches it, or a higher bound.

The bound L of the linear program leaves, of all pods, those whose reduced cost is at most g as the only ones in draws
of L + g or less. So g grows step by step: either a draw is found among them, which then is the best there is, or no
draw is below L + g + 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tournaments.draw.branching import Branching
from tournaments.draw.budget import Budget
from tournaments.draw.columns import TooMany
from tournaments.draw.relaxation import Columns, Prices, Program, Rows, bound_pods, mix_prices, round_prices
from tournaments.draw.sources import Source

MOST_COLUMNS: Final = 20_000
ROUNDS: Final = 400


class Root(NamedTuple):
    """What the linear program proves: every draw costs at least `bound`; `floor`: the same in fractions of `prices`."""

    bound: int
    floor: int
    prices: Prices


class Outcome(NamedTuple):
    """pods: columns of a draw better than the one known, if one was found; value: its cost, or the known one's."""

    value: int
    bound: int
    pods: Columns | None


def solve_root(source: Source, rows: Rows, start: Columns, value: int, budget: Budget) -> Root | None:
    """Column generation from the columns of a known draw of this value; the best bound met, None without any."""
    program = Program(rows, max(1.0, value / max(1, rows.pods)), budget)
    program.add(start)
    best: Root | None = None
    is_mixed = False
    for number in range(ROUNDS):
        answer = program.solve()
        exact = round_prices(answer.prices, rows, value)
        is_stuck = number > 0 and not answer.steps  # what was added only looked cheaper
        if is_stuck and not is_mixed:
            return best
        is_mixed = best is not None and not is_stuck
        prices = mix_prices(exact, best.prices) if best is not None and is_mixed else exact
        try:
            more, least = source.price(prices, budget)
            if not len(more.cost) and is_mixed:
                is_mixed, prices = False, exact
                more, least = source.price(prices, budget)
        except TooMany:
            return best
        floor = bound_pods(rows, prices, least)
        bound = -(-floor // prices.fine)
        if best is None or floor > best.floor:
            best = Root(bound, floor, prices)
        if not len(more.cost) or best.bound >= min(value, answer.value * program.unit - 1e-6):
            return best
        program.add(more)
    return best


def close_gap(source: Source, rows: Rows, root: Root, value: int, budget: Budget) -> Outcome:
    """From the root's bound towards the value, with twice the gap each time."""
    bound, gap = root.bound, 0
    while bound < value and budget.left():
        limit = (root.bound + gap + 1) * root.prices.fine - 1 - root.floor
        try:
            columns = source.list_all(root.prices, limit, most=MOST_COLUMNS, budget=budget)
        except TooMany:
            break
        below = min(value, root.bound + gap + 1)
        best = Branching(rows, columns, below, budget).run()
        bound = max(bound, best.bound)
        if best.chosen is not None:
            return Outcome(best.value, min(bound, best.value), columns.take(best.chosen))
        if best.bound < below:
            break
        gap = min(2 * gap + 1, value - root.bound - 1)
    return Outcome(value, min(bound, value), None)
