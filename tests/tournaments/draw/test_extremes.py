"""Scores so far apart that floating point cannot distinguish draws: what is called proven is proven."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.samples.random_problems import scatter
from tournaments.draw import Entrant, PastRound, Problem, solve
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_pod_model, find_bye_candidates

from .exhaustive import find_best

M = 100_000_000
"""The highest score there is."""


def names(numbers: str) -> tuple[str, ...]:
    return tuple(f"n{number}" for number in numbers)


def test_three_in_five_quadrillion_are_told_apart() -> None:
    """The best draw costs 4,791,259,578,155,630, another one 3 more, which floating point does not distinguish."""
    scores = (1, -1, 1, -69218925, 1, 0, 2, 0, 0)
    forbidden = ("18", "27", "15", "28", "02", "24", "03", "05")
    problem = Problem(
        entrants=tuple(Entrant(f"n{number}", score) for number, score in enumerate(scores)),
        wanted=5,
        min_size=3,
        max_size=5,
        forbidden=tuple((f"n{pair[0]}", f"n{pair[1]}") for pair in forbidden),
    )
    solution = solve(problem)
    assert tuple(line.value for line in solution.objective) == find_best(problem)
    assert solution.optimal


def test_rows_of_vast_coefficients_are_understood() -> None:
    """Byes of somebody 60 million points ahead, and a pairing in quadrillions as a row of the last lines."""
    scores = (1, 1, 1, 60865404, -1, -1, 0, -3)
    rounds = (("63", "27", "0154"), ("6507", "3214"), ("27513", "604"))
    problem = Problem(
        entrants=tuple(Entrant(f"n{number}", score) for number, score in enumerate(scores)),
        wanted=4,
        min_size=4,
        max_size=4,
        repeat_worth=0,
        history=tuple(PastRound(tuple(map(names, pods))) for pods in rounds),
        absent=("n2", "n5"),
    )
    solution = solve(problem)
    assert tuple(line.value for line in solution.objective) == find_best(problem)
    assert solution.optimal


def test_a_lock_holds_whatever_it_costs() -> None:
    """The cost of a pod may exceed the cost of breaking a hard rule in the search."""
    problem = Problem(
        entrants=tuple(Entrant(one, score) for one, score in zip("abcde", (-M, 1, M, -M, -M), strict=True)),
        wanted=2,
        min_size=2,
        max_size=2,
        repeat_worth=0,
        history=(PastRound((("e",), ("d",), ("a",)), ("b", "c")),),
        locked=(("b", "e"),),
    )
    solution = solve(problem)
    assert tuple(line.value for line in solution.objective) == find_best(problem)
    assert {frozenset(pod.seats) for pod in solution.pods} >= {frozenset("be")}
    assert solution.optimal


def test_fewer_third_meetings_whatever_they_cost() -> None:
    """The closest draw can be counted with, but has third meetings; the best one costs as much as what is barred."""
    scores = (M, 1 - M // 10, 0, 1 - 8 * M // 10, 6 * M // 10, 1 - 9 * M // 10)
    problem = Problem(
        entrants=tuple(Entrant(one, score) for one, score in zip("abcdef", scores, strict=True)),
        wanted=2,
        min_size=2,
        max_size=2,
        repeat_worth=140,
        history=(PastRound((("d", "f"), ("a", "e"))),) * 2,
        time_limit=1,
    )
    solution = solve(problem)
    assert tuple(line.value for line in solution.objective) == find_best(problem)
    assert solution.optimal


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4, 13])
def test_scores_anywhere_are_proven(seed: int) -> None:
    """Scores beyond 2^53, where floating point is not exact, with 3 and 4 third meetings.

    Other lots search elsewhere: what is proven of both is the same.
    """
    problem = scatter(24, 4, sizes=(4, 4, 4), scores="far", rules=True, repeat_worth=0, seed=str(seed))
    solution, other = solve(problem), solve(replace(problem, seed="other"))
    assert solution.optimal
    assert [line.value for line in solution.objective] == [line.value for line in other.objective]
    assert solution.objective[6].value > 1 << 52


@pytest.mark.slow
def test_a_third_meeting_has_the_price_that_it_needs() -> None:
    """The price is not capped for pods with more third meetings than any draw has, which would weaken the bound."""
    problem = scatter(40, 5, sizes=(4, 5, 6), scores="far", rules=True, repeat_worth=1_000_000, seed="1")
    solution = solve(problem)
    assert solution.objective[5].value == 1
    assert solution.optimal


def test_who_must_sit_out_is_in_no_pod() -> None:
    """Two byes: of those who had none the lowest, and one of the two next ones, who are equal."""
    problem = Problem(
        entrants=tuple(
            Entrant(one, score) for one, score in zip("abcdefghij", [9, 9, 8, 8, 7, 3, 3, 2, 1, 1], strict=True)
        ),
        wanted=4,
        min_size=4,
        max_size=4,
        history=(PastRound(byes=("i", "j")),),
    )
    instance = build_instance(problem)
    values = evaluate(instance, [range(4), (4, 5, 8, 9)], [6, 7])
    could, must = find_bye_candidates(instance, values)
    assert {instance.ids[one] for one in could} == {"f", "g", "h"}
    assert [instance.ids[one] for one in must] == ["h"]
    shape, _ = build_pod_model(
        instance, values, find_scales(instance), line="pairing", nodes=list_single_nodes(instance)
    )
    assert (shape.pair[must] > shape.max_cost).all()
    assert not (shape.pair[0, 1:3] > shape.max_cost).any()
