"""Nine colours."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from tests.catalogue.super_zwierzaki.rules.playing import (
    given,
    hands,
    make_state,
    points,
    read_keys,
    refusal,
    run,
    run_events,
)

NINE = "38 1 16 25 49 61 73 85 97"
"""DB LB LG R V O DG Y P; 38 matches 40."""


def test_nine_cards_of_nine_colours_are_played_in_one_turn() -> None:
    state = run(make_state(f"{NINE} 3 5 6", "8 8", "9 9"), f"0: nine {NINE}")
    assert read_keys(state, "phase", "to_act", "top") == ["reaction", [1, 2], "97"]
    state = run(state, "reaction")
    assert (read_keys(state, "phase", "to_act"), state.need) == (["give", [0]], 2)
    assert refusal(state, "0: decline") == "This choice cannot be declined."
    state = run(state, "0: give 3 6 to 2")
    assert (hands(state), given(state)) == (["5", "8 8", "3 6 9 9"], "P bird")
    assert read_keys(state, "to_act", "must_call") == [[1], [0]]


def test_the_order_is_free_but_the_first_must_match() -> None:
    state = make_state(f"{NINE} 3 5", "8 8")
    assert read_keys(run(state, "0: nine 38 97 85 73 61 49 25 16 1"), "top") == "1"
    assert refusal(state, "0: nine 1 38 16 25 49 61 73 85 97").startswith("The first of the nine cards must match")


def test_a_teal_among_them_must_match_if_it_comes_first() -> None:
    state = make_state("38 1 16 25 49 61 73 85 107 3", "8 8")
    assert read_keys(run(state, "0: nine 38 1 16 25 49 61 73 85 107"), "top") == "107"
    assert refusal(state, "0: nine 107 38 1 16 25 49 61 73 85").startswith("The first of the nine cards must match")


@pytest.mark.parametrize(
    ("nine", "sentence"),
    [
        ("38 1 16 25 49 61 73 85", "The nine colours must be nine cards"),
        ("38 1 16 25 49 61 73 85 85", "The nine colours must be nine cards"),
        ("38 1 16 25 49 61 73 85 4", "The nine colours must be nine cards"),
        ("38 1 16 26 49 61 73 85 97", "You do not have all of these cards."),
        ("38 1 16 25 49 61 73 85 117", "“117” is not a card of this game."),
    ],
)
def test_all_kinds_do_not_count_and_every_card_is_held(nine: str, sentence: str) -> None:
    assert refusal(make_state(f"{NINE} 4 4", "8 8"), f"0: nine {nine}").startswith(sentence)


def test_functions_and_combinations_do_nothing() -> None:
    state = run(
        make_state("46 1 14 25 51 66 83 93 99 3 5", "8 8", "9 9", top="41"), "0: nine 46 1 14 25 51 66 83 93 99"
    )
    state = run(state, "reaction", "0: give 3 to 1")
    assert (points(state), read_keys(state, "phase", "order", "named")) == ("", ["turn", [1, 2, 0], None])


def test_not_while_a_counter_is_not_zero() -> None:
    state = make_state(f"{NINE} 3", "8 8", counters={"red": 2})
    assert refusal(state, f"0: nine {NINE}") == "You cannot play the nine colours while there are points on the table."


@pytest.mark.parametrize("name", ["", "red", "orc", "stop", "demand"])
def test_they_are_offered_where_they_are_possible(name: str) -> None:
    named: dict[str, Any] = {"demand": {"named": "1", "by": 1}} if name == "demand" else {}
    state = make_state(f"{NINE} 3", "8 8", "5", counters={name: 2} if name else {}, **named)
    assert RULES.view(state, 0)["mine"]["nine"] == (not name)
    assert RULES.view(make_state(f"{NINE[3:]} 3", "8 8"), 0)["mine"]["nine"] is False


def test_they_are_told_and_shown() -> None:
    state, events = run_events(make_state(f"{NINE} 3", "8 8"), f"0: nine {NINE}")
    assert events[0][:3] == ("nine", 0, {"cards": NINE.split()})
    assert RULES.view(state, 1)["play"] == {"seat": 0, "card": "97", "count": 1, "nine": NINE.split()}


def test_with_one_card_or_none_left_nothing_is_given() -> None:
    assert read_keys(run(make_state(f"{NINE} 3", "8 8"), f"0: nine {NINE}", "reaction"), "phase", "to_act") == [
        "turn",
        [1],
    ]
    assert read_keys(run(make_state(NINE, "8 8"), f"0: nine {NINE}", "reaction"), "phase") == "win"


def test_a_teal_rejects_them_and_so_does_a_woodpecker() -> None:
    state = run(make_state(f"{NINE} 3 5", "107 24 8", "9 9"), f"0: nine {NINE}")
    teal = run(state, "1: react 107", "reaction")
    assert (read_keys(teal, "phase", "to_act", "top"), hands(teal)[0]) == (["turn", [1], "107"], "3 5")
    woodpecker = run(state, "1: react 24", "reaction")
    assert read_keys(woodpecker, "phase", "to_act", "top") == ["turn", [1], "24"]


def test_against_a_woodpecker_only_a_teal_counts() -> None:
    state = run(make_state(f"{NINE} 3 5 24", "24 8", "107 24 9"), f"0: nine {NINE}", "1: react 24")
    assert refusal(state, "0: react 24") == "Only a Veto can be played here."
    assert read_keys(run(state, "2: react 107", "reaction"), "phase", "to_act") == ["give", [0]]


def test_moves_are_not_listed_while_the_nine_are_possible() -> None:
    assert RULES.legal_moves(make_state(NINE, "8 8"), 0) is None
    assert RULES.legal_moves(make_state(NINE, "8 8", top="52"), 0) is None
    assert RULES.legal_moves(make_state(f"{NINE}", "8 8", top="67"), 0) is None
    assert RULES.legal_moves(make_state("38 1 16 25 49 61 73 85 4", "8 8"), 0) is not None
