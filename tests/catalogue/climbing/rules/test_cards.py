"""Packed hands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue.climbing.rules.cards import (
    JOKER,
    Pack,
    count_cards,
    count_kind,
    list_kinds,
    pack_hand,
    read_kind,
    take_highest,
    take_lowest,
    write_words,
)

HANDS = st.lists(st.integers(1, JOKER), max_size=30).filter(lambda some: all(some.count(kind) <= 8 for kind in some))


@given(some=HANDS)
def test_a_hand_holds_what_was_gathered(some: list[int]) -> None:
    hand = pack_hand(some)
    assert list(list_kinds(hand)) == sorted(some)
    assert count_cards(hand) == len(some)
    assert [count_kind(hand, kind) for kind in range(1, JOKER + 1)] == [
        some.count(kind) for kind in range(1, JOKER + 1)
    ]


@given(some=HANDS, more=HANDS)
def test_hands_add_and_subtract_as_numbers(some: list[int], more: list[int]) -> None:
    if all((some + more).count(kind) <= 15 for kind in range(1, JOKER + 1)):
        assert list(list_kinds(pack_hand(some) + pack_hand(more))) == sorted(some + more)
        assert pack_hand(some + more) - pack_hand(more) == pack_hand(some)


def test_cards_are_written_from_one_to_thirteen_and_jokers_last() -> None:
    hand = pack_hand([JOKER, 2, 13, 10, 1, 2])
    assert write_words(hand, "J") == ["1", "2", "2", "10", "13", "J"]
    assert write_words(hand, "F") == ["1", "2", "2", "10", "13", "F"]


def test_the_highest_and_the_lowest_cards() -> None:
    hand = pack_hand([3, 3, 3, 9, JOKER, 12])
    assert (list_kinds(take_lowest(hand, 2)), list_kinds(take_highest(hand, 2))) == ((3, 3), (12, JOKER))


@pytest.mark.parametrize(
    ("word", "kind"), [("1", 1), ("13", 13), ("J", 14), ("F", None), ("0", None), ("14", None), (7, None), (None, None)]
)
def test_card_words(word: object, kind: int | None) -> None:
    assert read_kind(word, "J") == kind


def test_a_pack_is_all_cards() -> None:
    assert list(list_kinds(Pack(2, 1).whole)) == sorted([*range(1, 14), *range(1, 14), JOKER])
