"""A better draw by tabu search whose choice is disturbed less and less (simulated annealing of whole neighbourhoods).

Each step rates every swap at once, adds random noise to each, and takes the least. The noise follows the Gumbel
distribution times a temperature, so a swap is taken as often as by a heat bath at that temperature, and no step is
spent on swaps that are refused. While the temperature is high, a broken lock costs little: so a whole lock can move to
another pod, one member after the other.

Only sums and products of floating-point numbers occur, which every machine rounds alike. The noise comes from a table
of quantiles in whole parts of a temperature. So the same problem gets the same answer everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Instance, list_opponents
from tournaments.draw.problem.pair_costs import HARD_RULE_COST, Scales, SearchWeights, build_weights
from tournaments.draw.search.start import InitialDraw

Floats: TypeAlias = NDArray[np.float64]
BARRED: Final = float(1 << 60)
"""The change of a swap that is not allowed; its noise does not matter."""
HOT: Final = 0.25, 0.5
"""The first temperatures of runs, in turn, in units of what one repeat costs, or of WIDTH_PART. Where scores are equal
the lower one is better, where they are spread the higher.
"""
COOLING: Final = 2.5
"""The temperature falls to one part in e to so many of the first."""
RUN_STEPS: Final = 10_000
"""Steps of one run. Fewer, longer runs find no better draws."""
MAX_FAILED_RUNS: Final = 6
"""Runs without a better draw after which the search ends."""
WIDTH_PART: Final = 20
"""Where pods cost so many times as much by their widths as a repeat does, the unit is one such part of that."""
LOCK_WORTH: Final = 4
"""What a separated pair of a lock costs while it is hot, in the same unit."""
MAX_PAIR_COST: Final = 40
"""What a pair costs at most, in the same unit: forbidden pairs and third meetings are never worth it."""
TENURE: Final = 3, 6
"""Steps for which a moved person stays, at least and at most. Without, the search swaps the same two back and forth."""
NOISE_LEVELS: Final = 1 << 12
"""Entries of the table of noise."""
NOISE_UNITS: Final = 1 << 8
"""Parts of a temperature that the table tells apart."""
NOISE_OFFSETS: Final = 1 << 15
"""Entries of noise beyond one for each pair, so that each step can start at another. Only saves drawing new ones."""
STEP_COST: Final = 35
"""Units of work for each step, whatever its size (measured)."""
MOVE_COST: Final = 25
"""The same for moves between pods of different sizes (measured)."""
PAIRS_PER_UNIT: Final = 130
"""Pairs of people rated for one further unit of work (measured)."""


class AnnealedDraw(NamedTuple):
    """pods: the best draw that a run met with all locks whole, the last list the byes; cost: by softened weights."""

    cost: float
    pods: list[list[int]]


class DrawAnnealer:
    """Runs over a whole draw of up to a few hundred people; each from the draw that it is given.

    pods_met: ascending, the pods of all draws with whole locks in the colder half of each run.
    """

    def __init__(self, instance: Instance, scales: Scales, rng: random.Random) -> None:
        self.instance, self.scales, self.rng = instance, scales, rng
        self.weights = build_weights(instance, scales, np.arange(instance.size), list_opponents(instance))
        self.runs = 0
        self.pods_met: dict[tuple[int, ...], None] = {}

    def run(self, start: InitialDraw, budget: Budget) -> AnnealedDraw | None:
        """None if nothing can change, or no draw with whole locks was met."""
        problem = self.instance.problem
        unit = find_temperature_unit(self.weights, start.pods, self.scales.coarsen().repeat_cost)
        search = AnnealedTabuSearch(
            cap_hard_costs(self.weights, unit),
            [*start.pods, start.byes],
            may_swap_bye=start.may_swap_bye,
            sizes=(problem.min_size, problem.wanted, problem.max_size),
            locks=self.instance.locks,
        )
        self.runs += 1
        found = search.run(RUN_STEPS, self.rng, budget, HOT[self.runs % len(HOT)] * unit)
        self.pods_met |= search.pods_met
        return found


def find_temperature_unit(weights: SearchWeights, pods: Sequence[Sequence[int]], repeat_cost: int) -> float:
    """What one repeat costs, or a part of what the mean pod does by its width, where that is more."""
    widths = [int(weights.scores[list(pod)].max() - weights.scores[list(pod)].min()) ** 2 for pod in pods]
    return float(max(1, repeat_cost, sum(widths) // max(1, len(widths)) // WIDTH_PART))


def cap_hard_costs(weights: SearchWeights, unit: float) -> SearchWeights:
    """The same weights without costs that nothing outweighs. unit: of temperature."""
    pair = np.minimum(weights.pair, int(MAX_PAIR_COST * unit))
    pair[weights.pair <= -HARD_RULE_COST] = -int(LOCK_WORTH * unit)
    return weights._replace(pair=pair)


def tabulate_noise() -> Floats:
    """Quantiles of −G, where G follows the Gumbel distribution: the least of d + T · noise is d with probability in
    proportion to exp(−d / T).
    """
    middles = ((number + 0.5) / NOISE_LEVELS for number in range(NOISE_LEVELS))
    return np.array([round(NOISE_UNITS * math.log(-math.log(1 - middle))) / NOISE_UNITS for middle in middles])


class AnnealedTabuSearch:
    """Tabu search over one arrangement. pods: lists of people; the last one holds the byes and costs nothing.

    gain[b, a]: by how much the pod of b costs more if a takes the place of b. So a swap of a and b changes the cost by
    gain[a, b] + gain[b, a].
    """

    def __init__(
        self,
        weights: SearchWeights,
        pods: Sequence[Sequence[int]],
        *,
        may_swap_bye: Flags,
        sizes: tuple[int, int, int],
        locks: Sequence[Sequence[int]],
    ) -> None:
        self.pair, self.scores = weights.pair.astype(np.float64), weights.scores.astype(np.float64)
        self.score_list = self.scores.tolist()
        self.smallest, self.wanted, self.largest = sizes
        self.pods, self.may_swap_bye = [list(pod) for pod in pods], may_swap_bye
        self.out, count = len(self.pods) - 1, len(self.scores)
        self.lock_pairs = np.array(
            [(lock[0], member) for lock in locks for member in lock[1:]], dtype=np.int64
        ).reshape(-1, 2)
        self.pod_of = np.zeros(count, dtype=np.int64)
        for number, pod in enumerate(self.pods):
            self.pod_of[pod] = number
        self.meetings = np.array([self.pair[pod].sum(axis=0) if pod else np.zeros(count) for pod in self.pods])
        self.gain = np.zeros((count, count))
        self.join = np.full((len(self.pods), count), BARRED)
        self.leave = np.zeros(count)
        self.sizes = np.array([len(pod) for pod in self.pods], dtype=np.int64)
        self.fits = self._find_fits()
        self._refresh(list(range(self.out)))
        self._refresh_byes()
        self.cost = self._count_cost()
        self.pods_met: dict[tuple[int, ...], None] = {}

    def run(self, steps: int, rng: random.Random, budget: Budget, hot: float) -> AnnealedDraw | None:
        """Anneal from the first temperature to the last, with as many steps as the budget allows, at most `steps`."""
        count = len(self.pod_of)
        step_cost = STEP_COST + count * count // PAIRS_PER_UNIT + MOVE_COST * bool(self.fits.any())
        steps = min(steps, budget.remaining() // step_cost)
        if steps <= 0 or self.out < 2:
            return None
        levels = np.frombuffer(rng.randbytes(2 * (count * count + NOISE_OFFSETS)), dtype="<u2").astype(np.int64)
        noise = tabulate_noise()[levels % NOISE_LEVELS]
        temperature, fall = hot, COOLING / steps
        tabu_until = np.zeros(count, dtype=np.int64)
        best = AnnealedDraw(self.cost, [list(pod) for pod in self.pods]) if self._has_whole_locks() else None
        for step in range(1, steps + 1):
            if not budget.spend(step_cost):
                break
            temperature -= temperature * fall
            chosen = self._choose(tabu_until >= step, temperature, noise, rng)
            if chosen is None:
                break
            change, one, other, is_move = chosen
            self._apply_change(one, other, is_move)
            self.cost += change
            tabu_until[[one] if is_move else [one, other]] = step + rng.randint(*TENURE)
            if 2 * step < steps or not self._has_whole_locks():
                continue
            target = other if is_move else int(self.pod_of[other])
            for pod in (target, int(self.pod_of[one])):
                if pod != self.out:
                    self.pods_met[tuple(sorted(self.pods[pod]))] = None
            if best is None or self.cost < best.cost:
                best = AnnealedDraw(self.cost, [list(pod) for pod in self.pods])
        return best

    def _choose(
        self, is_tabu: Flags, temperature: float, noise: Floats, rng: random.Random
    ) -> tuple[float, int, int, bool] | None:
        """(change, person, person or pod, whether that is a pod): the least with its noise; None if there is none."""
        count = len(self.pod_of)
        change = self.gain + self.gain.T
        if self.pods[self.out]:
            is_out = self.pod_of == self.out
            may_swap = self.may_swap_bye[:, None] & self.may_swap_bye[None, :]
            change[(is_out[:, None] != is_out[None, :]) & ~may_swap] = BARRED
        first = rng.randrange(NOISE_OFFSETS)
        key = noise[first : first + count * count].reshape(count, count) * temperature
        key += change
        key[is_tabu] = BARRED
        key[:, is_tabu] = BARRED
        at = int(key.argmin())
        one, other = divmod(at, count)
        least = float(key[one, other])
        if self.fits.any():
            moves = np.where(self.fits[self.pod_of], (self.join - self.leave).T, BARRED)
            moves[is_tabu] = BARRED
            first = rng.randrange(NOISE_OFFSETS)
            moving = moves + noise[first : first + moves.size].reshape(moves.shape) * temperature
            mover, target = divmod(int(moving.argmin()), len(self.pods))
            if moving[mover, target] < min(least, BARRED / 2):
                return float(moves[mover, target]), mover, target, True
        return (float(change[one, other]), one, other, False) if least < BARRED / 2 else None

    def _find_fits(self) -> Flags:
        """[from, to]: whether somebody can change pods while sizes are allowed and as far from the wanted one."""
        sizes = self.sizes
        off, less, more = (abs(sizes + change - self.wanted) for change in (0, -1, 1))
        fits = (less[:, None] + more[None, :] == off[:, None] + off[None, :]) & (sizes > self.smallest)[:, None]
        fits &= (sizes < self.largest)[None, :]
        fits[self.out] = fits[:, self.out] = False
        np.fill_diagonal(fits, False)
        return np.asarray(fits)

    def _apply_change(self, one: int, other: int, is_move: bool) -> None:
        source, target = int(self.pod_of[one]), other if is_move else int(self.pod_of[other])
        self.pods[source].remove(one)
        self.pods[target].append(one)
        self.pod_of[one] = target
        if is_move:
            self.sizes[source] -= 1
            self.sizes[target] += 1
            self.fits = self._find_fits()
            moved = self.pair[one]
        else:
            self.pods[target].remove(other)
            self.pods[source].append(other)
            self.pod_of[other] = source
            moved = self.pair[one] - self.pair[other]
        self.meetings[source] -= moved
        self.meetings[target] += moved
        self._refresh([pod for pod in (source, target) if pod != self.out])
        if self.out in (source, target):
            self._refresh_byes()

    def _refresh(self, pods: list[int]) -> None:
        """Compute again what depends on these pods."""
        members = [member for pod in pods for member in self.pods[pod]]
        lows, highs = [], []
        for pod in pods:
            inside = [self.score_list[member] for member in self.pods[pod]]
            order = sorted(inside)
            lows += [order[1] if score == order[0] else order[0] for score in inside]
            highs += [order[-2] if score == order[-1] else order[-1] for score in inside]
            spans = np.maximum(self.scores, order[-1]) - np.minimum(self.scores, order[0])
            self.join[pod] = self.meetings[pod] + spans * spans - (order[-1] - order[0]) ** 2
        low, high = np.array(lows), np.array(highs)
        rows = np.maximum(high[:, None], self.scores)
        rows -= np.minimum(low[:, None], self.scores)
        rows *= rows
        rows += self.meetings[self.pod_of[members]]
        own = rows[np.arange(len(members)), members]
        self.leave[members] = own - (high - low) ** 2
        rows -= own[:, None]
        rows -= self.pair[members]
        self.gain[members] = rows
        for pod in pods:
            self.gain[np.array(self.pods[pod])[:, None], self.pods[pod]] = BARRED

    def _refresh_byes(self) -> None:
        byes = self.pods[self.out]
        if byes:
            self.gain[byes] = 0
            self.gain[np.array(byes)[:, None], byes] = BARRED
            self.leave[byes] = 0

    def _has_whole_locks(self) -> bool:
        pairs = self.lock_pairs
        return bool((self.pod_of[pairs[:, 0]] == self.pod_of[pairs[:, 1]]).all())

    def _count_cost(self) -> float:
        found = 0.0
        for pod in self.pods[: self.out]:
            inside = self.scores[pod]
            found += float(self.pair[np.ix_(pod, pod)].sum()) / 2 + float(inside.max() - inside.min()) ** 2
        return found
