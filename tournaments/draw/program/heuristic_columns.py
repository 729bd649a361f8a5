"""Pods like known ones, with negative reduced cost: found quickly, without proof.

While prices are far from the final ones, enumerating all such pods takes long and most of them are of no use later.
Replacing one member after the other by a better one brings the prices near their end.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.columns import BARRED, PodPricing, PricedPods

MAX_CHANGES: Final = 3
"""Members that are replaced in a pod, one after the other."""
MAX_SOURCE_PODS: Final = 300
"""Pods that each replacement starts from, at most."""
KEPT_PER_PERSON: Final = 6
"""Pods kept for each person, at most. All three trade the time of one round against the number of rounds."""
MAX_CHANGED: Final = 2_000
"""Pods that one replacement yields, or twice as many at equal cost: it bounds memory and sorting."""
RATINGS_PER_UNIT: Final = 40
"""Replacements that one unit of work rates (measured)."""
ROUND_COST: Final = 2_000
"""Units of work for each round of replacements (measured)."""
_HASHES: Final = np.random.Generator(np.random.PCG64(1)).integers(0, 1 << 62, 20_000)
"""Random numbers of people: a pod is identified by their sum. Of two pods with equal sums one is ignored."""


def find_by_exchange(pricing: PodPricing, members: Ints, is_fixed: Flags, limit: int, budget: Budget) -> Ints:
    """Members of pods with reduced cost < limit that are made from the given ones, best first: (pods, size), ascending.

    is_fixed: (n,) who neither leaves a pod nor joins another one.
    """
    found = [members[:0]]
    for _ in range(MAX_CHANGES):
        members = members[:MAX_SOURCE_PODS]
        if not len(members) or not budget.spend(members.size * len(pricing.price) // RATINGS_PER_UNIT + ROUND_COST):
            break
        pods = exchange_members(pricing, members, is_fixed, limit)
        members = pods.members[choose_per_person(pods, KEPT_PER_PERSON, len(pricing.price))]
        found.append(members)
    return np.concatenate(found)


def exchange_members(pricing: PodPricing, members: Ints, is_fixed: Flags, limit: int) -> PricedPods:
    """The pods with reduced cost < limit that differ from a given one in one member, cheapest first.

    Of more than MAX_CHANGED only the cheapest.
    """
    rated = _rate(pricing, members, is_fixed)
    rated_cost = np.flatnonzero(rated < limit)
    if len(rated_cost) > MAX_CHANGED:
        rated_cost = rated_cost[rated.flat[rated_cost] <= np.sort(rated.flat[rated_cost])[MAX_CHANGED]][
            : 2 * MAX_CHANGED
        ]
    pod, place, newcomers = np.unravel_index(rated_cost, rated.shape)
    found = members[pod]
    found[np.arange(len(pod)), place] = newcomers
    found.sort(axis=1)
    _, first = np.unique(_HASHES[found].sum(axis=1), return_index=True)
    reduced = rated.flat[rated_cost[first]]
    order = np.argsort(reduced, kind="stable")
    return PricedPods(found[first[order]], reduced[order])


def choose_per_person(pods: PricedPods, most: int, count: int) -> Ints:
    """The `most` pods of least reduced cost for each person: else the most expensive people would have them all."""
    order = np.argsort(pods.reduced, kind="stable")
    people = pods.members[order].ravel()
    by_person = np.argsort(people, kind="stable")
    starts = np.searchsorted(people[by_person], np.arange(count))
    rank = np.empty_like(people)
    rank[by_person] = np.arange(len(people)) - starts[people[by_person]]
    return order[(rank.reshape(pods.members.shape) < most).any(axis=1)]


def _rate(pricing: PodPricing, members: Ints, is_fixed: Flags) -> Ints:
    """(pods, size, n): the reduced cost of the pod once the member in this place is replaced by that person."""
    row = np.arange(len(members))[:, None]
    pair, prices = pricing.pair[members], pricing.price[members]
    rated_cost = pair.sum(axis=1)
    own = rated_cost[row, members]
    rest = (own.sum(axis=1) // 2 - prices.sum(axis=1))[:, None] - own + prices
    rated = (rated_cost - pricing.price)[:, None, :] - pair
    rated += rest[:, :, None]
    rated += _rate_widths(pricing, members)
    rated[row, :, members] = BARRED
    rated[is_fixed[members]] = BARRED
    rated[:, :, is_fixed] = BARRED
    return np.asarray(rated)


def _rate_widths(pricing: PodPricing, members: Ints) -> Ints:
    """(pods, size, n): the width cost of the changed pod."""
    first, last = (np.repeat(members[:, place, None], members.shape[1], axis=1) for place in (0, -1))
    first[:, 0], last[:, -1] = members[:, 1], members[:, -2]
    people, reach = np.arange(len(pricing.price)), pricing.width.shape[1] - 1
    low = np.minimum(first[:, :, None], people)
    steps = np.maximum(last[:, :, None], people) - low
    return np.where(steps <= reach, pricing.width[low, np.minimum(steps, reach)], BARRED)
