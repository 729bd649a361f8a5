"""Bots of the two climbing games. They see their view and nothing else.

`random` plays any legal move, all alike. `steady` goes by rules of thumb (steady.py). `sharp` deals what it does not
see anew, so that it fits all that was played, passed and exchanged (completing.py), and plays the deal out (sharp.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.climbing.bots.completing import complete_view
from games.catalogue.climbing.bots.reasons import explain
from games.catalogue.climbing.bots.sharp import appraise, choose_sharply
from games.catalogue.climbing.bots.steady import choose_steadily
from games.rules.base import Move, View

__all__ = ["appraise", "choose", "complete_view", "explain"]


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """One of `legal`."""
    if level == "random":
        return legal[rng.randrange(len(legal))]
    return choose_sharply(view, legal, rng) if level == "sharp" else choose_steadily(view, legal)
