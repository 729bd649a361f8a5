"""Redistributes the tiles that a viewer does not see.

Respected is what their view tells: their own ark and the three tiles they drew, what lies face up, how many tiles
each ark and the stack have. Not respected is what they could remember of groups that others took.
"""

from __future__ import annotations

import random

from games.catalogue.animals_on_board.rules.state import OVER, TILES_DRAWN, State
from games.rules.base import Seat
from games.rules.chance import Chance


def reshuffle(state: State, seat: Seat | None, rng: random.Random) -> State:
    """A state with the same view; after the end everything is open."""
    if state.turn == OVER:
        return state
    swap = _shuffle_hidden(state, seat, rng)
    arks = tuple(tuple([swap.get(tile, tile) for tile in ark]) for ark in state.arks)
    stack = tuple([swap.get(tile, tile) for tile in state.table.stack])
    face_down = None if state.face_down is None else swap[state.face_down]
    table = state.table._replace(stack=stack, chance=Chance(rng.randbytes(32)))
    return state._replace(table=table, arks=arks, face_down=face_down)


def _shuffle_hidden(state: State, seat: Seat | None, rng: random.Random) -> dict[str, str]:
    """Hidden tile → the hidden tile that is in its place now."""
    hidden = list(state.table.stack[state.drawn :])
    if state.is_choosing:
        others = [other for other in range(state.table.seats) if other != seat]
        hidden += [
            tile for other in others for tile in state.table.stack[TILES_DRAWN * other : TILES_DRAWN * (other + 1)]
        ]
    else:
        hidden += [tile for other, ark in enumerate(state.arks) if other != seat for tile in ark]
    if state.face_down is not None:
        hidden.append(state.face_down)
    mixed = list(hidden)
    rng.shuffle(mixed)
    return dict(zip(hidden, mixed, strict=True))
