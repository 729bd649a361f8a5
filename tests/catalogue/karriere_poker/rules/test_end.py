"""karriere-poker.md: the end of a deal; End and score."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.climbing.rules.state import State
from games.catalogue.karriere_poker.rules import KarrierePoker
from games.rules.base import Deadline, Outcome
from tests.rules.playing import KARRIERE, SEED, expected, karriere, refusal, run, run_events

FIRST_DEAL = ("0: 5", "1: 9", "2: pass", "3: pass", "2: 7")


def short(options: dict[str, Any]) -> State:
    """A deal that FIRST_DEAL ends in the order of seats; later ones come from the seed."""
    state = karriere("5", "9", "7", "2 3", options=options)
    return state._replace(progress=state.progress._replace(chance=SEED))


def test_who_is_out_of_cards_takes_the_next_position_from_the_top() -> None:
    state, events = run_events(KARRIERE, short({}), "0: 5")
    assert (expected(KARRIERE, state, "out"), events[-1]) == ([0], ("out", 0, {"rank": 1}, None))
    state, events = run_events(KARRIERE, state, "1: 9")
    assert (expected(KARRIERE, state, "out"), events[-1]) == ([0, 1], ("out", 1, {"rank": 2}, None))


def test_the_deal_is_over_at_once_when_one_is_left_and_they_are_the_dishwasher() -> None:
    state, events = run_events(KARRIERE, short({}), *FIRST_DEAL)
    assert expected(KARRIERE, state, "deal", "positions") == {"deal": 2, "positions": [1, 2, 3, 4]}
    assert [event.kind for event in events[:4]] == ["played", "out", "deal_over", "dealt"]


def test_the_next_deal_begins_in_the_same_event() -> None:
    state = run(KARRIERE, short({}), *FIRST_DEAL)
    assert expected(KARRIERE, state, "hand_sizes", "out", "to_act", "table") == {
        "hand_sizes": [13, 13, 13, 15],
        "out": [],
        "to_act": [0],
        "table": [],
    }


def test_the_score_of_a_deal_is_the_number_who_finished_after_you() -> None:
    assert expected(KARRIERE, run(KARRIERE, short({}), *FIRST_DEAL), "scores") == [3, 2, 1, 0]


def test_the_game_is_over_after_the_number_of_deals() -> None:
    state = run(KARRIERE, short({"deals": 1}), *FIRST_DEAL)
    assert KARRIERE.outcome(state) == Outcome((1, 2, 3, 4), (3, 2, 1, 0))
    assert expected(KARRIERE, state, "over", "to_act") == {"over": True, "to_act": []}


def test_the_number_of_deals_is_three_by_default_but_none_with_minutes() -> None:
    assert KARRIERE.view(short({}), None)["deals"] == 3
    assert KARRIERE.view(short({"minutes": 20}), None)["deals"] is None


def test_after_the_end_deal_order_positions_and_out_are_those_of_the_last_deal() -> None:
    state = run(KARRIERE, short({"deals": 1}), *FIRST_DEAL)
    assert expected(KARRIERE, state, "deal", "order", "positions", "out", "hands", "table", "table_number") == {
        "deal": 1,
        "order": [0, 1, 2, 3],
        "positions": None,
        "out": [0, 1, 2],
        "hands": {"0": [], "1": [], "2": [], "3": ["2", "3"]},
        "table": [],
        "table_number": None,
    }


@pytest.mark.parametrize("turn", ["3: 2", "3: pass", "0: pass", "turn", "time-up"])
def test_after_the_end_everything_is_refused(turn: str) -> None:
    state = run(KARRIERE, short({"deals": 1}), *FIRST_DEAL)
    assert refusal(KARRIERE, state, turn) == "The game is over."


def test_when_the_time_runs_out_the_running_deal_is_the_last() -> None:
    state = run(KARRIERE, short({"minutes": 20}), "0: 5", "time-up")
    assert expected(KARRIERE, state, "over", "to_act") == {"over": False, "to_act": [1]}
    assert KARRIERE.outcome(run(KARRIERE, state, *FIRST_DEAL[1:])) == Outcome((1, 2, 3, 4), (3, 2, 1, 0))


def test_without_the_bell_a_game_by_minutes_goes_on() -> None:
    assert expected(KARRIERE, run(KARRIERE, short({"minutes": 20}), *FIRST_DEAL), "deal", "over") == {
        "deal": 2,
        "over": False,
    }


def test_the_bell_is_accepted_whatever_the_options() -> None:
    state = run(KARRIERE, short({"deals": 3}), "time-up", *FIRST_DEAL)
    assert expected(KARRIERE, state, "over") is True


def test_with_both_set_whichever_comes_first_ends_the_game() -> None:
    both = {"deals": 1, "minutes": 20}
    assert expected(KARRIERE, run(KARRIERE, short(both), *FIRST_DEAL), "over") is True
    both = {"deals": 2, "minutes": 20}
    assert expected(KARRIERE, run(KARRIERE, short(both), "time-up", *FIRST_DEAL), "over") is True


def test_a_second_bell_changes_nothing() -> None:
    state, events = run_events(KARRIERE, short({}), "time-up")
    assert [event.kind for event in events] == ["bell"]
    assert run_events(KARRIERE, state, "time-up") == (state, [])


def test_a_bell_after_the_deal_lets_the_new_deal_be_played() -> None:
    state = run(KARRIERE, short({"minutes": 20}), *FIRST_DEAL, "time-up")
    assert expected(KARRIERE, state, "deal", "over") == {"deal": 2, "over": False}


def places_after(*deals: tuple[int, ...]) -> tuple[int, ...]:
    """The places by seat after deals with these ranks by seat."""
    return KarrierePoker().places(deals)


def test_places_follow_the_total_score() -> None:
    assert places_after((1, 2, 3, 4), (3, 1, 2, 4), (2, 1, 3, 4)) == (2, 1, 3, 4)


def test_equal_scores_are_parted_by_the_better_position_in_the_last_deal() -> None:
    assert places_after((1, 2, 3, 4), (4, 3, 2, 1)) == (4, 3, 2, 1)
    assert places_after((4, 3, 2, 1), (1, 2, 3, 4)) == (1, 2, 3, 4)


def test_the_clock_waits_for_the_seat_to_act_and_for_the_bell() -> None:
    state = short({"minutes": 20})
    assert KARRIERE.deadlines(state) == (
        Deadline({"clock": "turn"}, None, (0,), 0),
        Deadline({"clock": "time-up"}, 1200.0, (), 0),
    )


def test_a_new_turn_is_a_new_wait_and_the_bell_is_not() -> None:
    state = run(KARRIERE, short({"minutes": 20}), "0: 5")
    turn = Deadline({"clock": "turn"}, None, (1,), 1)
    assert KARRIERE.deadlines(state)[0] == turn
    assert KARRIERE.deadlines(run(KARRIERE, state, "time-up")) == (turn,)


def test_nothing_is_awaited_without_minutes_or_after_the_end() -> None:
    assert [wait.event["clock"] for wait in KARRIERE.deadlines(short({}))] == ["turn"]
    assert KARRIERE.deadlines(run(KARRIERE, short({"minutes": 5}), "time-up", *FIRST_DEAL)) == ()
