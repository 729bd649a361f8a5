"""How many rounds a full schedule takes, in which everybody could meet everybody: arithmetic alone."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from tournaments.draw.problem.pod_sizes import Mix, count_byes, list_mixes


def count_rounds(people: int, *, wanted: int, smallest: int, largest: int) -> int | None:
    """The fewest rounds in which so many people at tables of these sizes have room to meet each other once.

    As many as pairs of people need, and as one person needs for all others: in pairs, one less than there are people,
    or as many where the number is odd. None where no table can be made, or nobody is there to be met.
    """
    byes = count_byes(people, smallest=smallest, largest=largest)
    mix = _find_usual(list_mixes(people - byes, (), wanted=wanted, smallest=smallest, largest=largest))
    if mix is None or max(mix.sizes) < 2:
        return None
    met = sum(comb(size, 2) for size in mix.sizes)
    return max(-(-comb(people, 2) // met), -(-(people - 1) // (max(mix.sizes) - 1)))


def _find_usual(mixes: Iterator[Mix]) -> Mix | None:
    """The one that a round robin takes: nearest to the wanted size, of these the most pods (`plan._choose_mix`)."""
    best: Mix | None = None
    for mix in mixes:
        if best is not None and mix.deviation > best.deviation:
            break
        best = mix
    return best
