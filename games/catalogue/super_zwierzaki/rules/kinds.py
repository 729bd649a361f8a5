"""The deck: 115 kinds of animals, 537 cards, read from deck.tsv. Source: super-zwierzaki.md, *Deck*.

A *hand* is one integer with four bits for each kind: how many cards of it. Sets of kinds are masks
over the lowest of those bits.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

Hand: TypeAlias = int
Mask: TypeAlias = int

COLOURS: Final = ("DB", "DG", "LB", "LG", "O", "P", "R", "V", "Y")
"""All nine, in alphabetical order."""
EVERY_COLOUR: Final = "ALL"
EVERY_CLASS: Final = "all"


class Kind(NamedTuple):
    """One kind. colour: a word of COLOURS or ALL; group: its class or "all"; function: its code or ""."""

    number: int
    copies: int
    english: str
    polish: str
    colour: str
    group: str
    function: str

    @property
    def word(self) -> str:
        """How moves and records write it."""
        return str(self.number)


def _read() -> dict[int, Kind]:
    lines = Path(__file__).with_name("deck.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {int(row[0]): Kind(int(row[0]), int(row[1]), *[*row[2:], ""][:5]) for row in rows}


KINDS: Final = _read()
"""The kinds by number."""
CLASSES: Final = tuple(sorted({kind.group for kind in KINDS.values()} - {EVERY_CLASS}))
FUNCTIONS: Final = tuple(KINDS[number].function if number in KINDS else "" for number in range(max(KINDS) + 1))
"""FUNCTIONS[number]: its code, or an empty string."""
NONFUNCTIONAL: Final = tuple(number for number, kind in KINDS.items() if not kind.function)
NUMBERS: Final = {kind.word: number for number, kind in KINDS.items()}
"""Word → number."""
WORDS: Final = {number: kind.word for number, kind in KINDS.items()}

ONE: Final = tuple(1 << 4 * number for number in range(max(KINDS) + 1))
"""ONE[number]: a hand of this one card."""
LOWEST: Final[Mask] = sum(ONE[number] for number in KINDS)
WHOLE: Final[Hand] = sum(ONE[number] * kind.copies for number, kind in KINDS.items())


def _mask(numbers: object) -> Mask:
    return sum(ONE[number] for number in numbers)  # type: ignore[attr-defined]


def mask_function(*codes: str) -> Mask:
    """The kinds with one of these functions."""
    return _mask(number for number in KINDS if FUNCTIONS[number] in codes)


RED, OTH, GIV, ALL, CYR, DZI, DEM, ORC, STP = (
    mask_function(code) for code in ("Red", "Oth", "Giv", "All", "Cyr", "Dzi", "Dem", "Orc", "Stp")
)
OF_COLOUR: Final = {colour: _mask(n for n, kind in KINDS.items() if kind.colour == colour) for colour in COLOURS}
"""The kinds of each colour, those of every colour not counted."""
OF_CLASS: Final = {group: _mask(n for n, kind in KINDS.items() if kind.group == group) for group in CLASSES}
MATCHES: Final = {
    (colour, group): ALL | OF_COLOUR.get(colour, LOWEST) | OF_CLASS.get(group, LOWEST)
    for colour in (*COLOURS, EVERY_COLOUR)
    for group in (*CLASSES, EVERY_CLASS)
}
"""(given colour, given class) → the kinds that share one of them."""

_TWOS: Final = LOWEST << 1
_FOURS: Final = LOWEST << 2


def mask_held(hand: Hand) -> Mask:
    """The kinds of which the hand has a card."""
    return (hand | hand >> 1 | hand >> 2) & LOWEST


@lru_cache(maxsize=1 << 13)
def count_cards(hand: Hand) -> int:
    """The number of cards."""
    return (hand & LOWEST).bit_count() + 2 * (hand & _TWOS).bit_count() + 4 * (hand & _FOURS).bit_count()


def count_kind(hand: Hand, number: int) -> int:
    """How many cards of a kind."""
    return hand >> 4 * number & 15


def list_numbers(mask: Mask) -> list[int]:
    """The kinds of a mask, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() >> 2)
        mask ^= low
    return found


def list_cards(hand: Hand) -> list[int]:
    """The kind of every card, rising."""
    return [number for number in list_numbers(mask_held(hand)) for _ in range(hand >> 4 * number & 15)]


def write_words(hand: Hand) -> list[str]:
    """The cards as records write them."""
    return [WORDS[number] for number in list_cards(hand)]


def pack_hand(items: object) -> Hand:
    """The hand of these kinds."""
    return sum(ONE[number] for number in items)  # type: ignore[attr-defined]
