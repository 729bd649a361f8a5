"""What a pairing can cost at all: compared with every sum there is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.samples.random_problems import scatter
from tests.tournaments.draw.exhaustive import find_best
from tournaments.draw import Entrant, PastRound, Problem, solve
from tournaments.draw.problem.attainable_costs import ANY_COST, MAX_REPEATS, AttainableCosts
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.pair_costs import find_scales


@pytest.mark.parametrize("worth", [0, 1, 2, 3, 5, 7, 9, 14, 100])
@pytest.mark.parametrize("step", [1, 2, 4, 9, 10, 25])
def test_next_sums(worth: int, step: int) -> None:
    sums = {repeats * worth + steps * step for repeats in range(200) for steps in range(200)}
    attainable = AttainableCosts(worth, step)
    for cost in range(1, 150):
        assert attainable.round_up(cost) == min(one for one in sums if one >= cost)
        assert attainable.find_next_lower(cost) == max(one for one in sums if one < cost)


def test_what_is_not_worth_looking_at_is_held_for_possible() -> None:
    assert AttainableCosts(10, MAX_REPEATS + 1).round_up(11 * MAX_REPEATS) == 11 * MAX_REPEATS
    assert ANY_COST.round_up(17) == 17
    assert ANY_COST.find_next_lower(17) == 16
    assert AttainableCosts(9, 4).round_up(-3) == -3


def test_levels_whose_repeats_outweigh_everything() -> None:
    """Half wins are 420, so widths squared are multiples of 420², though what a repeat costs is none."""
    scales = find_scales(build_instance(scatter(64, 3, scores="levels", repeat_worth=1_000_000)))
    assert scales.scale == 20
    assert scales.attainable == AttainableCosts(50_000**2, 21**2)
    assert find_scales(build_instance(scatter(64, 3, scores="equal", repeat_worth=1_000_000))).attainable == ANY_COST


def test_bounds_are_sums_that_there_are() -> None:
    """Within this time nothing is proven; a bound between two attainable sums is rounded up."""
    problem = replace(scatter(63, 5, scores="levels", repeat_worth=1_000_000, seed="2"), time_limit=0.5)
    solution = solve(problem)
    pairing = next(line for line in solution.objective if line.name == "pairing")
    assert pairing.bound < 10**12
    assert pairing.bound % 420**2 == 0


def test_no_better_draw_is_passed_over() -> None:
    """What is better than a known draw by less than a step: repeats are worth less than a win, and no part of one."""
    entrants = tuple(Entrant(one, score) for one, score in zip("abcdef", (840, 840, 840, 0, 0, 0), strict=True))
    met = PastRound((("a", "b"), ("d", "e"), ("c", "f"))), PastRound((("a", "c"), ("d", "f"), ("b", "e")))
    problem = Problem(entrants, 2, 2, 2, repeat_worth=500, history=met)
    solution = solve(problem)
    assert tuple(line.value for line in solution.objective) == find_best(problem)
    assert solution.optimal
