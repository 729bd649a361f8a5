"""Clothing: four decks of twelve. Each slot has three grades, each grade once in each material."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.catalogue.fancy_animals.rules.cards import CARDS, SUITS

SLOTS: Final = ("hand", "feet", "body", "head")
"""Spots of an animal, and the kinds of clothing that belong there."""
GRADES: Final = (
    ((1, 3), (2, 4), (3, 5)),
    ((3, 4), (4, 5), (5, 6)),
    ((5, 6), (6, 7), (7, 8)),
    ((7, 8), (8, 9), (9, 10)),
)
"""Points and run length of each grade, by slot."""
FAVOURITES: Final = {"tiger": 3, "pig": 1, "fox": 0, "owl": 2}
"""Animal → its favourite material, by its place in SUITS."""
OFFERED: Final = 2
"""Clothes on offer of each deck."""


class Clothing(NamedTuple):
    """A piece of clothing. id: after those of the cards; slot, suit: places in SLOTS and SUITS; length: of the run."""

    id: int
    word: str
    slot: int
    suit: int
    points: int
    length: int


def _make_clothes() -> tuple[Clothing, ...]:
    kinds = [
        (slot, suit, points, length)
        for slot, grades in enumerate(GRADES)
        for suit in range(len(SUITS))
        for points, length in grades
    ]
    return tuple(
        Clothing(CARDS + at, f"{SLOTS[slot]}-{SUITS[suit]}-{points}", slot, suit, points, length)
        for at, (slot, suit, points, length) in enumerate(kinds)
    )


_ALL: Final = _make_clothes()
BY_ID: Final = {piece.id: piece for piece in _ALL}
BY_WORD: Final = {piece.word: piece for piece in _ALL}


def list_deck(slot: int) -> tuple[int, ...]:
    """The ids of all clothes of a slot, rising."""
    return tuple(piece.id for piece in _ALL if piece.slot == slot)
