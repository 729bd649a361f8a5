"""karriere-poker.md: Notation."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.base import BadSetup, Config, IllegalMove
from games.rules.chance import NoChance
from tests.rules.playing import KARRIERE, NO_SEED, SEED, expected, karriere, run, split

SMALL = split(["5 6", "7", "8", "9"])
THIRTEEN = split(
    [
        "1 2 3 4 5 6 7 8 9 10 11 12 13",
        "1 2 3 4 5 6 7 8 9 10 11 12 13",
        "1 2 3 4 5 6 7 8 9 10 11 12 J",
        "1 2 3 4 5 6 7 8 9 10 11 12 J",
    ]
)
REST = ["13", "13"]


def begin(setup: dict[str, Any], options: dict[str, Any] | None = None, seats: int = 4) -> Any:
    """The expectations of a position without a seed."""
    return KARRIERE.expected(KARRIERE.start(Config(seats, options or {}, setup), NO_SEED))


def test_the_order_of_cards_means_nothing() -> None:
    state = karriere("7 7 J", "8", "9", "9")
    after = {
        str(KARRIERE.apply(state, 0, {"play": cards})[0])
        for cards in (["7", "7", "J"], ["J", "7", "7"], ["7", "J", "7"])
    }
    assert len(after) == 1


def test_the_leader_whose_turn_ran_out_plays_their_lowest_single_card() -> None:
    assert expected(KARRIERE, run(KARRIERE, karriere("6 4 4 J", "7", "8", "9"), "turn"), "table") == ["4"]


def test_the_leader_who_has_jokers_only_plays_one() -> None:
    state = run(KARRIERE, karriere("J J", "7", "8", "9"), "turn")
    assert expected(KARRIERE, state, "table", "table_number") == {"table": ["J"], "table_number": 14}


def test_anyone_else_whose_turn_ran_out_passes() -> None:
    state = run(KARRIERE, karriere("4 5", "7", "8", "9"), "0: 4", "turn")
    assert KARRIERE.view(state, None)["passed"] == [1]


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"play": []},
        {"play": "5"},
        {"play": None},
        {"play": {"5": 1}},
        {"play": [5]},
        {"play": [["5"]]},
        {"play": [{"5": 1}]},
        {"play": [None]},
        {"play": [True]},
        {"play": ["5.0"]},
        {"play": ["05"]},
        {"play": [" 5"]},
        {"play": ["0"]},
        {"play": ["14"]},
        {"play": ["F"]},
        {"play": ["j"]},
        {"play": ["5"] * 100_000},
        {"play": ["5"], "pass": True},
        {"play": ["5"], "as": 15},
        {"play": ["5", "J"], "as": 15},
        {"play": ["J"], "as": True},
        {"play": ["J"], "as": 15.0},
        {"play": ["J"], "as": "15"},
        {"play": ["J"], "as": None},
        {"play": ["J"], "as": [15]},
        {"play": ["J"], "as": 10**5000},
        {"play": ["J"], "as": -(10**5000)},
        {"play": [10**5000]},
        {"play": ["J"], "number": 15},
        {"play": ["5"], "t": 3},
        {"as": 15},
        {"pass": False},
        {"pass": 1},
        {"pass": 1.0},
        {"pass": "true"},
        {"pass": None},
        {"pass": True, "as": 15},
        {"draw": True},
        {"": True},
        {"x" * 10_000: True},
    ],
)
def test_what_is_no_move_is_refused(move: dict[str, Any]) -> None:
    state = karriere("5 5 J", "7 8 J", "8", "9")
    for position, seat in ((state, 0), (run(KARRIERE, state, "0: 5"), 1)):
        with pytest.raises(IllegalMove) as apply_refused:
            KARRIERE.apply(position, seat, move)
        with pytest.raises(IllegalMove) as check_refused:
            KARRIERE.check(position, seat, move)
        assert str(apply_refused.value) == str(check_refused.value)
        assert len(str(apply_refused.value)) < 150


@pytest.mark.parametrize("event", [{}, {"clock": "bell"}, {"clock": None}, {"clock": ["turn"]}, {"clock": True}])
def test_an_unknown_clock_event_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove, match="This clock event does not exist"):
        KARRIERE.on_clock(karriere("5 6", "7", "8", "9"), event)


def test_unknown_keys_of_a_clock_event_are_ignored() -> None:
    state, _ = KARRIERE.on_clock(karriere("5 6", "7", "8", "9"), {"clock": "turn", "t": 12.5, "note": "slow"})
    assert expected(KARRIERE, state, "table") == ["5"]


def test_a_setup_may_give_the_order_without_positions() -> None:
    found = begin({"order": [2, 0, 3, 1], "positions": None, "deals": [{"hands": SMALL}]})
    assert (found["order"], found["positions"]) == ([2, 0, 3, 1], None)


def test_positions_alone_give_the_order() -> None:
    hands = [THIRTEEN[0], THIRTEEN[1] + REST, *THIRTEEN[2:]]
    assert begin({"positions": [2, 4, 1, 3], "deals": [{"hands": hands}]})["order"] == [2, 0, 3, 1]


def test_positions_and_order_must_agree() -> None:
    setup = {"positions": [2, 4, 1, 3], "order": [2, 0, 3, 1]}
    assert KARRIERE.expected(KARRIERE.start(Config(4, {}, setup), SEED))["order"] == [2, 0, 3, 1]
    with pytest.raises(BadSetup, match="do not match"):
        KARRIERE.start(Config(4, {}, {**setup, "order": [0, 2, 3, 1]}), SEED)


def test_a_real_deal_without_positions_is_thirteen_each() -> None:
    assert begin({"order": [0, 1, 2, 3], "deals": [{"hands": THIRTEEN}]})["hand_sizes"] == [13] * 4


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"dealer": 0}, "no key “dealer”. It can have: order, positions, deals"),
        ({"jobs": [1, 2, 3, 4]}, "no key “jobs”"),
        ({"order": [0, 1, 2]}, "“order” must contain each number from 0 to 3 exactly once"),
        ({"order": [0, 1, 2, 2]}, "“order” must contain"),
        ({"order": [1, 2, 3, 4]}, "“order” must contain"),
        ({"order": [0, True, 2, 3]}, "“order” must contain"),
        ({"order": [0, 1.0, 2, 3]}, "“order” must contain"),
        ({"order": "0123"}, "“order” must contain"),
        ({"positions": [0, 1, 2, 3]}, "“positions” must contain each number from 1 to 4 exactly once"),
        ({"positions": {"0": 1}}, "“positions” must contain"),
        ({"deals": {"hands": SMALL}}, "“deals” must be a list"),
        ({"deals": [SMALL]}, "Each entry of “deals” must be an object. Its only key can be “hands”"),
        ({"deals": [{"hands": SMALL, "dealer": 1}]}, "Its only key can be “hands”"),
        ({"deals": [{"hands": SMALL[:3]}]}, "a list of 4 lists of cards"),
        ({"deals": [{"hands": [*SMALL[:3], []]}]}, "hand of seat 3 must be a list of at least one card"),
        ({"deals": [{"hands": [*SMALL[:3], "9"]}]}, "hand of seat 3 must be a list"),
        ({"deals": [{"hands": [*SMALL[:3], ["14"]]}]}, "“14” is not a card of this game"),
        ({"deals": [{"hands": [*SMALL[:3], ["F"]]}]}, "“F” is not a card of this game"),
        ({"deals": [{"hands": [*SMALL[:3], [9]]}]}, "is not a card of this game"),
        ({"deals": [{"hands": [["J"], ["J"], ["J"], ["9"]]}]}, "the card “J” too often. The game has only 2"),
        ({"deals": [{"hands": [["7"] * 3, ["7"] * 2, ["8"], ["9"]]}]}, "the card “7” too often. The game has only 4"),
        ({"deals": [{"hands": [*THIRTEEN[:3], THIRTEEN[3] + REST]}]}, "These hands are not a real deal"),
        ({"positions": [1, 2, 3, 4], "deals": [{"hands": THIRTEEN}]}, "These hands are not a real deal"),
        (
            {"positions": [1, 2, 3, 4], "deals": [{"hands": [THIRTEEN[0] + REST, *THIRTEEN[1:]]}]},
            "These hands are not a real deal. Each seat gets 13 cards, the last in rank 15",
        ),
        ({"deals": [{"hands": SMALL}, {"hands": [["x"]] * 4}]}, "“x” is not a card of this game"),
        ({"deals": [{"hands": SMALL}, {"hands": THIRTEEN}]}, "These hands are not a real deal"),
    ],
)
def test_an_impossible_setup_is_invalid(setup: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        KARRIERE.start(Config(4, {}, {"order": [0, 1, 2, 3], **setup} if "positions" not in setup else setup), SEED)


def test_a_later_deal_in_a_setup_may_give_the_extra_cards_to_any_seat() -> None:
    deals = [{"hands": SMALL}, {"hands": [THIRTEEN[0] + REST, *THIRTEEN[1:]]}]
    assert begin({"order": [0, 1, 2, 3], "deals": deals})["hand_sizes"] == [2, 1, 1, 1]


def test_a_test_position_may_hold_hands_of_any_size() -> None:
    sizes = begin({"order": [0, 1, 2, 3], "deals": [{"hands": [*THIRTEEN[:2], ["1"], THIRTEEN[2] + ["13"]]}]})
    assert sizes["hand_sizes"] == [13, 13, 1, 14]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": 0}, "“deals” must be a whole number"),
        ({"deals": True}, "“deals” must be a whole number"),
        ({"deals": "3"}, "“deals” must be a whole number"),
        ({"deals": 2.0}, "“deals” must be a whole number"),
        ({"deals": 10**20}, "“deals” must be a whole number"),
        ({"minutes": -1}, "“minutes” must be a whole number"),
        ({"lazy": True}, "no option “lazy”"),
        ({"sessions": 2}, "no option “sessions”. This game has: deals, minutes, positions"),
        ({"positions": ["Boss", "Manager", "Dishwasher"]}, "“positions” must list 4 different positions"),
        ({"positions": ["Boss", "Trainee", "Manager", "Dishwasher"]}, "“positions” must list 4"),
        ({"positions": ["Boss", "Manager", "Manager", "Dishwasher"]}, "“positions” must list 4"),
        ({"positions": ["Boss", "Chef", "Manager", "Dishwasher"]}, "“positions” must list 4"),
        ({"positions": "Boss"}, "“positions” must list 4"),
        ({"positions": [1, 2, 3, 4]}, "“positions” must list 4"),
        (
            {"positions": ["Boss", "Manager", "Journeyman", "Trainee"]},
            "Boss and Dishwasher must be among the positions",
        ),
        (
            {"positions": ["Manager", "Journeyman", "Trainee", "Dishwasher"]},
            "Boss and Dishwasher must be among the positions",
        ),
    ],
)
def test_an_impossible_option_is_invalid(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        KARRIERE.check_options(4, options)


def test_an_option_that_is_null_is_not_set() -> None:
    options = {"deals": None, "minutes": None, "positions": None}
    assert KARRIERE.view(KARRIERE.start(Config(4, options), SEED), None)["deals"] == 3


@pytest.mark.parametrize("seats", [0, 3, 9, True, "4", 4.0, None])
def test_four_to_eight_may_play(seats: Any) -> None:
    with pytest.raises(BadSetup, match="for 4 to 8 players"):
        KARRIERE.check_options(seats, {})


def test_the_default_positions_are_the_top_ones_and_dishwasher() -> None:
    names = KARRIERE.view(KARRIERE.start(Config(5), SEED), None)["rank_names"]
    assert names == ["boss", "managing-director", "manager", "department-head", "dishwasher"]


def test_other_positions_may_be_agreed() -> None:
    options = {"positions": ["Boss", "Department Head", "Trainee", "Dishwasher"]}
    names = KARRIERE.view(KARRIERE.start(Config(4, options), SEED), None)["rank_names"]
    assert names == ["boss", "department-head", "trainee", "dishwasher"]


@pytest.mark.parametrize(
    "setup", [{}, {"order": [0, 1, 2, 3]}, {"positions": [1, 2, 3, 4]}, {"deals": [{"hands": SMALL}]}]
)
def test_what_a_setup_leaves_out_needs_a_seed(setup: dict[str, Any]) -> None:
    KARRIERE.start(Config(4, {}, setup), SEED)
    with pytest.raises(NoChance):
        KARRIERE.start(Config(4, {}, setup), NO_SEED)
