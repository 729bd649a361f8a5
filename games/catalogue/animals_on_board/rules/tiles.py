"""The tiles: twelve species, each numbered 1 to 5. A tile is its word, "tiger-3"; lying face down it is "?"."""

from __future__ import annotations

from typing import Final

SPECIES: Final = (
    "crocodile",
    "elephant",
    "fox",
    "giraffe",
    "hedgehog",
    "kangaroo",
    "lion",
    "panda",
    "penguin",
    "rhino",
    "tiger",
    "zebra",
)
NUMBERS: Final = range(1, 6)
FACE_DOWN: Final = "?"
SPECIES_IN_PLAY: Final = {2: 8, 3: 10, 4: 12}
"""Players → species in play, and as many face-up tiles at the start of a round."""

KINDS: Final = {f"{species}-{number}": (species, number) for species in SPECIES for number in NUMBERS}
"""Word → species and number, sorted. (The words sort in this order, too.)"""


def list_tiles(species: tuple[str, ...]) -> list[str]:
    """All tiles of these species, sorted."""
    return [tile for tile, (kind, _) in KINDS.items() if kind in species]
