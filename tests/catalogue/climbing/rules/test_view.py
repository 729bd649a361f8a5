"""What a seat and a spectator may know."""

from __future__ import annotations

import json

import pytest

from games.rules.base import Config
from tests.catalogue.climbing.rules.playouts import play_out
from tests.rules.playing import ANIMAL, KARRIERE, SEED, animal, karriere, run


def test_a_seat_sees_its_own_hand_sorted_with_jokers_last() -> None:
    assert KARRIERE.view(karriere("J 10 9 13", "7", "8", "9"), 0)["hand"] == ["9", "10", "13", "J"]


def test_a_spectator_sees_no_hand() -> None:
    view = KARRIERE.view(karriere("J 10", "7", "8", "9"), None)
    assert (view["seat"], view["hand"], view["hand_sizes"]) == (None, None, [2, 1, 1, 1])


def test_the_whole_view_in_the_middle_of_a_round() -> None:
    state = karriere("1 2 13", "4 5", "6 7", "3 13 J", ranks=[2, 1, 4, 3], options={"minutes": 5, "deals": 2})
    state = run(KARRIERE, state, "1: 6", "0: 13", "3: pass")
    assert KARRIERE.view(state, 2) == {
        "game": "karriere-poker",
        "seat": 2,
        "deal": 1,
        "order": [1, 0, 3, 2],
        "ranks": [2, 1, 4, 3],
        "rank_names": ["boss", "managing-director", "manager", "dishwasher"],
        "to_act": [2],
        "leader": 1,
        "table": ["13"],
        "table_number": 13,
        "table_seat": 0,
        "passed": [3],
        "done": [],
        "hand_sizes": [2, 1, 2, 3],
        "hand": ["4", "5"],
        "played": [["13"], ["6"], [], []],
        "refused": [{}, {}, {}, {"1": 13}],
        "led": [0, 6, 0, 0],
        "pack": {"sets": 4, "jokers": 2},
        "wild": "J",
        "can_name_jokers": True,
        "out": [],
        "scores": [0, 0, 0, 0],
        "exchanges": [
            {"giver": 2, "taker": 1, "count": 2, "cards": ["6", "7"]},
            {"giver": 1, "taker": 2, "count": 2, "cards": ["4", "5"]},
            {"giver": 3, "taker": 0, "count": 1, "cards": None},
            {"giver": 0, "taker": 3, "count": 1, "cards": None},
        ],
        "exchanged_now": False,
        "past": [],
        "last_deal": False,
        "deals": 2,
        "minutes": 5,
        "over": False,
        "places": None,
    }


def test_the_exchange_is_new_until_the_first_move_and_the_bell_is_none() -> None:
    state = karriere("1 2 13", "4 5", "6 7", "3 13 J", ranks=[1, 2, 3, 4])
    assert KARRIERE.view(run(KARRIERE, state, "time-up"), 0)["exchanged_now"] is True
    assert KARRIERE.view(run(KARRIERE, state, "0: 13"), 0)["exchanged_now"] is False


def test_passed_seats_are_those_since_the_last_play() -> None:
    state = run(KARRIERE, karriere("5 6", "9 9", "8 8", "2 2"), "0: 5", "1: pass")
    assert KARRIERE.view(state, None)["passed"] == [1]
    assert KARRIERE.view(run(KARRIERE, state, "2: 8"), None)["passed"] == []


def test_animal_poker_keeps_who_passed_and_who_had_their_turn_for_the_round() -> None:
    state = run(ANIMAL, animal("1 1 1 2", "9 9", "8 8", "13 13 13 3"), "0: 2", "1: pass", "2: 9")
    view = ANIMAL.view(state, None)
    assert (view["passed"], view["done"]) == ([1], [0, 1, 2])
    view = ANIMAL.view(run(ANIMAL, state, "3: pass"), None)
    assert (view["passed"], view["done"], view["table_seat"]) == ([], [], None)


def test_one_who_goes_out_has_had_their_turn() -> None:
    state = run(ANIMAL, animal("1 1 1", "9 9", "8 8", "5 5 5"), "0: 5 5 5")
    assert ANIMAL.view(state, 1)["done"] == [0]


def test_the_last_deal_is_known_by_number_or_by_the_bell() -> None:
    assert KARRIERE.view(karriere("5", "7", "8", "9", options={"deals": 1}), 0)["last_deal"] is True
    state = karriere("5", "7", "8", "9", options={"deals": 2})
    assert KARRIERE.view(state, 0)["last_deal"] is False
    assert KARRIERE.view(run(KARRIERE, state, "time-up"), 0)["last_deal"] is True


def test_the_view_after_the_end_has_places() -> None:
    for rules, options in ((KARRIERE, {"deals": 2}), (ANIMAL, {"sessions": 2})):
        state = play_out(rules, rules.start(Config(5, options), SEED))
        outcome, view = rules.outcome(state), rules.view(state, None)
        assert outcome is not None
        assert (view["over"], view["to_act"], view["places"]) == (True, [], list(outcome.places))
        assert len(view["past"]) == 2


def test_a_view_is_json() -> None:
    view = ANIMAL.view(ANIMAL.start(Config(6), SEED), 3)
    assert json.loads(json.dumps(view)) == view


def test_the_lowest_number_of_each_width_that_a_seat_has_passed_on_is_shown_until_the_deal_ends() -> None:
    state = karriere("3 4 9 9", "5 6 6 7", "1 2 8 8", "2 3 3 10", options={"deals": 2})
    state = run(KARRIERE, state, "0: 4", "1: 7", "2: pass", "3: pass", "0: 9", "1: pass", "2: pass", "3: pass")
    assert KARRIERE.view(state, 1)["refused"] == [{}, {"1": 9}, {"1": 7}, {"1": 7}]
    state = run(KARRIERE, state, "0: 3", "1: pass", "2: pass", "3: pass")
    assert KARRIERE.view(state, None)["refused"] == [{}, {"1": 3}, {"1": 3}, {"1": 3}]
    assert KARRIERE.view(state, None)["played"] == [["3", "4", "9"], ["7"], [], []]


def test_jokers_alone_are_beyond_what_a_pass_says() -> None:
    state = run(KARRIERE, karriere("J J 5", "6 6", "7", "8"), "0: J", "1: pass")
    assert KARRIERE.view(state, None)["refused"] == [{}, {}, {}, {}]


@pytest.mark.parametrize("name", ["refused", "led"])
def test_a_state_that_was_stored_before_passes_or_leads_were_noted_is_read(name: str) -> None:
    state = run(KARRIERE, karriere("4 9", "5", "1", "2"), "0: 4", "1: pass")
    stored = {key: value for key, value in KARRIERE.to_json(state).items() if key != name}
    older = state._replace(refused=0) if name == "refused" else state._replace(led=0)
    assert KARRIERE.from_json(stored) == older
    assert KARRIERE.from_json(KARRIERE.to_json(state)) == state


def test_the_highest_number_that_a_seat_has_led_is_shown_until_the_deal_ends() -> None:
    state = karriere("3 4 9 9", "5 6 6 7", "1 2 8 8", "2 3 3 10", options={"deals": 2})
    state = run(KARRIERE, state, "0: 4", "1: 7", "2: pass", "3: pass", "0: pass", "1: 6 6", "2: 8 8", "3: pass")
    state = run(KARRIERE, state, "0: 9 9", "1: pass", "2: pass", "3: pass")
    assert KARRIERE.view(state, 1)["led"] == [4, 6, 0, 0]
    state = run(KARRIERE, state, "0: 3", "1: 5", "2: pass", "3: 10", "2: pass")
    assert KARRIERE.view(state, None)["led"] == [4, 6, 0, 0]


def test_a_lead_of_jokers_alone_says_nothing() -> None:
    state = run(KARRIERE, karriere("J J 5", "6 6", "7", "8"), "0: J")
    assert KARRIERE.view(state, None)["led"] == [0, 0, 0, 0]
