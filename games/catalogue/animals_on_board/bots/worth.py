"""What an ark is worth to somebody who plays on: points now, and hope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.catalogue.animals_on_board.rules.scoring import BRACKETS, HERD, HERD_POINTS, appraise
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS

UNKNOWN: Final = 2.2
"""Points that a tile is worth of which nobody knows the face."""


def worth(ark: Iterable[str], hope: float) -> float:
    """Points of the animals; a pair counts `hope`, for it may become a herd."""
    kinds: dict[str, list[int]] = {}
    total, points = 0, 0.0
    for tile in ark:
        total += 1
        if tile == FACE_DOWN:
            points += UNKNOWN
            continue
        species, number = KINDS[tile]
        if species in kinds:
            kinds[species].append(number)
        else:
            kinds[species] = [number]
    for numbers in kinds.values():
        count = len(numbers)
        points += numbers[0] if count == 1 else hope if count < HERD else HERD_POINTS * count
    if total > BRACKETS:
        known = [tile for tile in ark if tile != FACE_DOWN]
        return min(points, appraise(known).points + UNKNOWN * (total - len(known)))
    return points


def hope_at(tile_counts: Iterable[int]) -> float:
    """What a pair is worth: less, the nearer the end."""
    return max(0.0, 6.5 * (1 - max(tile_counts) / BRACKETS))
