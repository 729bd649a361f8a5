"""Which bot plays which move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module

from games.bots.search import SEARCH_LEVEL, Search, search_move
from games.rules import registry
from games.rules.base import Move, View


def list_bot_levels(game: str) -> tuple[str, ...]:
    """The levels of this game's bots, weakest first; none for a game that is not installed."""
    info = registry.infos().get(game)
    return info.bot_levels if info is not None else ()


def stays_silent(game: str, level: str | None, rng: random.Random) -> bool:
    """Whether a bot of this level says nothing where it could say something out of turn.

    A game's bots may have `SILENCE_PROBABILITIES`, level → probability; without them no bot stays silent.
    """
    module = import_module(registry.infos()[game].bots)
    probabilities: dict[str, float] = getattr(module, "SILENCE_PROBABILITIES", {})
    return rng.random() < probabilities.get(level or "", 0.0)


def choose(game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """The move of a bot of this level that sees `view`; one of `legal`, or another legal move of its own.

    Where the game's bots have `SEARCH`, it plays their level `sharp`. Raises KeyError for a level they do not have.
    """
    info = registry.infos()[game]
    if level not in info.bot_levels:
        raise KeyError(level)
    module = import_module(info.bots)
    search: Search | None = getattr(module, "SEARCH", None)
    if search is not None and level == SEARCH_LEVEL:
        return search_move(search, registry.find(game), module.choose, view, legal, rng)
    move: Move = module.choose(view, legal, rng, level)
    return move
