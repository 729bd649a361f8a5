"""Material cards: 1–13 with every pair of the suits Leather, Gem, Metal, Cloth, once. Source: fancy-animals.md.

A set of cards is one integer, bit by id. Ids rise by number, then LG LM LC GM GC MC, so that they sort as records do;
the ids after them are those of clothing (clothing.py), so that one integer can hold whatever lies on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

Tiles: TypeAlias = int
"""A set of cards and clothes, bit by id."""

SUITS: Final = "LGMC"
PAIRS: Final = ("LG", "LM", "LC", "GM", "GC", "MC")
HIGHEST: Final = 13
SHORT_HIGHEST: Final = 11
"""The top number of two players."""
CARDS: Final = HIGHEST * len(PAIRS)


class Card(NamedTuple):
    """A material card. suits: the two that it can count as, by their places in SUITS."""

    id: int
    word: str
    number: int
    suits: tuple[int, int]


def _make_cards() -> tuple[Card, ...]:
    kinds = [(number, pair) for number in range(1, HIGHEST + 1) for pair in PAIRS]
    return tuple(
        Card(at, f"{number}{pair}", number, (SUITS.index(pair[0]), SUITS.index(pair[1])))
        for at, (number, pair) in enumerate(kinds)
    )


ALL: Final = _make_cards()
ID_OF: Final = {card.word: card.id for card in ALL}


def _collect() -> tuple[tuple[Tiles, ...], ...]:
    cards = [[0] * len(SUITS) for _ in range(HIGHEST + 2)]
    for card in ALL:
        for suit in card.suits:
            cards[card.number][suit] |= 1 << card.id
    return tuple(tuple(by_suit) for by_suit in cards)


FITTING: Final = _collect()
"""FITTING[number][suit]: the cards that can stand for them; none for 0 and 14."""

OF_SUIT: Final = tuple(sum(1 << card.id for card in ALL if suit in card.suits) for suit in range(len(SUITS)))
"""All cards that can count as a suit, by suit."""


def find_highest(seats: int) -> int:
    """The top number at a table of so many."""
    return SHORT_HIGHEST if seats == 2 else HIGHEST


def list_pack(top: int) -> tuple[int, ...]:
    """The ids of all cards up to the top number, rising."""
    return tuple(range(top * len(PAIRS)))


@lru_cache(maxsize=1 << 14)
def list_ids(tiles: Tiles) -> tuple[int, ...]:
    """The ids in a set, rising."""
    found = []
    while tiles:
        low = tiles & -tiles
        found.append(low.bit_length() - 1)
        tiles ^= low
    return tuple(found)


def gather_tiles(ids: Iterable[int]) -> Tiles:
    """The set of these ids."""
    tiles = 0
    for at in ids:
        tiles |= 1 << at
    return tiles


def write_words(tiles: Tiles) -> list[str]:
    """The words of material cards, sorted as in records."""
    return [ALL[at].word for at in list_ids(tiles)]
