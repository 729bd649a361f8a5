"""How many rounds a full round robin takes, in which everybody could meet everybody: arithmetic alone."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from tournaments.draw.problem.pod_sizes import SizeMix, count_byes, list_size_mixes


def count_rounds(people: int, *, wanted: int, smallest: int, largest: int) -> int | None:
    """The fewest rounds in which so many people at tables of these sizes have room to meet each other once.

    The larger of two numbers: what all pairs of people need, and what one person needs to meet all others. In pairs
    that is one less than there are people, or as many where the number is odd. None where no table can be made, or
    there is nobody to meet.
    """
    byes = count_byes(people, smallest=smallest, largest=largest)
    mix = _find_plan_sizes(list_size_mixes(people - byes, (), wanted=wanted, smallest=smallest, largest=largest))
    if mix is None or max(mix.sizes) < 2:
        return None
    met = sum(comb(size, 2) for size in mix.sizes)
    return max(-(-comb(people, 2) // met), -(-(people - 1) // (max(mix.sizes) - 1)))


def _find_plan_sizes(mixes: Iterator[SizeMix]) -> SizeMix | None:
    """The sizes that a round robin uses: nearest to the wanted one, then the most pods (`round_robin._choose_mix`)."""
    best: SizeMix | None = None
    for mix in mixes:
        if best is not None and mix.deviation > best.deviation:
            break
        best = mix
    return best
