"""How many sit out, and which sizes of pods there are: arithmetic alone, so bounds for every draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    return next(list_mixes(people, (), wanted=wanted, smallest=smallest, largest=largest), None)


def list_mixes(people: int, locks: Sequence[int], *, wanted: int, smallest: int, largest: int) -> Iterator[Mix]:
    """Mixes that locks of these sizes may fit into, the best first: all even, or a pod of its own for each large lock.

    A lock is large if it has more people than a pod is wanted to have.
    """
    large = tuple(lock for lock in locks if lock > wanted)
    found = []
    for own in {(), large}:
        rest, deviation = people - sum(own), sum(own) - len(own) * wanted
        if rest == 0:
            found.append((deviation, len(own), own, 0))
        for pods in range(max(1, -(-rest // largest)), max(0, rest) // smallest + 1):
            found.append((deviation + abs(rest - pods * wanted), len(own) + pods, own, pods))
    for deviation, _, own, pods in sorted(found):
        sizes = (*own, *spread(people - sum(own), pods))
        if sizes and max(sizes) <= largest:
            yield Mix(tuple(sorted(sizes, reverse=True)), deviation)


def bound_deviation(people: int, locks: Sequence[int], *, wanted: int, smallest: int, largest: int) -> int:
    """No mix that locks of these sizes fit into has a smaller sum of |size − wanted|; 0 if there is none.

    The pods of large locks are too large by so many in all; what they have too many, others have too few.
    """
    large = sum(max(0, lock - wanted) for lock in locks)
    best = None
    for pods in range(bound_pods(people, locks, largest), people // smallest + 1):
        over = max(large, people - pods * wanted)
        under = over - (people - pods * wanted)
        if under <= pods * (wanted - smallest) and (best is None or over + under < best):
            best = over + under
    return best or 0


def bound_pods(people: int, locks: Sequence[int], largest: int) -> int:
    """So many pods there are at least; locks of more than half a pod do not share one."""
    return max(-(-people // largest), sum(2 * lock > largest for lock in locks))


def spread(people: int, pods: int) -> tuple[int, ...]:
    """Sizes of so many pods, as even as can be: all deviations on one side, whatever size is wanted."""
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
