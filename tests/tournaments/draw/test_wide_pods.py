"""Pods of six and seven against every draw there is: two pods of twelve or thirteen people, who met often before."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest

from tournaments.draw import Entrant, PastRound, Problem, solve


def problem_of(people: int, rounds: int, seed: int) -> Problem:
    """Earlier rounds in pods of five to seven; three people have forbidden opponents."""
    rng = random.Random(seed)
    names = [f"p{number:02d}" for number in range(people)]
    past = []
    for _ in range(rounds):
        order, cut = rng.sample(names, people), rng.choice((6, people - 6))
        past.append(PastRound((tuple(order[:cut]), tuple(order[cut:]))))
    return Problem(
        entrants=tuple(Entrant(one, 140 * rng.randrange(12)) for one in names),
        wanted=6,
        min_size=5,
        max_size=7,
        repeat_worth=rng.choice((140, 1260)),
        history=tuple(past),
        forbidden=((names[0], names[1]),),
        locked=((names[2], names[5]),),
    )


def list_draws(problem: Problem) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Two pods, as the rules allow."""
    names = [entrant.id for entrant in problem.entrants]
    for size in range(problem.min_size, problem.max_size + 1):
        for mates in combinations(names[1:], size - 1):
            pods = (names[0], *mates), tuple(one for one in names[1:] if one not in mates)
            if problem.min_size <= len(pods[1]) <= problem.max_size:
                apart = all(not set(pair) <= set(pod) for pair in problem.forbidden for pod in pods)
                if apart and all(any(set(lock) <= set(pod) for pod in pods) for lock in problem.locked):
                    yield pods


def rate(problem: Problem, pods: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """From sizes to odd sizes."""
    past = [pod for earlier in problem.history for pod in earlier.pods]
    scores = {entrant.id: entrant.score for entrant in problem.entrants}
    met = [sum(set(pair) <= set(pod) for pod in past) for here in pods for pair in combinations(here, 2)]
    widths = [max(scores[one] for one in pod) - min(scores[one] for one in pod) for pod in pods]
    return (
        sum(abs(len(pod) - problem.wanted) for pod in pods),
        len(pods),
        sum(max(0, times - 1) ** 2 for times in met),
        problem.repeat_worth**2 * sum(times**2 for times in met) + sum(width**2 for width in widths),
        sum(
            len(pod) != problem.wanted and one in pod for here in pods if len(here) != 6 for one in here for pod in past
        ),
    )


def seat(problem: Problem, pod: Sequence[str]) -> int:
    """How often they sat there before, if everybody sits where that is least."""
    past = [earlier for rounds in problem.history for earlier in rounds.pods]
    seat_counts = {
        (one, place): sum(earlier[place : place + 1] == (one,) for earlier in past) for one in pod for place in range(7)
    }

    @cache
    def least(left: frozenset[str]) -> int:
        return min((seat_counts[one, len(left) - 1] + least(left - {one}) for one in left), default=0)

    return least(frozenset(pod))


@pytest.mark.parametrize(("people", "rounds"), [(12, 2), (12, 6), (13, 4), (13, 7)])
def test_every_line_is_the_best_and_proven(people: int, rounds: int) -> None:
    problem = problem_of(people, rounds, seed=people + rounds)
    rated = [(rate(problem, pods), pods) for pods in list_draws(problem)]
    best = min(values for values, _ in rated)
    seats = min(sum(seat(problem, pod) for pod in pods) for values, pods in rated if values == best)
    solution = solve(problem)
    assert [(line.value, line.bound) for line in solution.objective] == [
        (each, each) for each in (0, 0, 0, *best, seats)
    ]
