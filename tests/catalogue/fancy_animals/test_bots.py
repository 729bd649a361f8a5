"""The players of Fancy Animals: always legal, and each level beats the one below."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import bots
from games.catalogue.fancy_animals import rules
from games.records.simulate import SimulationPlan, play_games
from games.records.simulation_report import total_games
from games.rules.base import Config
from games.rules.chance import Chance
from tests.catalogue.fancy_animals.rules.playing import FANCY, act, position


def choose(state: Any, level: str) -> Any:
    seat = FANCY.to_act(state)[0]
    legal = (FANCY.legal_sample(state, seat, random.Random(1)),)
    return bots.choose("fancy-animals", FANCY.view(state, seat), legal, random.Random(2), level)


def test_steady_takes_what_an_added_card_pays_for() -> None:
    state = position("7GM 1LC", "1LM", table="3LG:G 4GM:G 5GC:G 6LG:G", deck="2LM")
    move = choose(state, "steady")
    assert (move["play"], move["claim"]) == (["7GM"], "feet-G-4")
    assert FANCY.expected(act(state, move))["scores"] == [4, 0]


def test_steady_draws_while_nothing_is_paid_for_and_lays_when_the_hand_is_full() -> None:
    assert choose(position("7GM 1LC", "1LM", deck="2LM"), "steady") == {"draw": True}
    state = position("8GC 1LC 2LM 3GC", "1LM", table="8LM:M 8LG:L 8GM:G")
    assert choose(state, "steady")["play"] == ["8GC"]
    assert choose(position("1LC", "1LM", table="8LM:M 8LG:L 8GM:G"), "steady") == {"pass": True}


def test_sharp_takes_the_table_apart_for_a_claim_and_leaves_small_ones_while_there_is_time() -> None:
    table = "3LG:G 4GM:G 5GC:G 6LG:G | 7GM:G 7LC:L 7MC:M 7GC:C"
    state = position("8GM 1LC", "1LM", table=table, deck="2LM 3LM 4LM 5LM")
    move = choose(state, "sharp")
    assert (move["play"], move["claim"]) == (["8GM"], "feet-G-4")
    assert FANCY.expected(act(state, move))["scores"] == [4, 0]
    small = position("8LM 1LC", "1LM", table="5LM:M 6LM:M 7LM:M", deck="2LM 3LM 4LM 9GC")
    assert choose(small, "sharp") == {"draw": True}
    assert choose(act(small, "time-up"), "sharp")["claim"] == "feet-M-3"


def test_sharp_passes_only_when_nothing_can_be_laid() -> None:
    assert choose(position("1LC", "1LM", table="8LM:M 8LG:L 8GM:G"), "sharp") == {"pass": True}
    assert choose(position("8GC", "1LM", table="8LM:M 8LG:L 8GM:G"), "sharp")["play"] == ["8GC"]


@pytest.mark.parametrize(
    ("seats", "levels", "games"),
    [(2, ("random", "steady"), 12), (4, ("random", "steady"), 8), (4, ("steady", "sharp"), 6)],
)
def test_each_level_beats_the_one_below(seats: int, levels: tuple[str, ...], games: int) -> None:
    plan = SimulationPlan(rules.RULES, Config(seats), b"levels", levels)
    places = total_games(play_games(plan, games, bots.choose)).places
    means = [sum(place * count for place, count in places[level].items()) / places[level].total() for level in levels]
    assert means == sorted(means, reverse=True)
    assert means[0] - means[-1] > 0.3


def test_steady_adds_no_number_that_a_run_round_the_corner_has_already() -> None:
    table = "9LG:L 10LG:L 11LG:L 1LG:L 2LG:L 3LG:L 4LG:L 5LG:L 6LG:L 7LG:L"
    state = position("8LM 9LM 1GC", "1LC", table=table, active=("loop",))
    move = choose(state, "steady")
    assert (move["play"], move["table"]) == (["8LM"], [[*table.split(), "8LM:L"]])


@pytest.mark.parametrize("seats", [2, 4])
def test_whatever_is_on_the_table_the_choice_is_legal(seats: int) -> None:
    """An illegal choice would raise."""
    rng = random.Random(seats)
    state = FANCY.start(Config(seats, {}, {"active": ["cover", "loop", "mix", "return"]}), Chance(bytes([seats] * 32)))
    number = 0
    while acting := FANCY.to_act(state):
        for level in ("steady", "sharp") if number % 12 == 0 else ("steady",):
            FANCY.check(state, acting[0], choose(state, level))
        state, _ = FANCY.apply(state, acting[0], FANCY.legal_sample(state, acting[0], rng))
        number += 1
    assert FANCY.outcome(state) is not None
    assert number > 2 * seats
