"""Runs and sets, and the sentence for what is neither."""

from __future__ import annotations

import pytest

from games.catalogue.fancy_animals.rules.melds import read_meld
from games.rules.base import IllegalMove


@pytest.mark.parametrize(
    "meld",
    [
        "3LG:G 4GM:G 5GC:G",
        "1LM:L 2LG:L 3LC:L",
        "11LG:L 12LG:L 13LG:L",
        "3LG:G 4GM:G hand-G-1:5 6LG:G 7LG:G",
        "hand-G-1:1 hand-G-2:2 hand-G-3:3",
    ],
)
def test_runs_are_three_or_more_consecutive_numbers_of_one_suit(meld: str) -> None:
    assert read_meld(tuple(meld.split()), 13, False).is_run


@pytest.mark.parametrize(
    "meld", ["7LG:L 7LM:M 7GC:C", "7LG:L 7GM:G 7MC:M 7LC:C", "7LG:G 7LM:L hand-M-1:7", "hand-C-1:7 7LG:G 7LM:L"]
)
def test_sets_are_three_or_four_cards_of_one_number_each_of_a_different_suit(meld: str) -> None:
    assert not read_meld(tuple(meld.split()), 13, False).is_run


@pytest.mark.parametrize("meld", ["12GM:G 13GM:G 1GM:G", "13LG:L 1LG:L 2LM:L", "11LG:G 12LG:G 13LG:G 1LG:G 2LG:G"])
def test_with_loop_one_follows_the_top_number(meld: str) -> None:
    words = tuple(meld.split())
    assert read_meld(words, 13, True).is_run
    with pytest.raises(IllegalMove, match="only when the special rule “Loop” is active"):
        read_meld(words, 13, False)


def test_with_two_players_the_top_number_is_eleven() -> None:
    assert read_meld(("10LG:G", "11LG:G", "1LG:G"), 11, True).is_run
    with pytest.raises(IllegalMove, match="“12LG:G” is not a card of this game"):
        read_meld(("10LG:G", "11LG:G", "12LG:G"), 11, True)
    with pytest.raises(IllegalMove, match="This clothing must stand for a number from 1 to 11, not for “12”: hand-G-1"):
        read_meld(("10LG:G", "11LG:G", "hand-G-1:12"), 11, False)


@pytest.mark.parametrize(
    ("meld", "sentence"),
    [
        ("", "A run or a set has at least 3 cards. This meld is too small: –."),
        ("3LG:G 4GM:G", "A run or a set has at least 3 cards. This meld is too small: 3G 4G."),
        ("3LG:G 4GM:G 6GC:G", "In this run, the number 5 is missing: 3G 4G 6G."),
        ("4GM:G 3LG:G 5GC:G", "The cards of a run must be in order, from low to high: 4G 3G 5G."),
        ("3LG:G 4GM:G 5GC:C", "In this run, 5C must count as gem, like the others: 3G 4G 5C."),
        ("3LG:L 4LM:L 5GM:M", "In this run, 5M must count as leather, like the others: 3L 4L 5M."),
        ("3LC:C 4LC:C 5LC:L", "In this run, 5L must count as cloth, like the others: 3C 4C 5L."),
        ("3LM:M 4LM:M 5LM:L", "In this run, 5L must count as metal, like the others: 3M 4M 5L."),
        ("3LG:G 4GM:G 4GC:G 5GC:G", "This run has the number 4 twice: 3G 4G 4G 5G."),
        ("7LG:G 7GM:G 7MC:M", "Each card of a set must be of a different material. This set has gem twice: 7G 7G 7M."),
        (
            "7LG:L 7LM:L 7MC:M",
            "Each card of a set must be of a different material. This set has leather twice: 7L 7L 7M.",
        ),
        (
            "7LM:M 7GM:M 7GC:G",
            "Each card of a set must be of a different material. This set has metal twice: 7M 7M 7G.",
        ),
        (
            "7LC:C 7GC:C 7GM:G",
            "Each card of a set must be of a different material. This set has cloth twice: 7C 7C 7G.",
        ),
        (
            "7LG:L 7GM:G 8MC:M 8LC:C",
            (
                "This meld is neither a run (one material, consecutive numbers) nor a set (one number, different "
                "materials): 7L 7G 8M 8C."
            ),
        ),
        ("7LG:L 7GM:G 7LG:G", "There is only one of this, but it is on the table twice: 7LG."),
        ("7LG:L 7LG:G 8LG:G", "There is only one of this, but it is on the table twice: 7LG."),
        ("7LG:M 7GM:G 7GC:C", "The card 7LG cannot count as “M”."),
        ("7LG:L 7GM:G x", "“x” is not a card of this game."),
        ("7LG 7GM:G 7GC:C", "“7LG” is not a card of this game."),
        ("7LG:L hand-M-9:7 7GC:C", "“hand-M-9:7” is not a card of this game."),
        ("7LG:L hand-M-1:0 7GC:C", "This clothing must stand for a number from 1 to 13, not for “0”: hand-M-1."),
        ("7LG:L hand-M-1:14 7GC:C", "This clothing must stand for a number from 1 to 13, not for “14”: hand-M-1."),
        ("7LG:L hand-M-1:M 7GC:C", "This clothing must stand for a number from 1 to 13, not for “M”: hand-M-1."),
    ],
)
def test_what_is_no_meld(meld: str, sentence: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        read_meld(tuple(meld.split()), 13, False)
    assert str(caught.value) == sentence


def test_a_loop_uses_no_number_twice_and_has_an_order() -> None:
    whole = tuple(f"{number}LG:G" for number in (*range(5, 14), *range(1, 5)))
    assert read_meld(whole, 13, True).is_run
    with pytest.raises(IllegalMove, match="This run has the number 5 twice"):
        read_meld((*whole, "5GM:G"), 13, True)
    with pytest.raises(IllegalMove, match="the number 13 is missing"):
        read_meld(("11GM:G", "12GM:G", "1GM:G"), 13, True)
    with pytest.raises(IllegalMove, match="low to high"):
        read_meld(("1GM:G", "12GM:G", "13GM:G"), 13, True)
