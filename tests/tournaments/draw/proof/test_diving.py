"""Dives: good draws from the linear program, with pods added that it did not know; never anything but a draw."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.samples.random_problems import scatter
from tournaments.draw import Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate, is_allowed
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.column_sources import GeneratedColumns
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.proof.diving import Diving, dive
from tournaments.draw.proof.incumbent import list_members
from tournaments.draw.proof.line_stages import RootRelaxation, solve_root
from tournaments.draw.search.start import build_initial_draw

WIDE = scatter(40, 6, sizes=(5, 6, 7), scores="levels")
RULED = scatter(40, 4, sizes=(5, 6, 7), scores="levels", rules=True)


def open_root(problem: Problem) -> tuple[GeneratedColumns, RootRelaxation, int]:
    """From the standings cut into pods, meetings left out; third meetings do not count."""
    instance = build_instance(problem)
    scales = find_scales(instance)
    start = build_initial_draw(instance, scales, Budget(1))
    assert start is not None
    values = evaluate(instance, start.pods, start.byes)
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    value = values.pairing // scales.scale**2
    root = solve_root(rules, rows, describe_draw(rules, start.pods, start.byes), value, Budget(5))
    assert root is not None
    assert root.bound < value
    return rules, root, value


@pytest.mark.parametrize("problem", [WIDE, RULED])
def test_a_dive_comes_near_the_bound(problem: Problem) -> None:
    rules, root, value = open_root(problem)
    dived = dive(rules, root, value, Budget(5))
    assert dived.pods is not None
    cost = int(dived.pods.cost.sum())
    assert root.bound <= cost < root.bound * 1.05 < value
    pods = list_members(dived.pods)
    byes = [pod[0] for pod in pods if len(pod) == 1]
    assert is_allowed(build_instance(problem), [pod for pod in pods if len(pod) > 1], byes)
    assert dived.root.columns.members[: len(root.columns.cost)].tolist() == root.columns.members.tolist()


def test_the_second_dive_begins_with_another_pod() -> None:
    rules, root, value = open_root(WIDE)
    diving = Diving(rules, root, value, Budget(5))
    shares = np.array([0.0, 0.5, 1.0, 0.4, 0.6])
    assert [diving.choose(shares, [], skip) for skip in (0, 1, 2, 3)] == [[2, 4], [2, 1], [2, 3], [2, 3]]
    assert diving.choose(shares, [2, 4, 1, 3], 0) == []


def test_no_draw_that_costs_as_much_is_taken() -> None:
    rules, root, value = open_root(WIDE)
    best = dive(rules, root, value, Budget(5)).pods
    assert best is not None
    again = dive(rules, root, int(best.cost.sum()), Budget(5))
    assert again.pods is None


def test_without_work_the_root_is_as_it_was() -> None:
    rules, root, value = open_root(WIDE)
    dived = dive(rules, root, value, Budget(0))
    assert (dived.pods, len(dived.root.columns.cost)) == (None, len(root.columns.cost))
