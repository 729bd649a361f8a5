"""Values moves for a seat from what it sees: the average result over guesses at what is hidden. Pure.

A game's bots may have `appraise(view, rng)`, which returns an `Appraiser`: with a quick way to play on, or where one
deal of several is what counts. Every other game with `complete_view` is played on by its level `steady`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NamedTuple

from games.bots.search import PLAYOUTS, Search, play_by_level, play_on
from games.rules import registry
from games.rules.base import Move, View

MOVES: Final = 400
"""Moves after which a playout stops, unless a game says otherwise."""


class Appraiser(NamedTuple):
    """One position, seen from one seat.

    draw: a guess at what is hidden; value: a guess and a move → the share of the others that the seat finishes ahead
    of, 0 … 1; playouts: how many values a comparison of moves may cost.

    other_values: the same as `value`, if the seat goes on in other ways after the move; a move is worth what the best
    of all makes of it on average. careful_value: the same, if the seat thinks about each further move; slow, and only
    asked where a move seems to be a mistake.
    """

    draw: Callable[[], Any]
    value: Callable[[Any, Move], float]
    playouts: int
    other_values: tuple[Callable[[Any, Move], float], ...] = ()
    careful_value: Callable[[Any, Move], float] | None = None


def can_appraise(game: str) -> bool:
    """Whether moves of this game can be appraised: it has `complete_view`."""
    info = registry.infos().get(game)
    return info is not None and hasattr(import_module(info.bots), "complete_view")


def complete_view(game: str, view: View, rng: random.Random) -> Any:
    """A whole state that fits the view; what is legal for its seat is the same in all of them."""
    return import_module(registry.infos()[game].bots).complete_view(view, rng)


def open_appraiser(game: str, view: View, rng: random.Random) -> Appraiser:
    """An appraiser for the seat that sees `view`; the same view and chance give the same values.

    Raises KeyError for a game without `complete_view`.
    """
    module = import_module(registry.infos()[game].bots)
    if hasattr(module, "appraise"):
        found: Appraiser = module.appraise(view, rng)
        return found
    search: Search | None = getattr(module, "SEARCH", None)
    if search is None:
        if not hasattr(module, "complete_view"):
            raise KeyError(game)
        search = Search(module.complete_view, playouts=PLAYOUTS, moves=MOVES)
    return open_playouts(game, search, view, rng)


def open_playouts(game: str, search: Search, view: View, rng: random.Random) -> Appraiser:
    """An appraiser that plays each guess on, by the search's policy or else by `steady`."""
    rules, seat = registry.find(game), view["seat"]
    policy = search.policy or play_by_level(rules, import_module(registry.infos()[game].bots).choose)

    def value(state: Any, move: Move) -> float:
        after, _ = rules.apply(state, seat, move)
        return play_on(rules, after, seat, policy=policy, estimate=search.estimate, moves=search.moves, rng=rng)

    return Appraiser(lambda: search.complete(view, rng), value, search.playouts)
