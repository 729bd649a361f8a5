"""Round robins planned as a whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest

from tournaments.draw import Conflict, Entrant, ObjectiveLine, PastRound, Problem, Sentence, count_schedule, solve
from tournaments.draw.plans.repeat_bound import count_common
from tournaments.draw.plans.round_robin import count_repeats, find_luby_term
from tournaments.draw.problem.reasons import ODD_SIZE
from tournaments.draw.problem.solution import Pod


def problem_of(people: int, rounds: int, *, sizes: tuple[int, int, int] = (3, 4, 5)) -> Problem:
    entrants = tuple(Entrant(f"p{number:02d}") for number in range(people))
    return Problem(entrants, sizes[1], sizes[0], sizes[2], rounds=rounds, time_limit=1)


def count_meetings(problem: Problem) -> Counter[tuple[str, str]]:
    rounds = solve(problem).rounds
    assert rounds is not None
    return Counter(pair for pods in rounds for pod in pods for pair in combinations(sorted(pod.seats), 2))


@pytest.mark.parametrize(
    ("people", "rounds", "sizes"),
    [
        (16, 5, (4, 4, 4)),
        (8, 7, (2, 2, 2)),
        (15, 7, (3, 3, 3)),
        (24, 5, (3, 4, 5)),
        (20, 19, (2, 2, 2)),
        (18, 5, (3, 4, 5)),
        (32, 9, (4, 4, 4)),
    ],
)
def test_nobody_meets_twice(people: int, rounds: int, sizes: tuple[int, int, int]) -> None:
    solution = solve(problem_of(people, rounds, sizes=sizes))
    assert solution.objective == (ObjectiveLine("repeats", 0, 0),)
    assert (solution.optimal, solution.stopped, solution.pods, solution.byes) == (True, None, (), ())
    assert solution.rounds is not None
    for pods in solution.rounds:
        assert sorted(one for pod in pods for one in pod.seats) == [f"p{number:02d}" for number in range(people)]
    assert max(count_meetings(problem_of(people, rounds, sizes=sizes)).values()) == 1


PAIR, PAST = ("p00", "p01"), PastRound((("p00", "p01", "p02"), ("p03", "p04", "p05")))


@pytest.mark.parametrize("rounds", [2, 3, 4])
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"history": (PAST,)},
        {"locked": (PAIR,)},
        {"forbidden": (PAIR,)},
        {"apart": (PAIR,)},
        {"apart": (("p00", "p01", "p02"), ("p03", "p04", "p05"))},
        {"apart": (("p00", "p01", "p02"), ("p02", "p03")), "history": (PAST,)},
    ],
)
def test_of_few_people_all_plans_are_gone_through(rounds: int, rules: dict[str, Any]) -> None:
    problem = replace(problem_of(6, rounds, sizes=(3, 3, 3)), **rules)
    people = [one.id for one in problem.entrants]
    ways = [(table, tuple(one for one in people if one not in table)) for table in combinations(people, 3)]
    if rules.keys() & {"locked", "forbidden"}:
        ways = [way for way in ways if any(set(PAIR) <= set(table) for table in way) == ("locked" in rules)]
    plans = [tuple(Pod(table, ()) for table in way) for way in ways]
    least = min(count_repeats(problem, list(plan)) for plan in combinations_with_replacement(plans, rounds))
    assert solve(problem).objective == (ObjectiveLine("repeats", least, least),)


@pytest.mark.slow
@pytest.mark.parametrize(("people", "least"), [(8, 56), (9, 92), (10, 120)])
def test_five_rounds_of_two_tables_are_proven(people: int, least: int) -> None:
    solution = solve(replace(problem_of(people, 5, sizes=(4, 4, 5)), time_limit=10))
    assert (solution.objective, solution.stopped) == ((ObjectiveLine("repeats", least, least),), None)


def test_one_round_is_turned_where_there_is_no_grid() -> None:
    """Six is no power of a prime, so no lines; but seven rounds of twenty-four there are."""
    problem = replace(problem_of(24, 7, sizes=(4, 4, 4)), time_limit=10)
    assert solve(problem).objective == (ObjectiveLine("repeats", 0, 0),)


def test_of_sizes_as_near_the_smaller_ones_are_taken() -> None:
    """Fourteen in fours of four and three meet nobody again; in two fives and a four they would, thirty times."""
    solution = solve(problem_of(14, 4))
    assert solution.objective == (ObjectiveLine("repeats", 0, 0),)
    assert solution.rounds is not None
    assert [sorted(len(pod.seats) for pod in pods) for pods in solution.rounds] == [[3, 3, 4, 4]] * 4
    templates = {sentence.template for pods in solution.rounds for pod in pods for sentence in pod.reason}
    assert {template for template in templates if "a pod of" in template} == {ODD_SIZE}


def test_who_sits_out_is_a_pod_of_their_own_for_the_bound() -> None:
    assert solve(problem_of(13, 3, sizes=(4, 4, 4))).objective == (ObjectiveLine("repeats", 6, 6),)


@pytest.mark.parametrize(
    ("one", "other", "pairs"),
    [
        ([4, 4, 4], [4, 4, 4], 3),
        ([4, 4, 4, 1], [4, 4, 4, 1], 2),
        ([4] * 4, [4] * 4, 0),
        ([6], [6], 15),
        ([6, 1], [6, 1], 10),
        ([5, 4, 4, 4], [5, 4, 4, 4], 1),
        ([8] * 6, [8] * 6, 12),
    ],
)
def test_pairs_that_two_rounds_have_in_common(one: list[int], other: list[int], pairs: int) -> None:
    assert count_common(one, other) == pairs


@pytest.mark.slow
def test_a_lock_of_five_among_fours() -> None:
    problem = replace(problem_of(13, 3), locked=(("p00", "p03", "p05", "p07", "p11"),))
    rounds = solve(problem).rounds
    assert rounds is not None
    assert [sorted(len(pod.seats) for pod in pods) for pods in rounds] == [[4, 4, 5]] * 3
    together = [set(problem.locked[0]) <= set(pod.seats) for pods in rounds for pod in pods]
    assert sum(together) == 3


def test_locks_that_leave_nobody_to_sit_out_are_a_conflict() -> None:
    locks = tuple((f"p{one:02d}", f"p{one + 1:02d}", f"p{one + 2:02d}") for one in (0, 3, 6))
    with pytest.raises(Conflict, match="these rules leave no draw: "):
        solve(replace(problem_of(9, 2, sizes=(4, 4, 4)), locked=locks))


@pytest.mark.parametrize(("people", "rounds", "repeats"), [(12, 4, 18), (9, 5, 9), (6, 3, 0)])
def test_three_pods_have_pairs_in_common_with_any_three(people: int, rounds: int, repeats: int) -> None:
    sizes = {12: (4, 4, 4), 9: (3, 3, 3), 6: (2, 2, 2)}[people]
    assert solve(problem_of(people, rounds, sizes=sizes)).objective == (ObjectiveLine("repeats", repeats, repeats),)


def test_crossings_count_the_history_and_who_was_not_in_it() -> None:
    past = (PastRound((("p00", "p01", "p02"), ("p03", "p04", "p05"))),)
    problem = replace(problem_of(6, 2, sizes=(3, 3, 3)), history=past)
    assert solve(problem).objective == (ObjectiveLine("repeats", 6, 6),)


def test_team_mates_who_must_meet_count_like_one_meeting_more() -> None:
    teams = tuple(tuple(f"p{number:02d}" for number in range(first, first + 4)) for first in (0, 4))
    problem = replace(problem_of(8, 1, sizes=(4, 4, 4)), apart=teams)
    assert solve(problem).objective == (ObjectiveLine("repeats", 4, 4),)


@pytest.mark.parametrize(
    ("people", "team", "rounds", "sizes"),
    [(24, 4, 6, (4, 4, 4)), (24, 4, 5, (4, 4, 4)), (16, 4, 4, (4, 4, 4)), (32, 4, 7, (4, 4, 4)), (25, 5, 5, (5, 5, 5)),
     (12, 2, 10, (2, 2, 2)), (20, 2, 4, (4, 4, 4)), (15, 3, 6, (3, 3, 3))],
)  # fmt: skip
def test_no_team_mates_meet_where_a_round_more_would_do(
    people: int, team: int, rounds: int, sizes: tuple[int, int, int]
) -> None:
    problem = replace(problem_of(people, rounds, sizes=sizes), time_limit=5)
    ids = [one.id for one in problem.entrants]
    problem = replace(problem, apart=tuple(tuple(ids[first : first + team]) for first in range(0, people, team)))
    solution = solve(problem)
    assert (solution.objective, solution.optimal) == ((ObjectiveLine("repeats", 0, 0),), True)
    assert solution.rounds is not None
    for pods in solution.rounds:
        assert sorted(one for pod in pods for one in pod.seats) == ids


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3, 3), (4, 4, 4), (3, 4, 5), (4, 4, 5), (5, 6, 7)])
@pytest.mark.parametrize("has_teams", [False, True])
def test_the_bound_of_each_plan_holds_and_the_value_is_what_was_planned(
    sizes: tuple[int, int, int], has_teams: bool
) -> None:
    """For all numbers of people up to forty, with and without byes."""
    for people in range(sizes[0], 41):
        rounds = min(8, count_schedule(people, wanted=sizes[1], smallest=sizes[0], largest=sizes[2]) or 1)
        problem = replace(problem_of(people, rounds, sizes=sizes), time_limit=0.02)
        if has_teams:
            ids = [one.id for one in problem.entrants]
            problem = replace(problem, apart=tuple(tuple(ids[first : first + 4]) for first in range(0, people, 4)))
        solution = solve(problem)
        (line,) = solution.objective
        assert solution.rounds is not None
        assert 0 <= line.bound <= line.value == count_repeats(problem, list(solution.rounds)), problem
        mates = {pair for group in problem.apart for pair in combinations(group, 2)}
        met = Counter(pair for pods in solution.rounds for pod in pods for pair in combinations(sorted(pod.seats), 2))
        again = sum(
            sum(turn**2 for turn in range(start, start + met[pair])) for pair in met for start in [pair in mates]
        )
        assert line.value == again, problem


def test_everybody_meets_everybody_twice() -> None:
    solution = solve(problem_of(4, 2))
    assert solution.objective == (ObjectiveLine("repeats", 6, 6),)
    assert solution.rounds is not None
    assert solution.rounds[0][0].reason == (Sentence("nobody here has met before"),)
    assert [len(pods[0].reason) for pods in solution.rounds] == [1, 6]


def test_byes_go_round_where_sizes_force_them() -> None:
    solution = solve(problem_of(5, 5, sizes=(4, 4, 4)))
    assert solution.round_byes is not None
    assert sorted(solution.round_byes) == [("p00",), ("p01",), ("p02",), ("p03",), ("p04",)]
    assert solution.to_json()["byes"] == [list(byes) for byes in solution.round_byes]


def test_history_counts() -> None:
    past = (PastRound((("p00", "p01"), ("p02", "p03"))),)
    problem = replace(problem_of(4, 2, sizes=(2, 2, 2)), history=past)
    assert solve(problem).objective == (ObjectiveLine("repeats", 0, 0),)
    assert solve(replace(problem, rounds=3)).objective == (ObjectiveLine("repeats", 2, 2),)


@pytest.mark.slow
def test_hard_rules_hold_in_every_round() -> None:
    problem = replace(problem_of(12, 3), locked=(("p00", "p01"),), forbidden=(("p02", "p03"),))
    met = count_meetings(problem)
    assert (met["p00", "p01"], met["p02", "p03"]) == (3, 0)


def test_a_conflict_is_named() -> None:
    problem = replace(problem_of(4, 2), locked=(("p00", "p01"),), forbidden=(("p01", "p00"),))
    with pytest.raises(Conflict, match="p00 and p01 may not meet but are locked together"):
        solve(problem)


def test_where_nobody_may_meet_anybody_there_is_no_plan() -> None:
    """The bound on repeats must not loop endlessly over an empty list of pairs."""
    with pytest.raises(Conflict, match="these rules leave no draw: p00 and p01 may not meet"):
        solve(replace(problem_of(2, 3, sizes=(2, 2, 2)), forbidden=(("p00", "p01"),)))


def test_runs_are_mostly_short_and_now_and_then_long() -> None:
    assert [find_luby_term(number) for number in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
