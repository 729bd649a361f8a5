"""Other cards that a viewer cannot tell from the present ones."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.catalogue.climbing.rules.state import State
from games.rules.base import Config, Rules
from tests.catalogue.climbing.rules.playouts import play_out, step
from tests.rules.playing import ANIMAL, KARRIERE, SEED, expected, karriere, run

GAMES = pytest.mark.parametrize("rules", [KARRIERE, ANIMAL], ids=["karriere-poker", "animal-poker"])


@GAMES
@pytest.mark.parametrize("seat", [0, 4, None])
def test_the_view_is_the_same_and_hidden_hands_are_not(rules: Rules[State], seat: int | None) -> None:
    rng = random.Random(3)
    state = rules.start(Config(5), SEED)
    for _ in range(60):
        other = rules.reshuffle_unseen(state, seat, rng)
        assert rules.view(other, seat) == rules.view(state, seat)
        assert expected(rules, other, "hands") != expected(rules, state, "hands")
        state = step(rules, state, rng)


@GAMES
def test_cards_that_lie_out_may_be_in_a_hand_and_none_is_made_or_lost(rules: Rules[State]) -> None:
    state = rules.start(Config(4, {"lazy": True} if rules is ANIMAL else {}), SEED)
    other = rules.reshuffle_unseen(state, 0, random.Random(1))
    totals = [Counter(card for hand in expected(rules, s, "hands").values() for card in hand) for s in (state, other)]
    assert totals[0].total() == totals[1].total()
    assert totals[0] != totals[1]
    assert max(count for card, count in totals[1].items()) <= (8 if rules is ANIMAL else 4)


def test_cards_that_the_viewer_gave_stay_where_they_are_until_as_many_are_played() -> None:
    state = karriere("1 2 9 9", "4 5", "6 7", "3 13 J", ranks=[1, 2, 3, 4])
    for seed in range(20):
        hand = expected(KARRIERE, KARRIERE.reshuffle_unseen(state, 0, random.Random(seed)), "hands")["3"]
        assert {"1", "2"} <= set(hand)
    state = run(KARRIERE, state, "0: 9 9", "1: pass", "2: pass", "3: pass", "0: 13", "1: pass", "2: pass", "3: pass")
    state = run(KARRIERE, state, "0: J", "1: pass", "2: pass", "3: pass", "1: 5", "2: pass", "3: pass", "1: 7")
    assert expected(KARRIERE, state, "hands") == {"0": [], "1": [], "2": ["4", "6"], "3": ["1", "2", "3"]}
    hands = {
        tuple(expected(KARRIERE, KARRIERE.reshuffle_unseen(state, 0, random.Random(seed)), "hands")["3"])
        for seed in range(30)
    }
    assert all({"1", "2"} <= set(hand) for hand in hands)
    assert len(hands) > 1


def test_other_deals_will_follow() -> None:
    state = KARRIERE.start(Config(4), SEED)
    other = KARRIERE.reshuffle_unseen(state, None, random.Random(1))
    assert KARRIERE.chance(other).seed not in (SEED.seed, None)


@GAMES
def test_the_game_can_go_on_from_there(rules: Rules[State]) -> None:
    other = rules.reshuffle_unseen(rules.start(Config(6), SEED), 2, random.Random(1))
    end = play_out(rules, rules.on_clock(other, {"clock": "time-up"})[0])
    assert rules.outcome(end) is not None
