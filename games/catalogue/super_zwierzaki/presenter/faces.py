"""How the kinds of Super Zwierzaki look: the picture nearest to each animal, and one for each class."""

from __future__ import annotations

from typing import NamedTuple

from games.catalogue.super_zwierzaki.presenter.names import (
    CLASS_NAMES,
    FUNCTION_HELP,
    FUNCTION_MARKS,
    KIND_NAMES,
    name_kind,
)
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, NUMBERS
from games.presenters.render import cache_by_language

_KINDS_BY_PICTURE: dict[str, tuple[int, ...]] = {
    "ape": (37,),
    "badger": (14, 60),
    "bat": (11, 64),
    "bear": (49,),
    "beaver": (48,),
    "bee": (59,),
    "beetle": (88, 93),
    "bird": (8, 18, 38, 46, 62, 73, 94, 100, 103),
    "blackbird": (24, 41),
    "boar": (12, 61),
    "buffalo": (10, 13),
    "butterfly": (22,),
    "cat": (54,),
    "caterpillar": (83,),
    "cricket": (90,),
    "crocodile": (32, 43),
    "deer": (99,),
    "dog": (36, 58),
    "dolphin": (68,),
    "duck": (107,),
    "eagle": (5, 44, 55, 79, 111),
    "elephant": (86,),
    "fox": (114,),
    "frog": (21, 27, 31, 39, 70, 81, 91, 108),
    "goat": (7, 23),
    "goose": (69,),
    "gorilla": (89, 101),
    "hedgehog": (63,),
    "hippo": (34,),
    "kangaroo": (110,),
    "koala": (19,),
    "lemur": (106,),
    "leopard": (2, 76, 78),
    "lion": (4,),
    "lizard": (53, 80),
    "llama": (109,),
    "monkey": (28, 47, 66, 85, 98),
    "mosquito": (9, 35),
    "orca": (51,),
    "otter": (42,),
    "owl": (75, 77, 84),
    "panda": (112,),
    "parrot": (87, 104),
    "peacock": (102,),
    "penguin": (16,),
    "pig": (116,),
    "polar-bear": (57,),
    "pufferfish": (29,),
    "rabbit": (3,),
    "raccoon": (17,),
    "rat": (40, 50),
    "rhino": (15,),
    "running-horse": (115,),
    "seal": (26, 71, 92),
    "shark": (113,),
    "shield": (67,),
    "shrimp": (6, 96),
    "sloth": (65,),
    "snake": (1, 25, 30, 74),
    "squirrel": (45,),
    "swan": (97,),
    "tiger": (52,),
    "turkey": (33, 105),
    "turtle": (82,),
    "two-humps": (20,),
    "whale": (95,),
    "wolf": (56,),
}

PICTURES: dict[str, str] = {str(kind): slug for slug, kinds in _KINDS_BY_PICTURE.items() for kind in kinds}
"""Kind → slug of its picture (games/accounts/animal_pictures.py)."""

CLASS_PICTURES = {
    "ape": "gorilla",
    "armadillo": "shield",
    "bat": "bat",
    "bear": "bear",
    "bird": "feather",
    "fish": "fish",
    "frog": "frog",
    "hedgehog": "hedgehog",
    "hippo": "hippo",
    "hoofed": "deer",
    "insect": "beetle",
    "kangaroo": "kangaroo",
    "pig": "snout",
    "predator": "paw",
    "reptile": "lizard",
    "rodent": "mouse",
    "sea": "wave",
    "small": "otter",
    "tree": "tree",
}

SYMBOLS = {
    "LB": "drop",
    "LG": "leaf",
    "R": "flame",
    "DB": "wave",
    "V": "gem",
    "O": "sun",
    "DG": "fir",
    "Y": "star",
    "P": "heart",
}
"""Colour → the symbol that goes with it, for those who do not tell colours apart."""


class CardFace(NamedTuple):
    """One kind as a card, in the reader's language.

    printed: its name, which may be broken at soft hyphens; order: its place in a sorted hand.
    """

    kind: str
    colour: str
    picture: str
    name: str
    printed: str
    class_name: str
    does: str
    help: str
    order: tuple[int, str, int]


@cache_by_language
def describe_kind(word: str) -> CardFace:
    """How this kind looks. Raises KeyError for what is no kind."""
    kind = KINDS[NUMBERS[word]]
    return CardFace(
        word,
        kind.colour,
        PICTURES[word],
        name_kind(word),
        str(KIND_NAMES[word]),
        str(CLASS_NAMES[kind.group]),
        str(FUNCTION_MARKS.get(kind.function, "")),
        str(FUNCTION_HELP.get(kind.function, "")),
        ((*SYMBOLS, "ALL").index(kind.colour), kind.group, kind.number),
    )
