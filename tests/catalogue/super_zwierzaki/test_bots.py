"""Bots of Super Zwierzaki: legal moves only, sensible ones, and a call now and then forgotten."""

from __future__ import annotations

import random

import pytest

from games import bots
from games.catalogue.super_zwierzaki import bots as super_zwierzaki
from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.state import State
from games.records.simulate import SimulationPlan, play_games
from games.records.simulation_report import total_games
from games.rules.base import Config, Move
from games.rules.chance import Chance
from tests.catalogue.super_zwierzaki.rules.playing import make_state, run

SLUG = "super-zwierzaki"
MAX_MOVES = 4000
"""The longest of the games below has 2,172."""


def choice(state: State, level: str = "sharp", seat: int | None = None, seed: int = 1) -> Move:
    """What a bot of this level does."""
    rng = random.Random(seed)
    who = RULES.to_act(state)[0] if seat is None else seat
    legal = RULES.legal_moves(state, who)
    if legal is None:
        legal = [RULES.legal_sample(state, who, rng)]
    return bots.choose(SLUG, RULES.view(state, who), legal, rng, level)


@pytest.mark.parametrize("level", ["random", "steady", "sharp"])
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_whole_games_with_every_level(level: str, seats: int) -> None:
    rng = random.Random(f"{level}{seats}")
    state = RULES.start(Config(seats), Chance(bytes([seats] * 32)))
    for _ in range(MAX_MOVES):
        acting = RULES.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        state, _ = RULES.apply(state, seat, choice(state, level, seat, rng.randrange(10**6)))
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert len(outcome.places) == seats
    assert min(outcome.places) == 1


def test_a_combination_is_better_than_a_card() -> None:
    assert choice(make_state("38 38 41 1 3 5", "6 6 6 6")) == {"play": "38", "n": 2}
    assert choice(make_state("38 38 41 1 3 5", "6 6 6 6"), "steady") == {"play": "38", "n": 2}


def test_nine_colours_are_always_played() -> None:
    move = choice(make_state("38 1 16 25 49 61 73 85 97 3", "8 8"), "steady")
    state = run(make_state("38 1 16 25 49 61 73 85 97 3", "8 8"))
    RULES.check(state, 0, move)
    assert len(move["nine"]) == 9


def test_a_win_is_stopped_with_a_woodpecker_before_a_teal() -> None:
    state = run(make_state("38", "107 24 3 3", "5 5"), "0: play 38")
    for level in ("steady", "sharp"):
        assert choice(state, level, 1) == {"react": "24"}
    assert choice(state, "sharp", 2) == {"decline": True}


def test_who_would_have_to_pay_rejects_and_who_is_not_hurt_keeps_their_teal() -> None:
    state = run(make_state("25 25 25 1 1", "107 3 3", "107 5 5", top="26"), "0: play 25 x3")
    assert choice(state, "sharp", 1) == {"react": "107"}
    assert choice(state, "sharp", 2) == {"decline": True}


def test_their_own_play_is_defended() -> None:
    state = run(make_state("25 107 1 1", "107 3 3", "107 5 5", top="26"), "0: play 25", "1: react 107")
    assert choice(state, "sharp", 0) == {"react": "107"}
    assert choice(state, "sharp", 2) == {"decline": True}


def test_the_smallest_hand_is_swapped_for() -> None:
    state = run(make_state("53 1 1 3", "5 5", "6", top="49"), "0: play 53", "reaction")
    assert choice(state) == {"swap": [0, 2]}
    two = run(make_state("53 53 1 1 3", "5 5", "6", top="49"), "0: play 53 x2", "reaction")
    assert choice(two)["sigma"][2] == 0


def test_in_a_duel_cards_are_thrown_in_the_dearest_last() -> None:
    state = run(make_state("37 25 47 1 1", "3 3"), "0: play 37", "reaction")
    assert choice(state) == {"play": "47"}
    assert choice(run(state, "0: play 25"), seat=1) == {"fold": True}


def test_sharp_never_forgets_to_say_it_and_random_does_half_the_time() -> None:
    state = make_state("38 1", "3 3 3")
    assert choice(state) == {"play": "38", "call": True}
    rng = random.Random(5)
    forgotten = {level: sum(bots.stays_silent(SLUG, level, rng) for _ in range(2000)) for level in ("random", "steady")}
    assert 900 < forgotten["random"] < 1100
    assert 60 < forgotten["steady"] < 200
    assert not any(bots.stays_silent(SLUG, "sharp", rng) for _ in range(200))
    assert not bots.stays_silent("karriere-poker", "steady", rng)
    seeds = [choice(state, "steady", seed=seed).get("call") for seed in range(300)]
    assert 0 < seeds.count(None) < 60


def test_who_owes_it_says_it_out_of_turn_and_before_drawing() -> None:
    state = run(make_state("38 1", "39 3 5"), "0: play 38")
    assert choice(state, seat=0) == {"call": True}
    later = run(state, "1: draw")
    assert choice(later, seat=0) == {"call": True}


def test_levels_are_known() -> None:
    assert list(super_zwierzaki.SILENCE_PROBABILITIES) == list(bots.list_bot_levels(SLUG))


def mean_places(*levels: str, games: int) -> dict[str, float]:
    """By level, over these games of three."""
    plan = SimulationPlan(RULES, Config(3), b"strength", levels)
    places = total_games(play_games(plan, games, bots.choose, stays_silent=bots.stays_silent)).places
    return {level: sum(place * n for place, n in places[level].items()) / places[level].total() for level in levels}


@pytest.mark.slow
def test_each_level_beats_the_one_below() -> None:
    found = mean_places("random", "steady", "sharp", games=12)
    assert found["sharp"] < 1.5 < found["steady"] < 2.4 < found["random"]
