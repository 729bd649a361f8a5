"""Cuts hold for every draw there is, and cut off what no draw comes near."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, PastRound, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.closeness import find_settled_byes
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.column_sources import GeneratedColumns
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.interval_cuts import separate_intervals
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.program.relaxation import Columns, Prices, Rows
from tournaments.draw.program.zero_half_cuts import separate_zero_half
from tournaments.draw.proof.arithmetic_bounds import bound_by_arithmetic
from tournaments.draw.proof.line_stages import close_gap, search_known_columns, solve_root

NAMES = "abcdefghijkl"


def rows_of(people: int, low: tuple[int, ...] = (), high: tuple[int, ...] = ()) -> Rows:
    max_coefficient = np.ones(len(low), dtype=np.int64)
    return Rows(people, np.array(low, dtype=np.int64), np.array(high, dtype=np.int64), max_coefficient, people)


def test_three_people_are_no_three_halves_of_a_pod() -> None:
    members = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [2, 3]])
    columns = Columns(members, np.ones(5, dtype=np.int64), np.zeros((5, 0), dtype=np.int64))
    halves = separate_zero_half(rows_of(5), columns, np.array([0.5, 0.5, 0.5, 1.0, 0.0]), random.Random(1))
    assert halves is not None
    assert (halves.coefficients[:, 0].tolist(), halves.most[0]) == ([1, 1, 1, 0, 0], 1)


def test_whole_pods_are_not_cut() -> None:
    columns = Columns(np.array([[0, 1], [2, 3]]), np.ones(2, dtype=np.int64), np.zeros((2, 0), dtype=np.int64))
    assert separate_zero_half(rows_of(4), columns, np.ones(2), random.Random(1)) is None


def test_a_stretch_holds_whole_pods_only() -> None:
    scores = np.array([3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0])
    first, last = np.array([0, 0, 6]), np.array([3, 5, 11])
    pods = first, last, np.array([4, 4, 4])
    cuts = separate_intervals(
        (scores, np.ones(12, dtype=np.int64)), pods, np.array([0.75, 0.75, 1.0]), wanted=4, under=0
    )
    assert [array.tolist() for array in cuts] == [[0], [6], [4], [1]]
    assert cuts.describe_ends(*pods).tolist() == [[1], [1], [0]]


def test_two_sixes_make_one_mixed_pod() -> None:
    """The linear program alone would fill both with pods of their own, one and a half each."""
    problem = Problem(tuple(Entrant(one, 840 * (one < "g")) for one in NAMES), 4, 4, 4)
    instance = build_instance(problem)
    scales = find_scales(instance)
    pods = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    values = evaluate(instance, pods, [])
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    value = values.pairing // scales.scale**2
    root = solve_root(rules, rows, describe_draw(rules, pods, []), value, Budget(10))
    assert root is not None
    assert (root.bound, len(root.rows.high)) == (value, 2)


def test_who_sits_out_fills_no_pod() -> None:
    """Of eight low ones two sit out, so what is left are two sixes again."""
    problem = Problem(tuple(Entrant(one, 840 * (one < "g")) for one in f"{NAMES}mn"), 4, 4, 4)
    instance = build_instance(problem)
    scales = find_scales(instance)
    pods, byes = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [12, 13]
    values = evaluate(instance, pods, byes)
    assert (values.byes, bound_by_arithmetic(instance, values).pairing) == (2, values.pairing)
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    value = values.pairing // scales.scale**2
    root = solve_root(rules, rows, describe_draw(rules, pods, byes), value, Budget(10))
    assert root is not None
    assert root.bound == value


def test_who_sits_out_is_not_known_where_rules_decide_it() -> None:
    """As if everybody low was locked: two high ones sit out, and nobody is mixed."""
    problem = Problem(tuple(Entrant(one, 840 * (one < "g")) for one in f"{NAMES}mn"), 4, 4, 4)
    instance = build_instance(problem)
    values = evaluate(instance, [[0, 1, 2, 3], [6, 7, 8, 9], [10, 11, 12, 13]], [4, 5])
    assert find_settled_byes(instance, values) is None
    assert bound_by_arithmetic(instance, values).pairing == 0


def test_what_costs_more_than_the_whole_draw_is_left_out() -> None:
    """However much its people are worth."""
    entrants = tuple(
        Entrant(one, score) for one, score in zip(NAMES, (1003, 1002, 1001, 1000, 3, 2, 1, 0), strict=False)
    )
    instance = build_instance(Problem(entrants, 4, 4, 4, repeat_worth=1))
    pods = [[0, 1, 2, 3], [4, 5, 6, 7]]
    values, scales = evaluate(instance, pods, []), find_scales(instance)
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    prices = Prices(np.full(8, 1_000_000), np.zeros(len(rows.low), dtype=np.int64), 1)
    columns, _ = rules.price(prices, Budget(1))
    assert (values.pairing, sorted(columns.members.tolist())) == (18, pods)


class Tired(GeneratedColumns):
    """Rules whose enumeration comes to no end after the first cuts."""

    def tighten(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> tuple[Rows, Columns] | None:
        self.is_tired = True
        return super().separate_cuts(rows, columns, shares)

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        if hasattr(self, "is_tired"):
            raise TooManyPods
        return super().price(prices, budget)


def test_a_root_older_than_the_last_cuts_has_them_all_the_same() -> None:
    problem = Problem(tuple(Entrant(one, 840 * (one < "g")) for one in NAMES), 4, 4, 4)
    instance = build_instance(problem)
    pods = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    values, scales = evaluate(instance, pods, []), find_scales(instance)
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    tired, value = Tired(rules.model), values.pairing // scales.scale**2
    root = solve_root(tired, rows, describe_draw(tired, pods, []), value, Budget(10))
    assert root is not None
    assert (root.columns.extra.shape[1], len(root.prices.row), len(root.rows.low)) == (2, 2, 2)
    assert search_known_columns(root, value, root.bound, Budget(10)).value == value


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_draws_is_found_and_kept_by_all_cuts(seed: int) -> None:
    rng = random.Random(seed)
    names = NAMES[:9] if seed % 2 else NAMES[:8]
    entrants = tuple(Entrant(one, 140 * rng.choice((0, 1, 1, 2, 6))) for one in names)
    orders = [rng.sample(names, 8) for _ in range(4)]
    past = tuple(PastRound((tuple(order[:4]), tuple(order[4:]))) for order in orders)
    problem = Problem(entrants, 3, 2, 4, repeat_worth=280, history=past)
    instance = build_instance(problem)
    scales = find_scales(instance)
    index = {one: number for number, one in enumerate(instance.ids)}
    draws = [
        [[index[one] for one in pod] for pod in pods] for pods, byes in list_draws(problem, list(names)) if not byes
    ]
    valued = [(evaluate(instance, pods, []), pods) for pods in draws]
    plain = min(values[:6] for values, _ in valued)
    valued = [(values, pods) for values, pods in valued if values[:6] == plain]
    worst, pods = max(valued)
    rules, rows = build_line_program(instance, worst, scales, line="pairing", nodes=list_single_nodes(instance))
    value = worst.pairing // scales.scale**2
    root = solve_root(rules, rows, describe_draw(rules, pods, []), value, Budget(10))
    assert root is not None
    assert root.columns.extra.shape[1] == len(root.prices.row) == len(root.rows.low)
    around = search_known_columns(root, value, root.bound, Budget(10))
    assert (around.bound, around.value >= root.bound) == (root.bound, True)
    outcome = close_gap(rules, root, value, Budget(10))
    best = min(values.pairing for values, _ in valued)
    assert (outcome.value, outcome.bound) == (best // scales.scale**2,) * 2
    for _, kept in valued:
        columns = describe_draw(rules, kept, [])
        total = columns.extra.sum(axis=0)
        assert (total >= root.rows.low).all()
        assert (total <= root.rows.high).all()
