"""How many repeats a round robin has at least: by how many meetings there are, and by what any two rounds share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.pod_sizes import Mix


def bound_repeats(instance: Instance, mix: Mix, rounds: int) -> int:
    """So many meetings there must be; those of locks in every round, and of the others the cheapest."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in mix.sizes)
    locked = [pair for group in instance.groups for pair in combinations(group, 2)]
    total = sum((instance.met.get(pair, 0) + turn) ** 2 for pair in locked for turn in range(rounds))
    meetings -= rounds * len(locked)
    tally = {0: instance.size * (instance.size - 1) // 2 - len(instance.foes | set(locked) | set(instance.met))}
    for pair, times in instance.met.items():
        if pair not in instance.foes and pair not in locked:
            tally[times] = tally.get(times, 0) + 1
    times = 0
    while meetings > 0 and any(tally.values()):  # else nobody may meet anybody: there is no plan
        here = min(meetings, tally.get(times, 0))
        total, meetings = total + here * times**2, meetings - here
        tally[times + 1] = tally.get(times + 1, 0) + tally.get(times, 0)
        times += 1
    return total


def bound_crossings(instance: Instance, mix: Mix, rounds: int) -> int:
    """Any two rounds have so many pairs in common: the four of a pod come from three pods, so two from the same.

    A pair that meets M times costs 0² + 1² + … + (M − 1)², so no less than the M (M − 1) / 2 pairs of rounds in which
    it does.
    """
    pods = _list_classes(mix.sizes, instance.size)
    total = rounds * (rounds - 1) // 2 * count_common(pods, pods)
    present = set(instance.ids)
    for past in instance.problem.history:
        sizes = [len(present & set(pod)) for pod in past.pods]
        total += rounds * count_common(_list_classes(sizes, instance.size), pods)
    return total


def count_common(one: Sequence[int], other: Sequence[int]) -> int:
    """In two rounds with pods of these sizes, everybody in one: so many pairs at least sit together in both.

    x from one pod to the same pod are x − 1 too many, and x − 2, and so on, for one from each to each, two, ...: of m,
    no more people go over than the least cut lets through (Ford and Fulkerson 1956, Gale and Ryser 1957).
    """
    largest, tally, total = sorted(other, reverse=True), Counter(one), 0
    for many in range(1, max(one)):
        over, seated = 0, 0
        for pods, size in enumerate(largest, start=1):
            seated += size
            over = max(over, seated - sum(min(each, many * pods) * times for each, times in tally.items()))
        total += over
    return total


def _list_classes(sizes: Iterable[int], people: int) -> list[int]:
    """Pods, and whoever is in none by himself."""
    found = [size for size in sizes if size]
    return found + [1] * (people - sum(found))
