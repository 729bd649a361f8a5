"""The draw against every draw there is: values are the best, bounds are below them, conflicts are real."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw import Conflict, Entrant, PastRound, Problem, Solution, solve
from tournaments.draw.problem import budget

from .exhaustive import Worth, find_all, find_best

NAMES = ("ana", "ben", "eva", "kim", "lea", "mia", "ole", "tom")


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Up to eight people with a history, some of them away, locked or kept apart."""
    names = NAMES[: draw(st.integers(3, 8))]
    smallest = draw(st.integers(2, 3))
    largest = draw(st.integers(smallest, 4))
    pairs = list(combinations(names, 2))
    past = []
    for _ in range(draw(st.integers(0, 3))):
        order = draw(st.permutations(names))
        cuts = sorted(draw(st.sets(st.integers(1, len(names)), max_size=3)))
        pods = [tuple(order[low:high]) for low, high in zip([0, *cuts], cuts, strict=False)]
        seated = tuple(pod for pod in pods if len(pod) > 1)
        past.append(PastRound(seated, tuple(one for one in order if not any(one in pod for pod in seated))))
    return Problem(
        entrants=tuple(Entrant(one, draw(st.sampled_from((-280, 0, 280, 420, 840)))) for one in names),
        wanted=draw(st.integers(smallest, largest)),
        min_size=smallest,
        max_size=largest,
        seed=draw(st.sampled_from(("", "1"))),
        repeat_worth=draw(st.sampled_from((0, 140, 1260, 1_000_000))),
        history=tuple(past),
        absent=tuple(draw(st.sets(st.sampled_from(names), max_size=1))),
        forbidden=tuple(draw(st.lists(st.sampled_from(pairs), max_size=draw(st.sampled_from((0, 2, 8)))))),
        locked=tuple(draw(st.lists(st.sampled_from(pairs), max_size=draw(st.sampled_from((0, 0, 2)))))),
        swiss=draw(st.booleans()),
    )


def values_of(solution: Solution) -> tuple[int, ...]:
    return tuple(line.value for line in solution.objective)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_every_line_is_the_best_and_proven(problem: Problem) -> None:
    best = find_best(problem)
    if best is None:
        with pytest.raises(Conflict):
            solve(problem)
        return
    solution = solve(problem)
    assert values_of(solution) == best
    assert [line.bound for line in solution.objective] == list(best)
    pods = [pod.seats for pod in solution.pods]
    assert Worth(problem).of(pods, solution.byes) == best
    assert (solution.optimal, solution.stopped) == (True, None)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(problem=problems(), work=st.sampled_from((10, 300, 1_000, 3_000)))
def test_what_little_work_proves_is_true(problem: Problem, work: int) -> None:
    """Of each line no more than it has at least, among the draws with the same values before it."""
    with pytest.MonkeyPatch.context() as patch, suppress(Conflict):
        patch.setattr(budget, "EMERGENCY_FACTOR", 10**9)
        solution = solve(replace(problem, time_limit=work / budget.UNITS_PER_SECOND))
        found, reached = find_all(problem), values_of(solution)
        assert reached in found
        least = [min(each[at] for each in found if each[:at] == reached[:at]) for at in range(len(reached))]
        assert all(line.bound <= true for line, true in zip(solution.objective, least, strict=True))
        assert (solution.stopped is None) == solution.optimal
