"""All plays of a game, and those that a hand allows."""

from __future__ import annotations

from games.catalogue.climbing.rules.cards import pack_hand
from games.catalogue.climbing.rules.plays import PASS, PlayIndex, holds_play
from games.rules.base import Move

BOOK = PlayIndex("J")
J = 14


def play_words(moves: tuple[Move, ...]) -> list[str]:
    """The moves in one line each."""
    return [" ".join(move["play"]) if "play" in move else "pass" for move in moves]


def test_a_play_is_found_in_any_order_and_is_always_the_same() -> None:
    found = BOOK.find(["J", "7", "7"])
    assert found is not None
    assert (found.number, found.count, found.naturals, found.jokers) == (7, 3, 2, 1)
    assert BOOK.find(["7", "7", "J"]) is found


def test_jokers_alone_have_the_number_fourteen() -> None:
    found = BOOK.find(["J", "J"])
    assert found is not None
    assert (found.number, found.naturals) == (14, 0)


def test_what_is_no_play_is_not_found() -> None:
    for cards in ([], ["7", "8"], ["F"], ["7"] * 9, ["J"] * 5, [7], [["7"]], ["7", None]):
        assert BOOK.find(cards) is None


def test_a_leader_has_every_count_of_every_number() -> None:
    assert play_words(BOOK.list_leads(pack_hand([5, 5, 9, J]))) == ["5", "9", "5 J", "9 J", "5 5", "5 5 J", "J"]


def test_a_follower_has_the_count_above_the_number_and_the_pass() -> None:
    hand = pack_hand([4, 5, 5, 9, 9, 9, J])
    assert play_words(BOOK.list_follows(hand, 2, 4, can_beat_jokers=True)) == ["5 5", "9 9", "5 J", "9 J", "pass"]
    assert play_words(BOOK.list_follows(hand, 2, 9, can_beat_jokers=True)) == ["pass"]
    assert play_words(BOOK.list_follows(hand, 1, 13, can_beat_jokers=True)) == ["J", "pass"]
    assert play_words(BOOK.list_follows(hand, 1, 14, can_beat_jokers=True)) == ["J", "pass"]
    assert play_words(BOOK.list_follows(hand, 1, 14, can_beat_jokers=False)) == ["pass"]


def test_eight_equal_cards_and_four_jokers_are_the_most() -> None:
    hand = pack_hand([6] * 8 + [J] * 4)
    assert play_words(BOOK.list_follows(hand, 12, 5, can_beat_jokers=True)) == [" ".join(["6"] * 8 + ["J"] * 4), "pass"]
    assert play_words(BOOK.list_follows(hand, 12, 6, can_beat_jokers=True)) == ["pass"]
    assert len(BOOK.list_leads(hand)) == 8 * 5 + 4


def test_without_jokers_nobody_follows_more_than_eight_cards() -> None:
    assert BOOK.list_follows(pack_hand([9] * 8), 9, 5, can_beat_jokers=True) == (PASS,)


def test_a_play_can_be_afforded_with_its_number_cards_and_jokers() -> None:
    found = BOOK.find(["7", "7", "J"])
    assert found is not None
    assert holds_play(pack_hand([7, 7, J]), found)
    assert not holds_play(pack_hand([7, 7, 7]), found)
    assert not holds_play(pack_hand([7, J, J]), found)
