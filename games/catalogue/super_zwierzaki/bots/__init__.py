"""Bots of Super Zwierzaki, see players.py. `complete_view` makes a view into a state that fits it."""

from __future__ import annotations

import random
from typing import Final

from games.bots.appraisal import Appraiser, open_playouts
from games.bots.search import Search
from games.catalogue.super_zwierzaki.bots.completing import complete_view
from games.catalogue.super_zwierzaki.bots.players import QUICK_LEVELS, SILENCE_PROBABILITIES, choose
from games.catalogue.super_zwierzaki.bots.reasons import explain
from games.catalogue.super_zwierzaki.rules.kinds import count_cards
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import Seat, View

MOVES_AHEAD: Final = 40
"""Moves after which a playout of an analysis stops: two or three rounds of four players. Set by hand."""

__all__ = ["QUICK_LEVELS", "SILENCE_PROBABILITIES", "appraise", "choose", "complete_view", "explain"]


def appraise(view: View, rng: random.Random) -> Appraiser:
    """Values of moves: the game is played on for a while, then places go by the cards that are left."""
    search = Search(complete_view, estimate=estimate_by_cards, playouts=48, moves=MOVES_AHEAD)
    return open_playouts("super-zwierzaki", search, view, rng)


def estimate_by_cards(state: State, seat: Seat) -> float:
    """The share of the others that hold more cards than this seat; equal hands count half."""
    sizes = [count_cards(hand) for hand in state.hands]
    mine = sizes[seat]
    points = sum(1.0 if mine < size else 0.5 for size in sizes if mine <= size) - 0.5
    return points / max(1, len(sizes) - 1)
