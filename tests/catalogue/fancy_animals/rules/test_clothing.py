"""Claims, spots and wilds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.catalogue.fancy_animals.rules.playing import CLOTHING, act, expected, play, position, refusal

FIVE = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G"
FOUR = "3LG:G 4GM:G 5GC:G 6LG:G"


def test_a_run_of_the_material_and_at_least_the_length_pays_for_one_piece() -> None:
    state = position("7GM 9LC", "1LM", table=FOUR, deck="2LM")
    assert expected(act(state, play("7GM", FIVE, claim="feet-G-4")), "worn", "scores") == {
        "worn": [{"feet": ["feet-G-4"]}, {}],
        "scores": [4, 0],
    }
    assert refusal(state, play("7GM", FIVE, claim="feet-M-3")) == (
        "This clothing needs a metal run of 4: feet-M-3. The longest on the table has 0."
    )
    shorter = position("2LG 9LC", "1LM", table="3LG:G 4GM:G 5GC:G", deck="2LM")
    assert refusal(shorter, play("2LG", "2LG:G 3LG:G 4GM:G 5GC:G", claim="feet-G-4")) == (
        "This clothing needs a gem run of 5: feet-G-4. The longest on the table has 4."
    )


def test_the_run_need_not_contain_a_card_that_was_played() -> None:
    state = position("8LM", "1LM", table=f"{FIVE} | 8GC:C 8LG:L 8GM:G")
    after = act(state, play("8LM", f"{FIVE} | 8GC:C 8LG:L 8GM:G 8LM:M", claim="feet-G-4"))
    assert expected(after, "worn") == [{"feet": ["feet-G-4"]}, {}]


def test_the_longest_run_of_the_material_pays_whatever_lies_beside_it() -> None:
    leather = "3LG:L 4LM:L 5LC:L 6LG:L"
    state = position("7LM", "1LM", table=f"{leather} | 9LG:L 10LM:L 11LC:L | 1GM:G 1GC:C 1MC:M")
    after = act(state, play("7LM", f"{leather} 7LM:L | 9LG:L 10LM:L 11LC:L | 1GM:G 1GC:C 1MC:M", claim="hand-L-3"))
    assert expected(after, "worn") == [{"hand": ["hand-L-3"]}, {}]


def test_a_set_pays_for_nothing() -> None:
    state = position("8LM", "1LM", table="8GC:C 8LG:L 8GM:G")
    assert refusal(state, play("8LM", "8GC:C 8LG:L 8GM:G 8LM:M", claim="hand-M-1")).startswith(
        "This clothing needs a metal run of 3: hand-M-1."
    )


def test_only_the_first_two_of_each_deck_are_on_offer_and_the_next_shows_at_once() -> None:
    state = position("7GM", "1LM", table=FOUR)
    assert expected(state, "offer") == sorted(word for deck in CLOTHING.values() for word in deck[:2])
    assert refusal(state, play("7GM", FIVE, claim="hand-G-1")) == "This clothing is not on offer: hand-G-1."
    after = act(state, play("7GM", FIVE, claim="feet-G-4"))
    assert expected(after, "offer") == sorted(
        ["hand-M-1", "hand-L-3", "feet-M-3", "feet-L-5", "body-C-6", "body-L-5", "head-M-7", "head-G-9"]
    )


def test_clothing_goes_to_its_own_spot_if_that_is_free() -> None:
    state = position("7GM", "1LM", table=FOUR)
    named = act(state, play("7GM", FIVE, claim="feet-G-4", spot="feet"))
    assert expected(named, "worn")[0] == {"feet": ["feet-G-4"]}
    assert refusal(state, play("7GM", FIVE, claim="feet-G-4", spot="hand")) == (
        "It cannot be worn in that spot. Choose one of these: feet."
    )


def test_else_to_any_free_spot_where_it_costs_two() -> None:
    state = position("7GM", "1LM", table=FOUR, worn=[{"feet": ["feet-C-3"], "head": ["head-C-8"]}, {}])
    assert refusal(state, play("7GM", FIVE, claim="feet-G-4")) == "Choose a spot for this clothing: hand, body."
    assert refusal(state, play("7GM", FIVE, claim="feet-G-4", spot="head")).startswith("It cannot be worn in that spot")
    after = act(state, play("7GM", FIVE, claim="feet-G-4", spot="body"))
    assert expected(after, "worn")[0] == {"feet": ["feet-C-3"], "body": ["feet-G-4"], "head": ["head-C-8"]}
    assert expected(after, "scores")[0] == 3 + 8 + (1 + 2) + (4 - 2)


def test_the_spot_may_be_left_out_where_only_one_is_possible() -> None:
    worn = {"feet": ["feet-C-3"], "head": ["head-C-8"], "hand": ["hand-L-1"]}
    after = act(position("7GM", "1LM", table=FOUR, worn=[worn, {}]), play("7GM", FIVE, claim="feet-G-4"))
    assert expected(after, "worn")[0] == {**worn, "body": ["feet-G-4"]}


def test_with_no_free_spot_there_is_no_claim() -> None:
    worn = {"feet": ["feet-C-3"], "head": ["head-C-8"], "hand": ["hand-L-1"], "body": ["body-L-6"]}
    state = position("7GM", "1LM", table=FOUR, worn=[worn, {}])
    assert refusal(state, play("7GM", FIVE, claim="feet-G-4")) == "Your animal has no free spot for this."
    assert expected(act(state, play("7GM", FIVE)), "to_act") == [1]


# Wilds


def test_clothing_goes_to_the_table_as_any_number_of_its_material_and_counts_no_longer() -> None:
    state = position("3LM", "1LM", worn=[{"hand": ["hand-L-1"], "feet": ["feet-L-4"]}, {}])
    after = act(state, play("3LM", "3LM:L hand-L-1:4 feet-L-4:5", wilds=["hand-L-1", "feet-L-4"]))
    assert expected(after, "worn", "scores", "table") == {
        "worn": [{}, {}],
        "scores": [0, 0],
        "table": [["3LM:L", "hand-L-1:4", "feet-L-4:5"]],
    }


def test_a_wild_may_stand_in_a_set() -> None:
    state = position("3LM 3GC", "1LM", worn=[{"hand": ["hand-L-1"]}, {}])
    after = act(state, play("3LM 3GC", "3LM:M hand-L-1:3 3GC:C", wilds=["hand-L-1"]))
    assert expected(after, "table") == [["3LM:M", "hand-L-1:3", "3GC:C"]]


@pytest.mark.parametrize(
    ("worn", "wilds", "table", "sentence"),
    [
        ({"hand": ["hand-L-1"]}, ["hand-L-2"], "4LM:L 5LM:L hand-L-2:6", "Only uncovered clothing on your own animal"),
        (
            {"hand": ["hand-L-1", "hand-G-2"]},
            ["hand-L-1"],
            "4LM:L 5LM:L hand-L-1:6",
            "Only uncovered clothing on your own animal",
        ),
        (
            {"hand": ["hand-L-1"]},
            ["hand-L-1"],
            "4LM:L 5LM:L hand-L-1:12",
            "This clothing must stand for a number from 1 to 11, not for “12”: hand-L-1",
        ),
        (
            {"hand": ["hand-L-1"]},
            ["hand-L-1"],
            "4LM:L 5LM:L hand-L-1:7",
            "In this run, the number 6 is missing: 4L 5L 7L.",
        ),
        (
            {"hand": ["hand-G-1"]},
            ["hand-G-1"],
            "4LM:L 5LM:L hand-G-1:6",
            "In this run, 6G must count as leather, like the others: 4L 5L 6G.",
        ),
        (
            {"hand": ["hand-L-1"]},
            [],
            "4LM:L 5LM:L hand-L-1:6",
            "These cards were not on the table, and you do not play them: hand-L-1",
        ),
        (
            {"hand": ["hand-L-1"]},
            ["hand-L-1"],
            "3LM:L 4LM:L 5LM:L",
            "You play these cards, but they are in no meld: hand-L-1.",
        ),
    ],
)
def test_what_is_no_wild(worn: dict[str, list[str]], wilds: list[str], table: str, sentence: str) -> None:
    state = position("3LM 4LM 5LM", "1LM", worn=[worn, {}], clothing=CLOTHING | {"hand": []})
    cards = "3LM 4LM 5LM" if "3LM" in table else "4LM 5LM"
    assert refusal(state, play(cards, table, wilds=wilds)).startswith(sentence)


def test_a_wild_does_not_count_as_a_card_from_hand() -> None:
    state = position("3LM", "1LM", table="4LM:L 5LM:L 6LM:L", worn=[{"hand": ["hand-L-1"]}, {}])
    move = play("", "4LM:L 5LM:L 6LM:L hand-L-1:7", wilds=["hand-L-1"])
    assert refusal(state, move) == "Play at least one card from your hand."


def test_another_animals_clothing_is_no_wild_of_mine() -> None:
    state = position("3LM", "1LM", worn=[{}, {"hand": ["hand-L-1"], "feet": ["feet-L-4"]}])
    assert refusal(state, play("3LM", "3LM:L hand-L-1:4 feet-L-4:5", wilds=["hand-L-1", "feet-L-4"])).startswith("Only")


def test_two_pieces_of_one_pile_may_be_wilds_in_one_turn_in_any_order() -> None:
    state = position("3LM", "1LM", worn=[{"hand": ["hand-C-2", "hand-L-1", "feet-L-4"]}, {}])
    for wilds in (["hand-L-1", "feet-L-4"], ["feet-L-4", "hand-L-1"]):
        after = act(state, play("3LM", "3LM:L hand-L-1:4 feet-L-4:5", wilds=wilds))
        assert expected(after, "worn")[0] == {"hand": ["hand-C-2"]}


def test_the_spot_of_a_wild_is_free_at_once() -> None:
    state = position(
        "7GM", "1LM", table="3LG:G 4GM:G 5GC:G 6LG:G | 8LM:M 9LM:M 10LM:M", worn=[{"feet": ["feet-M-5"]}, {}]
    )
    after = act(state, play("7GM", f"{FIVE} | 8LM:M 9LM:M 10LM:M feet-M-5:11", wilds=["feet-M-5"], claim="feet-G-4"))
    assert expected(after, "worn", "scores") == {"worn": [{"feet": ["feet-G-4"]}, {}], "scores": [4, 0]}


WILD = "9GM:M 10MC:M hand-M-2:11"


@pytest.mark.parametrize(
    ("cards", "table", "is_allowed"),
    [
        ("11LM", "9GM:M 10MC:M 11LM:M hand-M-2:12", True),
        ("11LM 12LC 13LC", "9GM:M 10MC:M hand-M-2:11 | 11LM:L 12LC:L 13LC:L", True),
        ("8LM", "8LM:M 9GM:M 10MC:M hand-M-2:11", True),
        ("8LM", "hand-M-2:7 8LM:M 9GM:M 10MC:M", False),
        ("8LM 11LM", "hand-M-2:7 8LM:M 9GM:M 10MC:M 11LM:M", True),
        ("11GM", "9GM:M 10MC:M 11GM:M hand-M-2:12", True),
    ],
)
def test_a_wild_gets_another_meaning_only_if_a_material_card_stands_for_what_it_leaves(
    cards: str, table: str, is_allowed: bool
) -> None:
    state = position("8LM 11LM 11LC 11GM 12LC 13LC", "1LM", "1GC", table=WILD)
    if is_allowed:
        assert expected(act(state, play(cards, table)), "to_act") == [1]
    else:
        assert refusal(state, play(cards, table)) == (
            "A wild no longer stands for 11M. At least as many material cards must now stand for it as "
            "wilds have left it."
        )


def test_the_card_that_replaces_a_wild_may_lie_anywhere_and_the_wild_moves_to_any_meld() -> None:
    state = position(
        "11LM 8LM",
        "1LM",
        "1GC",
        table=f"{WILD} | 8GM:G 8GC:C hand-M-1:8 | 11LG:L 11GC:G 11MC:C",
        clothing={**CLOTHING, "hand": []},
    )
    move = play("8LM", "9GM:M 10MC:M hand-M-2:11 hand-M-1:12 | 8GM:G 8GC:C 8LM:M | 11LG:L 11GC:G 11MC:C")
    assert expected(act(state, move), "to_act") == [1]
    in_a_set = play("11LM", "9GM:M 10MC:M 11MC:M | 8GM:G 8GC:C hand-M-1:8 | 11LG:L 11GC:G hand-M-2:11 | 11LM:L")
    assert "too small" in refusal(state, in_a_set)


@pytest.mark.parametrize(
    ("cards", "table"),
    [
        ("8LM 11LM", "8LM:M 9GM:M 10MC:M 11LM:M hand-M-1:12 | 9LM:M 10GM:M hand-M-2:11"),
        (
            "8LM 11LM 11GM",
            "hand-M-2:7 8LM:M 9GM:M 10MC:M 11LM:M hand-M-1:12 | 9LM:M 10GM:M 11GM:M",
        ),
    ],
)
def test_as_many_material_cards_as_wilds_have_left(cards: str, table: str) -> None:
    state = position(
        "8LM 11LM 11GM",
        "1LM",
        "1GC",
        table="9GM:M 10MC:M hand-M-2:11 | 9LM:M 10GM:M hand-M-1:11",
        clothing={**CLOTHING, "hand": []},
    )
    assert expected(act(state, play(cards, table)), "to_act") == [1]


def test_two_wilds_leave_and_one_card_stands_for_them() -> None:
    state = position(
        "8LM 11LM 8GM",
        "1LM",
        "1GC",
        table="9GM:M 10MC:M hand-M-2:11 | 9LM:M 10GM:M hand-M-1:11",
        clothing={**CLOTHING, "hand": []},
    )
    table = "hand-M-2:8 9GM:M 10MC:M 11LM:M | hand-M-1:8 9LM:M 10GM:M"
    assert refusal(state, play("11LM", table)).startswith("A wild no longer stands for 11M. At least as many")
    swapped = "9GM:M 10MC:M hand-M-1:11 | 9LM:M 10GM:M hand-M-2:11 | 11LM:M"
    assert "too small" in refusal(state, play("11LM", swapped))


def test_two_wilds_that_change_places_both_leave_their_numbers() -> None:
    table = "9GM:M 10MC:M hand-M-2:11 | 6LM:M 7GM:M hand-M-1:8"
    state = position("8LM 11LM 9LM", "1LM", "1GC", table=table, clothing={**CLOTHING, "hand": []})
    swapped = "9GM:M 10MC:M hand-M-1:11 | 6LM:M 7GM:M hand-M-2:8"
    assert refusal(state, play("9LM", f"{swapped} 9LM:M")).startswith("A wild no longer stands for ")
    alone = play("9LM", "9GM:M 10MC:M hand-M-2:11 | 6LM:M 7GM:M hand-M-1:8 9LM:M")
    assert expected(act(state, alone), "to_act") == [1]


def test_a_wild_stays_on_the_table_and_is_anybodys() -> None:
    state = position("8LM", "11LM", "1GC", table=WILD)
    after = act(state, play("8LM", "8LM:M 9GM:M 10MC:M hand-M-2:11"))
    last = act(after, play("11LM", "8LM:M 9GM:M 10MC:M 11LM:M hand-M-2:12"))
    assert expected(last, "table", "worn") == {
        "table": [["8LM:M", "9GM:M", "10MC:M", "11LM:M", "hand-M-2:12"]],
        "worn": [{}, {}, {}],
    }
    gone = play("11LM", "8LM:M 9GM:M 10MC:M 11LM:M")
    assert refusal(after, gone) == "These cards were on the table and must stay there: hand-M-2."


def test_clothing_is_claimed_only_by_playing() -> None:
    state: Any = position("7LG 7GM 7MC", "1LM", table=FIVE.replace("7GM:G", "7GC:G"))
    move = {"activate": "loop", "set": ["7LG:L", "7GM:G", "7MC:M"], "claim": "feet-G-4"}
    assert refusal(state, move) == "This move cannot have “claim”."
