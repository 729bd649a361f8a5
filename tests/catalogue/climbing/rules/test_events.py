"""What happened, and who may know of it."""

from __future__ import annotations

import random

import pytest

from games.catalogue.climbing.rules import events
from games.catalogue.climbing.rules.state import State
from games.rules.base import Config, Event, Rules
from tests.rules.playing import ANIMAL, KARRIERE, SEED, karriere, run, run_events, split


def test_a_play_tells_cards_number_and_count() -> None:
    _, events = run_events(KARRIERE, karriere("7 7 J 1", "8", "9", "9"), "0: J 7")
    assert events == [Event("played", 0, {"cards": ["7", "J"], "number": 7, "count": 2})]


def test_a_named_joker_tells_its_number() -> None:
    _, events = run_events(KARRIERE, karriere("J 1", "8", "9", "9"), "0: J as 77")
    assert events == [Event("played", 0, {"cards": ["J"], "number": 77, "count": 1})]


def test_a_pass_and_a_round_won() -> None:
    _, events = run_events(KARRIERE, karriere("7 1", "8", "9", "9"), "0: 7", "1: pass", "2: pass", "3: pass")
    assert events == [Event("passed", 3, {}), Event("round_won", 0, {"leader": 0})]


def test_a_round_won_by_one_who_is_out_tells_the_other_leader() -> None:
    _, events = run_events(KARRIERE, karriere("7", "8", "9", "9"), "0: 7", "1: pass", "2: pass", "3: pass")
    assert events[-1] == Event("round_won", 0, {"leader": 1})


def test_a_turn_that_ran_out_is_told_before_what_it_did() -> None:
    _, events = run_events(KARRIERE, karriere("7 1", "8", "9", "9"), "0: 7", "turn")
    assert events == [Event("timed_out", 1, {}), Event("passed", 1, {})]


def test_the_bell_is_told_once() -> None:
    state, events = run_events(KARRIERE, karriere("7 1", "8", "9", "9"), "time-up")
    assert events == [Event("bell", None, {"deal": 1})]
    assert run_events(KARRIERE, state, "time-up")[1] == []


def test_the_end_of_a_deal_and_the_next_one_with_its_exchange() -> None:
    state = run(KARRIERE, karriere("5", "9", "7", "2 3"), "0: 5", "1: 9", "2: pass", "3: pass")
    state = KARRIERE.supply(state, [("hands", split(["1 2", "3 4", "5 6", "7 8"]))])
    _, events = run_events(KARRIERE, state, "2: 7")
    assert events == [
        Event("played", 2, {"cards": ["7"], "number": 7, "count": 1}),
        Event("out", 2, {"rank": 3}),
        Event("deal_over", None, {"deal": 1, "ranks": [1, 2, 3, 4], "points": [3, 2, 1, 0]}),
        Event(
            "dealt",
            None,
            {"deal": 2, "order": [0, 1, 2, 3], "ranks": [1, 2, 3, 4], "sizes": [2, 2, 2, 2], "leader": 0},
        ),
        Event("exchanged", 3, {"taker": 0, "count": 2}),
        Event("gift", 3, {"taker": 0, "count": 2, "cards": ["7", "8"]}, (0, 3)),
        Event("exchanged", 0, {"taker": 3, "count": 2}),
        Event("gift", 0, {"taker": 3, "count": 2, "cards": ["1", "2"]}, (0, 3)),
        Event("exchanged", 2, {"taker": 1, "count": 1}),
        Event("gift", 2, {"taker": 1, "count": 1, "cards": ["6"]}, (1, 2)),
        Event("exchanged", 1, {"taker": 2, "count": 1}),
        Event("gift", 1, {"taker": 2, "count": 1, "cards": ["3"]}, (1, 2)),
    ]


def test_the_end_of_the_game_tells_places_and_scores() -> None:
    state = karriere("5", "9", "7", "2 3", options={"deals": 1})
    _, events = run_events(KARRIERE, state, "0: 5", "1: 9", "2: pass", "3: pass", "2: 7")
    assert events[-1] == Event("game_over", None, {"places": [1, 2, 3, 4], "scores": [3, 2, 1, 0]})


@pytest.mark.parametrize("rules", [KARRIERE, ANIMAL], ids=["karriere-poker", "animal-poker"])
def test_all_kinds_are_of_the_closed_list_and_only_gifts_are_secret(rules: Rules[State]) -> None:
    rng = random.Random(5)
    state = rules.start(Config(6, {"minutes": 10}), SEED)
    kinds = set()
    while state.deal.number < 3 or rules.to_act(state):
        if state.deal.number == 3 and not state.progress.bell:
            state, new_events = rules.on_clock(state, {"clock": "time-up"})
        elif rng.random() < 0.1:
            state, new_events = rules.on_clock(state, {"clock": "turn"})
        else:
            seat = rules.to_act(state)[0]
            state, new_events = rules.apply(state, seat, rules.legal_sample(state, seat, rng))
        kinds |= {event.kind for event in new_events}
        assert all((event.to is not None) == (event.kind == "gift") for event in new_events)
        assert all("cards" not in event.data or event.kind in ("gift", "played") for event in new_events)
    assert kinds == set(events.KINDS)
