"""The lines `thirds` and `pairing` as programs over pods, with the lines before them as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.closeness import settle_byes
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import Values, cost_pairing
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.program.column_sources import Rules, Shape, join
from tournaments.draw.program.columns import BARRED
from tournaments.draw.program.entrant_groups import Nodes
from tournaments.draw.program.relaxation import Columns, Rows

FINEST: Final = 1 << 46
"""Up to this cost of a draw, what columns cost is counted to the unit; beyond, in something coarser (Rows.grit)."""


def build_rules(instance: Instance, values: Values, scales: Scales, *, line: str, nodes: Nodes) -> tuple[Rules, Rows]:
    """The program of `build_shape`, ready to be used."""
    shape, rows = build_shape(instance, values, scales, line=line, nodes=nodes)
    return Rules(shape), rows


def build_shape(instance: Instance, values: Values, scales: Scales, *, line: str, nodes: Nodes) -> tuple[Shape, Rows]:
    """line: thirds or pairing; the draws that agree with `values` in every line before it (or are better there).

    nodes: whom to tell apart.
    """
    place, grit, is_row = nodes.place(), 1, False
    met = _tabulate(instance.met, place, len(nodes.row))
    third = np.maximum(met - 1, 0) ** 2
    scores = (instance.scores[nodes.person] - instance.scores.min()) // scales.scale
    if line == "thirds":
        pair, cap, scores = third, values.thirds, np.zeros_like(scores)
    else:
        pair, cap, is_row = scales.worth * met**2, values.pairing // scales.scale**2, values.thirds > 0
        grit = 1 + cap // FINEST
        pair = np.where(third > values.thirds, max(BARRED, cap + 1), pair)
    pair = np.where(_tabulate(dict.fromkeys(instance.foes, 1), place, len(nodes.row)) > 0, max(BARRED, cap + 1), pair)
    could, must = find_byes(instance, values)
    for one in must:
        if one in place:
            pair[place[one]] = pair[:, place[one]] = max(BARRED, cap + 1)
    sizes, size_rows = _list_sizes(instance, values)
    bye_people, bye_rows = _list_byes(instance, values, nodes, could)
    totals = [*size_rows, *bye_rows, *([(0, values.thirds)] if is_row else [])]
    width = len(totals)
    bye_extra = _describe_byes(instance, bye_people, len(size_rows), len(bye_rows), width)
    shape = Shape(
        nodes=nodes,
        pair=pair,
        scores=scores,
        sizes={size: _place(row, 0, width) for size, row in sizes.items()},
        thirds=third if is_row else None,
        bye_rows=_find_rows(nodes, bye_people),
        bye_extra=bye_extra,
        groups=[[place[one] for one in group] for group in instance.groups if all(one in place for one in group)],
        cap=cap,
        grit=grit,
        wanted=instance.problem.wanted,
        under=_find_spare(instance, values)[1],
        most={size: _count_most(instance, values, size) for size in sizes},
        byes=values.byes,
        seated=_count_seated(instance, values, nodes),
    )
    low, high = (np.array([row[side] for row in totals], dtype=np.int64) for side in (0, 1))
    columns = values.pods + values.byes
    widest = np.maximum.reduce([abs(low), abs(high), *abs(bye_extra), *(abs(each) for each in shape.sizes.values())])
    if is_row:
        pairs = instance.problem.max_size * (instance.problem.max_size - 1) // 2
        widest[-1] = max(int(widest[-1]), min(int(third.max()), values.thirds) * pairs)
    rows = Rows(len(nodes.cover), low, high, widest, columns, nodes.cover)
    if line == "pairing":
        rate = (lambda members: _rate(instance, members, scales)) if grit > 1 else None
        rows = rows._replace(grain=scales.grain, grit=grit, rate=rate)
    return shape, rows


def _rate(instance: Instance, members: Ints, scales: Scales) -> int:
    """What columns, padded with −1, cost together."""
    pods = [[one for one in row if one >= 0] for row in members.tolist()]
    return sum(cost_pairing(instance, pod) for pod in pods if len(pod) > 1) // scales.scale**2


def describe_draw(rules: Rules, pods: Sequence[Sequence[int]], byes: Sequence[int]) -> Columns:
    """The columns of a draw that is known."""
    nodes = rules.shape.nodes
    row_of = np.repeat(np.arange(len(nodes.cover)), nodes.cover)
    sizes = sorted({len(pod) for pod in pods})
    parts = [row_of[np.array([sorted(pod) for pod in pods if len(pod) == size], dtype=np.int64)] for size in sizes]
    out = np.flatnonzero(np.isin(rules.byes.members[:, 0], row_of[list(byes)]))
    return join([*(rules.describe(_take_copies(nodes, part)) for part in parts), rules.byes.take(out)])


def _take_copies(nodes: Nodes, rows: Ints) -> Ints:
    """Rows, ascending in each pod → nodes: of a row that stands there more than once, one copy after the other."""
    found = nodes.first()[rows]
    for place in range(1, rows.shape[1]):
        same = rows[:, place] == rows[:, place - 1]
        found[same, place] = found[same, place - 1] + 1
    return found


def _tabulate(pairs: Mapping[tuple[int, int], int], place: Mapping[int, int], count: int) -> Ints:
    """(n, n) symmetric, of the people who are told apart."""
    table = np.zeros((count, count), dtype=np.int64)
    for (one, other), times in pairs.items():
        if one in place and other in place:
            table[place[one], place[other]] = table[place[other], place[one]] = times
    return table


def _count_seated(instance: Instance, values: Values, nodes: Nodes) -> Ints:
    out = settle_byes(instance, values)
    return nodes.cover if out is None else nodes.cover - np.bincount(_find_rows(nodes, out), minlength=len(nodes.cover))


def _find_rows(nodes: Nodes, people: Ints) -> Ints:
    return np.asarray(np.repeat(np.arange(len(nodes.cover)), nodes.cover)[people])


def _list_sizes(instance: Instance, values: Values) -> tuple[dict[int, list[int]], list[tuple[int, int]]]:
    """Sizes that such a draw can have, and their coefficients: one pod; how far from the wanted size."""
    problem = instance.problem
    over, under = _find_spare(instance, values)
    sizes = range(max(problem.min_size, problem.wanted - under), min(problem.max_size, problem.wanted + over) + 1)
    if len(sizes) == 1:
        return {sizes[0]: []}, []
    rows = [(values.pods, values.pods), (values.sizes, values.sizes)]
    return {size: [1, abs(size - problem.wanted)] for size in sizes}, rows


def _find_spare(instance: Instance, values: Values) -> tuple[int, int]:
    """By how many people the larger pods together are larger than wanted, and the smaller ones smaller."""
    surplus = instance.size - values.byes - values.pods * instance.problem.wanted
    return (values.sizes + surplus) // 2, (values.sizes - surplus) // 2


def _count_most(instance: Instance, values: Values, size: int) -> int:
    """How many pods can have this size."""
    off, (over, under) = size - instance.problem.wanted, _find_spare(instance, values)
    return min(values.pods, over // off if off > 0 else under // -off if off < 0 else values.pods)


def find_byes(instance: Instance, values: Values) -> tuple[Ints, list[int]]:
    """Who could sit out, and who must, in a draw with these values.

    Where those of the fewest byes and lowest scores do, nobody above them does, and whoever is below the last must.
    """
    single, out = np.flatnonzero(instance.group_of() < 0), settle_byes(instance, values)
    if out is None or not len(out):
        return single, []
    keys = {one: (int(instance.byes[one]), int(instance.scores[one])) for one in single.tolist()}
    last = max(keys[one] for one in out.tolist())
    could = np.array([one for one, key in keys.items() if key <= last], dtype=np.int64)
    return could, [one for one, key in keys.items() if key < last]


def _list_byes(instance: Instance, values: Values, nodes: Nodes, could: Ints) -> tuple[Ints, list[tuple[int, int]]]:
    """Who could sit out, and what the byes must come to: their number, earlier ones, scores (above the lowest).

    Of those who share a row, one for each number of earlier byes.
    """
    if not values.byes:
        return np.zeros(0, dtype=np.int64), []
    kinds = np.stack([_find_rows(nodes, could), instance.byes[could]], axis=1)
    _, first = np.unique(kinds, axis=0, return_index=True)
    scores = values.bye_scores - values.byes * int(instance.scores.min())
    totals = (values.byes, values.repeat_byes, scores)
    return could[np.sort(first)], [(total, total) for total in totals]


def _describe_byes(instance: Instance, people: Ints, first: int, count: int, width: int) -> Ints:
    extra = np.zeros((len(people), width), dtype=np.int64)
    if count:
        each = (np.ones_like(people), instance.byes[people], instance.scores[people] - instance.scores.min())
        extra[:, first : first + count] = np.stack(each, axis=1)
    return extra


def _place(row: Sequence[int], first: int, width: int) -> Ints:
    placed = np.zeros(width, dtype=np.int64)
    placed[first : first + len(row)] = row
    return placed
