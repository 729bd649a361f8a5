"""Claims of clothing: what runs pay for, and where it is worn. Source: fancy-animals.md, A turn; Special rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.catalogue.fancy_animals.rules.cards import CARDS, SUITS, Tiles
from games.catalogue.fancy_animals.rules.clothing import BY_ID, OFFERED
from games.catalogue.fancy_animals.rules.melds import Meld
from games.catalogue.fancy_animals.rules.scoring import Worn

SPECIAL_RULES: Final = ("cover", "loop", "mix", "return")
"""The special rules, alphabetically."""
_OWN_CARDS: Final = (1 << CARDS) - 1


def find_longest_runs(melds: Sequence[Meld], played: Tiles, *, top: int, active: Iterable[str]) -> tuple[int, ...]:
    """By material, the longest run length that this table pays for.

    played: the material cards that were laid from the hand this turn; with `mix` a run of theirs counts together
    with a neighbouring stretch of another suit.
    """
    reach = [0] * len(SUITS)
    for meld in melds:
        if meld.suit >= 0 and len(meld.words) > reach[meld.suit]:
            reach[meld.suit] = len(meld.words)
    if "mix" in active:
        for own in melds:
            if own.suit >= 0 and not own.tiles & ~(played & _OWN_CARDS):
                for suit, length in _find_mixed(own, melds, top=top, loop="loop" in active):
                    reach[own.suit] = max(reach[own.suit], length)
                    reach[suit] = max(reach[suit], length)
    return tuple(reach)


def _find_mixed(own: Meld, melds: Sequence[Meld], *, top: int, loop: bool) -> Iterator[tuple[int, int]]:
    """Suits of neighbouring runs, and the length together with each."""
    for other in melds:
        if other.suit >= 0 and other.suit != own.suit:
            yield other.suit, min(top, len(own.words) + count_adjoining(own, other, top=top, loop=loop))


def count_adjoining(own: Meld, other: Meld, *, top: int, loop: bool) -> int:
    """How many numbers of the other run adjoin this one, above or below, whichever is more."""
    numbers = [piece.number for piece in other.pieces]
    if loop and len(numbers) == top:
        return top
    above, below = own.pieces[-1].number + 1, own.pieces[0].number - 1
    if loop:
        above, below = (above - 1) % top + 1, (below - 1) % top + 1
    up = len(numbers) - numbers.index(above) if above in numbers else 0
    down = numbers.index(below) + 1 if below in numbers else 0
    return max(up, down)


def list_spots(piece: int, worn: Worn, active: Iterable[str]) -> tuple[int, ...]:
    """Where the piece may be put on: its own spot if that is free, else any free one; with `cover`, on top too."""
    own = BY_ID[piece].slot
    free = [spot for spot, pile in enumerate(worn) if not pile]
    spots = [own] if own in free else free
    if "cover" in active:
        spots = [*spots, *(spot for spot, pile in enumerate(worn) if pile)]
    return tuple(sorted(spots))


def put_on(worn: Worn, piece: int, spot: int) -> Worn:
    """The animal with one more piece."""
    return (*worn[:spot], (*worn[spot], piece), *worn[spot + 1 :])


def take_off(worn: Worn, pieces: Tiles) -> Worn | None:
    """The animal without these pieces; None if one of them is covered, or not worn at all."""
    if not pieces:
        return worn
    left = tuple(tuple(piece for piece in pile if not pieces >> piece & 1) for pile in worn)
    is_open = all(pile[: len(rest)] == rest for pile, rest in zip(worn, left, strict=True))
    taken = sum(map(len, worn)) - sum(map(len, left))
    return left if is_open and taken == pieces.bit_count() else None


def list_offer(clothing: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The pieces on offer, two a deck."""
    return tuple(piece for deck in clothing for piece in deck[:OFFERED])
