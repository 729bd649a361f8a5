"""All draws within the limits are enumerated, each once; an interrupted enumeration says that it is incomplete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from tournaments.draw.problem.budget import UNITS_PER_SECOND, Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.exact_cover import DRAW_COST, ExactCover

COUNT = 12
PODS = np.array(list(combinations(range(COUNT), 4)))
RNG = np.random.Generator(np.random.PCG64(1))
WEIGHTS = np.stack([RNG.integers(-3, 40, len(PODS)), RNG.integers(0, 40, len(PODS))], axis=1)
NUMBER = {tuple(pod): number for number, pod in enumerate(PODS.tolist())}


def list_draws(left: Sequence[int] = range(COUNT)) -> list[tuple[int, ...]]:
    """All draws, as columns."""
    if not left:
        return [()]
    return [
        (NUMBER[(left[0], *mates)], *rest)
        for mates in combinations(left[1:], 3)
        for rest in list_draws([one for one in left[1:] if one not in mates])
    ]


def multiplicity(people: int, members: Ints, weights: Ints, pods: int, limits: Sequence[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    covering = ExactCover(people, members, weights)
    assert covering.run(pods, lambda: np.array(limits), lambda chosen: found.append(tuple(chosen.tolist())), Budget(1))
    return sorted(tuple(sorted(chosen)) for chosen in found)


@pytest.mark.parametrize("limits", [(40, 60), (20, 120), (120, 20), (-1, 120)])
def test_every_draw_within_the_limits(limits: tuple[int, int]) -> None:
    wanted = [draw for draw in list_draws() if (WEIGHTS[list(draw)].sum(axis=0) <= limits).all()]
    assert multiplicity(COUNT, PODS, WEIGHTS, 3, limits) == sorted(tuple(sorted(draw)) for draw in wanted)
    assert wanted


def test_more_people_than_bits_in_a_word() -> None:
    """Seventy in pods of seven: each can begin with the one before, or stay where it is."""
    plain = np.arange(70).reshape(10, 7)
    turned = np.sort(np.roll(np.arange(70), 1).reshape(10, 7), axis=1)
    members = np.concatenate([plain, turned])
    weights = np.array([[1]] * 10 + [[2]] * 10)
    assert multiplicity(70, members, weights, 10, [15]) == [tuple(range(10))]
    assert multiplicity(70, members, weights, 10, [20]) == [tuple(range(10)), tuple(range(10, 20))]


def test_pods_of_many_sizes_and_byes() -> None:
    members = np.array([[0, 1, 2], [3, 4, -1], [0, 3, -1], [1, 2, 4], [2, -1, -1], [0, 1, -1]])
    weights = np.zeros((6, 1), dtype=np.int64)
    assert multiplicity(5, members, weights, 5, [0]) == [(0, 1), (1, 4, 5), (2, 3)]
    assert multiplicity(5, members, weights, 2, [0]) == [(0, 1), (2, 3)]


def test_a_limit_that_sinks_leaves_the_rest_out() -> None:
    found: list[int] = []

    def keep(chosen: Ints) -> None:
        found.append(int(WEIGHTS[chosen, 0].sum()))

    covering = ExactCover(COUNT, PODS, WEIGHTS[:, :1])
    assert covering.run(3, lambda: np.array([min(found, default=100) - 1]), keep, Budget(1))
    assert min(found) == min(int(WEIGHTS[list(draw), 0].sum()) for draw in list_draws())
    assert len(found) < len(list_draws()) // 2


def test_without_work_it_is_not_over() -> None:
    covering = ExactCover(COUNT, PODS, WEIGHTS)
    assert not covering.run(3, lambda: np.array([100, 100]), lambda chosen: None, Budget(0))


def test_every_draw_that_is_handed_over_is_work() -> None:
    """Each draw that is passed on is charged: hundreds of thousands of equal cost must not exceed the time limit."""
    budget = Budget(1)
    found: list[Ints] = []
    assert ExactCover(COUNT, PODS, WEIGHTS).run(3, lambda: np.array([1000, 1000]), found.append, budget)
    assert len(found) == len(list_draws())
    assert budget.spent > DRAW_COST * len(found)
    half = Budget(budget.spent / UNITS_PER_SECOND / 2)
    assert not ExactCover(COUNT, PODS, WEIGHTS).run(3, lambda: np.array([1000, 1000]), lambda chosen: None, half)


def test_nobody_can_cover_somebody() -> None:
    assert multiplicity(5, np.array([[0, 1], [2, 3]]), np.zeros((2, 1), dtype=np.int64), 5, [0]) == []
