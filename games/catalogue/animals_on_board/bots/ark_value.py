"""Values an ark during the game: its points now, and what its pairs may become."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.catalogue.animals_on_board.rules.scoring import BRACKETS, HERD, HERD_POINTS, appraise
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS

UNKNOWN_TILE_POINTS: Final = 2.2
"""Points that a tile of unknown face is worth: set by hand, below the mean number of a tile (3)."""

_PAIR_POINTS: Final = 6.5
"""Points that a pair is worth at the start of a game, falling to 0 at its end. Set by hand; a herd of three has 15."""


def value_ark(ark: Iterable[str], pair_value: float) -> float:
    """Points of the animals; a pair counts `pair_value`, for it may become a herd."""
    kinds: dict[str, list[int]] = {}
    total, points = 0, 0.0
    for tile in ark:
        total += 1
        if tile == FACE_DOWN:
            points += UNKNOWN_TILE_POINTS
            continue
        species, number = KINDS[tile]
        if species in kinds:
            kinds[species].append(number)
        else:
            kinds[species] = [number]
    for numbers in kinds.values():
        count = len(numbers)
        points += numbers[0] if count == 1 else pair_value if count < HERD else HERD_POINTS * count
    if total > BRACKETS:
        face_up = [tile for tile in ark if tile != FACE_DOWN]
        return min(points, appraise(face_up).points + UNKNOWN_TILE_POINTS * (total - len(face_up)))
    return points


def value_pair(tile_counts: Iterable[int]) -> float:
    """Points that a pair is worth: fewer, the fuller the fullest ark."""
    return max(0.0, _PAIR_POINTS * (1 - max(tile_counts) / BRACKETS))
