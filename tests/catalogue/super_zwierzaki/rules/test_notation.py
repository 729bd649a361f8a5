"""Moves to the letter, and set-ups that come back from a state."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from games.rules.base import Config, IllegalMove
from games.rules.chance import Chance
from tests.catalogue.super_zwierzaki.rules.playing import make_state, run

COLOURS = ["DB", "DG", "LB", "LG", "O", "P", "R", "V", "Y"]
CLASSES = [
    "ape", "armadillo", "bat", "bear", "bird", "fish", "frog", "hedgehog", "hippo", "hoofed", "insect", "kangaroo",
    "pig", "predator", "reptile", "rodent", "sea", "small", "tree",
]  # fmt: skip


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"draw": 1}, "“draw” must be true."),
        ({"draw": True, "why": 1}, "“why” does not belong to this move."),
        ({"play": "38", "call": False}, "To call, set “call” to true."),
        ({"play": 38}, "“?” is not a card of this game."),
        ({"play": "038"}, "“038” is not a card of this game."),
        ({"play": "72"}, "“72” is not a card of this game."),
        ({"play": "38", "n": 0}, "“n” must be the number of cards, from 1 to 5."),
        ({"play": "38", "n": True}, "“n” must be the number of cards, from 1 to 5."),
        ({"nine": "38"}, "“nine” must be a list."),
        ({"colour": "DB"}, "This move is not possible now."),
        ({}, "This move is not possible now."),
        ([], "A move must be a JSON object."),
    ],
)
def test_what_is_no_move(move: Any, sentence: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        RULES.apply(make_state("38 38 1", "3 3"), 0, move)
    assert str(caught.value) == sentence


def test_a_record_may_expect_exactly_these_keys() -> None:
    state = make_state("38 4", "3 3", top="4", order=[1, 0])
    assert RULES.expected(state) == {
        "phase": "turn",
        "to_act": [1],
        "hands": {"0": ["4", "38"], "1": ["3", "3"]},
        "hand_sizes": [2, 2],
        "top": "4",
        "given": {"colours": COLOURS, "classes": CLASSES},
        "counters": {"red": 0, "orc": 0, "stop": 0, "demand": 0},
        "named": None,
        "duel": None,
        "order": [1, 0],
        "lost_turns": [0, 0],
        "must_call": [],
        "draw_size": 15,
        "over": False,
        "places": None,
    }


@pytest.mark.parametrize("seat", [-1, 2, True, "0", None])
def test_a_seat_that_does_not_exist_does_not_move(seat: Any) -> None:
    with pytest.raises(IllegalMove, match="There is no seat"):
        RULES.apply(make_state("38 1", "3 3"), seat, {"draw": True})


@pytest.mark.parametrize(
    "setup",
    [
        {"lost_turns": [2, 0, 1], "counters": {"red": 4}},
        {"counters": {"demand": 2}, "demand": {"named": "97", "by": 0}, "lost_turns": [0, 1, 0]},
        {"heap": ["39", "41"], "order": [2, 0, 1]},
    ],
)
def test_a_first_state_gives_its_set_up_back(setup: dict[str, Any]) -> None:
    state = make_state("38 1", "3 3", "5 5", **setup)
    again = RULES.start(Config(3, {}, RULES.setup_of(state)), Chance())
    assert RULES.expected(again) == RULES.expected(state)
    assert again == state
    assert RULES.expected(run(again, "turn")) == RULES.expected(run(state, "turn"))
