"""animals-on-board.md: Components; Setup."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.catalogue.animals_on_board.rules.tiles import KINDS, SPECIES
from games.rules.base import BadSetup, Config, IllegalMove
from games.rules.chance import Chance
from tests.catalogue.animals_on_board.rules.positions import RULES, SEED, begin_game, read_expected_keys, run

TWO = "tiger-3 fox-5 lion-1 panda-2 zebra-4 tiger-1 rhino-2 fox-1 lion-5 elephant-4 rhino-5 giraffe-1 zebra-1"


def test_there_are_twelve_species_of_five() -> None:
    words = "crocodile elephant fox giraffe hedgehog kangaroo lion panda penguin rhino tiger zebra"
    assert list(SPECIES) == words.split()
    assert list(KINDS) == sorted(f"{one}-{number}" for one in SPECIES for number in (1, 2, 3, 4, 5))


@pytest.mark.parametrize(("seats", "species"), [(2, 8), (3, 10), (4, 12)])
def test_species_in_play_by_players(seats: int, species: int) -> None:
    stack = RULES.setup_of(begin_game(seats))["stack"]
    counts = Counter(tile.rpartition("-")[0] for tile in stack)
    assert (len(counts), set(counts.values()), len(set(stack))) == (species, {5}, 5 * species)


def test_which_species_are_in_play_is_random() -> None:
    found = {tuple(RULES.setup_of(RULES.start(Config(2), Chance(bytes([n] * 32))))["species"]) for n in range(20)}
    assert len(found) > 10


def test_which_species_are_in_play_can_be_agreed() -> None:
    chosen = ["zebra", "lion", "fox", "panda", "rhino", "tiger", "giraffe", "elephant"]
    stack = RULES.setup_of(begin_game(2, species=chosen))["stack"]
    assert {tile.rpartition("-")[0] for tile in stack} == set(chosen)


def test_everyone_has_one_crate() -> None:
    assert read_expected_keys(begin_game(3), "crates") == [1, 1, 1]


def test_the_flag_goes_to_a_random_player() -> None:
    flags = {read_expected_keys(RULES.start(Config(4), Chance(bytes([n] * 32))), "flag") for n in range(30)}
    assert flags == {0, 1, 2, 3}


def test_who_has_the_flag_can_be_agreed() -> None:
    assert [read_expected_keys(begin_game(3, start=seat), "flag") for seat in range(3)] == [0, 1, 2]


def test_everyone_draws_three_tiles_in_order_of_seats() -> None:
    state = begin_game(2, TWO)
    assert RULES.view(state, 0)["drawn"] == ["tiger-3", "fox-5", "lion-1"]
    assert RULES.view(state, 1)["drawn"] == ["panda-2", "zebra-4", "tiger-1"]
    assert read_expected_keys(state, "stack_size", "round", "groups") == {"stack_size": 7, "round": 0, "groups": {}}


def test_all_choose_at_the_same_time_in_any_order() -> None:
    state = begin_game(3)
    assert read_expected_keys(state, "to_act") == [0, 1, 2]
    keep = {seat: f"{seat}: keep {RULES.view(state, seat)['drawn'][1]}" for seat in range(3)}
    assert read_expected_keys(run(state, keep[2]), "to_act") == [0, 1]
    assert read_expected_keys(run(state, keep[2], keep[0]), "to_act") == [1]
    assert RULES.expected(run(state, keep[2], keep[0], keep[1])) == RULES.expected(run(state, *keep.values()))


def test_nobodys_choice_is_shown_before_all_have_chosen() -> None:
    state = begin_game(2, TWO, start=0)
    chosen = [run(state, f"1: keep {tile}") for tile in ("panda-2", "zebra-4", "tiger-1")]
    for seat in (0, None):
        assert RULES.view(chosen[0], seat) == RULES.view(chosen[1], seat) == RULES.view(chosen[2], seat)
    assert [RULES.view(one, 1)["ark"] for one in chosen] == [["panda-2"], ["zebra-4"], ["tiger-1"]]


def test_the_choice_is_told_to_nobody_else() -> None:
    _, events = RULES.apply(begin_game(2, TWO), 1, {"keep": "zebra-4"})
    assert [(event.kind, event.data, event.to) for event in events] == [
        ("chose", {}, None),
        ("kept", {"tile": "zebra-4"}, (1,)),
    ]


def test_then_the_two_others_of_each_lie_face_up() -> None:
    state = run(begin_game(2, TWO, start=1), "1: keep zebra-4", "0: keep tiger-3")
    assert read_expected_keys(state, "groups")["1"][:4] == ["fox-5", "lion-1", "panda-2", "tiger-1"]
    assert read_expected_keys(state, "arks", "round", "to_act") == {
        "arks": {"0": ["tiger-3"], "1": ["zebra-4"]},
        "round": 1,
        "to_act": [1],
    }


def test_a_choice_is_one_of_ones_own_three_and_made_once() -> None:
    state = begin_game(2, TWO)
    with pytest.raises(IllegalMove, match="one of the three tiles"):
        RULES.apply(state, 0, {"keep": "zebra-4"})
    with pytest.raises(IllegalMove, match="You have already chosen"):
        run(state, "0: keep tiger-3", "0: keep fox-5")
    with pytest.raises(IllegalMove, match="First keep one"):
        run(state, "0: take 1")


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (1, {}, "for 2 to 4 players"),
        (5, {}, "for 2 to 4 players"),
        (2, {"species": ["lion"]}, "With 2 players, choose exactly 8 species"),
        (4, {"species": ["lion"] * 12}, "each species only once"),
        (4, {"species": "lion"}, "must be a list"),
        (2, {"species": ["lion", "unicorn"]}, "“unicorn” is not a species"),
        (2, {"start": 2}, "“start” must be a whole number from 0 to 1"),
        (2, {"start": True}, "“start” must be"),
        (2, {"deals": 3}, "no option “deals”"),
    ],
)
def test_impossible_options(seats: int, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        RULES.start(Config(seats, options), SEED)
