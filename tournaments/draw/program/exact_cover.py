"""All draws over given pods: pods that cover everybody once, within a limit on the sum of their reduced costs.

People are numbered by how few pods they are in. The pod that covers the first uncovered person contains nobody before
them, so each pod is tried in one place only; partial draws are bit sets, thousands at once. Where a draw has few pods
this soon ends and needs no linear program (an exact cover, Knuth 2000).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints

MAX_BATCH: Final = 1 << 17
"""Pairs of a partial draw and a pod that are tried at once, at most: it bounds the memory."""
WORD: Final = 64
"""Bits of a machine word."""
WORDS_PER_UNIT: Final = 40
"""Words of such pairs that one unit of work compares (measured)."""
BATCH_COST: Final = 120
"""Units of work for each batch (measured)."""
DRAW_COST: Final = 15
"""Units of work for every complete draw (measured)."""


class PartialDraws(NamedTuple):
    """Partial draws. covered: (draws, words) bits; spent: (draws, weights); chosen: (draws, pods) columns."""

    covered: NDArray[np.uint64]
    spent: Ints
    chosen: Ints

    def take(self, which: Ints | slice) -> PartialDraws:
        """Some of them."""
        return PartialDraws(self.covered[which], self.spent[which], self.chosen[which])


class ExactCover:
    """members: (columns, widest) people, padded with −1. weights: (columns, k): no draw may exceed the limit of any of
    the k sums; all but the first weight are ≥ 0.
    """

    def __init__(self, people: int, members: Ints, weights: Ints) -> None:
        self.people, self.words = people, -(-people // WORD)
        rank = np.append(np.argsort(np.argsort(np.bincount(members[members >= 0], minlength=people), kind="stable")), 0)
        bits = np.zeros((len(members), self.words), dtype=np.uint64)
        place = np.where(members >= 0, rank[members], -1)
        for number, each in enumerate(place.T):
            used = np.flatnonzero(members[:, number] >= 0)
            bits[used, each[used] // WORD] |= np.uint64(1) << (each[used] % WORD).astype(np.uint64)
        first = np.where(place >= 0, place, people).min(axis=1)
        self.column = np.lexsort((weights[:, 0], first))
        self.bits, self.weights = bits[self.column], weights[self.column]
        self.starts = np.searchsorted(first[self.column], np.arange(people + 1))
        self.least = np.minimum(weights.min(axis=0, initial=0), 0)

    def run(self, pods: int, limits: Callable[[], Ints], keep: Callable[[Ints], None], budget: Budget) -> bool:
        """Pass every draw within the limits to `keep`; False if the budget ended that.

        pods: in a draw, at most. limits: called again and again, since they may fall.
        """
        stack = [self._begin()]
        while stack:
            part = stack.pop()
            if not len(part.spent):
                continue
            is_whole = (part.covered == ~np.uint64(0)).all(axis=1)
            if part.chosen.shape[1] and is_whole.any():
                for chosen in part.chosen[is_whole]:
                    if not budget.spend(DRAW_COST):
                        return False
                    keep(chosen)
                part = part.take(np.flatnonzero(~is_whole))
            left = pods - part.chosen.shape[1]
            if not left or not len(part.spent):
                continue
            room = limits() - part.spent - self.least * (left - 1)
            first, ends = self._find_pods(part, room)
            total = int((ends - first).sum())
            if total > MAX_BATCH and len(part.spent) > 1:
                half = len(part.spent) // 2
                stack += [part.take(slice(half, None)), part.take(slice(half))]
                continue
            if not budget.spend(total * self.words // WORDS_PER_UNIT + BATCH_COST):
                return False
            stack.append(self._expand(part, room, first, ends))
        return True

    def _begin(self) -> PartialDraws:
        """The empty draw; bits beyond the last person count as covered."""
        covered = np.zeros((1, self.words), dtype=np.uint64)
        if self.people % WORD:
            covered[0, -1] = ~np.uint64(0) << np.uint64(self.people % WORD)
        return PartialDraws(
            covered, np.zeros((1, self.weights.shape[1]), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
        )

    def _find_pods(self, part: PartialDraws, room: Ints) -> tuple[Ints, Ints]:
        """Per partial draw the range of pods that cover the next person and do not cost too much."""
        open_bits = ~part.covered
        word = (open_bits != 0).argmax(axis=1)
        rest = open_bits[np.arange(len(word)), word]
        lowest = rest & (~rest + np.uint64(1))
        person = word * WORD + np.frexp(lowest.astype(np.float64))[1] - 1
        first, ends = self.starts[person], np.zeros_like(person)
        for one in np.unique(person).tolist():
            chosen = np.flatnonzero(person == one)
            costs = self.weights[self.starts[one] : self.starts[one + 1], 0]
            ends[chosen] = self.starts[one] + np.searchsorted(costs, room[chosen, 0], side="right")
        return first, ends

    def _expand(self, part: PartialDraws, room: Ints, first: Ints, ends: Ints) -> PartialDraws:
        """Each partial draw with each of its pods that fits."""
        count = ends - first
        row = np.repeat(np.arange(len(count)), count)
        pod = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[row]
        fits = (part.covered[row] & self.bits[pod] == 0).all(axis=1)
        row, pod = row[fits], pod[fits]
        fits = (self.weights[pod] <= room[row]).all(axis=1)
        row, pod = row[fits], pod[fits]
        return PartialDraws(
            part.covered[row] | self.bits[pod],
            part.spent[row] + self.weights[pod],
            np.concatenate([part.chosen[row], self.column[pod, None]], axis=1),
        )
