"""Samples a random legal move of any kind: drawing, passing, activating, laying, adding, rebuilding, wilds, claims.

Moves are too many to list, so this is no uniform draw: first a kind of move, then one of that kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from games.catalogue.fancy_animals.rules.sampling.adding import add, dress_table, replace_wild
from games.catalogue.fancy_animals.rules.sampling.finishing import finish_activation, finish_play
from games.catalogue.fancy_animals.rules.sampling.laying import find_set, lay_run, lay_set
from games.catalogue.fancy_animals.rules.sampling.rebuilding import rebuild
from games.catalogue.fancy_animals.rules.sampling.sampled_table import SampledTable
from games.catalogue.fancy_animals.rules.state import State, can_draw
from games.rules.base import Move

_DRAW_OR_PASS_SHARE: Final = 0.3
"""Probability of drawing or passing. Set by hand, like the next one, so that random games see every kind of move."""
_ACTIVATE_SHARE: Final = 0.12
"""Probability of activating a special rule, where the hand has a set."""
_SAMPLERS: Final[tuple[Callable[[State, random.Random], SampledTable | None], ...]] = (
    lay_set,
    lay_run,
    add,
    dress_table,
    replace_wild,
    rebuild,
)


def sample_move(state: State, rng: random.Random) -> Move:
    """A legal move of the seat to act."""
    idle = {"draw": True} if can_draw(state, state.turn) else {"pass": True}
    kind = rng.random()
    if kind < _DRAW_OR_PASS_SHARE or not state.hands[state.turn]:
        return idle
    if kind < _DRAW_OR_PASS_SHARE + _ACTIVATE_SHARE and (words := find_set(state, rng)):
        return finish_activation(state, words, rng)
    first = int(rng.random() * len(_SAMPLERS))
    for sketch in _SAMPLERS[first:] + _SAMPLERS[:first]:
        draft = sketch(state, rng)
        if draft is not None:
            return finish_play(state, draft, rng)
    return idle
