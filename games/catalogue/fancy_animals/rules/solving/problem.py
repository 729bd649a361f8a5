"""The types of the solver: problem, solution, and the outfits with their gains."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from games.catalogue.fancy_animals.rules.cards import Tiles
from games.catalogue.fancy_animals.rules.claims import list_spots, put_on
from games.catalogue.fancy_animals.rules.melds import Meld
from games.catalogue.fancy_animals.rules.scoring import Worn, score


class Problem(NamedTuple):
    """A hand before a table. worn, animal: of the seat to play; offer: ids on offer; top: the highest number."""

    table: tuple[Meld, ...]
    hand: Tiles
    worn: Worn
    animal: str
    offer: tuple[int, ...]
    active: tuple[str, ...]
    top: int

    @property
    def loop(self) -> bool:
        """Whether 1 follows the top number."""
        return "loop" in self.active


class Solution(NamedTuple):
    """A legal play. cards, wilds: from hand and animal; gain: points that the animal is worth more after it."""

    cards: Tiles
    wilds: Tiles
    table: tuple[tuple[str, ...], ...]
    claim: int | None
    spot: int
    gain: int


class Outfit(NamedTuple):
    """A way to dress: clothes that go to the table as wilds, one piece that is taken, and the points it gains."""

    wilds: Tiles
    claim: int | None
    spot: int
    gain: int


def list_undressings(worn: Worn) -> list[tuple[Tiles, Worn]]:
    """All sets of clothes that may be wilds, and what is left on: of every pile the uppermost ones."""
    found = []
    for kept in product(*(range(len(pile) + 1) for pile in worn)):
        left = tuple(pile[:count] for pile, count in zip(worn, kept, strict=True))
        taken = [piece for pile, count in zip(worn, kept, strict=True) for piece in pile[count:]]
        found.append((sum(1 << piece for piece in taken), left))
    return found


def list_outfits(problem: Problem) -> list[Outfit]:
    """For every set of wilds nothing taken, and each offered piece on its best spot."""
    before = score(problem.worn, problem.animal)
    outfits = []
    for wilds, left in list_undressings(problem.worn):
        outfits.append(Outfit(wilds, None, 0, score(left, problem.animal) - before))
        for piece in problem.offer:
            spots = list_spots(piece, left, problem.active)
            values = [(score(put_on(left, piece, spot), problem.animal) - before, -spot) for spot in spots]
            if values:
                gain, spot = max(values)
                outfits.append(Outfit(wilds, piece, -spot, gain))
    return outfits
