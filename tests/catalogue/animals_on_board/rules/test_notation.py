"""animals-on-board.md: Notation of set-ups; what a set-up leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.base import BadSetup, Config
from games.rules.chance import NoChance
from tests.catalogue.animals_on_board.rules.positions import NO_SEED, RULES, SEED, position, read_expected_keys

LATER: dict[str, Any] = {"start": 0, "arks": [["fox-1"], []], "middle": [["lion-1", "?"]], "face_down": "tiger-1"}


def begin(setup: dict[str, Any], seats: int = 2) -> Any:
    return RULES.start(Config(seats, {}, setup), NO_SEED)


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"deals": []}, "“setup” has no key “deals”. It can have: start, species, stack"),
        ({"start": 2, "stack": []}, "“stack” must contain at least 6"),
        ({"start": 0, "stack": ["fox-1"] * 7}, "“fox-1” must appear only once"),
        ({"start": 0, "stack": ["fox-6"]}, "“fox-6” in “stack” is not a tile"),
        ({"start": 0, "stack": ["?"]}, "“\\?” in “stack” is not a tile"),
        ({"start": 0, "stack": "fox-1"}, "“stack” must contain lists of tiles"),
        ({**LATER, "stack": [], "arks": [[]]}, "“arks” must be a list of 2"),
        ({**LATER, "stack": [], "arks": None}, "A later position must contain “arks”"),
        ({**LATER, "stack": [], "crates": [1]}, "“crates” must be a list of 2"),
        ({**LATER, "stack": [], "crates": [1, 6]}, "“crates” must be a whole number from 0 to 5"),
        ({**LATER, "stack": [], "face_down": None}, "“middle” must contain “\\?” once"),
        ({**LATER, "stack": [], "middle": [["lion-1"]]}, "“middle” must contain “\\?” once"),
        ({**LATER, "stack": [], "middle": [["?", "?"]]}, "“middle” must contain “\\?” once"),
        ({**LATER, "stack": [], "middle": [["?"], []]}, "must not contain an empty group"),
        ({**LATER, "stack": [], "middle": [["?", "fox-1"]]}, "“fox-1” must appear only once"),
        ({**LATER, "stack": ["tiger-1"]}, "“tiger-1” must appear only once"),
        ({**LATER, "stack": [], "species": ["fox", "lion"]}, "“tiger-1” is not in play"),
        ({**LATER, "stack": [], "species": ["fox", "fox"]}, "each species only once"),
        ({**LATER, "stack": [], "in_round": []}, "at least one in “in_round”"),
        ({**LATER, "stack": [], "in_round": [0], "dropped": [0, 1]}, "must be in “in_round” or in “dropped”"),
        ({**LATER, "stack": [], "in_round": [0, 0]}, "each seat only once"),
        ({**LATER, "stack": [], "in_round": [1], "to_act": 0}, "“to_act” must be a seat that is still in the round"),
        ({**LATER, "stack": [], "to_act": 2}, "“to_act” must be a whole number from 0 to 1"),
        ({**LATER, "stack": [], "round": 0}, "“round” must be a whole number from 1"),
    ],
)
def test_an_impossible_setup_is_invalid(setup: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        begin(setup)


def test_a_position_may_leave_out_species_and_what_it_names_nowhere_is_out_of_the_game() -> None:
    state = begin({**LATER, "stack": ["panda-1"]})
    assert read_expected_keys(state, "stack_size", "face_down", "crates") == {
        "stack_size": 1,
        "face_down": "tiger-1",
        "crates": [1, 1],
    }
    assert "species" not in RULES.setup_of(state)


@pytest.mark.parametrize(
    "setup", [{}, {"start": 0}, {"start": 0, "species": ["fox"]}, {key: LATER[key] for key in LATER if key != "start"}]
)
def test_what_a_setup_leaves_out_needs_a_seed(setup: dict[str, Any]) -> None:
    if "species" in setup:
        setup = {"start": 0, "species": ["fox", "lion", "tiger", "zebra", "panda", "rhino", "giraffe", "elephant"]}
    with pytest.raises(NoChance):
        begin(setup)
    RULES.start(Config(2, {}, setup), SEED)


def test_the_rest_of_a_later_position_is_shuffled_into_its_stack() -> None:
    species = ["fox", "lion", "tiger", "zebra", "panda", "rhino", "giraffe", "elephant"]
    state = RULES.start(Config(2, {}, {**LATER, "species": species}), SEED)
    assert read_expected_keys(state, "stack_size") == 40 - 3


def test_the_setup_wins_over_the_options() -> None:
    state = RULES.start(Config(2, {"start": 1}, {**LATER, "stack": []}), NO_SEED)
    assert read_expected_keys(state, "flag") == 0


def test_chance_decides_nothing_after_the_start() -> None:
    with pytest.raises(BadSetup, match="it uses no chance after the start"):
        RULES.supply(position(["", ""], ["fox-1"]), [("draw", [])])
