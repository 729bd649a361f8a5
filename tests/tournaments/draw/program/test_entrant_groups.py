"""Coarse programs: large levels of the standings as one row."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, PastRound, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import ObjectiveValues, evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.entrant_groups import Nodes, group_levels, list_single_nodes
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.proof.line_stages import solve_root

NAMES = "abcdefghij"


def bound(instance: Instance, values: ObjectiveValues, pods: list[list[int]], byes: list[int], nodes: Nodes) -> int:
    scales = find_scales(instance)
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=nodes)
    start = describe_draw(rules, pods, byes)
    root = solve_root(rules, rows, start, values.pairing // scales.scale**2, Budget(10))
    assert root is not None
    return root.bound * scales.scale**2


def test_a_large_level_is_one_row() -> None:
    problem = Problem(tuple(Entrant(one, 420 * (one < "d")) for one in NAMES), 3, 2, 3)
    nodes = group_levels(build_instance(problem), most_single=3)
    assert nodes is not None
    assert [array.tolist() for array in nodes[:3]] == [[0, 1, 2, 3, 3, 3], [0, 1, 2, 3, 3, 3], [1, 1, 1, 7]]
    assert (nodes.chains, nodes.map_people()) == (((3, 4, 5),), {0: 0, 1: 1, 2: 2})


def test_scores_that_all_differ_are_no_levels() -> None:
    problem = Problem(tuple(Entrant(one, number) for number, one in enumerate(NAMES)), 3, 2, 3)
    assert group_levels(build_instance(problem), most_single=3) is None


@pytest.mark.parametrize("seed", range(6))
def test_its_bound_is_never_above_the_best_draw(seed: int) -> None:
    rng = random.Random(seed)
    names = NAMES[: 9 + seed % 2]
    top = set(names[:3])
    entrants = tuple(Entrant(one, 140 * rng.choice((3, 4, 7)) if one in top else 0) for one in names)
    past = [rng.sample(names, 9) for _ in range(seed)]
    history = tuple(PastRound((tuple(order[:3]), tuple(order[3:6]), tuple(order[6:]))) for order in past)
    problem = Problem(entrants, 3, 3, 3, repeat_worth=280, history=history)
    instance = build_instance(problem)
    index = {one: number for number, one in enumerate(instance.ids)}
    draws = [
        ([[index[one] for one in pod] for pod in pods], [index[one] for one in byes])
        for pods, byes in list_draws(problem, list(names))
        if len(pods) == 3
    ]
    valued = [(evaluate(instance, pods, byes), pods, byes) for pods, byes in draws]
    plain = min(values[:6] for values, _, _ in valued)
    worst, pods, byes = max(each for each in valued if each[0][:6] == plain)
    best = min(values.pairing for values, _, _ in valued if values[:6] == plain)
    coarse = group_levels(instance, most_single=3)
    assert coarse is not None
    found = bound(instance, worst, pods, byes, coarse)
    assert found <= bound(instance, worst, pods, byes, list_single_nodes(instance)) <= best
    assert found == best or history
