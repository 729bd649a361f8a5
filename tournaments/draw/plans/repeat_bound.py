"""Lower bounds for the repeats of a round robin: from the number of meetings, and from the pairs two rounds share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.pod_sizes import SizeMix


def bound_repeats(instance: Instance, mix: SizeMix, rounds: int) -> int:
    """A bound from the number of meetings: locked pairs meet in every round, others where it is cheapest."""
    count_meetings = rounds * sum(size * (size - 1) // 2 for size in mix.sizes)
    locked = [pair for lock in instance.locks for pair in combinations(lock, 2)]
    total = sum((instance.met.get(pair, 0) + turn) ** 2 for pair in locked for turn in range(rounds))
    count_meetings -= rounds * len(locked)
    pair_counts = {
        0: instance.size * (instance.size - 1) // 2 - len(instance.forbidden_pairs | set(locked) | set(instance.met))
    }
    for pair, times in instance.met.items():
        if pair not in instance.forbidden_pairs and pair not in locked:
            pair_counts[times] = pair_counts.get(times, 0) + 1
    times = 0
    while count_meetings > 0 and any(pair_counts.values()):  # else nobody may meet anybody: there is no plan
        now = min(count_meetings, pair_counts.get(times, 0))
        total, count_meetings = total + now * times**2, count_meetings - now
        pair_counts[times + 1] = pair_counts.get(times + 1, 0) + pair_counts.get(times, 0)
        times += 1
    return total


def bound_common_pairs(instance: Instance, mix: SizeMix, rounds: int) -> int:
    """Any two rounds have pairs in common: four people of a pod who come from three pods include two from the same one.

    A pair that meets M times costs 0² + 1² + … + (M − 1)², no less than the M (M − 1) / 2 pairs of rounds in which it
    does. Groups that should be apart count like the pods of one more round in the past.
    """
    pods = _list_classes(mix.sizes, instance.size)
    total = rounds * (rounds - 1) // 2 * count_common(pods, pods)
    present = set(instance.ids)
    groups = _choose_disjoint(set(group) & present for group in instance.problem.apart)
    for together in (*(past.pods for past in instance.problem.history), groups):
        sizes = [len(present.intersection(pod)) for pod in together]
        total += rounds * count_common(_list_classes(sizes, instance.size), pods)
    return total


def count_common(one: Sequence[int], other: Sequence[int]) -> int:
    """In two rounds with pods of these sizes, both of everybody: so many pairs at least sit together in both.

    If x people of one pod share a pod in the other round, x − 1 of them are beyond one, x − 2 beyond two, and so on.
    For each m, the people beyond m follow from the least cut of a flow (Ford and Fulkerson 1956, Gale and Ryser 1957).
    """
    largest, pair_counts, total = sorted(other, reverse=True), Counter(one), 0
    for many in range(1, max(one)):
        over, seated = 0, 0
        for pods, size in enumerate(largest, start=1):
            seated += size
            over = max(over, seated - sum(min(each, many * pods) * times for each, times in pair_counts.items()))
        total += over
    return total


def _choose_disjoint(groups: Iterable[set[str]]) -> list[set[str]]:
    """The largest groups of which no two have a member in common: only a pair's first group counts for it."""
    chosen: list[set[str]] = []
    for group in sorted(groups, key=len, reverse=True):
        if all(group.isdisjoint(other) for other in chosen):
            chosen.append(group)
    return chosen


def _list_classes(sizes: Iterable[int], people: int) -> list[int]:
    """Pod sizes, and 1 for each person who is in none."""
    found = [size for size in sizes if size]
    return found + [1] * (people - sum(found))
