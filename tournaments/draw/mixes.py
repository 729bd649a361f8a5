"""How many sit out, and which sizes of pods there are: arithmetic alone, so bounds for every draw."""

from __future__ import annotations

from typing import NamedTuple


class Mix(NamedTuple):
    """sizes: of the pods, largest first; deviation: sum of |size − wanted|."""

    sizes: tuple[int, ...]
    deviation: int

    @property
    def seated(self) -> int:
        """How many people have a chair."""
        return sum(self.sizes)


def find_mix(people: int, *, wanted: int, smallest: int, largest: int) -> Mix | None:
    """The mix for exactly so many people: least deviation, then fewest pods, then evenly; None if there is none."""
    best: tuple[int, int] | None = None
    found: Mix | None = None
    for pods in range(-(-people // largest), people // smallest + 1):
        sizes = spread(people, pods, wanted=wanted)
        deviation = abs(people - pods * wanted)
        if sizes and smallest <= sizes[-1] and sizes[0] <= largest and (best is None or (deviation, pods) < best):
            best, found = (deviation, pods), Mix(sizes, deviation)
    return found


def spread(people: int, pods: int, *, wanted: int) -> tuple[int, ...]:
    """Sizes of so many pods, as even as can be: all deviations on one side, so their sum is |people − pods·wanted|."""
    if pods < 1:
        return ()
    low, more = divmod(people, pods)
    return (low + 1,) * more + (low,) * (pods - more)


def count_byes(present: int, *, smallest: int, largest: int) -> int:
    """The fewest who must sit out for the sizes to add up; `present` itself if no pod is possible."""
    for byes in range(present):
        people = present - byes
        if -(-people // largest) <= people // smallest:
            return byes
    return present
