"""Chooses the moves of bots."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import NamedTuple

from games.bots.search import SEARCH_LEVEL, Search, search_move
from games.rules import registry
from games.rules.base import Move, View


class Question(NamedTuple):
    """What a bot decides from, as plain data that can be sent to another process: the same question, the same move.

    view: what its seat sees, and nothing else; legal: its legal moves, or a few of them; seed: of its chance.
    """

    game: str
    view: View
    legal: Sequence[Move]
    level: str
    seed: int


def answer(question: Question) -> Move:
    """The move of the bot that is asked this. Raises KeyError for a level that the game does not have."""
    game, view, legal, level, seed = question
    return choose(game, view, legal, random.Random(seed), level)


def is_slow(question: Question) -> bool:
    """Whether this decision takes longer to compute than to send to another process and back.

    So it is where a level searches: `sharp`, unless the game's bots name it in `QUICK_LEVELS`.
    """
    if question.level != SEARCH_LEVEL or len(question.legal) == 1:
        return False
    module = import_module(registry.infos()[question.game].bots)
    quick: Collection[str] = getattr(module, "QUICK_LEVELS", ())
    return question.level not in quick


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
