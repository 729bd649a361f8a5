"""The lines `thirds` and `pairing` as programs over pods, with the lines before them as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.closeness import find_settled_byes
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import ObjectiveValues, cost_pairing
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.program.column_sources import GeneratedColumns, PodModel, join
from tournaments.draw.program.columns import BARRED
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.relaxation import Columns, Rows

MAX_EXACT_COST: Final = 1 << 46
"""Up to this cost of a draw columns are costed exactly; beyond, in a coarser unit (Rows.cost_unit): 64 bits must hold
costs times price fractions.
"""


def build_line_program(
    instance: Instance, values: ObjectiveValues, scales: Scales, *, line: str, nodes: Nodes
) -> tuple[GeneratedColumns, Rows]:
    """The program of `build_pod_model`, as a column source with its rows."""
    model, rows = build_pod_model(instance, values, scales, line=line, nodes=nodes)
    return GeneratedColumns(model), rows


def build_pod_model(
    instance: Instance, values: ObjectiveValues, scales: Scales, *, line: str, nodes: Nodes
) -> tuple[PodModel, Rows]:
    """line: thirds or pairing. The program contains the draws that agree with `values` in every line before, or are
    better.

    nodes: which people are told apart.
    """
    node_of, cost_unit, is_row = nodes.map_people(), 1, False
    met = _tabulate(instance.met, node_of, len(nodes.row))
    third = np.maximum(met - 1, 0) ** 2
    scores = (instance.scores[nodes.person] - instance.scores.min()) // scales.scale
    if line == "thirds":
        pair, max_cost, scores = third, values.thirds, np.zeros_like(scores)
    else:
        pair, max_cost, is_row = scales.repeat_cost * met**2, values.pairing // scales.scale**2, values.thirds > 0
        cost_unit = 1 + max_cost // MAX_EXACT_COST
        pair = np.where(third > values.thirds, max(BARRED, max_cost + 1), pair)
    pair = np.where(
        _tabulate(dict.fromkeys(instance.forbidden_pairs, 1), node_of, len(nodes.row)) > 0,
        max(BARRED, max_cost + 1),
        pair,
    )
    may_sit_out, must_sit_out = find_bye_candidates(instance, values)
    for person in must_sit_out:
        if person in node_of:
            pair[node_of[person]] = pair[:, node_of[person]] = max(BARRED, max_cost + 1)
    sizes, size_rows = _list_sizes(instance, values)
    bye_people, bye_rows = _list_byes(instance, values, nodes, may_sit_out)
    totals = [*size_rows, *bye_rows, *([(0, values.thirds)] if is_row else [])]
    width = len(totals)
    bye_extra = _describe_byes(instance, bye_people, len(size_rows), len(bye_rows), width)
    model = PodModel(
        nodes=nodes,
        pair=pair,
        scores=scores,
        sizes={size: _shift_row(row, 0, width) for size, row in sizes.items()},
        thirds=third if is_row else None,
        bye_rows=_find_rows(nodes, bye_people),
        bye_extra=bye_extra,
        locks=[
            [node_of[member] for member in lock] for lock in instance.locks if all(member in node_of for member in lock)
        ],
        max_cost=max_cost,
        cost_unit=cost_unit,
        wanted=instance.problem.wanted,
        under=_split_deviation(instance, values)[1],
        most={size: _bound_size_count(instance, values, size) for size in sizes},
        byes=values.byes,
        seated=_count_seated(instance, values, nodes),
    )
    low, high = (np.array([row[side] for row in totals], dtype=np.int64) for side in (0, 1))
    columns = values.pods + values.byes
    max_coefficient = np.maximum.reduce(
        [abs(low), abs(high), *abs(bye_extra), *(abs(each) for each in model.sizes.values())]
    )
    if is_row:
        pairs = instance.problem.max_size * (instance.problem.max_size - 1) // 2
        max_coefficient[-1] = max(int(max_coefficient[-1]), min(int(third.max()), values.thirds) * pairs)
    rows = Rows(len(nodes.multiplicity), low, high, max_coefficient, columns, nodes.multiplicity)
    if line == "pairing":
        true_cost = (lambda members: _sum_true_cost(instance, members, scales)) if cost_unit > 1 else None
        rows = rows._replace(attainable=scales.attainable, cost_unit=cost_unit, true_cost=true_cost)
    return model, rows


def _sum_true_cost(instance: Instance, members: Ints, scales: Scales) -> int:
    """The true cost of columns, padded with −1, together."""
    pods = [[member for member in row if member >= 0] for row in members.tolist()]
    return sum(cost_pairing(instance, pod) for pod in pods if len(pod) > 1) // scales.scale**2


def describe_draw(source: GeneratedColumns, pods: Sequence[Sequence[int]], byes: Sequence[int]) -> Columns:
    """The columns of a known draw."""
    nodes = source.model.nodes
    row_of = np.repeat(np.arange(len(nodes.multiplicity)), nodes.multiplicity)
    sizes = sorted({len(pod) for pod in pods})
    parts = [row_of[np.array([sorted(pod) for pod in pods if len(pod) == size], dtype=np.int64)] for size in sizes]
    out = np.flatnonzero(np.isin(source.byes.members[:, 0], row_of[list(byes)]))
    return join([*(source.describe(_assign_copies(nodes, part)) for part in parts), source.byes.take(out)])


def _assign_copies(nodes: Nodes, rows: Ints) -> Ints:
    """Rows, ascending in each pod → nodes: a row that occurs more than once takes one copy after the other."""
    found = nodes.find_first()[rows]
    for place in range(1, rows.shape[1]):
        same = rows[:, place] == rows[:, place - 1]
        found[same, place] = found[same, place - 1] + 1
    return found


def _tabulate(pairs: Mapping[tuple[int, int], int], node_of: Mapping[int, int], count: int) -> Ints:
    """(n, n) symmetric, of the people who are told apart."""
    table = np.zeros((count, count), dtype=np.int64)
    for (one, other), times in pairs.items():
        if one in node_of and other in node_of:
            table[node_of[one], node_of[other]] = table[node_of[other], node_of[one]] = times
    return table


def _count_seated(instance: Instance, values: ObjectiveValues, nodes: Nodes) -> Ints:
    out = find_settled_byes(instance, values)
    return (
        nodes.multiplicity
        if out is None
        else nodes.multiplicity - np.bincount(_find_rows(nodes, out), minlength=len(nodes.multiplicity))
    )


def _find_rows(nodes: Nodes, people: Ints) -> Ints:
    return np.asarray(np.repeat(np.arange(len(nodes.multiplicity)), nodes.multiplicity)[people])


def _list_sizes(instance: Instance, values: ObjectiveValues) -> tuple[dict[int, list[int]], list[tuple[int, int]]]:
    """Sizes that such a draw can have, with coefficients (one pod; distance from the wanted size); and the rows'
    limits.
    """
    problem = instance.problem
    over, under = _split_deviation(instance, values)
    sizes = range(max(problem.min_size, problem.wanted - under), min(problem.max_size, problem.wanted + over) + 1)
    if len(sizes) == 1:
        return {sizes[0]: []}, []
    rows = [(values.pods, values.pods), (values.sizes, values.sizes)]
    return {size: [1, abs(size - problem.wanted)] for size in sizes}, rows


def _split_deviation(instance: Instance, values: ObjectiveValues) -> tuple[int, int]:
    """By how many people larger pods together exceed the wanted size, and smaller ones fall short of it."""
    surplus = instance.size - values.byes - values.pods * instance.problem.wanted
    return (values.sizes + surplus) // 2, (values.sizes - surplus) // 2


def _bound_size_count(instance: Instance, values: ObjectiveValues, size: int) -> int:
    """How many pods can have this size, at most."""
    off, (over, under) = size - instance.problem.wanted, _split_deviation(instance, values)
    return min(values.pods, over // off if off > 0 else under // -off if off < 0 else values.pods)


def find_bye_candidates(instance: Instance, values: ObjectiveValues) -> tuple[Ints, list[int]]:
    """Who may have a bye, and who must, in a draw with these values.

    If the byes go to those with the fewest byes and lowest scores, nobody above them has one, and everybody below the
    last must.
    """
    single, out = np.flatnonzero(instance.lock_of() < 0), find_settled_byes(instance, values)
    if out is None or not len(out):
        return single, []
    keys = {person: (int(instance.byes[person]), int(instance.scores[person])) for person in single.tolist()}
    last = max(keys[person] for person in out.tolist())
    may_sit_out = np.array([one for one, key in keys.items() if key <= last], dtype=np.int64)
    return may_sit_out, [one for one, key in keys.items() if key < last]


def _list_byes(
    instance: Instance, values: ObjectiveValues, nodes: Nodes, may_sit_out: Ints
) -> tuple[Ints, list[tuple[int, int]]]:
    """Who may have a bye, and the totals of all byes: number, earlier byes, scores above the lowest.

    Of people who share a row, one for each number of earlier byes.
    """
    if not values.byes:
        return np.zeros(0, dtype=np.int64), []
    kinds = np.stack([_find_rows(nodes, may_sit_out), instance.byes[may_sit_out]], axis=1)
    _, first = np.unique(kinds, axis=0, return_index=True)
    scores = values.bye_scores - values.byes * int(instance.scores.min())
    totals = (values.byes, values.repeat_byes, scores)
    return may_sit_out[np.sort(first)], [(total, total) for total in totals]


def _describe_byes(instance: Instance, people: Ints, first: int, count: int, width: int) -> Ints:
    extra = np.zeros((len(people), width), dtype=np.int64)
    if count:
        each = (np.ones_like(people), instance.byes[people], instance.scores[people] - instance.scores.min())
        extra[:, first : first + count] = np.stack(each, axis=1)
    return extra


def _shift_row(row: Sequence[int], first: int, width: int) -> Ints:
    placed = np.zeros(width, dtype=np.int64)
    placed[first : first + len(row)] = row
    return placed
