"""Scores an ark. Source: animals-on-board.md, End."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.catalogue.animals_on_board.rules.tiles import KINDS

BRACKETS: Final = 10
"""Tiles that fit on an ark."""
HERD: Final = 3
"""Tiles of one species that make a herd, at least."""
HERD_POINTS: Final = 5
"""Points for each tile of a herd."""


class Appraisal(NamedTuple):
    """An ark on departure. Tiles are sorted; points: of the animals alone, a crate left is one more.

    pairs: returned, because nobody takes exactly two of a kind; surplus: returned, because there are ten brackets.
    """

    pairs: tuple[str, ...]
    surplus: tuple[str, ...]
    singles: tuple[str, ...]
    herds: tuple[tuple[str, ...], ...]
    points: int

    @property
    def species(self) -> int:
        """How many species sail."""
        return len(self.singles) + len(self.herds)


class _KeptTiles(NamedTuple):
    """Part of an ark, best first when compared: points, species, and the tiles of each species."""

    points: int
    species: int
    kept: tuple[tuple[str, ...], ...]


def appraise(ark: Iterable[str]) -> Appraisal:
    """The ark after steps 1 and 2, with the best choice of what is returned in step 2, and its points."""
    kinds = _group_by_species(ark)
    pairs = [tile for tiles in kinds if len(tiles) == 2 for tile in tiles]
    sailing = [tiles for tiles in kinds if len(tiles) != 2]
    surplus: list[str] = []
    if sum(map(len, sailing)) > BRACKETS:
        kept = _fit_brackets(sailing)
        surplus = [tile for tiles in sailing for tile in tiles if not any(tile in left for left in kept)]
        sailing = list(kept)
    singles = [tiles[0] for tiles in sailing if len(tiles) == 1]
    herds = [tiles[::-1] for tiles in sailing if len(tiles) >= HERD]
    points = sum(map(_score_species, sailing))
    return Appraisal(tuple(sorted(pairs)), tuple(sorted(surplus)), tuple(singles), tuple(herds), points)


def _group_by_species(ark: Iterable[str]) -> list[tuple[str, ...]]:
    """The tiles of each species, species in order, the highest number first."""
    kinds: dict[str, list[str]] = {}
    for tile in sorted(ark):
        kinds.setdefault(KINDS[tile][0], []).append(tile)
    return [tuple(tiles[::-1]) for tiles in kinds.values()]


def _score_species(tiles: Sequence[str]) -> int:
    """Score one species that sails."""
    if len(tiles) == 1:
        return KINDS[tiles[0]][1]
    return HERD_POINTS * len(tiles)


def _fit_brackets(kinds: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """What sails when ten are left: highest points, then most species. Of a species its highest numbers stay."""
    best: dict[int, _KeptTiles] = {0: _KeptTiles(0, 0, ())}
    for tiles in kinds:
        choices = [tiles[:count] for count in range(1, len(tiles) + 1) if count != 2]
        grown = dict(best)
        for size, load in best.items():
            for kept in choices:
                after = _KeptTiles(load.points + _score_species(kept), load.species + 1, (*load.kept, kept))
                total = size + len(kept)
                if total <= BRACKETS and (total not in grown or after[:2] > grown[total][:2]):
                    grown[total] = after
        best = grown
    return best[max(best)].kept


def rank_scores(scores: Sequence[int], species: Sequence[int]) -> tuple[int, ...]:
    """Places by seat: most points; on a tie more species; still tied: shared."""
    results = list(zip(scores, species, strict=True))
    return tuple(1 + sum(other > result for other in results) for result in results)
