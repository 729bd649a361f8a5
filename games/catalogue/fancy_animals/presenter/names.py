"""What the things of Fancy Animals are called, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.catalogue.fancy_animals.rules.cards import ALL, ID_OF, SUITS
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, SLOTS
from games.presenters.names import Text

SUIT_NAMES: dict[str, Text] = {
    "L": gettext_lazy("leather"),
    "G": gettext_lazy("gem"),
    "M": gettext_lazy("metal"),
    "C": gettext_lazy("cloth"),
}
SPOT_NAMES: dict[str, Text] = {
    "hand": pgettext_lazy("spot of an animal", "hand"),
    "feet": pgettext_lazy("spot of an animal", "feet"),
    "body": pgettext_lazy("spot of an animal", "body"),
    "head": pgettext_lazy("spot of an animal", "head"),
}
CLOTHING_NAMES: dict[str, Text] = {
    "hand-L": gettext_lazy("leather gloves"),
    "hand-G": gettext_lazy("gem gloves"),
    "hand-M": gettext_lazy("metal gloves"),
    "hand-C": gettext_lazy("cloth gloves"),
    "feet-L": gettext_lazy("leather boots"),
    "feet-G": gettext_lazy("gem boots"),
    "feet-M": gettext_lazy("metal boots"),
    "feet-C": gettext_lazy("cloth boots"),
    "body-L": gettext_lazy("leather coat"),
    "body-G": gettext_lazy("gem coat"),
    "body-M": gettext_lazy("metal coat"),
    "body-C": gettext_lazy("cloth coat"),
    "head-L": gettext_lazy("leather hat"),
    "head-G": gettext_lazy("gem hat"),
    "head-M": gettext_lazy("metal hat"),
    "head-C": gettext_lazy("cloth hat"),
}
RULE_NAMES: dict[str, Text] = {
    "return": gettext_lazy("Return"),
    "loop": gettext_lazy("Loop"),
    "cover": gettext_lazy("Cover"),
    "mix": gettext_lazy("Mix"),
}
RULE_HELP: dict[str, Text] = {
    "return": gettext_lazy("If you play and take no clothing, you may put an offered piece at the bottom of its deck."),
    "loop": gettext_lazy("In a run, 1 follows the top number."),
    "cover": gettext_lazy("Clothing may be put on top of other clothing. A covered piece counts half."),
    "mix": gettext_lazy("A run played from your hand counts together with an adjoining run of another material."),
}


def name_clothing(word: str) -> str:
    """ "gem hat (9)"."""
    slot, suit, points = word.split("-")
    return _("%(clothing)s (%(points)s)") % {"clothing": CLOTHING_NAMES[f"{slot}-{suit}"], "points": points}


def name_card(word: str) -> str:
    """ "7 gem/metal"."""
    card = ALL[ID_OF[word]]
    one, other = (SUIT_NAMES[SUITS[suit]] for suit in card.suits)
    return _("%(number)s %(one)s/%(other)s") % {"number": card.number, "one": one, "other": other}


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
