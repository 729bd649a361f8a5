"""Pods like known ones that cost less than their people's prices: found in an instant, and nothing is proven by them.

As long as prices are far off, the enumeration of all such pods takes long, and most of what it finds is no use later.
One member after the other is replaced by whoever suits these prices better; that brings the prices near their end.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.columns import BARRED, Pods, Pricing

CHANGES: Final = 3
"""Members that are replaced, one after the other."""
POOL: Final = 300
"""Pods in which one is, at most."""
KEPT: Final = 6
"""Pods that are kept for each person, at most."""
MOST: Final = 2_000
"""Pods that come out of one such change, or twice as many if they cost the same."""
SPEED: Final = 40
"""Replacements looked at for one unit of work."""
STEP_COST: Final = 2_000
_NAMES: Final = np.random.Generator(np.random.PCG64(1)).integers(0, 1 << 62, 20_000)
"""Of people: a pod is told from others by their sum. If two of them have the same, one is not looked at."""


def find_nearby(pricing: Pricing, members: Ints, is_fixed: Flags, limit: int, budget: Budget) -> Ints:
    """Members of pods with reduced cost < limit, made of those given, the likeliest first: (pods, size), ascending.

    is_fixed: who neither leaves a pod nor enters another one.
    """
    found = [members[:0]]
    for _ in range(CHANGES):
        members = members[:POOL]
        if not len(members) or not budget.spend(members.size * len(pricing.price) // SPEED + STEP_COST):
            break
        pods = change_pods(pricing, members, is_fixed, limit)
        members = pods.members[choose_spread(pods, KEPT, len(pricing.price))]
        found.append(members)
    return np.concatenate(found)


def change_pods(pricing: Pricing, members: Ints, is_fixed: Flags, limit: int) -> Pods:
    """The pods with reduced cost < limit that differ from one of those given in one member, the cheapest first.

    Of more than so many only the cheapest.
    """
    rated = _rate(pricing, members, is_fixed)
    near = np.flatnonzero(rated < limit)
    if len(near) > MOST:
        near = near[rated.flat[near] <= np.sort(rated.flat[near])[MOST]][: 2 * MOST]
    pod, place, joins = np.unravel_index(near, rated.shape)
    found = members[pod]
    found[np.arange(len(pod)), place] = joins
    found.sort(axis=1)
    _, first = np.unique(_NAMES[found].sum(axis=1), return_index=True)
    reduced = rated.flat[near[first]]
    order = np.argsort(reduced, kind="stable")
    return Pods(found[first[order]], reduced[order])


def choose_spread(pods: Pods, most: int, count: int) -> Ints:
    """So many pods of the least reduced cost for each person, and no more: who costs most would have them all."""
    order = np.argsort(pods.reduced, kind="stable")
    people = pods.members[order].ravel()
    by_person = np.argsort(people, kind="stable")
    starts = np.searchsorted(people[by_person], np.arange(count))
    rank = np.empty_like(people)
    rank[by_person] = np.arange(len(people)) - starts[people[by_person]]
    return order[(rank.reshape(pods.members.shape) < most).any(axis=1)]


def _rate(pricing: Pricing, members: Ints, is_fixed: Flags) -> Ints:
    """(pods, size, n): the reduced cost of the pod, once the member in this place has made room for that person."""
    row = np.arange(len(members))[:, None]
    pair, paid = pricing.pair[members], pricing.price[members]
    near = pair.sum(axis=1)
    own = near[row, members]
    rest = (own.sum(axis=1) // 2 - paid.sum(axis=1))[:, None] - own + paid
    rated = (near - pricing.price)[:, None, :] - pair
    rated += rest[:, :, None]
    rated += _widen(pricing, members)
    rated[row, :, members] = BARRED
    rated[is_fixed[members]] = BARRED
    rated[:, :, is_fixed] = BARRED
    return np.asarray(rated)


def _widen(pricing: Pricing, members: Ints) -> Ints:
    """(pods, size, n): what the new pod costs by its first and its last member."""
    first, last = (np.repeat(members[:, place, None], members.shape[1], axis=1) for place in (0, -1))
    first[:, 0], last[:, -1] = members[:, 1], members[:, -2]
    people, reach = np.arange(len(pricing.price)), pricing.width.shape[1] - 1
    low = np.minimum(first[:, :, None], people)
    steps = np.maximum(last[:, :, None], people) - low
    return np.where(steps <= reach, pricing.width[low, np.minimum(steps, reach)], BARRED)
