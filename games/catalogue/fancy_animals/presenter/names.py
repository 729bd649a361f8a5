"""Names of cards, clothes, materials and rules of Fancy Animals, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.catalogue.fancy_animals.rules.cards import ALL, ID_OF, SUITS
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.names import (
    CARD_TEXT,
    CLOTHING_TEXT,
    CLOTHING_TEXTS,
    RULE_TEXTS,
    SPOT_TEXTS,
    SUIT_TEXTS,
)
from games.presenters.names import Text, translate

SUIT_NAMES: dict[str, Text] = {suit: translate(text) for suit, text in SUIT_TEXTS.items()}
SPOT_NAMES: dict[str, Text] = {spot: translate(text) for spot, text in SPOT_TEXTS.items()}
CLOTHING_NAMES: dict[str, Text] = {kind: translate(text) for kind, text in CLOTHING_TEXTS.items()}
RULE_NAMES: dict[str, Text] = {rule: translate(text) for rule, text in RULE_TEXTS.items()}
RULE_HELP: dict[str, Text] = {
    "return": gettext_lazy("If you play and take no clothing, you may put an offered piece at the bottom of its deck."),
    "loop": gettext_lazy("In a run, 1 follows the top number."),
    "cover": gettext_lazy("Clothing may be put on top of other clothing. A covered piece counts half."),
    "mix": gettext_lazy("A run played from your hand counts together with an adjoining run of another material."),
}


def name_clothing(word: str) -> str:
    """ "gem hat (9)"."""
    slot, suit, points = word.split("-")
    return _(CLOTHING_TEXT) % {"clothing": CLOTHING_NAMES[f"{slot}-{suit}"], "points": points}


def name_card(word: str) -> str:
    """ "7 gem/metal"."""
    card = ALL[ID_OF[word]]
    one, other = (SUIT_NAMES[SUITS[suit]] for suit in card.suits)
    return _(CARD_TEXT) % {"number": card.number, "one": one, "other": other}


def list_clothing() -> dict[str, dict[str, object]]:
    """Every piece for the table's script: name, points, run length, material and spot."""
    return {
        word: {
            "name": name_clothing(word),
            "points": piece.points,
            "length": piece.length,
            "suit": SUITS[piece.suit],
            "slot": SLOTS[piece.slot],
        }
        for word, piece in BY_WORD.items()
    }
