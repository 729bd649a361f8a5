"""The same problem gives the same draw, whatever the order of its lists; the seed decides among equals."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tournaments.draw import Conflict, Entrant, PastRound, Problem, solve
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.search import windows
from tournaments.draw.search.start import build_initial_draw

NAMES = tuple(f"p{number:02d}" for number in range(22))


def problem_of(seed: str = "club night") -> Problem:
    """Twenty-two people after two rounds."""
    rng = random.Random(7)
    rounds = []
    for _ in range(2):
        order = rng.sample(NAMES, len(NAMES))
        cuts = (0, 4, 8, 12, 16, 19, 22)
        rounds.append(PastRound(tuple(tuple(order[low:high]) for low, high in pairwise(cuts))))
    return Problem(
        entrants=tuple(Entrant(one, rng.randrange(0, 1681, 140)) for one in NAMES),
        wanted=4,
        min_size=3,
        max_size=5,
        seed=seed,
        history=tuple(rounds),
        absent=("p03",),
        forbidden=(("p01", "p02"), ("p05", "p06")),
        locked=(("p07", "p08"), ("p09", "p10")),
    )


def drawn(problem: Problem) -> dict[str, Any]:
    answer = solve(problem).to_json()
    del answer["seconds"]
    return answer


def test_twice_the_same() -> None:
    assert drawn(problem_of()) == drawn(problem_of())


def test_lists_in_another_order() -> None:
    problem = problem_of()
    turned = replace(
        problem,
        entrants=problem.entrants[::-1],
        history=tuple(replace(past, pods=past.pods[::-1]) for past in problem.history),
        absent=("nobody", *problem.absent),
        forbidden=tuple((other, one) for one, other in problem.forbidden[::-1]),
        locked=tuple(lock[::-1] for lock in problem.locked[::-1]),
    )
    assert drawn(turned) == drawn(problem)


def test_no_window_is_opened_when_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand people have hundreds of them, and a search in each is no sooner set up than ended."""
    instance = build_instance(problem_of())
    scales = find_scales(instance)
    start = build_initial_draw(instance, scales, Budget(1))
    assert start is not None
    monkeypatch.setattr(windows, "TabuSearch", None)
    found = windows.improve_by_windows(instance, start, scales, random.Random(1), Budget(0), steps=9)
    assert sorted(map(sorted, found.pods)) == sorted(map(sorted, start.pods))


def test_the_seed_decides_among_equals() -> None:
    problem = Problem(tuple(Entrant(one) for one in NAMES), 4, 3, 5)
    assert drawn(replace(problem, seed="1"))["pods"] != drawn(replace(problem, seed="2"))["pods"]


def list_kinds() -> list[Problem]:
    """With rules, a plan, more people than the time is enough for, and rules that leave nothing."""
    rules = problem_of()
    crowd = tuple(Entrant(f"p{number:03d}", 60 * (number * 37 % 71)) for number in range(64))
    past = tuple(
        PastRound(tuple(tuple(f"p{(at + step * turn) % 64:03d}" for step in range(4)) for at in range(0, 64, 4)))
        for turn in (1, 5, 9, 13)
    )
    return [
        rules,
        replace(rules, rounds=3, time_limit=0.2),
        Problem(crowd, 4, 3, 5, history=past, time_limit=0.1),
        Problem(
            crowd[:9], 4, 4, 4, locked=(("p000", "p001", "p002"), ("p003", "p004", "p005"), ("p006", "p007", "p008"))
        ),
    ]


def print_answers() -> None:
    """As JSON."""
    sys.stdout.write(json.dumps([answer(problem) for problem in list_kinds()]))


def answer(problem: Problem) -> dict[str, Any] | str:
    try:
        return drawn(problem)
    except Conflict as conflict:
        return str(conflict)


@pytest.mark.slow
def test_the_order_of_sets_decides_nothing() -> None:
    """Another process has another order of everything that is hashed."""
    unhurried = (
        "from tournaments.draw.problem import budget; budget.EMERGENCY_FACTOR = 1_000"  # however busy the machine is
    )
    code = f"{unhurried}; from {__name__} import print_answers; print_answers()"
    environment = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, timeout=600,
            capture_output=True, cwd=Path(__file__).parents[3],
        ).stdout
        for seed in ("0", "42")
    ]  # fmt: skip
    assert environment[0] == environment[1]
    rules, plan, crowd, conflict = json.loads(environment[0])
    assert [rules["stopped"], len(plan["rounds"]), crowd["stopped"]] == [None, 3, "work limit: pairing not proven"]
    assert conflict.startswith("these rules leave no draw: ")


class Stop(Exception):
    """Raised to end a draw from its progress callback."""


def test_it_tells_how_far_it_is() -> None:
    problem = replace(problem_of(), time_limit=0.2)
    collected: list[int] = []
    solve(problem, collected.append)
    assert collected == sorted(set(collected))
    assert 0 < collected[0] <= collected[-1] <= 100


def test_who_is_told_may_give_it_up() -> None:
    def stop(percent: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        solve(problem_of(), stop)


@pytest.mark.parametrize("rounds", [None, 6])
def test_the_clock_stops_what_takes_three_times_the_limit(rounds: int | None) -> None:
    """The listener takes longer than that; what was found until then is a draw, and says that the clock ended it."""
    problem = replace(problem_of(), time_limit=0.05, rounds=rounds)
    naps = iter([0.2])
    solution = solve(problem, lambda percent: time.sleep(next(naps, 0)))
    assert (solution.stopped, solution.optimal) == ("clock", False)
    drawn_rounds = (
        [(solution.pods, solution.byes)]
        if rounds is None
        else zip(solution.rounds or (), solution.round_byes or (), strict=True)
    )
    for pods, byes in drawn_rounds:
        assert sorted([*(one for pod in pods for one in pod.seats), *byes]) == [one for one in NAMES if one != "p03"]
        seated = [set(pod.seats) for pod in pods]
        assert sum(pod >= {"p07", "p08"} for pod in seated) == sum(pod >= {"p09", "p10"} for pod in seated) == 1
        assert not any(pod >= {"p01", "p02"} or pod >= {"p05", "p06"} for pod in seated)


@pytest.mark.parametrize("rounds", [None, 1])
def test_what_is_proven_was_not_stopped_by_the_clock(rounds: int | None) -> None:
    """Two people have one draw, however long it took to find it."""
    problem = Problem((Entrant("ana"), Entrant("ben")), 2, 2, 2, time_limit=1e-9, rounds=rounds)
    solution = solve(problem)
    assert (solution.stopped, solution.optimal) == (None, True)
