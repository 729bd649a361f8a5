"""What two people in one pod cost the heuristic search: one integer a pair, in which graver costs always outweigh
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.attainable_costs import AttainableCosts
from tournaments.draw.problem.instance import Instance, Ints, OpponentTable
from tournaments.draw.problem.objective import cost_pairing, count_excess_meetings

HARD_RULE_COST: Final = 1 << 48
"""Cost of a forbidden pair together, or of a separated lock. The search may pass through such a state but not end in
one. A power of two between the largest ordinary cost and what 64 bits hold when all pairs of two pods add up.
"""
MAX_THIRD_COST: Final = 1 << 40
"""The cost of a third meeting, at most; it is less where a smaller number already outweighs every pairing. 2⁸ below a
broken hard rule.
"""
MAX_SEARCH_WIDTH: Final = 1 << 22
"""Score differences that the search tells apart: 2²² squared is 2⁴⁴, so two pods as wide as that stay below
HARD_RULE_COST.
"""


class SearchWeights(NamedTuple):
    """For some people. pair: (n, n) symmetric, diagonal 0; forbidden pairs cost HARD_RULE_COST, locked ones minus that.

    Costs are divided by scale², scores by scale (see `Scales`). Where scores lie too far apart for 64-bit squares, both
    are divided further.
    """

    pair: Ints
    scores: Ints


class Scales(NamedTuple):
    """scale: the greatest common divisor of all score differences and repeat_worth. repeat_cost: the cost of one m².

    width_step: the greatest common divisor of all squared score differences, 1 if there are none. third_cost: outweighs
    any pairing as far as 64 bits allow. max_pair_cost: what a pair can cost, so that all pairs of two pods stay below
    HARD_RULE_COST. coarsening: by how much the heuristic search divides scores further. All costs are in units of
    scale².
    """

    scale: int
    repeat_cost: int
    third_cost: int
    max_pair_cost: int
    coarsening: int
    width_step: int

    @property
    def attainable(self) -> AttainableCosts:
        """The values that the line `pairing` can take, in units of scale²."""
        return AttainableCosts(self.repeat_cost, self.width_step)

    def coarsen(self) -> Scales:
        """The scales that the heuristic search uses."""
        return self._replace(
            scale=self.scale * self.coarsening, repeat_cost=self.repeat_cost // self.coarsening**2, coarsening=1
        )


def build_weights(instance: Instance, scales: Scales, people: Ints, opponents: OpponentTable) -> SearchWeights:
    """Weights of the people given, in their order."""
    scales = scales.coarsen()
    place = {int(one): number for number, one in enumerate(people)}
    pair = np.zeros((len(people), len(people)), dtype=np.int64)
    for number, one in enumerate(people):
        for other, times in opponents[int(one)].items():
            if other in place:
                pair[number, place[other]] = weigh_pair(times, scales)
    for one, other in instance.forbidden_pairs:
        if one in place and other in place:
            pair[place[one], place[other]] = pair[place[other], place[one]] = HARD_RULE_COST
    lock_of = instance.lock_of()[people]
    together = (lock_of[:, None] == lock_of[None, :]) & (lock_of >= 0)[:, None]
    pair[together] = -HARD_RULE_COST
    np.fill_diagonal(pair, 0)
    return SearchWeights(pair, (instance.scores[people] - instance.scores.min()) // scales.scale)


def weigh_pair(times: int, scales: Scales) -> int:
    """The cost of one more meeting of two people who met so many times, in units of scale²."""
    return min(scales.repeat_cost * times**2 + scales.third_cost * max(0, times - 1) ** 2, scales.max_pair_cost)


def weigh_pod(instance: Instance, pod: Sequence[int], scales: Scales) -> int:
    """What a pod costs on the lines `thirds` and `pairing` together, in units of scale²."""
    return cost_pairing(instance, pod) // scales.scale**2 + scales.third_cost * count_excess_meetings(instance, pod)


def find_scales(instance: Instance) -> Scales:
    """The units in which the lines `thirds` and `pairing` are counted."""
    differences = instance.scores - instance.scores.min()
    scale = int(np.gcd(np.gcd.reduce(differences), instance.problem.repeat_worth)) or 1
    repeat_cost = (instance.problem.repeat_worth // scale) ** 2
    pods = instance.size // instance.problem.min_size + 1
    max_width = int(differences.max()) // scale
    max_pairing = pods * max_width**2 + pods * instance.problem.max_size**2 * repeat_cost
    width_step = max(1, (int(np.gcd.reduce(differences)) // scale) ** 2)
    max_pair_cost, coarsening = (
        HARD_RULE_COST // (4 * instance.problem.max_size),
        1 + max_width // MAX_SEARCH_WIDTH,
    )
    return Scales(scale, repeat_cost, min(MAX_THIRD_COST, max_pairing + 1), max_pair_cost, coarsening, width_step)
