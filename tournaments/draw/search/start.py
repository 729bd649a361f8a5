"""Where a search begins: who sits out, which sizes there are, and pods filled from the top of the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.closeness import cut_closely
from tournaments.draw.problem.instance import Flags, Instance
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.pod_sizes import Mix, count_byes, list_mixes
from tournaments.draw.program.lock_groups import join_locks

MOST_MIXES: Final = 40
"""That locks are tried to fit into."""
PLACE_COST: Final = 40
"""For every lock that looks for a pod, and one unit for so many pods that it looks at:"""
PLACE_SPEED: Final = 50


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
    single = np.flatnonzero(instance.group_of() < 0).tolist()
    if len(single) < byes:
        return None
    key = {one: (int(instance.byes[one]), int(instance.scores[one])) for one in single}
    out = sorted(single, key=lambda one: (*key[one], -one))[:byes]
    is_free = np.zeros(instance.size, dtype=np.bool_)
    if out:
        is_free[[one for one in single if key[one] == key[out[-1]]]] = True
    joined: dict[int, Sequence[Sequence[int]]] = {}
    for mix in choose_mixes(instance, byes):
        if joined and not budget.left():
            break
        usual = find_usual(mix)
        if usual not in joined:
            joined[usual] = join_locks(instance, usual, scales, budget)
        pods = fill_well(instance, mix, set(out), joined[usual], budget)
        if pods is not None:
            return Start(pods, out, is_free, mix)
    return None


def choose_mixes(instance: Instance, byes: int) -> Iterator[Mix]:
    """Sizes for those who do not sit out, the best first."""
    problem, locks = instance.problem, list(map(len, instance.groups))
    sizes = {"wanted": problem.wanted, "smallest": problem.min_size, "largest": problem.max_size}
    return islice(list_mixes(instance.size - byes, locks, **sizes), MOST_MIXES)


def find_usual(mix: Mix) -> int:
    """How many people most pods have, or nearly so many."""
    return mix.sizes[len(mix.sizes) // 2]


def fill_well(
    instance: Instance, mix: Mix, out: set[int], joined: Sequence[Sequence[int]], budget: Budget
) -> list[list[int]] | None:
    """joined: locks that share a pod as is best for them; if they do not fit so, as they do."""
    for locks in [joined] if len(joined) == len(instance.groups) else [joined, instance.groups]:
        budget.spend(len(locks) * (PLACE_COST + len(mix.sizes) // PLACE_SPEED))
        pods = fill_pods(instance, mix, out, locks)
        if pods is not None:
            return pods
    return None


def fill_pods(instance: Instance, mix: Mix, out: set[int], locks: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """Locks first, near where their members stand, the largest before the others; then everybody else in order.

    The sizes stand in the order that leaves the scores closest, locks left out; if the locks do not fit then, in
    that of the mix, where each takes the tightest place there is.
    """
    scores = [int(score) for one, score in enumerate(instance.scores) if one not in out]
    close = cut_closely(scores, mix, wanted=instance.problem.wanted)
    pods = None if close is None else _place(instance, close, locks, is_near=True)
    pods = pods or _place(instance, mix.sizes, locks, is_near=True) or _place(instance, mix.sizes, locks, is_near=False)
    if pods is None:
        return None
    locked = {one for group in locks for one in group}
    rest = iter([one for one in range(instance.size) if one not in locked and one not in out])
    return [[*pod, *(next(rest) for _ in range(size - len(pod)))] for pod, size in pods]


def _place(
    instance: Instance, sizes: Sequence[int], locks: Sequence[Sequence[int]], *, is_near: bool
) -> list[tuple[list[int], int]] | None:
    """Pods with nobody but locks in them, and their sizes; None if a lock finds no room."""
    pods: list[list[int]] = [[] for _ in sizes]
    room, places = np.array(sizes, dtype=np.int64), np.arange(len(sizes))
    for group in sorted(locks, key=len, reverse=True):
        middle = sum(group) / len(group) / max(1, instance.size) * len(pods)
        fitting = np.flatnonzero(room >= len(group))
        if not len(fitting):
            return None
        if not is_near:
            fitting = fitting[room[fitting] == room[fitting].min()]
        pod = int(fitting[abs(places[fitting] - middle).argmin()])
        pods[pod].extend(group)
        room[pod] -= len(group)
    return list(zip(pods, sizes, strict=True))
