"""Golden games replay to the card; golden/write.py says how they were made."""

from __future__ import annotations

import json

import pytest

from tests.rules.golden.write import TABLES, begin, digest, find_file, play_golden_game


@pytest.mark.parametrize("name", TABLES)
def test_a_golden_game_replays_to_the_card(name: str) -> None:
    game = json.loads(find_file(name).read_text())
    rules, first = begin(game)
    assert game["rules"] == rules.version
    assert digest(rules, first, game["moves"]) == game["digest"]


@pytest.mark.parametrize("name", TABLES)
def test_the_same_random_play_comes_to_the_same_game(name: str) -> None:
    assert play_golden_game(name) == json.loads(find_file(name).read_text())
