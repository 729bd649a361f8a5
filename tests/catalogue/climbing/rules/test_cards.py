"""Packed hands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue.climbing.rules.cards import (
    JOKER,
    Pack,
    count_of,
    gather,
    highest,
    kind_of,
    kinds,
    lowest,
    size,
    words,
)

HANDS = st.lists(st.integers(1, JOKER), max_size=30).filter(lambda some: all(some.count(kind) <= 8 for kind in some))


@given(some=HANDS)
def test_a_hand_holds_what_was_gathered(some: list[int]) -> None:
    hand = gather(some)
    assert list(kinds(hand)) == sorted(some)
    assert size(hand) == len(some)
    assert [count_of(hand, kind) for kind in range(1, JOKER + 1)] == [some.count(kind) for kind in range(1, JOKER + 1)]


@given(some=HANDS, more=HANDS)
def test_hands_add_and_subtract_as_numbers(some: list[int], more: list[int]) -> None:
    if all((some + more).count(kind) <= 15 for kind in range(1, JOKER + 1)):
        assert list(kinds(gather(some) + gather(more))) == sorted(some + more)
        assert gather(some + more) - gather(more) == gather(some)


def test_cards_are_written_from_one_to_thirteen_and_jokers_last() -> None:
    hand = gather([JOKER, 2, 13, 10, 1, 2])
    assert words(hand, "J") == ["1", "2", "2", "10", "13", "J"]
    assert words(hand, "F") == ["1", "2", "2", "10", "13", "F"]


def test_the_highest_and_the_lowest_cards() -> None:
    hand = gather([3, 3, 3, 9, JOKER, 12])
    assert (kinds(lowest(hand, 2)), kinds(highest(hand, 2))) == ((3, 3), (12, JOKER))


@pytest.mark.parametrize(
    ("word", "kind"), [("1", 1), ("13", 13), ("J", 14), ("F", None), ("0", None), ("14", None), (7, None), (None, None)]
)
def test_card_words(word: object, kind: int | None) -> None:
    assert kind_of(word, "J") == kind


def test_a_pack_is_all_cards() -> None:
    assert list(kinds(Pack(2, 1).whole)) == sorted([*range(1, 14), *range(1, 14), JOKER])
