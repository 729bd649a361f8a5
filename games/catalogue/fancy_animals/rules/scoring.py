"""Scores animals by their clothes. Source: fancy-animals.md, End and score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from games.catalogue.fancy_animals.rules.clothing import BY_ID, FAVOURITES

Worn: TypeAlias = tuple[tuple[int, ...], ...]
"""Ids of the pieces on each spot, bottom first."""

NOTHING_WORN: Final[Worn] = ((), (), (), ())
_WRONG_SPOT: Final = 2


@lru_cache(maxsize=1 << 14)
def score(worn: Worn, animal: str) -> int:
    """The points of an animal in its clothes."""
    total = favourites = 0
    for spot, pile in enumerate(worn):
        for covered in pile[:-1]:
            total += (BY_ID[covered].points + 1) // 2
        if pile:
            top = BY_ID[pile[-1]]
            total += top.points - (_WRONG_SPOT if top.slot != spot else 0)
            favourites += top.suit == FAVOURITES[animal]
    return total + favourites * (favourites + 1) // 2


def count_favourites(worn: Worn, animal: str) -> int:
    """Pieces of the favourite material, covered ones included."""
    return sum(BY_ID[piece].suit == FAVOURITES[animal] for pile in worn for piece in pile)


def find_places(merits: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The places by seat: who has more comes first, equal merits share a place."""
    return tuple(1 + sum(other > mine for other in merits) for mine in merits)
