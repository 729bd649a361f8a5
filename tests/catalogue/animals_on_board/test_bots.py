"""The players of Animals on Board: legal, blind to what is hidden, and each level better than the one before."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import bots
from games.catalogue.animals_on_board.bots.ark_value import value_ark
from games.records.simulate import SimulationPlan, play_games
from games.records.simulation_report import total_games
from games.rules import registry
from games.rules.base import Config
from tests.catalogue.animals_on_board.rules.positions import RULES, begin_game, position


def choose(state: Any, level: str, seat: int = 0) -> Any:
    legal = RULES.legal_moves(state, seat)
    rng = random.Random(1)
    if legal is None:
        legal = [RULES.legal_sample(state, seat, rng)]
    return bots.choose("animals-on-board", RULES.view(state, seat), legal, rng, level)


@pytest.mark.parametrize(
    ("level", "seats"), [("random", 2), ("random", 4), ("steady", 2), ("steady", 3), ("steady", 4), ("sharp", 3)]
)
def test_every_move_of_a_game_is_legal(level: str, seats: int) -> None:
    """An illegal one would raise."""
    move = SimulationPlan(registry.find("animals-on-board"), Config(seats), b"legal", (level,))
    games = list(play_games(move, 1, bots.choose))
    assert games[0].moves > 20


def mean_places(seats: int, games: int, *levels: str) -> dict[str, float]:
    move = SimulationPlan(registry.find("animals-on-board"), Config(seats), b"strength", levels)
    places = total_games(play_games(move, games, bots.choose)).places
    return {
        level: sum(place * count for place, count in places[level].items()) / places[level].total() for level in levels
    }


def test_steady_beats_random() -> None:
    found = mean_places(2, 20, "random", "steady")
    assert found["steady"] < 1.2 < 1.8 < found["random"]


def test_sharp_beats_steady() -> None:
    found = mean_places(2, 16, "steady", "sharp")
    assert found["sharp"] < 1.45 < 1.55 < found["steady"]


def test_a_herd_is_finished() -> None:
    state = position(["fox-1 fox-2", ""], ["lion-1", "fox-3", "panda-5"], crates=[1, 1])
    assert choose(state, "steady") == choose(state, "sharp") == {"take": 2}


def test_a_pair_is_not_made_at_the_end() -> None:
    ark = "fox-1 fox-2 fox-3 lion-1 lion-2 lion-3 panda-1 panda-2 tiger-5"
    state = position([ark, ""], ["tiger-1", "zebra-1"], crates=[1, 1], stack="")
    assert choose(state, "steady") == choose(state, "sharp") == {"take": 2}


def test_who_can_do_nothing_forfeits() -> None:
    state = position(["", ""], ["fox-1"], crates=[0, 1])
    assert choose(state, "steady") == choose(state, "sharp") == {"forfeit": True}


def test_of_the_first_three_the_highest_is_kept() -> None:
    stack = "tiger-3 fox-5 lion-1 panda-2 zebra-4 tiger-1 rhino-2 fox-1 lion-5 elephant-4 rhino-5 giraffe-1 zebra-1"
    assert choose(begin_game(2, stack), "steady") == {"keep": "fox-5"}


def test_the_choice_does_not_depend_on_what_is_hidden() -> None:
    state = position(["fox-1", "lion-1 panda-2"], ["tiger-1 ? rhino-2 rhino-3", "zebra-5"], face_down="fox-2", stack="")
    other = RULES.reshuffle_unseen(state, 0, random.Random(3))
    assert other != state
    for level in ("steady", "sharp"):
        assert choose(state, level) == choose(other, level)


@pytest.mark.parametrize(
    ("ark", "pair_value", "points"),
    [
        ("fox-3 lion-5", 4, 8),
        ("fox-3 fox-5", 4, 4),
        ("fox-1 fox-2 fox-3", 4, 15),
        ("fox-3 ?", 4, 5.2),
        ("fox-1 fox-2 fox-3 lion-1 lion-2 lion-3 tiger-1 tiger-2 tiger-3 zebra-1 panda-5", 0, 50),
    ],
)
def test_what_an_ark_is_worth_to_a_bot(ark: str, pair_value: float, points: float) -> None:
    assert value_ark(ark.split(), pair_value) == pytest.approx(points)
