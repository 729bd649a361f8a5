"""The column filter from the program of third meetings excludes no pod that a draw can have."""

from __future__ import annotations

import random

import numpy as np

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, PastRound, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.column_filters import ColumnFilter, build_column_filter
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.program.relaxation import Prices
from tournaments.draw.proof.line_stages import close_gap, list_gap, solve_root

NAMES = "abcdefghi"


def problem_of(seed: int) -> Problem:
    """Nine people in threes after six rounds, so that somebody meets a third time."""
    rng = random.Random(seed)
    orders = [rng.sample(NAMES, 9) for _ in range(6)]
    past = tuple(PastRound(tuple(tuple(order[first : first + 3]) for first in (0, 3, 6))) for order in orders)
    return Problem(
        tuple(Entrant(one, 140 * rng.randrange(8)) for one in NAMES), 3, 3, 3, repeat_worth=280, history=past
    )


def test_fewer_pods_and_the_same_best_draw() -> None:
    sieved = 0
    for seed in range(8):
        problem = problem_of(seed)
        instance, scales = build_instance(problem), find_scales(build_instance(problem))
        index = {one: number for number, one in enumerate(instance.ids)}
        draws = [
            [[index[one] for one in pod] for pod in pods] for pods, byes in list_draws(problem, list(NAMES)) if not byes
        ]
        valued = [(evaluate(instance, pods, []), pods) for pods in draws]
        thirds = min(values.thirds for values, _ in valued)
        worst, pods = max(each for each in valued if each[0].thirds == thirds)
        nodes, budget = list_single_nodes(instance), Budget(5)
        rules, rows = build_line_program(instance, worst, scales, line="thirds", nodes=nodes)
        earlier = solve_root(rules, rows, describe_draw(rules, pods, []), thirds, budget)
        rules, rows = build_line_program(instance, worst, scales, line="pairing", nodes=nodes)
        value = worst.pairing // scales.scale**2
        root = solve_root(rules, rows, describe_draw(rules, pods, []), value, budget)
        if not thirds or earlier is None or root is None or root.bound == value:
            continue
        column_filter = build_column_filter(earlier.prices, earlier.floor, thirds, len(rows.low) - 1)
        assert column_filter is not None
        everything, _, below = list_gap(rules, root, (root.bound, value), budget, most=1000)
        columns, reduced, same = list_gap(
            rules, root, (root.bound, value), budget, most=1000, column_filter=column_filter
        )
        assert (below, same) == (value, value)
        assert reduced.tolist() == sorted(reduced.tolist())
        listed = {tuple(pod) for pod in columns.members.tolist()}
        assert listed <= {tuple(pod) for pod in everything.members.tolist()}
        sieved += len(everything.cost) - len(columns.cost)
        for values, drawn in valued:
            if values.thirds == thirds and values.pairing < worst.pairing:
                assert {tuple(sorted(pod)) for pod in drawn} <= listed
        best = min(values.pairing for values, _ in valued if values.thirds == thirds)
        outcome = close_gap(rules, root, value, budget, column_filter=column_filter)
        assert (outcome.value, outcome.bound) == (best // scales.scale**2,) * 2
    assert sieved > 0


def test_prices_of_both_are_added_with_one_weight() -> None:
    column_filter = ColumnFilter(Prices(np.array([5, -2]), np.array([-7]), 1), 10)
    prices, limit = column_filter.combine_with(Prices(np.array([100, 200]), np.array([-1, -4]), 9), 35)
    assert (prices.person.tolist(), prices.row.tolist(), prices.fractions, limit) == ([115, 194], [-22, -4], 9, 65)


def test_the_weight_leaves_prices_of_rows_small_enough_to_count_with() -> None:
    """The size cost of a pod stays below the cost that marks barred pods, which would otherwise be listed."""
    column_filter = ColumnFilter(Prices(np.array([5, -2]), np.array([1 << 42]), 1), 10)
    prices, limit = column_filter.combine_with(Prices(np.array([100, 200]), np.array([0]), 1), 1 << 50)
    assert (prices.person.tolist(), prices.row.tolist(), limit) == ([5220, -1848], [1 << 52], (1 << 50) + 10240)


def test_no_sieve_from_prices_of_cuts() -> None:
    prices = Prices(np.array([5, 5]), np.array([0, -1]), 4)
    assert build_column_filter(prices, 6, 2, 1) is None
    column_filter = build_column_filter(prices._replace(row=np.array([-1, 0])), 6, 2, 1)
    assert column_filter is not None
    assert (column_filter.prices.row.tolist(), column_filter.limit) == ([-1, -4], 2)
