"""Locks and forbidden pairs that leave few draws, or need other sizes: a draw is found, and the best one."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest

from tournaments.draw import Conflict, Entrant, ObjectiveLine, Problem, Solution, solve
from tournaments.draw.problem import budget
from tournaments.draw.problem.instance import Instance, Ints


def names(count: int) -> list[str]:
    return [f"p{number:03d}" for number in range(count)]


def problem_of(people: int, locks: list[int]) -> Problem:
    """Locks of these sizes, of people from all over the standings."""
    left = iter(names(people)[::7] + [one for at, one in enumerate(names(people)) if at % 7])
    return Problem(
        entrants=tuple(Entrant(one, 140 * (number % 30)) for number, one in enumerate(names(people))),
        wanted=4,
        min_size=3,
        max_size=5,
        locked=tuple(tuple(next(left) for _ in range(size)) for size in locks),
    )


def lines_of(solution: Solution, *wanted: str) -> list[ObjectiveLine]:
    return [line for line in solution.objective if line.name in wanted]


@pytest.mark.parametrize(
    ("people", "locks", "off", "pods"),
    [
        (24, [5], 2, 6),
        (24, [5, 5], 4, 5),
        (26, [5, 3, 3], 2, 6),
        (64, [5], 2, 16),
        (60, [3] * 16, 4, 16),
    ],
)
def test_locks_larger_than_the_wanted_pod(people: int, locks: list[int], off: int, pods: int) -> None:
    problem = problem_of(people, locks)
    solution = solve(problem)
    assert lines_of(solution, "sizes", "pods") == [ObjectiveLine("sizes", off, off), ObjectiveLine("pods", pods, pods)]
    assert solution.optimal
    seated = [set(pod.seats) for pod in solution.pods]
    assert all(any(set(lock) <= pod for pod in seated) for lock in problem.locked)


@pytest.mark.slow
def test_teams_who_fill_every_table() -> None:
    """Four teams of twenty-five in fours: one of each at every table, though nobody of a team may meet another."""
    people = [f"{team}{number:02d}" for number in range(25) for team in "abcd"]
    forbidden_pairs = tuple(pair for pair in combinations(people, 2) if pair[0][0] == pair[1][0])
    entrants = tuple(Entrant(one, 140 * (at * at % 31)) for at, one in enumerate(people))
    solution = solve(Problem(entrants, 4, 4, 4, forbidden=forbidden_pairs))
    assert [sorted(one[0] for one in pod.seats) for pod in solution.pods] == [list("abcd")] * 25


def lock_pairs(people: int) -> Problem:
    """Everybody is locked to somebody, whatever their scores; fours (three to five)."""
    entrants = tuple(Entrant(one, 140 * (number * number % 31)) for number, one in enumerate(names(people)))
    couples = zip(names(people)[::2], names(people)[1::2], strict=True)
    return Problem(entrants, 4, 3, 5, locked=tuple(couples))


@pytest.mark.slow
def test_thousands_of_locks_are_drawn_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time grows linearly with the number of locks: everybody has one here."""
    looked, lock_of = [], Instance.lock_of

    def look(instance: Instance) -> Ints:
        looked.append(instance.size)
        return lock_of(instance)

    monkeypatch.setattr(Instance, "lock_of", look)
    solution = solve(replace(lock_pairs(3_000), time_limit=1))
    assert looked.count(3_000) < 300
    pod_of = {one: number for number, pod in enumerate(solution.pods) for one in pod.seats}
    assert all(pod_of[one] == pod_of[other] for one, other in lock_pairs(3_000).locked)


@pytest.mark.slow
def test_thousands_of_locks_that_fit_nowhere_do_not_fill_the_memory() -> None:
    """An odd number of pairs fits into no pods of three to five. The refusal must not list all pods."""
    problem = replace(lock_pairs(3_002), time_limit=1)
    tracemalloc.start()
    try:
        with pytest.raises(Conflict):
            solve(problem)
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()


def test_nobody_of_a_lock_sits_out() -> None:
    """Two pairs and one more in threes: a pair without a third person would have to."""
    problem = Problem(tuple(map(Entrant, names(5))), 3, 3, 3, locked=(("p000", "p001"), ("p002", "p003")))
    with pytest.raises(Conflict, match="p000, p001 are locked together; p002, p003 are locked together"):
        solve(problem)


def test_a_chain_of_locks_is_refused_in_a_sentence() -> None:
    people = names(9_000)
    problem = Problem(tuple(map(Entrant, people)), 4, 3, 5, locked=tuple(pairwise(people)))
    with pytest.raises(Conflict) as refused:
        solve(problem)
    assert str(refused.value).startswith("p000, p001, p002, p003, ")
    assert str(refused.value).endswith(", … are locked together: 9000, and a pod holds at most 5")
    assert len(str(refused.value)) < 300


def two_schools() -> Problem:
    """Seven and nineteen who may not meet: no pods of nearly one size, and more pods than can be listed."""
    people = names(26)
    return Problem(
        tuple(map(Entrant, people)), 13, 7, 19, forbidden=tuple(product(people[:7], people[7:])), time_limit=1e-6
    )


@pytest.mark.slow
def test_uneven_sizes_are_found_however_little_time_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "EMERGENCY_FACTOR", 10**9)
    solution = solve(two_schools())
    assert ["p000", "p001", "p002", "p003", "p004", "p005", "p006"] in [sorted(pod.seats) for pod in solution.pods]
    assert not solution.byes


@pytest.mark.slow
def test_a_plan_repeats_a_round_before_it_says_that_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first round takes all the time; the second one is repeated rather than called impossible."""
    monkeypatch.setattr(budget, "EMERGENCY_FACTOR", 10**9)
    solution = solve(replace(two_schools(), rounds=3))
    assert solution.rounds is not None
    assert [sum(len(pod.seats) for pod in pods) for pods in solution.rounds] == [26] * 3
    assert all({len({one < "p007" for one in pod.seats}) for pod in pods} == {1} for pods in solution.rounds)
