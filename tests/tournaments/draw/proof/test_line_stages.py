"""Closing the gap: all pods that a better draw can have, the likeliest first, and never too many at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tournaments.draw.problem.budget import Budget
from tournaments.draw.program.listed_columns import ListedColumns
from tournaments.draw.program.relaxation import Columns, Rows
from tournaments.draw.proof import line_stages
from tournaments.draw.proof.line_stages import close_gap, list_gap, solve_root

COUNT = 12
NOTHING = np.zeros(0, dtype=np.int64)
ROWS = Rows(COUNT, NOTHING, NOTHING, NOTHING, COUNT // 3)


def list_pods(seed: int = 3) -> Columns:
    """All pods of three, the cost of each by lot."""
    members = np.array(list(combinations(range(COUNT), 3)))
    costs = np.random.Generator(np.random.PCG64(seed)).integers(1, 1000, len(members))
    return Columns(members, costs, np.zeros((len(members), 0), dtype=np.int64))


def find_best(pods: Columns) -> int:
    """By going through all draws."""
    cost: dict[tuple[int, ...], int] = dict(zip(map(tuple, pods.members.tolist()), pods.cost.tolist(), strict=True))

    def best(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        mates = combinations(left[1:], 2)
        return min(cost[(left[0], *pair)] + best(tuple(one for one in left[1:] if one not in pair)) for pair in mates)

    return best(tuple(range(COUNT)))


def test_the_best_of_all_draws_from_a_handful_of_pods_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_stages, "FIRST_COLUMNS", 4)
    monkeypatch.setattr(line_stages, "COLUMN_GROWTH", 2)
    pods = list_pods()
    source, budget = ListedColumns(pods, COUNT // 3), Budget(5)
    start = pods.take(np.flatnonzero((pods.members % 3 == [0, 1, 2]).all(axis=1) & (np.ptp(pods.members, axis=1) == 2)))
    value = int(start.cost.sum())
    root = solve_root(source, ROWS, start, value, budget)
    assert root is not None
    outcome = close_gap(source, root, value, budget)
    assert (outcome.value, outcome.bound) == (find_best(pods),) * 2


def test_a_narrower_gap_where_the_whole_one_has_too_many() -> None:
    pods = list_pods()
    source, budget = ListedColumns(pods, COUNT // 3), Budget(5)
    root = solve_root(source, ROWS, pods.take(np.array([0, 99, 180, 219])), 4000, budget)
    assert root is not None
    gap = root.bound, 4000
    columns, reduced, below = list_gap(source, root, gap, budget, most=1000)
    assert (len(columns.cost), below) == (len(pods.cost), 4000)
    assert reduced.tolist() == sorted(reduced.tolist())
    fewer, _, nearer = list_gap(source, root, gap, budget, most=60)
    assert len(fewer.cost) <= 60
    assert root.bound < nearer < 4000
    assert fewer.members.tolist() == columns.members[: len(fewer.cost)].tolist()


def test_more_pods_are_listed_once_all_of_a_narrower_gap_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    pods = list_pods(8)
    source, budget = ListedColumns(pods, COUNT // 3), Budget(5)
    root = solve_root(source, ROWS, pods.take(np.array([0, 99, 180, 219])), 4000, budget)
    assert root is not None
    best = find_best(pods)
    monkeypatch.setattr(line_stages, "COLUMN_LIMITS", (20,))
    outcome = close_gap(source, root, best, budget)
    assert root.bound < outcome.bound < best
    monkeypatch.setattr(line_stages, "COLUMN_LIMITS", (20, 80, 320))
    outcome = close_gap(source, root, best, budget)
    assert (outcome.bound, outcome.pods) == (best, None)
    monkeypatch.setattr(line_stages, "COLUMN_LIMITS", (0,))
    assert close_gap(source, root, best, Budget(0)) == (best, root.bound, None)
