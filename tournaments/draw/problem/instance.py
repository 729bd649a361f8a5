"""A problem in numbers: entrants become indices, in an order that does not depend on the order of the input lists."""

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
OpponentTable: TypeAlias = list[dict[int, int]]
MAX_NAMES: Final = 25
"""Names that an error message lists of a lock that is too large."""


@dataclass(frozen=True)
class Instance:
    """The people present are 0 … n−1, by descending score; among equals the locked first, then by a hash of seed and
    id.

    met: (i, j) with i < j → how often they met, if ever. byes, odd_counts: (n,) earlier byes, and earlier pods of a
    size other than wanted. seat_counts: (n, max_size), how often in which seat. locks: groups of two or more who sit
    together. forbidden_pairs: (i, j) with i < j who may not meet. kin: (i, j) with i < j of one group that should be
    apart; `met` counts one meeting more for them.
    """

    problem: Problem
    ids: tuple[str, ...]
    scores: Ints
    met: dict[tuple[int, int], int]
    byes: Ints
    odd_counts: Ints
    seat_counts: Ints
    locks: tuple[tuple[int, ...], ...]
    forbidden_pairs: frozenset[tuple[int, int]]
    kin: frozenset[tuple[int, int]] = frozenset()

    @property
    def size(self) -> int:
        """How many are present."""
        return len(self.ids)

    def count_meetings(self) -> Ints:
        """(n, n), symmetric: how often two people met."""
        matrix = np.zeros((self.size, self.size), dtype=np.int64)
        for (one, other), times in self.met.items():
            matrix[one, other] = matrix[other, one] = times
        return matrix

    def lock_of(self) -> Ints:
        """(n,): the number of each person's lock, −1 without one."""
        found = np.full(self.size, -1, dtype=np.int64)
        for number, lock in enumerate(self.locks):
            found[list(lock)] = number
        return found


def restrict_to(instance: Instance, people: Sequence[int], opponents: OpponentTable) -> Instance:
    """The draw of some of the people, ascending, with their history. A lock must lie wholly inside or outside."""
    place = {one: number for number, one in enumerate(people)}
    chosen = np.array(people, dtype=np.int64)
    met = {
        (place[person], place[other]): times
        for person in people
        for other, times in opponents[person].items()
        if person < other and other in place
    }
    return replace(
        instance,
        ids=tuple(instance.ids[person] for person in people),
        scores=instance.scores[chosen],
        met=met,
        byes=instance.byes[chosen],
        odd_counts=instance.odd_counts[chosen],
        seat_counts=instance.seat_counts[chosen],
        locks=tuple(tuple(place[member] for member in lock) for lock in instance.locks if lock[0] in place),
        forbidden_pairs=frozenset(
            (place[one], place[other]) for one, other in instance.forbidden_pairs if one in place and other in place
        ),
        kin=frozenset((place[one], place[other]) for one, other in instance.kin if one in place and other in place),
    )


def list_opponents(instance: Instance) -> OpponentTable:
    """Per person: opponent → how often they met."""
    found: OpponentTable = [{} for _ in range(instance.size)]
    for (one, other), times in instance.met.items():
        found[one][other] = found[other][one] = times
    return found


def build_instance(problem: Problem) -> Instance:
    """The instance of a problem. Raises Conflict where hard rules plainly contradict each other."""
    absent = set(problem.absent)
    present = [entrant for entrant in problem.entrants if entrant.id not in absent]
    scores = {entrant.id: entrant.score if problem.swiss else 0 for entrant in present}
    present_locks = [[member for member in lock if member in scores] for lock in problem.locked]
    locked = {member for lock in present_locks if len(set(lock)) > 1 for member in lock}
    ids = sorted(scores, key=lambda name: (-scores[name], name not in locked, hash_lot(problem.seed, name), name))
    index = {one: number for number, one in enumerate(ids)}
    met, byes, odd, seat_counts = _count_history(problem, index)
    kin = _list_pairs_of_groups(problem.apart, index)
    for pair in kin:
        met[pair] = met.get(pair, 0) + 1
    locks = _merge_locks(problem.locked, index)
    forbidden_pairs = frozenset(
        (min(pair), max(pair))
        for pair in ((index.get(one, -1), index.get(other, -1)) for one, other in problem.forbidden)
        if min(pair) >= 0
    )
    instance = Instance(
        problem,
        tuple(ids),
        np.array([scores[pk] for pk in ids], dtype=np.int64),
        met,
        byes,
        odd,
        seat_counts,
        locks,
        forbidden_pairs,
        kin,
    )
    _check_possible(instance)
    return instance


def hash_lot(seed: str, what: str) -> bytes:
    """SHA-256 of seed and id: an order that nobody chose, the same on every machine."""
    return hashlib.sha256(f"{seed}\0{what}".encode("utf-8", "surrogatepass")).digest()


def _count_history(problem: Problem, index: dict[str, int]) -> tuple[dict[tuple[int, int], int], Ints, Ints, Ints]:
    met: dict[tuple[int, int], int] = {}
    byes, odd = np.zeros(len(index), dtype=np.int64), np.zeros(len(index), dtype=np.int64)
    seat_counts = np.zeros((len(index), problem.max_size), dtype=np.int64)
    for past in problem.history:
        for pod in past.pods:
            members = [(seat, index[one]) for seat, one in enumerate(pod) if one in index]
            for seat, one in members:
                odd[one] += len(pod) != problem.wanted
                if seat < problem.max_size:
                    seat_counts[one, seat] += 1
            for pair in combinations(sorted(one for _, one in members), 2):
                met[pair] = met.get(pair, 0) + 1
        for bye in past.byes:
            if bye in index:
                byes[index[bye]] += 1
    return met, byes, odd, seat_counts


def _list_pairs_of_groups(groups: Iterable[tuple[str, ...]], index: dict[str, int]) -> frozenset[tuple[int, int]]:
    members = (sorted({index[member] for member in group if member in index}) for group in groups)
    return frozenset(pair for group in members for pair in combinations(group, 2))


def _merge_locks(locked: Iterable[tuple[str, ...]], index: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    root = list(range(len(index)))

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = root[root[one]]
            one = root[one]
        return one

    for lock in locked:
        members = [index[member] for member in lock if member in index]
        for one, other in pairwise(members):
            root[find(one)] = find(other)
    locks: dict[int, list[int]] = {}
    for entrant in range(len(index)):
        locks.setdefault(find(entrant), []).append(entrant)
    return tuple(sorted(tuple(lock) for lock in locks.values() if len(lock) > 1))


def _check_possible(instance: Instance) -> None:
    problem = instance.problem
    if instance.size < problem.min_size:
        values = {"present": instance.size, "min": problem.min_size}
        raise Conflict("only %(present)d present, and a pod needs at least %(min)d", values)
    lock_of = instance.lock_of()
    for one, other in sorted(instance.forbidden_pairs):
        if lock_of[one] >= 0 and lock_of[one] == lock_of[other]:
            pair = sorted((instance.ids[one], instance.ids[other]))
            template = "%(one)s and %(other)s may not meet but are locked together"
            raise Conflict(template, {"one": pair[0], "other": pair[1]})
    for lock in instance.locks:
        if len(lock) > problem.max_size:
            members = sorted(instance.ids[member] for member in lock)
            names = ", ".join(members[:MAX_NAMES] + ["…"] * (len(members) > MAX_NAMES))
            template = "%(names)s are locked together: %(count)d, and a pod holds at most %(max)d"
            raise Conflict(template, {"names": names, "count": len(lock), "max": problem.max_size})
