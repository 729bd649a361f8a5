"""Bots of Animals on Board. They see their view and nothing else.

`random` plays any legal move. `steady` goes by rules of thumb (rule_of_thumb.py). `sharp` plays the rest of the round
from every promising move, with what it does not see dealt anew each time, and takes the best (search.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.animals_on_board.bots.completing import complete_view
from games.catalogue.animals_on_board.bots.position import PlannedMove, read_position, write_move
from games.catalogue.animals_on_board.bots.reasons import explain
from games.catalogue.animals_on_board.bots.rule_of_thumb import choose_by_rule
from games.catalogue.animals_on_board.bots.search import search_move
from games.rules.base import Move, View

__all__ = ["choose", "complete_view", "explain"]


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """One of `legal`, or another legal move."""
    if level == "random":
        return legal[rng.randrange(len(legal))]
    if view["drawn"]:
        return {"keep": max(view["drawn"], key=lambda tile: (int(tile[-1]), tile))}
    move: PlannedMove = search_move(view, rng) if level == "sharp" else choose_by_rule(read_position(view, rng))
    return write_move(move, view)
