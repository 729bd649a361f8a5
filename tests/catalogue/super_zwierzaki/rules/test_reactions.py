"""Reactions, counter-reactions, windows."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules.state import State
from tests.catalogue.super_zwierzaki.rules.playing import (
    awaited,
    given,
    hands,
    kinds,
    make_state,
    points,
    read_keys,
    refusal,
    run,
    run_events,
)


def window(*hands: str, play: str = "25", count: int = 1, **setup: Any) -> State:
    """The window that seat 0's play has opened."""
    top = "26" if play == "25" else "40"
    return run(make_state(*hands, **{"top": top, **setup}), f"0: play {play} x{count}")


@pytest.mark.parametrize(
    ("play", "count", "opens"),
    [("38", 1, False), ("38", 2, True), ("37", 1, True), ("46", 1, True), ("107", 1, True), ("4", 1, True)],
)
def test_a_function_or_a_combination_opens_a_window(play: str, count: int, opens: bool) -> None:
    state = run(make_state(f"{play} {play} 1 1", "3 3", "5 5"), f"0: play {play} x{count}")
    assert read_keys(state, "phase", "to_act") == (["reaction", [1, 2]] if opens else ["turn", [1]])


def test_every_other_player_is_asked_whatever_they_hold_and_for_four_seconds() -> None:
    state = window("25 1 1", "107 3", "5 5", "")
    assert read_keys(state, "to_act") == [1, 2, 3]
    assert awaited(state) == [("reaction", 4.0, (1, 2, 3))]
    agreed = window("25 1 1", "107 3", options={"reaction_seconds": 2})
    assert awaited(agreed) == [("reaction", 2.0, (1,))]


def test_it_closes_early_when_all_have_declined_and_no_one_is_asked_twice() -> None:
    state = run(window("25 1 1", "107 3", "5 5"), "1: decline")
    assert read_keys(state, "phase", "to_act") == ["reaction", [2]]
    assert refusal(state, "1: react 107") == "It is not your turn."
    state = run(state, "2: decline")
    assert (points(state), read_keys(state, "phase", "to_act")) == ("red 2", ["turn", [1]])


def test_the_clock_closes_it_and_that_is_nobodys_move() -> None:
    state = run(window("25 1 1", "107 3", "5 5"), "reaction")
    assert (points(state), read_keys(state, "to_act")) == ("red 2", [1])
    assert refusal(state, "reaction") == "No such reaction or win window is open."
    assert refusal(window("25 1 1", "3 3"), "turn") == "It is nobody's turn while a reaction or win window is open."


def test_a_teal_rejects_function_and_combination_and_zeroes_all_counters() -> None:
    state = window("25 25 1 1", "107 3", "5 5", count=2, counters={"red": 2})
    state, events = run_events(state, "2: decline", "1: react 107", "reaction")
    assert (points(state), read_keys(state, "phase", "to_act", "top")) == ("", ["turn", [1], "107"])
    assert given(state) == "P bird"
    assert kinds(events)[:2] == ["zeroed", "rejected"]


def test_the_order_of_turns_does_not_change() -> None:
    state = run(window("25 1 1", "5 5", "107 3"), "2: react 107", "reaction")
    assert read_keys(state, "to_act", "order") == [[1], [1, 2, 0]]


def test_a_woodpecker_does_not_react_to_an_ordinary_play() -> None:
    assert refusal(window("25 1 1", "24 3"), "1: react 24") == "Only a Veto can be played here."
    assert refusal(window("25 1 1", "24 3"), "1: react 3") == "This card cannot be played out of turn."
    assert refusal(window("25 1 1", "24 3"), "1: react 107") == "You do not have this card."


def test_a_reaction_opens_a_new_window_for_everybody_but_who_reacted() -> None:
    state = run(window("25 107 1", "107 3", "5 5"), "2: decline", "1: react 107")
    assert read_keys(state, "phase", "to_act") == ["reaction", [0, 2]]
    assert awaited(state)[0][2] == (0, 2)


def test_who_played_may_reject_the_rejection_and_then_it_takes_effect_with_the_counters_as_they_were() -> None:
    state = window("25 107 1 1", "107 3", "5 5", counters={"red": 2})
    state, events = run_events(state, "1: react 107", "0: react 107", "1: decline", "2: decline")
    assert (points(state), read_keys(state, "top", "to_act")) == ("red 4", ["107", [1]])
    assert kinds(events)[0] == "stands"


def test_reactions_cancel_in_pairs_from_the_end_and_of_an_odd_number_the_first_takes_effect() -> None:
    state = window("25 107 1 1", "107 107 3", "107 5", counters={"red": 2})
    three = run(state, "1: react 107", "0: react 107", "2: react 107", "reaction")
    assert (points(three), read_keys(three, "phase", "to_act")) == ("", ["turn", [1]])
    four = run(state, "1: react 107", "0: react 107", "2: react 107", "1: react 107", "reaction")
    assert points(four) == "red 4"


def test_later_reactions_only_cancel_and_never_zero() -> None:
    """Nine colours cannot be played with points, so it shows where the first reaction was a woodpecker: in a win."""
    state = make_state("25", "24 3 1", "107 5 1", "107 6 1", top="26")
    state = run(state, "0: play 25", "reaction")
    assert (points(state), read_keys(state, "phase")) == ("red 2", "win")
    stopped = run(state, "1: react 24", "2: react 107", "3: react 107", "reaction")
    assert (points(stopped), read_keys(stopped, "hand_sizes", "to_act")) == ("red 2", [[1, 2, 2, 2], [1]])


def test_a_teal_in_turn_that_is_rejected_does_not_zero_the_one_rejecting_it_does() -> None:
    state = run(make_state("107 1 1", "107 3", "5 5", counters={"red": 2}), "0: play 107", "1: react 107", "reaction")
    assert points(state) == ""
    state = run(make_state("107 107 1 1", "107 3", "5 5", counters={"red": 2}), "0: play 107")
    assert read_keys(state, "phase") == "reaction"
    state = run(state, "1: react 107", "0: react 107", "reaction")
    assert (points(state), read_keys(state, "to_act")) == ("", [1])


def test_a_rejected_duel_or_choice_does_not_happen() -> None:
    duel = run(make_state("37 1 1", "107 3", "5 5"), "0: play 37", "1: react 107", "reaction")
    assert read_keys(duel, "phase", "duel", "to_act") == ["turn", None, [1]]
    swap = run(make_state("53 1 1", "107 3", "5 5", top="49"), "0: play 53", "1: react 107", "reaction")
    assert hands(swap) == ["1 1", "3", "5 5"]


def test_the_reacting_card_lies_on_top() -> None:
    state = run(window("25 1 1", "107 3"), "1: react 107")
    assert (read_keys(state, "top"), given(state), bytes(state.heap)[-2:]) == ("107", "P bird", bytes([26, 25]))
