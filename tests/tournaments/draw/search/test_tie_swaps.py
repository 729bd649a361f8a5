"""The last two lines: bounds by transport, and trades that cost nothing before them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tournaments.draw import Entrant, PastRound, Problem, solve
from tournaments.draw.problem import budget
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.proof import certifier as proof_module
from tournaments.draw.proof.arithmetic_bounds import bound_by_arithmetic
from tournaments.draw.proof.certifier import Certifier
from tournaments.draw.proof.incumbent import seat_draw
from tournaments.draw.search.tie_swaps import ODD_SIZE_WEIGHT, TieSwaps

NAMES = "abcdefgh"
FIRST = PastRound((("a", "b", "c", "d"), ("e", "f", "g", "h")))
PROBLEM = Problem(tuple(Entrant(one) for one in NAMES), 4, 4, 4, repeat_worth=0, history=(FIRST,) * 2)


def trade(problem: Problem, pods: tuple[str, ...]) -> tuple[int, int]:
    """Odd sizes and seats after all trades."""
    instance = build_instance(problem)
    index = {one: number for number, one in enumerate(instance.ids)}
    ties = TieSwaps(instance, [[index[one] for one in pod] for pod in pods], find_scales(instance))
    ties.run(0, Budget(1))
    values = seat_draw(instance, ties.pods, []).values
    assert ties.cost == values.odd_sizes * ODD_SIZE_WEIGHT + values.seats
    return values.odd_sizes, values.seats


def test_two_who_sat_in_one_seat_are_parted() -> None:
    past = PastRound((("a", "b"), ("c", "d")))
    problem = Problem(tuple(Entrant(one) for one in "abcd"), 2, 2, 2, repeat_worth=0, history=(past,))
    assert trade(problem, ("ac", "bd")) == (0, 0)
    assert trade(replace(problem, locked=(("a", "c"),)), ("ac", "bd")) == (0, 2)


def test_nobody_sits_in_a_pod_of_odd_size_again() -> None:
    past = PastRound((("a", "b", "c"), ("d", "e", "f", "g")))
    problem = Problem(tuple(Entrant(one) for one in "abcdefg"), 4, 3, 5, repeat_worth=0, history=(past,))
    assert trade(problem, ("abc", "defg"))[0] == 0


def test_a_trade_never_costs_closeness_or_a_lock() -> None:
    scores = tuple(Entrant(one, 840 * (one in "abcd")) for one in NAMES)
    assert trade(replace(PROBLEM, entrants=scores), ("abcd", "efgh")) == (0, 0)
    assert trade(replace(PROBLEM, locked=(("a", "b", "c", "d"), ("e", "f", "g", "h"))), ("abcd", "efgh")) == (0, 0)
    apart = PastRound((("a", "e"), ("b", "f")))
    problem = Problem(tuple(Entrant(one, one in "ab") for one in "abef"), 2, 2, 2, history=(apart,))
    assert trade(problem, ("ab", "ef")) == (0, 2)


def test_seats_are_bound_by_how_many_there_are() -> None:
    """Three sat in the first seat in both rounds, and there is one first seat less than people who want another."""
    past = PastRound((("a", "b"), ("c", "d"), ("e", "f")))
    problem = Problem(tuple(Entrant(one) for one in "abcdef"), 2, 2, 2, history=(past, past))
    instance = build_instance(replace(problem, absent=("b", "d")))
    values = evaluate(instance, [[0, 1], [2, 3]], [])
    assert bound_by_arithmetic(instance, values).seats == 2


def test_seats_of_larger_pods_are_few() -> None:
    """Five, wanted in pairs: one pod has a third seat, which nobody had before, and no pod has a fourth."""
    past = tuple(PastRound((order,)) for order in (("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e",), ("x", "e")))
    instance = build_instance(Problem(tuple(Entrant(one) for one in "abcde"), 2, 2, 4, history=past))
    assert bound_by_arithmetic(instance, evaluate(instance, [[0, 1], [2, 3, 4]], [])).seats == 4


def test_the_last_lines_end_where_only_the_pairing_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stop although the pairing is not proven, which they cannot change; else only the clock would end them."""
    monkeypatch.setattr(proof_module, "MAX_COLUMNS", 0)
    instance = build_instance(replace(PROBLEM, repeat_worth=1260, history=(FIRST,)))
    drawn = seat_draw(instance, [[0, 1, 2, 3], [4, 5, 6, 7]], [])
    proof, budget = Certifier(instance, drawn, find_scales(instance), None), Budget(0.5)
    proof.prove_pairing(budget)
    assert proof.root is not None
    proof.bounds = proof.drawn.values._replace(pairing=proof.drawn.values.pairing - 1)
    proof.prove_last_lines(budget)
    assert budget.remaining() > 0


def test_many_draws_that_are_alike_but_for_their_sizes_are_not_all_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eighteen people with few meetings have many equal draws of other sizes, which take work and prove no bound."""
    monkeypatch.setattr(budget, "EMERGENCY_FACTOR", 10**9)
    names = [f"p{number:02}" for number in range(18)]
    pods = (("p00",), ("p01", "p02"), ("p03",), ("p04",), ("p05", "p06", "p07"), ("p08", "gone"), tuple(names[9:14]))
    past = PastRound(pods, tuple(names[14:17]))
    problem = Problem(
        tuple(Entrant(one) for one in names), 4, 2, 4, seed="1", time_limit=2, history=(past,), swiss=False
    )
    solution = solve(problem)
    assert [(line.value, line.bound) for line in solution.objective] == [
        (each, each) for each in (0, 0, 0, 2, 5, 0, 0, 1, 0)
    ]
