"""Pods by enumeration: none is missing, and a part is called a part."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.columns import PodEnumerator, PodPricing, TooManyPods
from tournaments.draw.program.locked_columns import LockedPodEnumerator
from tournaments.draw.program.span_tables import NEVER

COUNT = 9
PRICE = np.array([3, 8, 1, 9, 4, 0, 7, 2, 6])
GAP = abs(np.arange(COUNT)[:, None] - np.arange(COUNT)[None, :])
GROUPS = ((0, 3, 4), (5, 8))


def pricing_of(reach: int) -> PodPricing:
    """Everybody one point behind the one before."""
    width = np.tile(np.arange(reach + 1) ** 2, (COUNT, 1))
    past = np.where(np.arange(COUNT) + reach + 1 < COUNT, (reach + 1) ** 2, NEVER)
    return PodPricing((GAP == 2) * 5, width, past, PRICE)


def reduce(pod: tuple[int, ...]) -> int:
    met = sum(5 for one, other in combinations(pod, 2) if other - one == 2)
    return (pod[-1] - pod[0]) ** 2 + met - int(PRICE[list(pod)].sum())


def is_whole(pod: tuple[int, ...]) -> bool:
    return all(len({*lock} & {*pod}) in (0, len(lock)) for lock in GROUPS)


@pytest.mark.parametrize("limit", [-9, 0, 40])
@pytest.mark.parametrize("locks", [(), GROUPS])
def test_every_pod_within_the_limit_is_found(limit: int, locks: tuple[tuple[int, ...], ...]) -> None:
    pods = PodEnumerator(pricing_of(COUNT - 1), 4, locks).find(limit, most=1000, budget=Budget(1))
    found = {tuple(members): cost for members, cost in zip(pods.members.tolist(), pods.reduced.tolist(), strict=True)}
    wanted = [pod for pod in combinations(range(COUNT), 4) if not locks or is_whole(pod)]
    assert found == {pod: reduce(pod) for pod in wanted if reduce(pod) <= limit}


def test_a_part_is_called_a_part() -> None:
    finder = PodEnumerator(pricing_of(COUNT - 1), 4, ())
    assert finder.find_some(40, most=1000, budget=Budget(1))[1] is True
    assert finder.find_some(40, most=5, budget=Budget(1))[1] is False
    assert finder.find_some(40, most=1000, budget=Budget(0))[1] is False
    with pytest.raises(TooManyPods):
        finder.find(40, most=5, budget=Budget(1))


@pytest.mark.parametrize("limit", [-9, 0, 40, 200])
@pytest.mark.parametrize("locks", [GROUPS, ((1, 7), (2, 8), (0, 5))])
def test_every_pod_with_a_lock_is_found(limit: int, locks: tuple[tuple[int, ...], ...]) -> None:
    def span(first: Ints, last: Ints) -> Ints:
        return (last - first) ** 2

    def rate(members: Ints) -> Ints:
        return np.array([reduce(tuple(pod)) for pod in members.tolist()], dtype=np.int64)

    finder = LockedPodEnumerator(pricing_of(COUNT - 1), 4, locks, (), span, rate)
    pods = finder.find(limit, most=1000, budget=Budget(1))
    found = {tuple(members): cost for members, cost in zip(pods.members.tolist(), pods.reduced.tolist(), strict=True)}
    expected = [
        pod
        for pod in combinations(range(COUNT), 4)
        if {len({*lock} & {*pod}) / len(lock) for lock in locks} <= {0, 1} and any({*g} <= {*pod} for g in locks)
    ]
    assert found == {pod: reduce(pod) for pod in expected if reduce(pod) <= limit}
    least = finder.bound_reduced_costs().tolist()
    for pod in expected:
        assert least[min(number for number, lock in enumerate(locks) if {*lock} <= {*pod})] <= reduce(pod)


@pytest.mark.parametrize("reach", [5, 6, 7])
def test_what_the_band_does_not_hold_is_bounded(reach: int) -> None:
    finder = PodEnumerator(pricing_of(reach), 4, ())
    wanted = {pod: reduce(pod) for pod in combinations(range(COUNT), 4)}
    for first, least in enumerate(finder.bound_reduced_costs().tolist()):
        least = min(least, int(finder.beyond[first]))
        assert all(least <= cost for pod, cost in wanted.items() if pod[0] == first)
    safe = int(finder.beyond.min()) - 1
    pods = finder.find(safe, most=1000, budget=Budget(1))
    assert {tuple(members) for members in pods.members.tolist()} == {pod for pod in wanted if wanted[pod] <= safe}
    with pytest.raises(TooManyPods):
        finder.find(safe + 1, most=1000, budget=Budget(1))


def test_copies_of_a_level_come_in_their_order() -> None:
    nothing = np.zeros(4, dtype=np.int64)
    level = PodPricing(np.zeros((4, 4), dtype=np.int64), np.zeros((4, 4), dtype=np.int64), nothing + NEVER, nothing)
    pods = PodEnumerator(level, 2, (), [(1, 2)]).find(0, most=10, budget=Budget(1))
    assert sorted(pods.members.tolist()) == [[0, 1], [0, 3], [1, 2], [1, 3]]
