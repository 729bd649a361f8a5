"""Which sizes of pods there are, with and without locks."""

from __future__ import annotations

import pytest

from tournaments.draw.problem.pod_sizes import SizeMix, bound_deviation, bound_pod_count, find_size_mix, list_size_mixes

FOURS = {"wanted": 4, "smallest": 3, "largest": 5}


@pytest.mark.parametrize(
    ("people", "mix"),
    [
        (24, SizeMix((4,) * 6, 0)),
        (26, SizeMix((5, 5, 4, 4, 4, 4), 2)),
        (23, SizeMix((4, 4, 4, 4, 4, 3), 1)),
        (2, None),
    ],
)
def test_the_nearest_to_the_wanted_size(people: int, mix: SizeMix | None) -> None:
    assert find_size_mix(people, **FOURS) == mix


def test_a_lock_of_five_has_a_pod_of_five() -> None:
    mixes = [mix for mix in list_size_mixes(24, [5, 2], **FOURS) if mix.sizes[0] >= 5]
    assert mixes[:2] == [SizeMix((5, 4, 4, 4, 4, 3), 2), SizeMix((5, 5, 5, 5, 4), 4)]


@pytest.mark.parametrize(
    ("people", "locks", "least"),
    [
        (24, [], 0),
        (24, [4, 2], 0),
        (24, [5], 2),
        (25, [5], 1),
        (24, [5, 5], 4),
        (60, [3] * 16, 4),
    ],
)
def test_what_locks_cost_in_sizes(people: int, locks: list[int], least: int) -> None:
    assert bound_deviation(people, locks, **FOURS) == least


def test_where_no_pod_may_be_smaller_all_are_larger() -> None:
    assert bound_deviation(64, [5], wanted=4, smallest=4, largest=5) == 4


def test_locks_of_more_than_half_a_pod_sit_apart() -> None:
    assert bound_pod_count(20, [3, 3, 3, 3, 3, 2], 5) == 5
    assert bound_pod_count(20, [2] * 10, 5) == 4
