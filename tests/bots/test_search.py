"""Search with sampled hidden information: bounded by numbers, and the same for the same seed."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import pytest

from games.bots.search import Search, choose_best, pick_candidates, rate_outcome, search_move
from games.rules import registry
from games.rules.base import Config, Move, Outcome, View
from games.rules.chance import Chance
from tests.bots.test_completing import SLUGS, complete


def test_the_best_candidate_is_found_and_about_as_many_values_are_computed_as_allowed() -> None:
    asked: list[int] = []

    def value(state: float, candidate: int) -> float:
        asked.append(candidate)
        return state + candidate / 10

    rng = random.Random(1)
    assert choose_best(range(8), rng.random, value, playouts=120) == 7
    assert 90 <= len(asked) <= 120
    assert asked.count(7) > 2 * asked.count(0)


def test_candidates_are_valued_on_the_same_samples_and_the_first_of_equal_ones_is_chosen() -> None:
    drawn = iter(range(1000))
    seen: dict[str, list[int]] = {"a": [], "b": []}

    def value(state: int, candidate: str) -> float:
        seen[candidate].append(state)
        return 0.5

    assert choose_best("ab", lambda: next(drawn), value, playouts=20) == "a"
    assert seen["a"] == seen["b"] == list(range(10))


def test_what_a_sensible_player_does_is_always_compared() -> None:
    legal: list[Move] = [{"card": number} for number in range(30)]
    found = pick_candidates(legal, {"card": 17}, 5, random.Random(2))
    assert (len(found), found[0]) == (5, {"card": 17})
    assert pick_candidates(legal[:3], {"card": 1}, 5, random.Random(2)) == [{"card": 1}, {"card": 0}, {"card": 2}]


@pytest.mark.parametrize(("places", "shares"), [((1, 2, 3), (1.0, 0.5, 0.0)), ((1, 1, 3), (0.75, 0.75, 0.0))])
def test_a_result_is_the_share_of_the_others_one_is_ahead_of(
    places: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    assert tuple(rate_outcome(Outcome(places, None), seat) for seat in range(3)) == shares


def find_first_choice(slug: str, seats: int) -> tuple[Any, View, list[Move]]:
    """The first position of a game in which there is a choice."""
    rules, rng = registry.find(slug), random.Random(3)
    state = rules.start(Config(seats), Chance(bytes([7] * 32)))
    while len(legal := list(rules.legal_moves(state, rules.to_act(state)[0]) or ())) < 2:
        seat = rules.to_act(state)[0]
        state, _ = rules.apply(state, seat, rules.legal_sample(state, seat, rng))
    return rules, rules.view(state, rules.to_act(state)[0]), legal


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "fancy-animals"])
def test_a_game_that_completes_views_gets_a_searching_bot_for_nothing(slug: str) -> None:
    """Fancy Animals lists no moves: its own bots make them up."""
    rules, view, legal = find_first_choice(slug, 4)
    choose = import_module(registry.infos()[slug].bots).choose
    search = Search(lambda seen, rng: complete(slug, seen, rng), playouts=8, moves=12)
    moves = [search_move(search, rules, choose, view, legal, random.Random(9)) for _ in range(2)]
    assert moves[0] == moves[1]
    assert moves[0] in legal
