"""A problem in numbers: entrants become indices in an order that no list of the input decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.definition import Problem
from tournaments.draw.problem.errors import Conflict

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Neighbours: TypeAlias = list[dict[int, int]]
MOST_NAMED: Final = 25
"""Of a lock that is too large."""


@dataclass(frozen=True)
class Instance:
    """People present are 0 … n−1, by score, highest first; of equals the locked first, then as the seed has it.

    met: (i, j) with i < j → how often they met, if ever. byes, odd: per person, earlier byes and earlier pods of a size
    other than wanted. sat: (n, max_size), how often in which seat. groups: locks of two or more. foes: forbidden pairs.
    """

    problem: Problem
    ids: tuple[str, ...]
    scores: Ints
    met: dict[tuple[int, int], int]
    byes: Ints
    odd: Ints
    sat: Ints
    groups: tuple[tuple[int, ...], ...]
    foes: frozenset[tuple[int, int]]

    @property
    def size(self) -> int:
        """How many are present."""
        return len(self.ids)

    def meetings(self) -> Ints:
        """(n, n) symmetric: how often two met."""
        matrix = np.zeros((self.size, self.size), dtype=np.int64)
        for (one, other), times in self.met.items():
            matrix[one, other] = matrix[other, one] = times
        return matrix

    def group_of(self) -> Ints:
        """Per person the number of his lock, −1 without one."""
        found = np.full(self.size, -1, dtype=np.int64)
        for number, group in enumerate(self.groups):
            found[list(group)] = number
        return found


def take_people(instance: Instance, people: Sequence[int], neighbours: Neighbours) -> Instance:
    """A smaller draw: some people, ascending, with what they did; locks must be wholly inside or outside."""
    place = {one: number for number, one in enumerate(people)}
    chosen = np.array(people, dtype=np.int64)
    met = {
        (place[one], place[other]): times
        for one in people
        for other, times in neighbours[one].items()
        if one < other and other in place
    }
    return replace(
        instance,
        ids=tuple(instance.ids[one] for one in people),
        scores=instance.scores[chosen],
        met=met,
        byes=instance.byes[chosen],
        odd=instance.odd[chosen],
        sat=instance.sat[chosen],
        groups=tuple(tuple(place[one] for one in group) for group in instance.groups if group[0] in place),
        foes=frozenset((place[one], place[other]) for one, other in instance.foes if one in place and other in place),
    )


def list_neighbours(instance: Instance) -> Neighbours:
    """Per person: whom he met, and how often."""
    found: Neighbours = [{} for _ in range(instance.size)]
    for (one, other), times in instance.met.items():
        found[one][other] = found[other][one] = times
    return found


def build_instance(problem: Problem) -> Instance:
    """Raises Conflict where the hard rules contradict each other at sight."""
    absent = set(problem.absent)
    present = [entrant for entrant in problem.entrants if entrant.id not in absent]
    scores = {entrant.id: entrant.score if problem.swiss else 0 for entrant in present}
    locks = [[one for one in lock if one in scores] for lock in problem.locked]
    locked = {one for lock in locks if len(set(lock)) > 1 for one in lock}
    ids = sorted(scores, key=lambda one: (-scores[one], one not in locked, draw_lot(problem.seed, one), one))
    index = {one: number for number, one in enumerate(ids)}
    met, byes, odd, sat = _count_history(problem, index)
    groups = _merge_locks(problem.locked, index)
    foes = frozenset(
        (min(pair), max(pair))
        for pair in ((index.get(one, -1), index.get(other, -1)) for one, other in problem.forbidden)
        if min(pair) >= 0
    )
    instance = Instance(
        problem, tuple(ids), np.array([scores[one] for one in ids], dtype=np.int64), met, byes, odd, sat, groups, foes
    )
    _check_possible(instance)
    return instance


def draw_lot(seed: str, what: str) -> bytes:
    """A number nobody chose, the same on every machine."""
    return hashlib.sha256(f"{seed}\0{what}".encode("utf-8", "surrogatepass")).digest()


def _count_history(problem: Problem, index: dict[str, int]) -> tuple[dict[tuple[int, int], int], Ints, Ints, Ints]:
    met: dict[tuple[int, int], int] = {}
    byes, odd = np.zeros(len(index), dtype=np.int64), np.zeros(len(index), dtype=np.int64)
    sat = np.zeros((len(index), problem.max_size), dtype=np.int64)
    for past in problem.history:
        for pod in past.pods:
            known = [(seat, index[one]) for seat, one in enumerate(pod) if one in index]
            for seat, one in known:
                odd[one] += len(pod) != problem.wanted
                if seat < problem.max_size:
                    sat[one, seat] += 1
            for pair in combinations(sorted(one for _, one in known), 2):
                met[pair] = met.get(pair, 0) + 1
        for bye in past.byes:
            if bye in index:
                byes[index[bye]] += 1
    return met, byes, odd, sat


def _merge_locks(locked: Iterable[tuple[str, ...]], index: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    root = list(range(len(index)))

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = root[root[one]]
            one = root[one]
        return one

    for lock in locked:
        members = [index[one] for one in lock if one in index]
        for one, other in pairwise(members):
            root[find(one)] = find(other)
    groups: dict[int, list[int]] = {}
    for one in range(len(index)):
        groups.setdefault(find(one), []).append(one)
    return tuple(sorted(tuple(group) for group in groups.values() if len(group) > 1))


def _check_possible(instance: Instance) -> None:
    problem = instance.problem
    if instance.size < problem.min_size:
        values = {"present": instance.size, "min": problem.min_size}
        raise Conflict("only %(present)d present, and a pod needs at least %(min)d", values)
    group_of = instance.group_of()
    for one, other in sorted(instance.foes):
        if group_of[one] >= 0 and group_of[one] == group_of[other]:
            pair = sorted((instance.ids[one], instance.ids[other]))
            template = "%(one)s and %(other)s may not meet but are locked together"
            raise Conflict(template, {"one": pair[0], "other": pair[1]})
    for group in instance.groups:
        if len(group) > problem.max_size:
            members = sorted(instance.ids[one] for one in group)
            names = ", ".join(members[:MOST_NAMED] + ["…"] * (len(members) > MOST_NAMED))
            template = "%(names)s are locked together: %(count)d, and a pod holds at most %(max)d"
            raise Conflict(template, {"names": names, "count": len(group), "max": problem.max_size})
