"""Pure players. Each game has one module with `choose(view, legal, rng, level) -> move`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from games.rules.base import Move, View

LEVELS: Final = {
    "karriere-poker": ("random", "steady"),
    "animal-poker": ("random", "steady"),
    "animals-on-board": ("random", "steady", "sharp"),
    "fancy-animals": ("random", "steady", "sharp"),
    "super-zwierzaki": ("random", "steady", "sharp"),
}
"""Levels a game's bots have, weakest first."""

_MODULES: Final = {
    "karriere-poker": "games.catalogue.climbing.bots",
    "animal-poker": "games.catalogue.climbing.bots",
    "animals-on-board": "games.catalogue.animals_on_board.bots",
    "fancy-animals": "games.catalogue.fancy_animals.bots.players",
    "super-zwierzaki": "games.catalogue.super_zwierzaki.bots",
}

_HINTS: Final = {"fancy-animals": "games.catalogue.fancy_animals.bots.players"}
"""The games in which advice can be had."""


def forgets(game: str, level: str | None, rng: random.Random) -> bool:
    """Whether a bot of this level does not think of saying what it could say out of turn."""
    chances: dict[str, float] = getattr(import_module(_MODULES[game]), "FORGETS", {})
    return rng.random() < chances.get(level or "", 0.0)


def choose(game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """The move of a bot of this level that sees `view`; one of `legal`, or another legal move of its own.

    Raises KeyError for a level that the game's bots do not have.
    """
    if level not in LEVELS[game]:
        raise KeyError(level)
    move: Move = import_module(_MODULES[game]).choose(view, legal, rng, level)
    return move


def find_hint(game: str, view: View) -> Move | None:
    """One of the best moves for who sees `view`; None if there is nothing to advise.

    Raises KeyError for a game without hints.
    """
    move: Move | None = import_module(_HINTS[game]).find_hint(view)
    return move
