"""The data that templates need to draw cards, clothes and animals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.catalogue.fancy_animals.presenter.names import SUIT_NAMES, name_card, name_clothing
from games.catalogue.fancy_animals.rules.cards import ALL, ID_OF, SUITS
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, FAVOURITES, SLOTS
from games.catalogue.fancy_animals.rules.melds import PIECES


class CardFace(NamedTuple):
    """A card or wild on the table or in a hand. active, other: suits; slot: of clothing, else empty."""

    word: str
    number: int
    active: str
    other: str
    slot: str
    name: str


class ClothingFace(NamedTuple):
    """A piece of clothing."""

    word: str
    slot: str
    suit: str
    points: int
    length: int
    name: str


class DressedAnimal(NamedTuple):
    """An animal in its clothes. worn: by spot from the head down, the piece on top or None, and how many it covers.

    loves: its favourite material, and the same in words.
    """

    animal: str
    loves: str
    taste: str
    worn: tuple[tuple[str, ClothingFace | None, int], ...]
    says: str


def describe_card(word: str) -> CardFace:
    """A card of a hand, its first suit up."""
    card = ALL[ID_OF[word]]
    one, other = (SUITS[suit] for suit in card.suits)
    return CardFace(word, card.number, one, other, "", name_card(word))


def describe_piece(word: str) -> CardFace:
    """What lies on the table."""
    piece = PIECES[word]
    suit = SUITS[piece.suit]
    if piece.is_wild:
        slot = SLOTS[BY_WORD[piece.name].slot]
        return CardFace(word, piece.number, suit, "", slot, name_clothing(piece.name))
    other = next(SUITS[each] for each in ALL[piece.id].suits if each != piece.suit)
    return CardFace(word, piece.number, suit, other, "", name_card(piece.name))


def describe_clothing(word: str) -> ClothingFace:
    """What is on offer or worn."""
    piece = BY_WORD[word]
    return ClothingFace(word, SLOTS[piece.slot], SUITS[piece.suit], piece.points, piece.length, name_clothing(word))


def describe_animal(animal: str, worn: Mapping[str, Sequence[str]]) -> DressedAnimal:
    """The animal with what it wears."""
    spots = []
    for spot in reversed(SLOTS):
        pile = worn.get(spot, ())
        spots.append((spot, describe_clothing(pile[-1]) if pile else None, max(0, len(pile) - 1)))
    names = [name_clothing(word) for spot in reversed(SLOTS) for word in worn.get(spot, ())]
    says = _("wears %(clothing)s") % {"clothing": _(", ").join(names)} if names else _("wears nothing yet")
    loves = SUITS[FAVOURITES[animal]]
    taste = _("Favourite material: %(material)s") % {"material": SUIT_NAMES[loves]}
    return DressedAnimal(animal, loves, taste, tuple(spots), f"{taste}; {says}")


def say_meld(words: Sequence[str]) -> str:
    """A meld aloud: "Run of gem, 3 to 7"."""
    first, last = PIECES[words[0]], PIECES[words[-1]]
    if first.number == last.number and len({PIECES[word].number for word in words}) == 1:
        suits = _(", ").join(str(SUIT_NAMES[SUITS[PIECES[word].suit]]) for word in words)
        return _("Set of %(number)s: %(suits)s") % {"number": first.number, "suits": suits}
    suit = SUIT_NAMES[SUITS[first.suit]]
    return _("Run of %(suit)s, %(from)s to %(to)s") % {"suit": suit, "from": first.number, "to": last.number}
