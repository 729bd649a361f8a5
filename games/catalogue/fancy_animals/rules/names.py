"""Names of cards, clothing, spots and special rules inside sentences, translated where people read them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, SUITS
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.rules.info import Text, gettext_noop, pgettext_noop
from games.rules.phrases import Phrase

SUIT_TEXTS: Final[dict[str, Text]] = {
    "L": gettext_noop("leather"),
    "G": gettext_noop("gem"),
    "M": gettext_noop("metal"),
    "C": gettext_noop("cloth"),
}
SPOT_TEXTS: Final[dict[str, Text]] = {
    "hand": pgettext_noop("spot of an animal", "hand"),
    "feet": pgettext_noop("spot of an animal", "feet"),
    "body": pgettext_noop("spot of an animal", "body"),
    "head": pgettext_noop("spot of an animal", "head"),
}
CLOTHING_TEXTS: Final[dict[str, Text]] = {
    "hand-L": gettext_noop("leather gloves"),
    "hand-G": gettext_noop("gem gloves"),
    "hand-M": gettext_noop("metal gloves"),
    "hand-C": gettext_noop("cloth gloves"),
    "feet-L": gettext_noop("leather boots"),
    "feet-G": gettext_noop("gem boots"),
    "feet-M": gettext_noop("metal boots"),
    "feet-C": gettext_noop("cloth boots"),
    "body-L": gettext_noop("leather coat"),
    "body-G": gettext_noop("gem coat"),
    "body-M": gettext_noop("metal coat"),
    "body-C": gettext_noop("cloth coat"),
    "head-L": gettext_noop("leather hat"),
    "head-G": gettext_noop("gem hat"),
    "head-M": gettext_noop("metal hat"),
    "head-C": gettext_noop("cloth hat"),
}
RULE_TEXTS: Final[dict[str, Text]] = {
    "return": gettext_noop("Return"),
    "loop": gettext_noop("Loop"),
    "cover": gettext_noop("Cover"),
    "mix": gettext_noop("Mix"),
}
CLOTHING_TEXT: Final = gettext_noop("%(clothing)s (%(points)s)")
CARD_TEXT: Final = gettext_noop("%(number)s %(one)s/%(other)s")
_PIECE_TEXT: Final = gettext_noop("%(number)s %(material)s")


def name_suit(suit: int) -> Phrase:
    """A material, by its place in SUITS."""
    return Phrase(SUITS[suit], SUIT_TEXTS[SUITS[suit]])


def name_spot(spot: int) -> Phrase:
    """A spot of an animal, by its place in SLOTS."""
    return Phrase(SLOTS[spot], SPOT_TEXTS[SLOTS[spot]])


def name_rule(rule: str) -> Phrase:
    """A special rule."""
    return Phrase(rule, RULE_TEXTS[rule])


@lru_cache
def name_card(card: int) -> Phrase:
    """A card by its id: "7LG", read as "7 leather/gem"."""
    one, other = (name_suit(suit) for suit in ALL[card].suits)
    return Phrase(ALL[card].word, CARD_TEXT, number=ALL[card].number, one=one, other=other)


@lru_cache
def name_clothing(clothing: int) -> Phrase:
    """A piece of clothing by its id: "head-G-9", read as "gem hat (9)"."""
    piece = BY_ID[clothing]
    kind = f"{SLOTS[piece.slot]}-{SUITS[piece.suit]}"
    return Phrase(piece.word, CLOTHING_TEXT, clothing=Phrase(kind, CLOTHING_TEXTS[kind]), points=piece.points)


def name_tile(tile: int) -> Phrase:
    """A card or a piece of clothing by its id."""
    return name_card(tile) if tile < CARDS else name_clothing(tile)


@lru_cache
def name_piece(number: int, suit: int) -> Phrase:
    """What a card or clothing on the table stands for: "7G", read as "7 gem"."""
    return Phrase(f"{number}{SUITS[suit]}", _PIECE_TEXT, number=number, material=name_suit(suit))
