"""The placement rating: who wins rises, equals stay together, the same tables give the same numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ratings.placement import NEWCOMER, Rating, find_cautious_share, rate

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


def test_a_rating_is_provisional_while_it_is_uncertain() -> None:
    ratings = [Rating(25.0, sigma) for sigma in (8.3, 6.26, 6.25, 3.0)]
    assert [rating.is_settled for rating in ratings] == [False, False, True, True]
    assert ratings[2].spread == 250


def test_a_cautious_rating_is_two_deviations_lower() -> None:
    assert (NEWCOMER.cautious, Rating(30.0, 4.0).cautious) == (833, 1380)


@pytest.mark.parametrize(
    ("share", "tables", "expected"),
    [(1.0, 1, 0.2), (1.0, 50, 0.926), (0.5, 10, 0.233), (0.5, 100, 0.402), (0.0, 30, 0.0), (0.0, 0, 0.0)],
)
def test_a_share_of_few_tables_counts_for_less(share: float, tables: int, expected: float) -> None:
    assert find_cautious_share(share, tables) == pytest.approx(expected, abs=0.001)
