"""Win windows, places, the bell."""

from __future__ import annotations

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


def test_a_window_of_ten_seconds_opens_for_every_other_player() -> None:
    state = run(make_state("38", "3 3", "5 5"), "0: play 38")
    assert read_keys(state, "phase", "to_act", "over") == ["win", [1, 2], False]
    assert awaited(state) == [("win", 10.0, (1, 2))]


def test_if_nobody_stops_them_they_have_won_and_the_rest_is_placed_by_cards_left() -> None:
    state, events = run_events(run(make_state("38", "3 3", "5", "6 6"), "0: play 38"), "win")
    assert read_keys(state, "phase", "over", "to_act", "places") == ["over", True, [], [1, 3, 2, 3]]
    assert events[-1][:3] == ("game_over", None, {"places": [1, 3, 2, 3], "scores": None})
    assert RULES.outcome(state) == ((1, 3, 2, 3), None)
    assert refusal(state, "0: draw") == refusal(state, "time-up") == "The game is over."


def test_it_closes_early_when_all_have_declined() -> None:
    state = run(make_state("38", "3 3", "5 5"), "0: play 38", "2: decline")
    assert read_keys(state, "to_act", "phase") == [[1], "win"]
    assert read_keys(run(state, "1: decline"), "places") == [1, 2, 2]


def test_a_woodpecker_or_a_teal_stops_them_they_draw_one_and_the_game_goes_on() -> None:
    state = run(make_state("38", "24 107 3", "46 5", draw="8 9"), "0: play 38")
    for card in ("24", "107"):
        after = run(state, f"1: react {card}", "reaction")
        assert (hands(after)[0], read_keys(after, "phase", "to_act", "top")) == ("8", ["turn", [1], card])
    assert refusal(state, "1: react 3") == "This card cannot be played out of turn."


def test_a_teal_also_zeroes_the_counters_a_woodpecker_does_not() -> None:
    state = run(make_state("25", "24 107 3", "5 5", top="26"), "0: play 25", "reaction")
    assert points(run(state, "1: react 107", "reaction")) == ""
    assert points(run(state, "1: react 24", "reaction")) == "red 2"


def test_what_happens_in_a_win_window_is_told() -> None:
    opened = run_events(make_state("38", "24 3 3", "5 5", draw="8"), "0: play 38")
    stopped = run_events(run(opened[0], "1: react 24"), "reaction")
    assert [event[:3] for _, events in (opened, stopped) for event in events if event.to is None] == [
        ("played", 0, {"card": "38", "count": 1}),
        ("win_window", 0, {}),
        ("prevented", 0, {"by": 1, "card": "24"}),
        ("drew", 0, {"count": 1, "why": "stopped"}),
    ]


def test_if_the_prevention_is_rejected_they_have_won_at_once() -> None:
    state = run(make_state("38", "24 3", "107 5"), "0: play 38", "1: react 24", "2: react 107", "reaction")
    assert read_keys(state, "phase", "places") == ["over", [1, 2, 2]]


def test_a_prevention_whose_rejection_is_rejected_holds() -> None:
    state = run(
        make_state("38", "24 107 3", "107 5"), "0: play 38", "1: react 24", "2: react 107", "1: react 107", "reaction"
    )
    assert read_keys(state, "phase", "hand_sizes") == ["turn", [1, 1, 1]]


def test_they_themselves_are_asked_after_a_prevention() -> None:
    state = run(make_state("38", "24 3", "5 5"), "0: play 38", "1: react 24")
    assert read_keys(state, "phase", "to_act") == ["reaction", [0, 2]]


def test_anybodys_turn_may_leave_a_player_without_cards() -> None:
    state = run(make_state("53 3", "", "5 5", top="49"), "0: play 53", "reaction", "0: swap 0 1")
    assert read_keys(state, "phase", "to_act", "hand_sizes") == ["win", [1, 2], [0, 1, 2]]


def test_an_empty_turn_is_a_turn_too() -> None:
    state = make_state("1 1", "", "3 3", lost_turns=[1, 0, 0])
    assert read_keys(state, "phase", "to_act", "order") == ["win", [0, 2], [0, 1, 2]]
    assert read_keys(run(state, "2: decline", "0: decline"), "places") == [2, 1, 2]


def test_several_without_cards_get_their_windows_in_playing_order_from_whose_turn_it_was() -> None:
    state = make_state("41 3", "38", "", "5 5", "", order=[1, 2, 0, 3, 4], draw="8 9 10")
    state = run(state, "1: play 38")
    assert read_keys(state, "phase", "to_act") == ["win", [0, 2, 3, 4]]
    assert read_keys(run(state, "win"), "places") == [4, 1, 2, 4, 3]


def test_the_next_window_opens_when_one_is_stopped() -> None:
    state = make_state("38", "24 3 3", "", "46 5 5", draw="8 9 10")
    state = run(state, "0: play 38", "1: react 24", "reaction")
    assert read_keys(state, "phase", "to_act", "hand_sizes") == ["win", [0, 1, 3], [1, 2, 0, 3]]
    won = run(state, "win")
    assert read_keys(won, "places") == [2, 3, 1, 4]
    on = run(state, "3: react 46", "reaction")
    assert read_keys(on, "phase", "to_act", "hand_sizes") == ["turn", [1], [1, 2, 1, 2]]


def test_who_stops_a_win_with_their_last_card_has_a_window_next() -> None:
    state = run(make_state("38", "24", "5 5"), "0: play 38", "1: react 24", "reaction")
    assert read_keys(state, "phase", "to_act", "hand_sizes") == ["win", [0, 2], [1, 0, 2]]


def test_the_bell_lets_the_turn_be_settled_a_win_window_included() -> None:
    state = run(make_state("37 1 1", "3 3", "5"), "0: play 37", "time-up")
    assert read_keys(state, "phase", "over") == ["reaction", False]
    over = run(state, "reaction", "0: fold", "1: fold")
    assert read_keys(over, "phase", "places") == ["over", [2, 2, 1]]
    window = run(make_state("38", "24 3", "5"), "time-up", "0: play 38")
    assert read_keys(window, "phase") == "win"
    assert read_keys(run(window, "win"), "places") == [1, 3, 2]
    assert read_keys(run(window, "1: react 24", "reaction"), "phase", "places") == ["over", [1, 1, 1]]


def test_at_the_bell_places_are_by_cards_left() -> None:
    state = run(make_state("1 1 3", "5", "6 6", draw="8"), "time-up", "0: draw")
    assert read_keys(state, "phase", "places") == ["over", [3, 1, 2]]


def test_the_agreed_minutes_run_out_once() -> None:
    state = make_state("1 1", "3 3", options={"minutes": 30})
    assert awaited(state) == [("turn", None, (0,)), ("time-up", 1800.0, ())]
    rung = run(state, "time-up")
    assert awaited(rung) == [("turn", None, (0,))]
    assert run_events(rung, "time-up") == (rung, [])
    assert "time-up" not in [name for name, _, _ in awaited(make_state("1 1", "3 3"))]


def test_the_bell_is_told() -> None:
    assert kinds(run_events(make_state("1 1", "3 3"), "time-up")[1]) == ["bell"]
