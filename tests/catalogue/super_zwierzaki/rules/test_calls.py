""" "Codziennie niskie ceny": who must say it, when, and what it costs not to."""

from __future__ import annotations

import pytest

from games.catalogue.super_zwierzaki.rules.state import State
from tests.catalogue.super_zwierzaki.rules.playing import (
    awaited,
    hands,
    kinds,
    make_state,
    read_keys,
    refusal,
    run,
    run_events,
)


def owe_call(*others: str, options: object = None) -> State:
    """Seat 0 has come down to one card and has said nothing."""
    return run(make_state("38 1", *(others or ("39 3 5", "6 6")), options=options), "0: play 38")


def test_who_has_come_down_to_one_card_owes_it_when_the_turn_is_settled() -> None:
    state = owe_call()
    assert read_keys(state, "must_call", "to_act") == [[0], [1]]
    assert ("call 0", 10.0, (0,)) in awaited(state)
    assert ("call 0", 3.0, (0,)) in awaited(owe_call(options={"call_seconds": 3}))


def test_who_had_one_card_already_owes_nothing() -> None:
    assert read_keys(run(make_state("38 39 1", "3", "5 5"), "0: play 38"), "must_call") == []
    swapped = run(make_state("53 1", "3 3", "5", top="49"), "0: play 53", "reaction", "0: swap 0 2")
    assert read_keys(swapped, "must_call") == [0]


def test_it_may_be_said_alone_and_out_of_turn() -> None:
    state, events = run_events(owe_call(), "0: call")
    assert (read_keys(state, "must_call", "to_act"), kinds(events)) == ([[], [1]], ["called"])
    assert awaited(state) == [("turn", None, (1,))]
    assert hands(run(state, "1: draw", "2: draw", "0: draw"))[0].startswith("1 ")


def test_it_may_ride_on_the_play_that_leads_to_it() -> None:
    assert read_keys(run(make_state("38 1", "3 3"), "0: play 38 !"), "must_call") == []


def test_it_may_ride_on_nine_colours_a_reaction_a_duel_play_and_a_choice() -> None:
    nine = "38 1 16 25 49 61 73 85 97"
    assert read_keys(run(make_state(f"{nine} 3", "8 8"), f"0: nine {nine} !", "reaction"), "must_call") == []
    react = run(make_state("37 1 1", "107 3", "5 5"), "0: play 37", "1: react 107 !", "reaction")
    assert read_keys(react, "must_call") == []
    duel = run(make_state("37 1 1", "47 3", "5 5"), "0: play 37", "reaction", "0: fold", "1: play 47 !", "2: fold")
    assert read_keys(duel, "must_call", "hand_sizes") == [[], [4, 1, 4]]
    discard = run(make_state("38 38 1 3", "5 5"), "0: play 38 x2", "reaction", "0: discard 3 !")
    assert read_keys(discard, "must_call") == []
    declined = run(make_state("38 38 1", "5 5"), "0: play 38 x2", "reaction", "0: decline !")
    assert read_keys(declined, "must_call") == []


@pytest.mark.parametrize("move", ["draw !", "accept !"])
def test_it_does_not_ride_on_drawing_or_accepting(move: str) -> None:
    assert refusal(make_state("38 1", "3 3"), f"0: {move}") == "“call” does not belong to this move."


def test_it_does_not_ride_on_folding_or_letting_be() -> None:
    assert (
        refusal(run(make_state("37 1 1", "3 3"), "0: play 37"), "1: decline !")
        == "“call” does not belong to this move."
    )
    duel = run(make_state("37 1 1", "3 3"), "0: play 37", "reaction")
    assert refusal(duel, "0: fold !") == "“call” does not belong to this move."


def test_said_in_advance_it_is_good_for_the_turn_and_no_longer() -> None:
    state = run(make_state("38 38 1 3", "5 5 5"), "0: play 38 x2 !", "reaction", "0: decline")
    assert read_keys(state, "must_call", "hand_sizes") == [[], [2, 3]]
    state = run(make_state("38 1 3", "5 5 5"), "0: play 38 !", "1: draw", "0: draw")
    assert read_keys(state, "must_call") == []
    later = run(make_state("38 39 1", "41 5 5"), "0: play 38 !", "1: play 41", "0: play 39")
    assert read_keys(later, "must_call") == [0]


def test_when_the_time_is_up_they_draw_two() -> None:
    state, events = run_events(owe_call(), "call 0")
    assert (read_keys(state, "hand_sizes", "must_call"), kinds(events)) == (
        [[3, 3, 2], []],
        ["forgot", "drew", "drawn"],
    )
    assert refusal(state, "call 0") == "This seat does not have to call."
    assert refusal(owe_call(), "call 1") == "This seat does not have to call."


def test_their_next_move_without_it_costs_two_cards_before_it_takes_effect() -> None:
    state = run(make_state("38 39", "41 3 5"), "0: play 38", "1: play 41")
    after, events = run_events(state, "0: play 39")
    assert (read_keys(after, "hand_sizes", "phase"), kinds(events)[:2]) == ([[2, 2], "turn"], ["forgot", "drew"])
    assert read_keys(run(state, "0: play 39 !"), "phase", "hand_sizes") == ["win", [0, 2]]


def test_the_move_must_have_been_legal_with_the_hand_before() -> None:
    state = run(make_state("38 1", "41 3 5", draw="39 42 8"), "0: play 38", "1: play 41")
    assert refusal(state, "0: play 39") == "You do not have that many of this card."


def test_letting_be_in_a_window_is_a_move_too() -> None:
    state = run(make_state("38 1", "46 3 5", "6 6"), "0: play 38", "1: play 46")
    assert read_keys(state, "to_act", "must_call") == [[0, 2], [0]]
    assert read_keys(run(state, "0: decline"), "hand_sizes", "must_call") == [[3, 2, 2], []]


def test_a_window_that_the_clock_closes_is_nobodys_move() -> None:
    state = run(make_state("38 1", "46 3 5", "6 6"), "0: play 38", "1: play 46", "reaction")
    assert read_keys(state, "hand_sizes", "must_call") == [[1, 2, 2], [0]]


def test_a_move_by_the_clock_counts() -> None:
    state = run(owe_call(), "1: draw", "2: draw", "turn")
    assert read_keys(state, "hand_sizes", "must_call") == [[4, 4, 3], []]


def test_an_empty_turn_counts() -> None:
    """The hand is swapped for a single card, and the turn that comes is a lost one."""
    state = make_state("1 3", "53 5 5", "6", top="49", order=[1, 0, 2], lost_turns=[1, 0, 0])
    after, events = run_events(state, "1: play 53", "reaction", "1: swap 0 2")
    assert read_keys(after, "hand_sizes", "must_call", "to_act") == [[3, 2, 2], [], [2]]
    assert kinds(events) == ["swapped", "forgot", "drew", "drawn", "empty_turn"]


def test_an_empty_turn_is_such_a_moment_too() -> None:
    """The two cards of the penalty were there when it was over, so coming down to one again is owed again."""
    state = make_state("1 3", "53 5 5", "6", "53 1", top="49", order=[1, 0, 3, 2], lost_turns=[1, 0, 0, 0])
    state = run(state, "1: play 53", "reaction", "1: swap 0 2")
    assert read_keys(state, "hand_sizes", "to_act") == [[3, 2, 2, 2], [3]]
    swapped = run(state, "3: play 53", "reaction", "3: swap 3 0")
    assert read_keys(swapped, "hand_sizes", "must_call") == [[1, 2, 2, 3], [0]]


def test_if_they_no_longer_have_exactly_one_card_they_owe_nothing() -> None:
    given = run(make_state("49 1", "53 3 5", "6 6", top="56"), "0: play 49", "1: play 53", "reaction", "1: swap 0 2")
    assert read_keys(given, "must_call", "hand_sizes") == [[2], [2, 2, 1]]


def test_who_comes_down_to_one_card_again_owes_it_anew() -> None:
    """They had two after the turn in between, so the owed call is gone with it; now it is owed for the first time."""
    state = run(make_state("49 1", "53 3 5", "53 6 6", top="56"), "0: play 49")
    first = state.owing[0]
    state = run(state, "1: play 53", "reaction", "1: swap 0 1")
    assert read_keys(state, "hand_sizes", "must_call") == [[2, 1, 3], [1]]
    state = run(state, "1: call", "2: play 53", "reaction", "2: swap 0 1")
    assert (read_keys(state, "hand_sizes", "must_call"), state.owing[0] > first) == ([[1, 2, 2], [0]], True)


def test_it_is_refused_where_it_is_not_owed_nor_can_be() -> None:
    state = make_state("38 39 1", "3", "5 5")
    for turn in ("0: call", "1: call", "2: call"):
        assert refusal(state, turn) == "You can only say it when you have come down to one card."
    assert refusal(state, "7: call") == "There is no seat 7."


def test_it_may_be_said_alone_on_the_way_down_to_one_card() -> None:
    state = run(make_state("37 1", "3 3", "5 5"), "0: play 37")
    assert read_keys(state, "phase", "must_call") == ["reaction", []]
    state = run(state, "0: call", "reaction", "0: fold", "1: fold")
    assert read_keys(state, "hand_sizes", "must_call") == [[2, 3, 2], []]
    alone = run(make_state("46 1", "3 3", "5 5"), "0: play 46", "0: call", "reaction")
    assert read_keys(alone, "hand_sizes", "must_call") == [[1, 2, 2], []]


def test_a_winner_who_was_stopped_and_drew_one_owes_nothing() -> None:
    state = run(make_state("38", "24 3 3", "5 5"), "0: play 38", "1: react 24", "reaction")
    assert read_keys(state, "hand_sizes", "must_call") == [[1, 2, 2], []]


def test_who_stopped_a_win_and_has_one_card_left_owes_it_after_the_window() -> None:
    state = run(make_state("38", "24 3", "5 5"), "0: play 38", "1: react 24", "reaction")
    assert read_keys(state, "hand_sizes", "must_call") == [[1, 1, 2], [1]]
