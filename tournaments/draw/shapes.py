"""The lines `thirds` and `pairing` as programs over pods, with the lines before them as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tournaments.draw.closeness import settle_byes
from tournaments.draw.columns import BARRED
from tournaments.draw.grain import PLAIN
from tournaments.draw.instance import Instance, Ints
from tournaments.draw.lines import Values
from tournaments.draw.nodes import Nodes
from tournaments.draw.relaxation import Columns, Rows
from tournaments.draw.sources import Rules, Shape, join
from tournaments.draw.weights import Scales


def build_rules(instance: Instance, values: Values, scales: Scales, *, line: str, nodes: Nodes) -> tuple[Rules, Rows]:
    """The program of `build_shape`, ready to be used."""
    shape, rows = build_shape(instance, values, scales, line=line, nodes=nodes)
    return Rules(shape), rows


def build_shape(instance: Instance, values: Values, scales: Scales, *, line: str, nodes: Nodes) -> tuple[Shape, Rows]:
    """line: thirds or pairing; the draws that agree with `values` in every line before it (or are better there).

    nodes: whom to tell apart.
    """
    place = nodes.place()
    met = _tabulate(instance.met, place, len(nodes.row))
    third = np.maximum(met - 1, 0) ** 2
    scores = (instance.scores[nodes.person] - instance.scores.min()) // scales.scale
    if line == "thirds":
        pair, cap, scores, is_row = third, values.thirds, np.zeros_like(scores), False
    else:
        pair, cap, is_row = scales.worth * met**2, values.pairing // scales.scale**2, values.thirds > 0
        pair = pair if is_row else np.where(third > 0, BARRED, pair)
    pair = np.where(_tabulate(dict.fromkeys(instance.foes, 1), place, len(nodes.row)) > 0, BARRED, pair)
    sizes, size_rows = _list_sizes(instance, values)
    bye_people, bye_rows = _list_byes(instance, values, nodes)
    rows = [*size_rows, *bye_rows, *([(0, values.thirds)] if is_row else [])]
    width = len(rows)
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
        wanted=instance.problem.wanted,
        under=_find_spare(instance, values)[1],
        most={size: _count_most(instance, values, size) for size in sizes},
        byes=values.byes,
        seated=_count_seated(instance, values, nodes),
    )
    low, high = (np.array([row[side] for row in rows], dtype=np.int64) for side in (0, 1))
    columns = values.pods + values.byes
    widest = np.maximum.reduce([abs(low), abs(high), *abs(bye_extra), *(abs(each) for each in shape.sizes.values())])
    if is_row:
        widest[-1] = max(int(widest[-1]), int(third.max()) * instance.problem.max_size**2)
    grain = scales.grain if line == "pairing" else PLAIN
    return shape, Rows(len(nodes.cover), low, high, widest, columns, nodes.cover, grain)


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


def _list_byes(instance: Instance, values: Values, nodes: Nodes) -> tuple[Ints, list[tuple[int, int]]]:
    """Who could sit out, and what the byes must come to: their number, earlier ones, scores (above the lowest).

    Of those who share a row, one for each number of earlier byes.
    """
    if not values.byes:
        return np.zeros(0, dtype=np.int64), []
    single = np.flatnonzero(instance.group_of() < 0)
    kinds = np.stack([_find_rows(nodes, single), instance.byes[single]], axis=1)
    _, first = np.unique(kinds, axis=0, return_index=True)
    scores = values.bye_scores - values.byes * int(instance.scores.min())
    totals = (values.byes, values.repeat_byes, scores)
    return single[np.sort(first)], [(total, total) for total in totals]


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
