"""Bots of Super Zwierzaki, see players.py. `complete_view` makes a view into a state that fits it."""

from games.catalogue.super_zwierzaki.bots.completing import complete_view
from games.catalogue.super_zwierzaki.bots.players import SILENCE_PROBABILITIES, choose

__all__ = ["SILENCE_PROBABILITIES", "choose", "complete_view"]
