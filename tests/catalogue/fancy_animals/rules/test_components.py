"""Components and set-up."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.fancy_animals.rules.clothing import BY_WORD
from games.rules.base import BadSetup, Config
from games.rules.chance import Chance, NoChance
from tests.catalogue.fancy_animals.rules.playing import CLOTHING, FANCY, SEED, expected, position

PAIRS = ("LG", "LM", "LC", "GM", "GC", "MC")


@pytest.mark.parametrize(("seats", "top", "cards"), [(2, 11, 66), (3, 13, 78), (4, 13, 78)])
def test_every_number_comes_with_every_pair_of_suits_once(seats: int, top: int, cards: int) -> None:
    setup = FANCY.setup_of(FANCY.start(Config(seats), SEED))
    words = sorted([*(word for hand in setup["hands"] for word in hand), *setup["deck"]])
    assert words == sorted(f"{number}{pair}" for number in range(1, top + 1) for pair in PAIRS)
    assert len(words) == cards


def test_clothes_are_three_grades_a_slot_each_once_in_each_material() -> None:
    grades = {
        "hand": {1: 3, 2: 4, 3: 5},
        "feet": {3: 4, 4: 5, 5: 6},
        "body": {5: 6, 6: 7, 7: 8},
        "head": {7: 8, 8: 9, 9: 10},
    }
    wanted = {
        f"{slot}-{suit}-{points}": length
        for slot, by_points in grades.items()
        for points, length in by_points.items()
        for suit in "LGMC"
    }
    assert {word: piece.length for word, piece in BY_WORD.items()} == wanted
    assert len(BY_WORD) == 48


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everyone_gets_an_animal_and_ten_cards_and_eight_clothes_are_on_offer(seats: int) -> None:
    state = FANCY.start(Config(seats), SEED)
    setup = FANCY.setup_of(state)
    assert len(set(setup["animals"])) == seats
    assert set(setup["animals"]) <= {"tiger", "pig", "fox", "owl"}
    assert expected(state, "hand_sizes", "to_act", "table", "active", "over", "last_turns") == {
        "hand_sizes": [10] * seats,
        "to_act": [0],
        "table": [],
        "active": [],
        "over": False,
        "last_turns": None,
    }
    assert [len(deck) for deck in setup["clothing"].values()] == [12] * 4
    assert expected(state, "offer") == sorted(word for deck in setup["clothing"].values() for word in deck[:2])
    assert expected(state, "deck_size") == (66 if seats == 2 else 78) - 10 * seats
    assert expected(state, "worn") == [{}] * seats


def test_another_seed_deals_other_cards() -> None:
    one, other = (FANCY.setup_of(FANCY.start(Config(4), Chance(bytes([n] * 32)))) for n in (1, 2))
    assert one["hands"] != other["hands"]
    assert one["clothing"] != other["clothing"]


def test_seats_and_options() -> None:
    for seats in (1, 5, True, "3"):
        with pytest.raises(BadSetup, match="This game is for 2 to 4 players"):
            FANCY.check_options(seats, {})  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="no option"):
        FANCY.check_options(3, {"minutes": 5})


def test_what_a_set_up_leaves_out_comes_from_the_seed_out_of_what_it_does_not_name() -> None:
    setup = {
        "table": [["3LG:G", "4GM:G", "hand-G-1:5"]],
        "worn": [{"feet": ["feet-M-4"]}, {}],
        "hands": [["7LG"], ["8GM", "9GM"]],
    }
    state = FANCY.start(Config(2, {}, setup), SEED)
    found = FANCY.setup_of(state)
    assert found["hands"] == setup["hands"]
    assert len(found["deck"]) == 66 - 5
    assert not {"3LG", "4GM", "7LG", "8GM", "9GM"} & set(found["deck"])
    assert len(found["clothing"]["hand"]) == len(found["clothing"]["feet"]) == 11
    assert len(found["clothing"]["body"]) == len(found["clothing"]["head"]) == 12


def test_with_a_deck_given_what_is_named_nowhere_is_out_of_the_game() -> None:
    state = position("7LG", "8GM", deck="1LM 2LM")
    assert expected(state, "deck_size", "hands") == {"deck_size": 2, "hands": {"0": ["7LG"], "1": ["8GM"]}}
    dealt = FANCY.start(Config(2, {}, {"deck": ["1LM"], "table": [["3LG:G", "4GM:G", "5GC:G"]]}), SEED)
    assert expected(dealt, "deck_size", "hand_sizes") == {"deck_size": 1, "hand_sizes": [10, 10]}
    assert "1LM" not in [card for hand in expected(dealt, "hands").values() for card in hand]


@pytest.mark.parametrize("key", ["hands", "animals", "deck", "clothing"])
def test_without_a_seed_everything_that_chance_decides_must_be_named(key: str) -> None:
    setup = {"hands": [["7LG"], ["8GM"]], "animals": ["tiger", "pig"], "deck": [], "clothing": CLOTHING}
    FANCY.start(Config(2, {}, setup), Chance())
    with pytest.raises(NoChance):
        FANCY.start(Config(2, {}, {name: value for name, value in setup.items() if name != key}), Chance())


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ([], "“setup” must be an object."),
        ({"cards": []}, "“setup” has no key “cards”"),
        ({"hands": [["7LG"]]}, "“hands” must be a list of 2 lists"),
        ({"hands": [["7LG"], 3]}, "“hands” must be a list of cards."),
        ({"hands": [["12LG"], []]}, "“12LG” is not a card of this game."),
        ({"hands": [["7GL"], []]}, "“7GL” is not a card of this game."),
        ({"hands": [["7LG"], ["7LG"]]}, "names a card or piece of clothing twice"),
        ({"hands": [["7LG"], []], "deck": ["7LG"]}, "names a card or piece of clothing twice"),
        ({"worn": [{"hand": ["hand-G-1"]}, {"feet": ["hand-G-1"]}]}, "names a card or piece of clothing twice"),
        (
            {"worn": [{"tail": []}, {}]},
            "What an animal wears must be an object. Its keys can be hand, feet, body and head",
        ),
        ({"worn": [{}]}, "“worn” must be a list of 2 objects"),
        ({"worn": [{"hand": ["hat"]}, {}]}, "“hat” is not a piece of clothing."),
        ({"animals": ["tiger", "tiger"]}, "“animals” must list 2 different animals"),
        ({"animals": ["tiger", "dog"]}, "“animals” must list 2 different animals"),
        ({"clothing": {"hand": ["feet-G-4"]}}, "The deck “hand” contains clothing that belongs to another deck."),
        ({"clothing": {"tail": []}}, "“clothing” must be an object"),
        ({"clothing": {"hand": 1}}, "A deck or pile of clothing must be a list."),
        ({"table": [["3LG:G", "4GM:G"]]}, "This meld is too small: 3G 4G."),
        ({"table": [["3LG:G", "4GM:G", "6GM:G"]]}, "the number 5 is missing"),
        ({"table": [[["3LG:G"]]]}, "A meld must be a list of cards"),
        ({"table": "3LG:G"}, "“table” must be a list of melds."),
        ({"active": ["jump"]}, "“active” must be a list of special rules"),
        ({"active": ["loop", "loop"]}, "“active” must be a list of special rules"),
        ({"to_act": 2}, "“to_act” must be the number of a seat."),
        ({"to_act": True}, "“to_act” must be the number of a seat."),
    ],
)
def test_impossible_set_ups(setup: Any, sentence: str) -> None:
    with pytest.raises(BadSetup) as caught:
        FANCY.start(Config(2, {}, setup), SEED)
    assert sentence in str(caught.value)


def test_too_few_cards_to_deal() -> None:
    words = [f"{number}{pair}" for number in range(1, 12) for pair in PAIRS]
    with pytest.raises(BadSetup, match="not enough cards"):
        FANCY.start(Config(2, {}, {"deck": words[:47]}), SEED)
