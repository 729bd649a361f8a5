"""PricedPods like known ones: rated as the definition has it, and enough of them to bring the prices near their end."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from benchmarks.samples.random_problems import scatter
from tournaments.draw.problem import budget
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.column_sources import GeneratedColumns
from tournaments.draw.program.columns import PodPricing, PricedPods
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.heuristic_columns import choose_per_person, exchange_members, find_by_exchange
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.program.span_tables import NEVER
from tournaments.draw.proof.line_stages import RootRelaxation, solve_root

COUNT = 9
PRICE = np.array([3, 8, 1, 9, 4, 0, 7, 2, 6])
GAP = abs(np.arange(COUNT)[:, None] - np.arange(COUNT)[None, :])
NOBODY = np.zeros(COUNT, dtype=np.bool_)


@pytest.fixture(autouse=True)
def no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, only the work counts."""
    monkeypatch.setattr(budget, "EMERGENCY_FACTOR", 1_000)


def pricing_of(reach: int) -> PodPricing:
    """Everybody one point behind the one before; those who stand two apart met."""
    width = np.tile(np.arange(reach + 1) ** 2, (COUNT, 1))
    return PodPricing((GAP == 2) * 5, width, np.full(COUNT, NEVER), PRICE)


def reduce(pod: tuple[int, ...]) -> int:
    met = sum(5 for one, other in combinations(pod, 2) if other - one == 2)
    return (pod[-1] - pod[0]) ** 2 + met - int(PRICE[list(pod)].sum())


@pytest.mark.parametrize("limit", [-12, 0, 30])
@pytest.mark.parametrize("reach", [4, COUNT - 1])
def test_all_who_differ_in_one_member(limit: int, reach: int) -> None:
    columns = [(0, 1, 2, 3), (2, 4, 6, 8), (3, 4, 5, 7)]
    pods = exchange_members(pricing_of(reach), np.array(columns), NOBODY, limit)
    wanted = {
        pod: reduce(pod)
        for pod in combinations(range(COUNT), 4)
        if reduce(pod) < limit and pod[-1] - pod[0] <= reach and any(len({*pod} & {*old}) == 3 for old in columns)
    }
    found = [tuple(members) for members in pods.members.tolist()]
    assert dict(zip(found, pods.reduced.tolist(), strict=True)) == wanted
    assert len(found) == len(wanted)
    assert pods.reduced.tolist() == sorted(pods.reduced.tolist())


def test_who_is_fixed_stays_where_they_are() -> None:
    is_fixed = np.isin(np.arange(COUNT), [3, 8])
    pods = exchange_members(pricing_of(COUNT - 1), np.array([(2, 3, 4, 5)]), is_fixed, 1000)
    assert (pods.members == 3).any(axis=1).all()
    assert not (pods.members == 8).any()
    assert len(pods.reduced) == 3 * 4


def test_one_change_after_the_other_goes_farther() -> None:
    pods = find_by_exchange(pricing_of(COUNT - 1), np.array([(5, 6, 7, 8)]), NOBODY, 1000, Budget(1))
    changed = {len({*pod} & {5, 6, 7, 8}) for pod in map(tuple, pods.tolist())}
    assert changed == {1, 2, 3, 4}


def test_nothing_without_work() -> None:
    assert not len(find_by_exchange(pricing_of(COUNT - 1), np.array([(5, 6, 7, 8)]), NOBODY, 1000, Budget(0)))


def test_each_person_has_their_best_pods() -> None:
    pods = PricedPods(np.array([[0, 1], [0, 2], [1, 2], [0, 3]]), np.array([-9, -8, -7, -1]))
    assert choose_per_person(pods, 1, 4).tolist() == [0, 1, 3]


def solve_wide(seconds: float) -> tuple[RootRelaxation | None, GeneratedColumns, int]:
    """The program of 64 people in eights who met five times, from a draw by lot."""
    problem = scatter(64, 5, sizes=(8, 8, 8), scores="levels")
    instance = build_instance(problem)
    scales, order = find_scales(instance), random.Random(1).sample(range(64), 64)
    pods = [sorted(order[first : first + 8]) for first in range(0, 64, 8)]
    values = evaluate(instance, pods, [])
    rules, rows = build_line_program(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    value = values.pairing // scales.scale**2
    return solve_root(rules, rows, describe_draw(rules, pods, []), value, Budget(seconds)), rules, value


@pytest.mark.slow
def test_wide_pods_of_many_are_priced_within_little_work() -> None:
    """Enumeration alone gets nowhere with that: its bound is below nothing."""
    root, rules, value = solve_wide(3)
    assert root is not None
    assert 0 < root.bound < value
    reduced = rules.reduce(root.columns, root.prices)
    assert root.bound == -(-root.floor // root.prices.fractions)
    assert len(np.unique(root.columns.members, axis=0)) > 1000 < (reduced > 0).sum()
