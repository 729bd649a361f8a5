"""The bound with whole locks: never above the best draw."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, PastRound, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import ObjectiveValues, evaluate, is_allowed
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.column_sources import GeneratedColumns
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_pod_model, describe_draw
from tournaments.draw.program.prefix_bound import solve_prefix_program
from tournaments.draw.program.prefix_cuts import PrefixColumns
from tournaments.draw.program.relaxation import bound_draw_cost
from tournaments.draw.proof.line_stages import solve_root
from tournaments.draw.proof.lock_bound import bound_whole_locks

NAMES = "abcdefghi"


def list_alike(instance: Instance) -> list[tuple[ObjectiveValues, list[list[int]]]]:
    """All draws that are best up to the thirds, without byes; the best first."""
    index = {one: number for number, one in enumerate(instance.ids)}
    draws = [
        [[index[one] for one in pod] for pod in pods]
        for pods, byes in list_draws(instance.problem, list(instance.ids))
        if not byes
    ]
    valued = sorted((evaluate(instance, pods, []), pods) for pods in draws if is_allowed(instance, pods, []))
    return [each for each in valued if each[0][:6] == valued[0][0][:6]]


def bounds(instance: Instance, values: ObjectiveValues, pods: list[list[int]]) -> tuple[int, int]:
    """Of the pairing: with whole locks, by the program with few cuts and by the one that counts."""
    scales, budget = find_scales(instance), Budget(10)
    shape, rows = build_pod_model(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    value, square = values.pairing // scales.scale**2, scales.scale**2
    rules, prefixes = GeneratedColumns(shape), PrefixColumns(shape)
    root = solve_root(rules, rows, describe_draw(rules, pods, []), value, budget)
    ran = solve_prefix_program(prefixes, rows, describe_draw(prefixes, pods, []), value, budget)
    assert root is not None
    assert ran is not None
    whole = bound_draw_cost(root.rows, root.prices, 0) + bound_whole_locks(rules, root.prices, budget)
    counted = prefixes.bound(rows, ran.prices, 0) + bound_whole_locks(
        prefixes, prefixes.charge_prices(ran.prices), budget
    )
    return -(-whole // root.prices.fractions) * square, -(-counted // ran.prices.plain.fractions) * square


@pytest.mark.parametrize("seed", range(8))
def test_it_is_never_above_the_best_draw(seed: int) -> None:
    rng = random.Random(seed)
    names = NAMES[: 8 + seed % 2]
    order = rng.sample(names, len(names))
    problem = Problem(
        entrants=tuple(Entrant(one, 140 * rng.randrange(12)) for one in names),
        wanted=4,
        min_size=3,
        max_size=5,
        repeat_worth=420,
        history=(PastRound((tuple(order[:4]), tuple(order[4:8]))),),
        locked=(tuple(order[1:3]), tuple(order[3:5]), tuple(order[5:7])),
    )
    instance = build_instance(problem)
    alike = list_alike(instance)
    whole, counted = bounds(instance, *alike[-1])
    assert whole <= alike[0][0].pairing
    assert counted <= alike[0][0].pairing


def test_of_three_wide_locks_two_share_a_pod() -> None:
    """And not each of them half a pod with each of the others."""
    scores = (4200, 4200, 4200, 0, 0, 0, 2100, 2100)
    locked = (("a", "d"), ("b", "e"), ("c", "f"))
    entrants = tuple(Entrant(one, score) for one, score in zip(NAMES, scores, strict=False))
    instance = build_instance(Problem(entrants, 4, 4, 4, locked=locked))
    alike = list_alike(instance)
    assert alike[0][0].pairing == 2 * 4200**2
    assert bounds(instance, *alike[-1])[0] == 2 * 4200**2
