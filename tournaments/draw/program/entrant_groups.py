"""Whom a linear program tells apart: everybody, or among very many only those whose meetings matter.

Where a hundred have the same score, each finds three whom he never met. So in a coarse program a large level of the
standings is one row that is to be covered a hundred times, its meetings left out: a relaxation, so its bound holds.
The enumeration of columns sees as many copies of it as a pod has seats, of which it takes the first ones first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Instance, Ints

MOST_SINGLE: Final = 200
"""People whom a coarse program tells apart; the smallest levels first."""


class Nodes(NamedTuple):
    """What pods are made of, in the order of the standings.

    person: per node somebody it stands for; row: its row. cover: per row, how many people; chains: copies of one level.
    """

    person: Ints
    row: Ints
    cover: Ints
    chains: tuple[tuple[int, ...], ...]

    def first(self) -> Ints:
        """Per row its first node."""
        return np.searchsorted(self.row, np.arange(len(self.cover)))

    def place(self) -> dict[int, int]:
        """Person → node, of those who are told apart."""
        single = self.cover[self.row] == 1
        return {int(self.person[node]): node for node in np.flatnonzero(single).tolist()}


def list_everybody(instance: Instance) -> Nodes:
    """One node for each."""
    people = np.arange(instance.size)
    return Nodes(people, people, np.ones_like(people), ())


def list_levels(instance: Instance, most_single: int = MOST_SINGLE) -> Nodes | None:
    """The large levels as one row each, locks left out of them; None if there are too few large ones for that."""
    is_free = instance.group_of() < 0
    changes = (np.diff(instance.scores) != 0) | (is_free[1:] != is_free[:-1])
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1, [instance.size]])
    sizes = np.diff(starts)
    order = np.lexsort((sizes, is_free[starts[:-1]]))
    small = set(order[np.cumsum(sizes[order]) <= most_single].tolist())
    copies = instance.problem.max_size
    if any(level not in small and sizes[level] < 2 * copies for level in range(len(sizes))):
        return None
    person: list[int] = []
    row: list[int] = []
    cover: list[int] = []
    chains = []
    for level, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=False)):
        if level in small:
            row += range(len(cover), len(cover) + size)
            person += range(start, start + size)
            cover += [1] * size
        else:
            chains.append(tuple(range(len(row), len(row) + copies)))
            row += [len(cover)] * copies
            person += [start] * copies
            cover.append(size)
    return Nodes(_list(person), _list(row), _list(cover), tuple(chains))


def _list(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)
