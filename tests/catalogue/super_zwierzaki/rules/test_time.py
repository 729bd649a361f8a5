"""What happens when a turn, a choice or a window runs out, and what the clock waits for."""

from __future__ import annotations

from typing import Any

from games.catalogue.super_zwierzaki.rules import RULES
from tests.catalogue.super_zwierzaki.rules.playing import (
    awaited,
    hands,
    kinds,
    make_state,
    points,
    read_keys,
    refusal,
    run,
    run_events,
)


def test_at_the_start_of_a_turn_a_card_is_drawn() -> None:
    state, events = run_events(make_state("38 1", "3 3"), "turn")
    assert (read_keys(state, "hand_sizes", "to_act"), kinds(events)[0]) == ([[3, 2], [1]], "timed_out")


def test_or_what_the_counter_does_is_accepted() -> None:
    assert read_keys(run(make_state("25 1", "3 3", top="26", counters={"red": 2}), "turn"), "hand_sizes") == [4, 2]
    assert read_keys(run(make_state("1 1", "3 3", counters={"orc": 3}), "turn"), "hand_sizes") == [5, 2]
    assert read_keys(run(make_state("1 1", "3 3", counters={"stop": 2}), "turn"), "lost_turns") == [1, 0]
    demand: dict[str, Any] = {"counters": {"demand": 1}, "demand": {"named": "1", "by": 1}}
    assert read_keys(run(make_state("1 1", "3 3", **demand), "turn"), "hand_sizes") == [3, 2]


def test_who_is_obliged_to_play_plays_one_copy_of_the_lowest_numbered_kind() -> None:
    state = run(make_state("107 83 83 22 1", "3 3", top="88", counters={"stop": 2}), "turn")
    assert read_keys(state, "top", "hand_sizes") == ["22", [4, 2]]
    orc = run(make_state("51 51 107", "3 3", top="49", counters={"orc": 3}), "turn", "reaction")
    assert (points(orc), read_keys(orc, "phase")) == ("orc 6", "colour")


def test_an_offer_is_declined() -> None:
    colour = run(make_state("99 1 1", "3 3", top="97"), "0: play 99", "reaction", "turn")
    assert read_keys(colour, "given", "to_act") == [{"colours": ["P"], "classes": ["hoofed"]}, [1]]
    discard = run(make_state("38 38 1 3", "5 5"), "0: play 38 x2", "reaction", "turn")
    assert hands(discard)[0] == "1 3"
    give = run(make_state("33 1 3", "5 5", top="97"), "0: play 33", "reaction", "turn")
    assert hands(give) == ["1 3", "5 5"]


def test_an_obligation_takes_its_first_possibility() -> None:
    name = run(make_state("14 1 1", "3 3", top="54"), "0: play 14", "reaction", "turn")
    assert read_keys(name, "named") == "1"
    swap = run(make_state("53 1 1", "3", "5 5", top="49"), "0: play 53", "reaction", "turn")
    assert hands(swap) == ["3", "1 1", "5 5"]
    sigma = run(make_state("53 53 1", "3 5", "6", top="49"), "0: play 53 x2", "reaction", "turn")
    assert hands(sigma) == ["", "1 3 5", "6"]


def test_the_gift_of_nine_colours_is_the_lowest_cards_to_the_lowest_other_seat() -> None:
    nine = "38 1 16 25 49 61 73 85 97"
    state = run(make_state("8 8", f"{nine} 9 3 5", "6", order=[1, 2, 0]), f"1: nine {nine}", "reaction", "turn")
    assert hands(state) == ["3 5 8 8", "9", "6"]
    first = run(make_state(f"{nine} 9 3 5", "8 8", "6"), f"0: nine {nine}", "reaction", "turn")
    assert hands(first) == ["9", "3 5 8 8", "6"]


def test_a_turn_and_its_choices_are_one_wait() -> None:
    state = run(make_state("99 99 1 1", "3 3", top="97"), "0: play 99 x2", "reaction")
    (colour,) = RULES.deadlines(state)
    (discard,) = RULES.deadlines(run(state, "0: colour V"))
    (turn,) = RULES.deadlines(make_state("99 99 1 1", "3 3", top="97"))
    assert colour == discard == turn
    following = RULES.deadlines(run(state, "0: colour V", "0: discard 1"))[0]
    assert following.serial != turn.serial


def test_the_turn_stands_still_while_others_are_asked() -> None:
    turn = RULES.deadlines(make_state("37 1 1", "3 3"))[0]
    window = RULES.deadlines(run(make_state("37 1 1", "3 3"), "0: play 37"))
    assert [(wait.event["clock"], wait.held) for wait in window] == [("reaction", False), ("turn", True)]
    assert window[1] == turn._replace(held=True)
    duel = RULES.deadlines(run(make_state("37 1 1", "3 3"), "0: play 37", "reaction"))
    assert duel[1] == window[1]
    assert [wait.held for wait in RULES.deadlines(run(make_state("38", "3 3"), "0: play 38"))] == [False]


def test_every_window_and_every_duel_decision_is_a_wait_of_its_own() -> None:
    state = run(make_state("37 107 1", "107 3 3", "5 5"), "0: play 37")
    serials = [RULES.deadlines(state)[0].serial]
    for turn in ("1: react 107", "0: react 107", "reaction", "0: fold", "1: fold"):
        state = run(state, turn)
        serials.append(RULES.deadlines(state)[0].serial)
    assert sorted(set(serials)) == serials


def test_a_window_goes_on_while_some_have_answered() -> None:
    state = run(make_state("37 1", "3 3", "5 5"), "0: play 37")
    before, after = RULES.deadlines(state)[0], RULES.deadlines(run(state, "1: decline"))[0]
    assert (before.serial, before.seats, after.seats) == (after.serial, (1, 2), (2,))


def test_all_clocks_at_once() -> None:
    state = run(make_state("38 1", "46 41 3", "6 6", options={"minutes": 5}), "0: play 38", "1: play 46")
    assert awaited(state) == [("reaction", 4.0, (0, 2)), ("call 0", 10.0, (0,)), ("time-up", 300.0, ())]
    state = run(make_state("53 5", "1", "6 6", top="49"), "0: play 53", "reaction", "0: swap 1 2")
    assert awaited(state) == [("turn", None, (1,)), ("call 0", 10.0, (0,)), ("call 2", 10.0, (2,))]


def test_seconds_may_be_agreed() -> None:
    state = make_state("38", "3 3", options={"win_seconds": 5, "turn_seconds": 30})
    assert awaited(state) == [("turn", 30, (0,))]
    assert awaited(run(state, "0: play 38")) == [("win", 5.0, (1,))]


def test_clock_events_that_cannot_run_now() -> None:
    state = make_state("38 1", "3 3")
    assert refusal(state, "win") == refusal(state, "reaction") == "No such reaction or win window is open."
    assert refusal(state, "tea").startswith("This game knows the clock events")
    assert refusal(state, "call") == "This seat does not have to call."
