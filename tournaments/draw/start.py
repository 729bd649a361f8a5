"""Where a search begins: who sits out, which sizes there are, and pods filled from the top of the standings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tournaments.draw.budget import Budget
from tournaments.draw.closeness import cut_closely
from tournaments.draw.instance import Flags, Instance
from tournaments.draw.mixes import Mix, count_byes, find_mix
from tournaments.draw.sharing import join_locks
from tournaments.draw.weights import Scales


class Start(NamedTuple):
    """pods: people, not yet in seat order. is_free: who could have a bye as well as those who do, or have one."""

    pods: list[list[int]]
    byes: list[int]
    is_free: Flags
    mix: Mix


def build_start(instance: Instance, scales: Scales, budget: Budget, extra_byes: int = 0) -> Start | None:
    """Least byes, to those who had fewest and stand lowest; None if locks leave too few to sit out or do not fit."""
    problem = instance.problem
    byes = count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size) + extra_byes
    mix = find_mix(instance.size - byes, wanted=problem.wanted, smallest=problem.min_size, largest=problem.max_size)
    single = np.flatnonzero(instance.group_of() < 0).tolist()
    if mix is None or len(single) < byes:
        return None
    key = {one: (int(instance.byes[one]), int(instance.scores[one])) for one in single}
    out = sorted(single, key=lambda one: (*key[one], -one))[:byes]
    is_free = np.zeros(instance.size, dtype=np.bool_)
    if out:
        is_free[[one for one in single if key[one] == key[out[-1]]]] = True
    pods = fill_well(instance, mix, set(out), scales, budget)
    return None if pods is None else Start(pods, out, is_free, mix)


def fill_well(instance: Instance, mix: Mix, out: set[int], scales: Scales, budget: Budget) -> list[list[int]] | None:
    """Locks that share a pod as is best for them; if they do not fit so, as they do."""
    usual = mix.sizes[len(mix.sizes) // 2]
    pods = fill_pods(instance, mix, out, join_locks(instance, usual, scales, budget))
    return pods or fill_pods(instance, mix, out, instance.groups)


def fill_pods(instance: Instance, mix: Mix, out: set[int], locks: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """Locks first, near where their members stand, the largest before the others; then everybody else in order.

    The sizes stand in the order that leaves the scores closest, locks left out.
    """
    scores = [int(score) for one, score in enumerate(instance.scores) if one not in out]
    room = list(cut_closely(scores, mix, wanted=instance.problem.wanted) or mix.sizes)
    pods: list[list[int]] = [[] for _ in room]
    for group in sorted(locks, key=len, reverse=True):
        middle = sum(group) / len(group) / max(1, instance.size) * len(pods)
        fitting = [pod for pod, left in enumerate(room) if left >= len(group)]
        if not fitting:
            return None
        pod = min(fitting, key=lambda pod: (room[pod] != len(group) and room[pod] < len(group) + 1, abs(pod - middle)))
        pods[pod].extend(group)
        room[pod] -= len(group)
    locked = {one for group in locks for one in group}
    rest = iter([one for one in range(instance.size) if one not in locked and one not in out])
    for pod, left in enumerate(room):
        pods[pod].extend(next(rest) for _ in range(left))
    return pods
