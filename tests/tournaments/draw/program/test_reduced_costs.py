"""What pods cost beyond the prices of those in them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tournaments.draw.problem.attainable_costs import AttainableCosts
from tournaments.draw.problem.budget import Budget
from tournaments.draw.program.branching import BranchAndBound
from tournaments.draw.program.reduced_costs import deduct_prices
from tournaments.draw.program.relaxation import Columns, Prices, Rows, bound_draw_cost, reduce_costs

PEOPLE = 30
"""Fifteen pairs: more than are gone through whole."""
FAR = 10**14
NOTHING = np.zeros(0, dtype=np.int64)
ROWS = Rows(PEOPLE, NOTHING, NOTHING, NOTHING, PEOPLE // 2)
PEOPLES = np.random.Generator(np.random.PCG64(7)).integers(0, FAR, PEOPLE)


def list_pairs() -> Columns:
    """Everybody with everybody, and a seat left empty: what they bring along by themselves, and a little by lot."""
    members = np.array(list(combinations(range(PEOPLE), 2)), dtype=np.int64)
    little = np.random.Generator(np.random.PCG64(3)).integers(0, 1000, len(members))
    padded = np.pad(members, ((0, 0), (0, 1)), constant_values=-1)
    return Columns(padded, PEOPLES[members].sum(axis=1) + little, np.zeros((len(members), 0), dtype=np.int64))


def find_prices(columns: Columns) -> tuple[Prices, int]:
    """Of people alone, as wrong as floating point is; and what they prove."""
    prices = Prices(PEOPLES + np.arange(PEOPLE) * 1000, NOTHING, 1)
    return prices, bound_draw_cost(ROWS, prices, ROWS.pods * int(reduce_costs(columns, prices).min()))


def test_every_draw_costs_less_by_the_same() -> None:
    columns = list_pairs()
    prices, floor = find_prices(columns)
    rows = ROWS._replace(cost_unit=8, true_cost=lambda members: 8 * int(PEOPLES[members[:, :2]].sum()) + 5)
    rows, rest, least, beyond, paid = deduct_prices(rows, prices, floor, columns)
    place = {pair: number for number, pair in enumerate(map(tuple, columns.members[:, :2].tolist()))}
    for step in (1, 3, 5):
        pods = [(one, one + step) for start in range(0, PEOPLE, 2 * step) for one in range(start, start + step)]
        draw = np.array([place[pod] for pod in pods])
        cost = int(beyond.cost[draw].sum())
        assert 8 * (int(columns.cost[draw].sum()) - cost) == paid
        assert 8 * int(PEOPLES.sum()) + 5 - rows.sum_true_costs(beyond.take(draw)) == paid
        assert cost >= 0
    assert (reduce_costs(beyond, rest) == reduce_costs(columns, prices)).all()
    assert 8 * (floor - least) == paid
    assert floor >= least >= 0


def test_what_floating_point_does_not_see_is_proven() -> None:
    columns = list_pairs()
    prices, floor = find_prices(columns)
    value = int(columns.cost[[PEOPLE * one - one * (one + 1) // 2 for one in range(0, PEOPLE, 2)]].sum()) + 1
    rows, _, _, beyond, paid = deduct_prices(ROWS, prices, floor, columns)
    best = BranchAndBound(rows, beyond, value - paid).run(Budget(0.3))
    assert best.bound == best.value
    assert best.chosen is not None
    blind = BranchAndBound(ROWS, columns, value).run(Budget(0.3))
    assert blind.bound <= best.value + paid <= blind.value


def test_steps_and_fractions_stay() -> None:
    columns = list_pairs()
    prices, floor = find_prices(columns)
    steps = ROWS._replace(attainable=AttainableCosts(1, 4))
    assert deduct_prices(steps, prices, floor, columns).columns is columns
    assert deduct_prices(ROWS, prices._replace(fractions=2), floor, columns).columns is columns
