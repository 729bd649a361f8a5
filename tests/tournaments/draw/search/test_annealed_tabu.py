"""Annealed tabu search: what it counts, what it keeps, and draws that shorter searches miss."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from benchmarks.samples.wide_problems import Wide, build_problem, pick_features
from tournaments.draw import solve
from tournaments.draw.problem import budget
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, build_instance, list_opponents
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pair_costs import SearchWeights, build_weights, find_scales
from tournaments.draw.search import annealed_tabu
from tournaments.draw.search.annealed_tabu import (
    AnnealedTabuSearch,
    DrawAnnealer,
    cap_hard_costs,
    find_temperature_unit,
    tabulate_noise,
)
from tournaments.draw.search.start import InitialDraw, build_initial_draw


def start(wide: Wide) -> tuple[Instance, InitialDraw]:
    instance = build_instance(build_problem(wide))
    initial = build_initial_draw(instance, find_scales(instance), Budget(10))
    assert initial is not None
    return instance, initial


def count_cost(weights: SearchWeights, pods: list[list[int]]) -> int:
    """The last list holds the byes."""
    pairs = sum(int(weights.pair[pair]) for pod in pods[:-1] for pair in combinations(pod, 2))
    return pairs + sum(int(np.ptp(weights.scores[pod])) ** 2 for pod in pods[:-1])


@pytest.mark.parametrize(
    "wide",
    [
        Wide(26, 1, (5, 6, 7), 3, "bell", rules=True, worth=140),
        Wide(27, 2, (3, 5, 8), 4, "levels", rules=True, worth=420),
        Wide(31, 3, (6, 6, 6), 4, "equal", rules=False, worth=1260),
    ],
    ids=str,
)
def test_the_cost_is_that_of_the_draw_after_every_kind_of_step(wide: Wide) -> None:
    """Swaps, moves between pods of different sizes, and swaps with somebody who has a bye."""
    instance, initial = start(wide)
    scales = find_scales(instance)
    hard = build_weights(instance, scales, np.arange(instance.size), list_opponents(instance))
    unit = find_temperature_unit(hard, initial.pods, scales.repeat_cost)
    weights = cap_hard_costs(hard, unit)
    search = AnnealedTabuSearch(
        weights,
        [*initial.pods, initial.byes],
        may_swap_bye=initial.may_swap_bye,
        sizes=wide.sizes,
        locks=instance.locks,
    )
    best = search.run(300, random.Random(5), Budget(10), unit)
    assert search.cost == count_cost(weights, search.pods)
    assert best is not None
    assert best.cost == count_cost(weights, best.pods) <= count_cost(weights, [*initial.pods, initial.byes])
    assert is_allowed(instance, best.pods[:-1], best.pods[-1])


def test_a_whole_lock_moves_to_another_pod() -> None:
    """Four people who are locked in pairs met those at their table; the other table met nobody."""
    instance, initial = start(Wide(64, 2, (6, 6, 6), 8, "bell", rules=True, worth=5_000))
    annealer = DrawAnnealer(instance, find_scales(instance), random.Random("1"))
    found = annealer.run(initial, Budget(10))
    assert found is not None
    mates = [
        {tuple(lock): set(pod) for lock in instance.locks for pod in pods if lock[0] in pod}
        for pods in (initial.pods, found.pods)
    ]
    assert all(set(lock) <= pod for lock, pod in mates[1].items())
    assert any(mates[1][lock].isdisjoint(mates[0][lock] - set(lock)) for lock in mates[0])


def test_the_noise_is_a_table_of_whole_parts_with_the_mean_of_its_distribution() -> None:
    noise = tabulate_noise()
    assert (noise * annealed_tabu.NOISE_UNITS == np.round(noise * annealed_tabu.NOISE_UNITS)).all()
    assert noise.mean() == pytest.approx(-0.5772, abs=0.005)


def test_a_hard_draw_of_wide_pods_comes_near_the_best_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 people in eights, after three rounds: without annealing 30,453,039, the best known is 28,256,936."""
    monkeypatch.setattr(budget, "EMERGENCY_FACTOR", 1_000)
    solution = solve(build_problem(pick_features(64, 4)))
    assert {line.name: line.value for line in solution.objective}["pairing"] < 29_000_000
