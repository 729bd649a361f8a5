"""animals-on-board.md: A turn."""

from __future__ import annotations

import pytest

from games.rules.base import IllegalMove
from tests.catalogue.animals_on_board.rules.positions import (
    RULES,
    begin_game,
    list_legal,
    position,
    read_expected_keys,
    run,
)


def test_a_split_makes_two_groups_and_earns_a_crate() -> None:
    state = position(["", ""], ["fox-1 lion-1 panda-1 ? tiger-1"], face_down="rhino-5")
    state = run(state, "0: split 1 ? lion-1")
    assert read_expected_keys(state, "groups", "crates", "to_act", "face_down") == {
        "groups": {"1": ["fox-1", "panda-1", "tiger-1"], "2": ["lion-1", "?"]},
        "crates": [2, 1],
        "to_act": [1],
        "face_down": "rhino-5",
    }


def test_you_never_own_more_than_five_at_five_you_lose_one() -> None:
    state = position(["", ""], ["fox-1 fox-2 fox-3 fox-4"], crates=[4, 5])
    state = run(state, "0: split 1 fox-1", "1: split 1 fox-2")
    assert read_expected_keys(state, "crates") == [5, 4]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"split": 1, "off": []}, "Choose at least one tile to split off"),
        ({"split": 1, "off": ["fox-1", "fox-2", "fox-3"]}, "Leave at least one tile in the group"),
        ({"split": 1, "off": ["lion-1"]}, "“lion-1” is not in this group"),
        ({"split": 1, "off": ["?"]}, "“\\?” is not in this group"),
        ({"split": 1, "off": ["fox-1", "fox-1"]}, "Name each tile only once"),
        ({"split": 1, "off": ["fox-1"] * 5000}, "Name each tile only once"),
        ({"split": 1, "off": "fox-1"}, "list of the tiles that leave"),
        ({"split": 1, "off": [["fox-1"]]}, "is not in this group"),
        ({"split": 1}, "list of the tiles that leave"),
        ({"split": 2, "off": ["lion-1"]}, "A single tile cannot be split"),
        ({"split": 3, "off": ["lion-1"]}, "no such group. Choose from: 1, 2"),
        ({"split": "1", "off": ["fox-1"]}, "no such group"),
        ({"split": True, "off": ["fox-1"]}, "no such group"),
        ({"split": 1.0, "off": ["fox-1"]}, "no such group"),
        ({"take": 3}, "no such group"),
        ({"take": [1]}, "no such group"),
        ({"take": 1}, "costs one crate per tile. Price: 3. You have: 1"),
        ({"take": 2, "off": ["lion-1"]}, "A “take” move must not contain “off”"),
        ({"split": 1, "off": ["fox-1"], "take": 2}, "A “split” move must not contain “take”"),
        ({"keep": "fox-1"}, "You have already chosen your first tile"),
        ({"forfeit": True}, "only if you can neither split nor take"),
        ({"forfeit": 1}, "“forfeit” must be true"),
        ([{"take": 2}], "A move must be an object with one of: keep, split, take, forfeit"),
        ({}, "A move must contain one of"),
        ({"pass": True}, "A move must contain one of"),
    ],
)
def test_what_is_refused_changes_nothing(move: dict[str, object], sentence: str) -> None:
    state = position(["", ""], ["fox-1 fox-2 fox-3", "lion-1"])
    before = RULES.to_json(state)
    with pytest.raises(IllegalMove, match=sentence):
        RULES.apply(state, 0, move)
    with pytest.raises(IllegalMove, match=sentence):
        RULES.check(state, 0, move)
    assert RULES.to_json(state) == before


def test_a_take_costs_a_crate_a_tile_and_drops_out() -> None:
    state = position(["tiger-5", ""], ["fox-1 lion-1", "panda-1"], crates=[5, 1])
    state = run(state, "0: take 1")
    assert read_expected_keys(state, "arks", "crates", "dropped", "groups", "tile_counts") == {
        "arks": {"0": ["fox-1", "lion-1", "tiger-5"], "1": []},
        "crates": [3, 1],
        "dropped": [0],
        "groups": {"2": ["panda-1"]},
        "tile_counts": [3, 0],
    }


def test_you_must_split_if_you_can_afford_no_group() -> None:
    state = position(["", ""], ["fox-1 lion-1", "panda-1"], crates=[0, 1])
    assert list_legal(state, 0) == [{"split": 1, "off": ["fox-1"]}, {"split": 1, "off": ["lion-1"]}]


def test_you_must_take_if_nothing_can_be_split() -> None:
    state = position(["", ""], ["fox-1", "panda-1"])
    assert list_legal(state, 0) == [{"take": 1}, {"take": 2}]


def test_if_you_can_do_neither_you_forfeit_and_stay_in_the_round() -> None:
    state = position(["", ""], ["fox-1", "panda-1"], crates=[0, 1])
    assert list_legal(state, 0) == [{"forfeit": True}]
    state = run(state, "0: forfeit")
    assert read_expected_keys(state, "to_act", "dropped", "crates") == {"to_act": [1], "dropped": [], "crates": [0, 1]}


@pytest.mark.parametrize(("middle", "crates"), [(["fox-1 panda-1"], 0), (["fox-1", "panda-1"], 1)])
def test_you_may_not_forfeit_if_you_can_split_or_take(middle: list[str], crates: int) -> None:
    with pytest.raises(IllegalMove, match="only if you can neither split nor take"):
        run(position(["", ""], middle, crates=[crates, 0]), "0: forfeit")


def test_while_tiles_are_chosen_nobody_splits_takes_or_forfeits() -> None:
    for move in ("split 1 fox-1", "take 1", "forfeit"):
        with pytest.raises(IllegalMove, match="First keep one of your three tiles"):
            run(begin_game(2), f"0: {move}")


def test_what_is_listed_is_each_way_to_split_and_each_group_to_take() -> None:
    legal = list_legal(position(["", ""], ["fox-1 fox-2 fox-3", "lion-1"], crates=[3, 0]), 0)
    splits = [["fox-1"], ["fox-2"], ["fox-1", "fox-2"], ["fox-3"], ["fox-1", "fox-3"], ["fox-2", "fox-3"]]
    assert legal == [{"take": 1}, *({"split": 1, "off": off} for off in splits), {"take": 2}]


def test_a_listing_is_a_sequence() -> None:
    listing = RULES.legal_moves(position(["", ""], ["fox-1 fox-2", "lion-1"], crates=[1, 0]), 0)
    assert listing is not None
    assert (len(listing), listing[2], listing[-1], listing[:1]) == (
        3,
        {"take": 2},
        {"take": 2},
        [{"split": 1, "off": ["fox-1"]}],
    )
    for beyond in (3, -4):
        with pytest.raises(IndexError):
            listing[beyond]


def test_few_moves_are_listed_many_are_drawn() -> None:
    assert RULES.legal_moves(position(["", ""], ["fox-1 fox-2 fox-3 fox-4"]), 0) is not None
    many = position(["", ""], ["fox-1 fox-2 fox-3 fox-4 fox-5"])
    assert RULES.legal_moves(many, 0) is None
    assert RULES.legal_moves(many, 1) == ()


def test_a_turn_that_ran_out_splits_the_last_tile_off_the_largest_group_of_the_lowest_number() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1 lion-2", "panda-1 panda-2"]), "turn")
    assert read_expected_keys(state, "groups", "crates") == {
        "groups": {"1": ["fox-1"], "2": ["lion-1"], "3": ["panda-1", "panda-2"], "4": ["lion-2"]},
        "crates": [2, 1],
    }


def test_else_it_takes_the_cheapest_group_of_the_lowest_number() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1"]), "turn")
    assert read_expected_keys(state, "arks") == {"0": ["fox-1"], "1": []}


def test_else_it_forfeits() -> None:
    state = run(position(["", ""], ["fox-1"], crates=[0, 1]), "turn")
    assert read_expected_keys(state, "to_act", "dropped") == {"to_act": [1], "dropped": []}


def test_every_seat_that_has_not_chosen_keeps_its_first_tile() -> None:
    stack = "tiger-3 fox-5 lion-1 panda-2 zebra-4 tiger-1 rhino-2 fox-1 lion-5 elephant-4 rhino-5 giraffe-1 zebra-1"
    state = run(begin_game(2, stack), "1: keep zebra-4", "turn")
    assert read_expected_keys(state, "arks", "round") == {"arks": {"0": ["tiger-3"], "1": ["zebra-4"]}, "round": 1}
    _, events = RULES.on_clock(begin_game(2, stack), {"clock": "turn"})
    assert [(event.kind, event.seat) for event in events if event.kind == "timed_out"] == [
        ("timed_out", 0),
        ("timed_out", 1),
    ]


def test_the_clock_waits_for_everybody_who_chooses_then_for_one() -> None:
    state = begin_game(3)
    assert [wait.seats for wait in RULES.deadlines(state)] == [(0, 1, 2)]
    chosen = run(state, f"1: keep {RULES.view(state, 1)['drawn'][0]}")
    assert [(wait.seats, wait.serial) for wait in RULES.deadlines(chosen)] == [((0, 2), 0)]
    assert [wait.seats for wait in RULES.deadlines(run(chosen, "turn"))] == [(read_expected_keys(state, "flag"),)]


def test_every_turn_is_a_new_wait() -> None:
    state = position(["", "", ""], ["fox-1 fox-2", "lion-1"], crates=[1, 1, 0])
    serials = [RULES.deadlines(state)[0].serial]
    for turn in ("0: split 1 fox-1", "1: take 1", "2: forfeit", "0: take 2", "2: forfeit"):
        state = run(state, turn)
        serials.append(RULES.deadlines(state)[0].serial)
    assert read_expected_keys(state, "round") == 2
    assert serials == sorted(set(serials))
