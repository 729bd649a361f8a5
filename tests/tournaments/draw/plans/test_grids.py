"""Round robins by algebra: as many rounds as are promised, and nobody meets twice."""

from __future__ import annotations

from itertools import combinations

import pytest

from tournaments.draw.plans.annealing import PlannedRound
from tournaments.draw.plans.grids import Field, factor, plan_circle, plan_grid


def count_double(rounds: list[PlannedRound]) -> int:
    pairs = [pair for pods in rounds for pod in pods for pair in combinations(sorted(pod), 2)]
    return len(pairs) - len(set(pairs))


@pytest.mark.parametrize(("prime", "degree"), [(2, 1), (3, 1), (2, 2), (2, 3), (3, 2), (2, 5), (7, 1)])
def test_a_field_can_be_divided_in(prime: int, degree: int) -> None:
    field = Field(prime, degree)
    everybody = set(range(field.order))
    for one in range(1, field.order):
        assert {field.multiply(one, other) for other in everybody} == everybody
        assert {field.add(one, other) for other in everybody} == everybody
    for one, two, three in [(1, 2, 3), (5, 6, 7), (4, 8, 2)]:
        one, two, three = one % field.order, two % field.order, three % field.order
        both = field.add(field.multiply(one, two), field.multiply(one, three))
        assert field.multiply(one, field.add(two, three)) == both


def test_factors() -> None:
    assert [factor(number) for number in (1, 8, 12, 7)] == [[], [(2, 3)], [(2, 2), (3, 1)], [(7, 1)]]


@pytest.mark.parametrize(
    ("people", "size", "rounds"),
    [
        (9, 3, 4),
        (16, 4, 5),
        (20, 4, 5),
        (25, 5, 6),
        (27, 3, 13),
        (28, 4, 7),
        (32, 4, 9),
        (36, 3, 12),
        (64, 4, 21),
        (64, 8, 9),
    ],
)
def test_nobody_meets_twice(people: int, size: int, rounds: int) -> None:
    found = plan_grid(people, size, rounds)
    assert [sorted(one for pod in pods for one in pod) for pods in found] == [list(range(people))] * rounds
    assert {len(pod) for pods in found for pod in pods} == {size}
    assert count_double(found) == 0


def test_who_is_missing_leaves_pods_of_one_less() -> None:
    found = plan_grid(18, 4, 5)
    assert [sorted(map(len, pods)) for pods in found] == [[3, 3, 4, 4, 4]] * 5
    assert count_double(found) == 0


@pytest.mark.parametrize(("people", "size"), [(24, 4), (12, 4), (3, 3), (1_000, 4)])
def test_where_there_is_no_grid(people: int, size: int) -> None:
    assert plan_grid(people, size, 3) == []


@pytest.mark.parametrize(("people", "rounds", "out"), [(8, 7, []), (20, 19, []), (7, 7, [[one] for one in range(7)])])
def test_pairs_in_a_circle(people: int, rounds: int, out: list[list[int]]) -> None:
    found = plan_circle(people, rounds + 1)
    assert len(found) == rounds
    assert count_double(found) == 0
    missing = [sorted(set(range(people)).difference(*pods)) for pods in found]
    assert [each for each in missing if each] == out
