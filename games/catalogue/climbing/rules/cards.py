"""Number cards and jokers: a handful of them is one integer, four bits a kind.

Kind k, a number 1 … 13 or 14 for jokers, is counted in bits 4(k−1) … 4(k−1)+3. No table has more
than eight cards of a kind, so counts never run into each other and hands add and subtract as numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

Hand: TypeAlias = int

HIGHEST: Final = 13
JOKER: Final = 14
JOKER_SHIFT: Final = 4 * HIGHEST
HAND_SIZE: Final = 13
MAX_SETS: Final = 8
MAX_JOKERS: Final = 4
ONE_SET: Final = int("1" * HIGHEST, 16)


class Pack(NamedTuple):
    """The cards of a table. What is left after thirteen for each are as many extra cards as jokers."""

    sets: int
    jokers: int

    @property
    def whole(self) -> Hand:
        """All cards together."""
        return self.sets * ONE_SET + (self.jokers << JOKER_SHIFT)


def make_single(kind: int) -> Hand:
    """A single card of this kind."""
    return 1 << 4 * (kind - 1)


def count_kind(hand: Hand, kind: int) -> int:
    """How many cards of this kind are in the hand."""
    return hand >> 4 * (kind - 1) & 15


@lru_cache(maxsize=1 << 14)
def list_kinds(hand: Hand) -> tuple[int, ...]:
    """The kinds of the cards, one entry a card, rising."""
    found: list[int] = []
    kind = 1
    while hand:
        count = hand & 15
        if count:
            found += [kind] * count
        hand >>= 4
        kind += 1
    return tuple(found)


def pack_hand(some: Iterable[int]) -> Hand:
    """The hand with these kinds, one entry a card; at most fifteen of a kind."""
    return sum(make_single(kind) for kind in some)


def count_cards(hand: Hand) -> int:
    """Number of cards."""
    return len(list_kinds(hand))


def take_lowest(hand: Hand, count: int) -> Hand:
    """The lowest cards of the hand, jokers being highest."""
    return pack_hand(list_kinds(hand)[:count])


def take_highest(hand: Hand, count: int) -> Hand:
    """The highest cards of the hand, jokers being highest."""
    return pack_hand(list_kinds(hand)[-count:])


def write_words(hand: Hand, wild: str) -> list[str]:
    """The cards as written, sorted: "1" … "13", then jokers by the game's word for them."""
    return list(_list_words(hand, wild))


@lru_cache(maxsize=1 << 14)
def _list_words(hand: Hand, wild: str) -> tuple[str, ...]:
    return tuple(_WORDS[kind] if kind < JOKER else wild for kind in list_kinds(hand))


def read_kind(word: object, wild: str) -> int | None:
    """The kind that a card word means, None for anything that is no card of this game."""
    return _KINDS.get(word, JOKER if word == wild else None) if isinstance(word, str) else None


_WORDS: Final = tuple(str(kind) for kind in range(JOKER))
_KINDS: Final = {word: kind for kind, word in enumerate(_WORDS) if kind}
