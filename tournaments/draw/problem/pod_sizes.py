"""How many people have a bye, and which pod sizes are possible: arithmetic alone, so bounds for every draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class SizeMix(NamedTuple):
    """Pod sizes of one round. sizes: largest first; deviation: sum of

    size − wanted

    .
    """

    sizes: tuple[int, ...]
    deviation: int

    @property
    def seated(self) -> int:
        """How many people have a seat."""
        return sum(self.sizes)


def find_size_mix(people: int, *, wanted: int, smallest: int, largest: int) -> SizeMix | None:
    """The best sizes for so many people: least deviation, then fewest pods, then most even; None if there are none."""
    return next(list_size_mixes(people, (), wanted=wanted, smallest=smallest, largest=largest), None)


def list_size_mixes(
    people: int, locks: Sequence[int], *, wanted: int, smallest: int, largest: int
) -> Iterator[SizeMix]:
    """Sizes that locks of these sizes may fit into, best first: all even, or a separate pod for each large lock.

    A lock is large if it has more people than the wanted pod size.
    """
    large = tuple(lock for lock in locks if lock > wanted)
    found = []
    for separate in {(), large}:
        rest, deviation = people - sum(separate), sum(separate) - len(separate) * wanted
        if rest == 0:
            found.append((deviation, len(separate), separate, 0))
        for pods in range(max(1, -(-rest // largest)), max(0, rest) // smallest + 1):
            found.append((deviation + abs(rest - pods * wanted), len(separate) + pods, separate, pods))
    for deviation, _, separate, pods in sorted(found):
        sizes = (*separate, *split_evenly(people - sum(separate), pods))
        if sizes and max(sizes) <= largest:
            yield SizeMix(tuple(sorted(sizes, reverse=True)), deviation)


def bound_deviation(people: int, locks: Sequence[int], *, wanted: int, smallest: int, largest: int) -> int:
    """A lower bound for the sum of

    size − wanted

    with locks of these sizes; 0 if no sizes are possible.

    Pods of large locks exceed the wanted size by a known total; what they have too many, other pods have too few.
    """
    large = sum(max(0, lock - wanted) for lock in locks)
    best = None
    for pods in range(bound_pod_count(people, locks, largest), people // smallest + 1):
        excess = max(large, people - pods * wanted)
        shortfall = excess - (people - pods * wanted)
        if shortfall <= pods * (wanted - smallest) and (best is None or excess + shortfall < best):
            best = excess + shortfall
    return best or 0


def bound_pod_count(people: int, locks: Sequence[int], largest: int) -> int:
    """A lower bound for the number of pods; two locks of more than half a pod do not share one."""
    return max(-(-people // largest), sum(2 * lock > largest for lock in locks))


def split_evenly(people: int, pods: int) -> tuple[int, ...]:
    """Sizes of so many pods, as even as possible: all deviate to the same side, whatever the wanted size."""
    if pods < 1:
        return ()
    low, more = divmod(people, pods)
    return (low + 1,) * more + (low,) * (pods - more)


def count_byes(present: int, *, smallest: int, largest: int) -> int:
    """The fewest byes for which the sizes add up; `present` itself if no pod is possible."""
    for byes in range(present):
        people = present - byes
        if -(-people // largest) <= people // smallest:
            return byes
    return present
