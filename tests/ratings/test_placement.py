"""The placement rating: who wins rises, equals stay together, the same tables give the same numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ratings.placement import NEWCOMER, Rating, is_settled, rate

PLACES = st.integers(2, 8).flatmap(lambda people: st.permutations(range(1, people + 1)))


def test_a_newcomer_is_in_the_middle_and_uncertain() -> None:
    assert (NEWCOMER.number, NEWCOMER.spread) == (1500, 333)


def test_first_of_three() -> None:
    after = rate([NEWCOMER] * 3, [1, 2, 3])
    assert [rating.number for rating in after] == [1615, 1529, 1357]
    assert [rating.spread for rating in after] == [328, 322, 322]


def test_a_victory_over_the_stronger_counts_more() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(25.0, 3.0)
    expected, surprise = rate([strong, weak], [1, 2]), rate([strong, weak], [2, 1])
    assert surprise[1].number - weak.number > expected[0].number - strong.number > 0


@settings(max_examples=40, deadline=None)
@given(PLACES)
def test_newcomers_are_ordered_by_their_places(places: list[int]) -> None:
    after = rate([NEWCOMER] * len(places), places)
    in_order = [rating.mu for _, rating in sorted(zip(places, after, strict=True))]
    assert in_order == sorted(in_order, reverse=True)
    assert len(set(in_order)) == len(places)
    assert after == rate([NEWCOMER] * len(places), places)
    assert all(rating.sigma < NEWCOMER.sigma for rating in after)


def test_equal_newcomers_with_equal_places_stay_equal() -> None:
    one, other, last = rate([NEWCOMER] * 3, [1, 1, 3])
    assert one.mu == pytest.approx(other.mu)
    assert one.mu > last.mu


@pytest.mark.parametrize(("before", "places"), [([NEWCOMER], [1]), ([NEWCOMER, NEWCOMER], [1]), ([], [])])
def test_a_table_has_two_people_and_their_places(before: list[Rating], places: list[int]) -> None:
    with pytest.raises(ValueError, match="at least two people"):
        rate(before, places)


def test_provisional_for_ten_tables() -> None:
    assert [is_settled(tables) for tables in (0, 9, 10)] == [False, False, True]
