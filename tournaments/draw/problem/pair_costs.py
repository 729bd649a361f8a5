"""What two people in one pod cost a search: one integer a pair, in which the graver always outweighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.attainable_costs import Grain
from tournaments.draw.problem.instance import Instance, Ints, Neighbours
from tournaments.draw.problem.objective import cost_pairing, count_thirds

HARD: Final = 1 << 48
"""Foes together, or a lock apart. A search may pass through it, a draw may not end there."""
THIRD: Final = 1 << 40
"""At most what a third meeting costs; less where that already outweighs everything."""
WIDEST: Final = 1 << 22
"""Score differences that a search tells apart: two pods as wide as that must not outweigh what is HARD."""


class Weights(NamedTuple):
    """For some people. pair: (n, n) symmetric, diagonal 0; foes cost HARD, people locked together −HARD.

    Everything is divided by scale², the greatest square that divides whatever may be added; scores by scale. Where
    these are so far apart that 64 bits do not hold their squares, by something coarser.
    """

    pair: Ints
    scores: Ints


class Scales(NamedTuple):
    """scale: all score differences and repeat_worth are its multiples. worth: of one m², in units of scale².

    step: of any (highest − lowest)², in units of scale², 1 if there is none.
    third: enough that one third meeting outweighs any pairing, as far as 64 bits go. most: what a pair can cost, so
    that all pairs of two pods do not outweigh what is HARD. coarse: by how much a search divides scores further.
    """

    scale: int
    worth: int
    third: int
    most: int
    coarse: int
    step: int

    @property
    def grain(self) -> Grain:
        """What a pairing can cost."""
        return Grain(self.worth, self.step)

    def roughen(self) -> Scales:
        """What a search counts in."""
        return self._replace(scale=self.scale * self.coarse, worth=self.worth // self.coarse**2, coarse=1)


def build_weights(instance: Instance, scales: Scales, people: Ints, neighbours: Neighbours) -> Weights:
    """Of the people given, in their order."""
    scales = scales.roughen()
    place = {int(one): number for number, one in enumerate(people)}
    pair = np.zeros((len(people), len(people)), dtype=np.int64)
    for number, one in enumerate(people):
        for other, times in neighbours[int(one)].items():
            if other in place:
                pair[number, place[other]] = weigh_pair(times, scales)
    for one, other in instance.foes:
        if one in place and other in place:
            pair[place[one], place[other]] = pair[place[other], place[one]] = HARD
    group_of = instance.group_of()[people]
    together = (group_of[:, None] == group_of[None, :]) & (group_of >= 0)[:, None]
    pair[together] = -HARD
    np.fill_diagonal(pair, 0)
    return Weights(pair, (instance.scores[people] - instance.scores.min()) // scales.scale)


def weigh_pair(times: int, scales: Scales) -> int:
    """What one more meeting of two who met so many times costs."""
    return min(scales.worth * times**2 + scales.third * max(0, times - 1) ** 2, scales.most)


def weigh_pod(instance: Instance, pod: Sequence[int], scales: Scales) -> int:
    """What a pod costs on the lines `thirds` and `pairing`, in units of scale²."""
    return cost_pairing(instance, pod) // scales.scale**2 + scales.third * count_thirds(instance, pod)


def find_scales(instance: Instance) -> Scales:
    """What the lines `thirds` and `pairing` are counted in."""
    differences = instance.scores - instance.scores.min()
    scale = int(np.gcd(np.gcd.reduce(differences), instance.problem.repeat_worth)) or 1
    worth = (instance.problem.repeat_worth // scale) ** 2
    pods = instance.size // instance.problem.min_size + 1
    widest = int(differences.max()) // scale
    most = pods * widest**2 + pods * instance.problem.max_size**2 * worth
    step = max(1, (int(np.gcd.reduce(differences)) // scale) ** 2)
    dearest, coarse = HARD // (4 * instance.problem.max_size), 1 + widest // WIDEST
    return Scales(scale, worth, min(THIRD, most + 1), dearest, coarse, step)
