"""What a table agreed on in words: each game says its own options, and no list of them is anywhere else."""

from __future__ import annotations

from typing import Any

import pytest

from games.presenters.table_texts import describe_options
from games.rules import registry
from games.views.forms import OPTION_HELP, OPTIONS

SHARED = {"deals", "sessions", "minutes"}
"""Options that several games have."""


@pytest.mark.parametrize(
    ("game", "options", "phrases"),
    [
        ("karriere-poker", {}, ["3 deals"]),
        ("karriere-poker", {"deals": 1, "minutes": 20}, ["1 deal", "20 minutes"]),
        ("karriere-poker", {"positions": ["Boss", "Dishwasher"]}, ["3 deals", "Boss · Dishwasher"]),
        (
            "animal-poker",
            {"minutes": 20, "sessions": 2, "lazy": True},
            ["2 sessions", "20 minutes", "lazy chaotic numbers"],
        ),
        ("animal-poker", {"lazy": True}, ["30 minutes", "lazy chaotic numbers"]),
        ("animal-poker", {"lazy": False}, ["30 minutes"]),
        ("animals-on-board", {"start": 0}, ["seat 1 begins"]),
        ("animals-on-board", {"species": ["lion", "tiger"], "start": 2}, ["lion, tiger", "seat 3 begins"]),
        ("animals-on-board", {"species": [], "start": None}, ["until an ark has ten animals"]),
        ("super-zwierzaki", {"minutes": 5, "reaction_seconds": 3}, ["5 minutes"]),
        ("gone-since", {"deals": 2, "lazy": True}, ["2 deals"]),
    ],
)
def test_a_table_says_what_it_agreed_on(game: str, options: dict[str, Any], phrases: list[str]) -> None:
    assert describe_options(game, options) == phrases


@pytest.mark.parametrize("slug", registry.slugs())
def test_a_game_names_its_own_options(slug: str) -> None:
    info = registry.infos()[slug]
    own = {option.name: option.kind for option in registry.find(slug).options if option.name not in SHARED}
    assert set(info.option_labels) == set(own)
    assert set(info.option_phrases) == {name for name, kind in own.items() if kind in ("flag", "seat")}


def test_the_form_names_only_what_games_share() -> None:
    assert set(OPTIONS) == SHARED
    assert set(OPTION_HELP) == {"minutes"}
