"""Locks share a pod where that costs least, and never where they may not."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from tournaments.draw import Entrant, PastRound, Problem, solve
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import cost_pairing, evaluate, is_allowed
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.lock_groups import (
    MAX_SETS,
    bound_locks,
    join_locks,
    list_lock_sets,
    list_useful_sets,
    partition_locks,
)
from tournaments.draw.search.start import build_initial_draw
from tournaments.draw.search.windows import improve_by_windows

SCORES = {"a": 4200, "b": 0, "c": 4000, "d": 100, "e": 2500, "f": 2000, "g": 2400, "h": 1900, "i": 4100, "j": 3900}
LOCKS = ("ab", "cd", "ef", "gh", "ij")


def joined(instance: Instance, room: int) -> list[str]:
    found = join_locks(instance, room, find_scales(instance), Budget(1))
    return sorted("".join(sorted(instance.ids[one] for one in lock)) for lock in found)


def instance_of(forbidden: tuple[tuple[str, str], ...] = (), history: tuple[PastRound, ...] = ()) -> Instance:
    entrants, locked = tuple(Entrant(*each) for each in SCORES.items()), tuple(tuple(lock) for lock in LOCKS)
    return build_instance(Problem(entrants, 4, 2, 5, locked=locked, forbidden=forbidden, history=history))


def test_wide_locks_share_a_pod_with_wide_ones() -> None:
    assert joined(instance_of(), 4) == ["abcd", "efgh", "ij"]


def test_in_larger_pods_three_share_one() -> None:
    assert joined(instance_of(), 6) == ["abcdgh", "ef", "ij"]


def test_where_there_is_no_room_nobody_shares() -> None:
    assert joined(instance_of(), 3) == list(LOCKS)


def test_who_may_not_meet_shares_nothing() -> None:
    assert joined(instance_of(forbidden=(("a", "d"),)), 4) == ["abgh", "cdef", "ij"]


def test_who_met_shares_what_costs_less() -> None:
    past = (PastRound((("e", "g"),)),)
    assert joined(instance_of(history=past), 4) == ["abcd", "ef", "gh", "ij"]


def test_too_many_sets_are_not_listed() -> None:
    """Four hundred locks of two in eights."""
    locks = [[2 * number, 2 * number + 1] for number in range(400)]
    assert list_lock_sets(locks, 8, lambda members: True) is None
    assert len(list_lock_sets(locks[:40], 4, lambda members: True) or []) == 40 + 40 * 39 // 2 < MAX_SETS


def test_locks_that_cost_less_apart_are_not_joined() -> None:
    instance, budget = instance_of(), Budget(1)
    ways = list_useful_sets(instance, instance.locks, 4, lambda pod: cost_pairing(instance, pod), budget)
    assert ways is not None
    joined = {"".join(sorted(instance.ids[one] for one in pod)) for pod in ways.people}
    assert joined == {*LOCKS, "abcd", "abef", "abgh", "abij", "cdef", "cdgh", "efgh"}
    assert budget.spent == 10 * 15


@pytest.mark.parametrize(("largest", "least"), [(3, 33_390_000), (4, 18_040_000), (6, 17_930_000)])
def test_no_draw_costs_less_than_its_locks(largest: int, least: int) -> None:
    problem = replace(instance_of().problem, max_size=largest, wanted=3)
    instance = build_instance(problem)
    scales, budget = find_scales(instance), Budget(1)
    assert bound_locks(instance, scales, 1 << 40, budget) * scales.scale**2 == least
    assert bound_locks(build_instance(replace(problem, locked=())), scales, 1 << 40, budget) == 0


def test_two_thousand_whose_locks_stand_anywhere() -> None:
    """Nobody is told apart in their program, so the bound is that of the locks."""
    rng = random.Random(4)
    entrants = tuple(Entrant(f"p{number:04d}", rng.randrange(4201)) for number in range(2100))
    locked = tuple((f"p{2 * number:04d}", f"p{2 * number + 1:04d}") for number in range(20))
    pairing = solve(Problem(entrants, 4, 3, 5, locked=locked, time_limit=0.3)).objective[6]
    assert 0 < pairing.bound <= pairing.value < 1.1 * pairing.bound


def test_three_sets_of_two_are_not_half_a_set_each() -> None:
    sets = [[0], [1], [2], [0, 1], [1, 2], [0, 2]]
    best = partition_locks(sets, np.array([10, 11, 12, 10, 11, 12]), 3, below=100, budget=Budget(1))
    assert best.chosen is not None
    assert (best.value, best.bound, sorted(best.chosen.tolist())) == (21, 21, [0, 4])


@pytest.mark.parametrize("step", [1, 420])
def test_three_hundred_with_locks_that_stand_anywhere(step: int) -> None:
    """Nearly all that their draw costs are the locks, and the others need not know of them."""
    rng = random.Random(11)
    names = [f"p{number:03d}" for number in range(300)]
    pairs = rng.sample(names, 60)
    locked = tuple(zip(pairs[:20:2], pairs[1:20:2], strict=True))
    forbidden = tuple(zip(pairs[20::2], pairs[21::2], strict=True))
    entrants = tuple(Entrant(one, rng.randrange(0, 4201, step)) for one in names)
    instance = build_instance(Problem(entrants, 4, 3, 5, locked=locked, forbidden=forbidden))
    scales, budget = find_scales(instance), Budget(5)
    start = build_initial_draw(instance, scales, budget)
    assert start is not None
    found = improve_by_windows(instance, start, scales, random.Random(1), budget, steps=100)
    least = sum(cost_pairing(instance, lock) for lock in join_locks(instance, 4, scales, budget))
    assert is_allowed(instance, found.pods, found.byes)
    assert evaluate(instance, found.pods, found.byes).pairing <= 1.1 * least
