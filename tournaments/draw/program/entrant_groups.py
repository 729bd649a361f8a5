"""Which people a linear program distinguishes: everybody or, among very many, only those whose meetings matter.

Where a hundred people have the same score, each finds three that they have not met. So in a coarse program a large
score group is one row to be covered a hundred times, without meetings: a relaxation, so its bound holds. The
enumeration of columns sees as many copies of it as a pod has seats, and takes the first ones first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Instance, Ints

MAX_SINGLE: Final = 200
"""People that a coarse program tells apart; the smallest score groups first. More make a better bound and a slower
program.
"""


class Nodes(NamedTuple):
    """What pods are made of, in the order of the standings.

    person: per node a person it stands for; row: its row. multiplicity: per row how many people; chains: the copies of
    one score group.
    """

    person: Ints
    row: Ints
    multiplicity: Ints
    chains: tuple[tuple[int, ...], ...]

    def find_first(self) -> Ints:
        """Per row its first node."""
        return np.searchsorted(self.row, np.arange(len(self.multiplicity)))

    def map_people(self) -> dict[int, int]:
        """Person → node, of those who are distinguished."""
        single = self.multiplicity[self.row] == 1
        return {int(self.person[node]): node for node in np.flatnonzero(single).tolist()}


def list_single_nodes(instance: Instance) -> Nodes:
    """One node for each person."""
    people = np.arange(instance.size)
    return Nodes(people, people, np.ones_like(people), ())


def group_levels(instance: Instance, most_single: int = MAX_SINGLE) -> Nodes | None:
    """The large score groups as one row each, without locked people; None if too few are large enough for that."""
    may_swap_bye = instance.lock_of() < 0
    changes = (np.diff(instance.scores) != 0) | (may_swap_bye[1:] != may_swap_bye[:-1])
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1, [instance.size]])
    sizes = np.diff(starts)
    order = np.lexsort((sizes, may_swap_bye[starts[:-1]]))
    single_levels = set(order[np.cumsum(sizes[order]) <= most_single].tolist())
    copies = instance.problem.max_size
    if any(level not in single_levels and sizes[level] < 2 * copies for level in range(len(sizes))):
        return None
    person: list[int] = []
    row: list[int] = []
    multiplicity: list[int] = []
    chains = []
    for level, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=False)):
        if level in single_levels:
            row += range(len(multiplicity), len(multiplicity) + size)
            person += range(start, start + size)
            multiplicity += [1] * size
        else:
            chains.append(tuple(range(len(row), len(row) + copies)))
            row += [len(multiplicity)] * copies
            person += [start] * copies
            multiplicity.append(size)
    return Nodes(_to_array(person), _to_array(row), _to_array(multiplicity), tuple(chains))


def _to_array(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)
