"""Players of Animals on Board. They see their view and nothing else.

`random` plays any legal move. `steady` goes by rules of thumb (thumb.py). `sharp` plays the rest of the round
from every promising move, with what it does not see dealt anew each time, and takes the best (search.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.animals_on_board.bots.position import Plan, read_quay, write_move
from games.catalogue.animals_on_board.bots.rule_of_thumb import choose_plan
from games.catalogue.animals_on_board.bots.search import search
from games.rules.base import Move, View


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """One of `legal`, or another legal move."""
    if level == "random":
        return legal[rng.randrange(len(legal))]
    if view["drawn"]:
        return {"keep": max(view["drawn"], key=lambda tile: (int(tile[-1]), tile))}
    plan: Plan = search(view, rng) if level == "sharp" else choose_plan(read_quay(view, rng))
    return write_move(plan, view)
