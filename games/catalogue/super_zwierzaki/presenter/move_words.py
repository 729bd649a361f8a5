"""Moves of Super Zwierzaki in words, as hints and analyses say them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.super_zwierzaki.presenter.log import ONE_CARD_CALL
from games.catalogue.super_zwierzaki.presenter.names import COLOUR_NAMES, name_cards, name_copies, name_kind
from games.rules.base import Move, View


def say_move(view: View, move: Move) -> str:
    """A move in words: "Play 2 × Koala, and say “Codziennie niskie ceny!”"."""
    sentence = next((say(move) for key, say in _SAY.items() if key in move), "")
    if "call" not in move:
        return sentence
    values = {"move": sentence, "cry": ONE_CARD_CALL}
    return (_("%(move)s, and say “%(cry)s”") if sentence else _("Say “%(cry)s”")) % values


_SAY: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "play": lambda move: _("Play %(card)s") % {"card": name_copies(move["play"], move.get("n", 1))},
    "nine": lambda move: _("Play the nine colours: %(cards)s") % {"cards": name_cards(move["nine"])},
    "react": lambda move: _("Play %(card)s") % {"card": name_kind(move["react"])},
    "colour": lambda move: _("Name %(colour)s") % {"colour": COLOUR_NAMES[move["colour"]]},
    "name": lambda move: _("Demand %(card)s") % {"card": name_kind(move["name"])},
    "discard": lambda move: _("Put under the heap: %(cards)s") % {"cards": name_cards(move["discard"])},
    "give": lambda move: _("Give away: %(cards)s") % {"cards": name_cards(move["give"])},
    "swap": lambda move: _("Swap their hands"),
    "sigma": lambda move: _("Move the hands"),
    "draw": lambda move: _("Draw a card"),
    "accept": lambda move: _("Accept"),
    "fold": lambda move: _("Fold"),
    "decline": lambda move: _("Let it pass"),
}
