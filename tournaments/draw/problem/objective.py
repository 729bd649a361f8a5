"""The nine lines of the objective, in integers, straight from their definitions in draw-format.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from tournaments.draw.problem.instance import Instance

Pods: TypeAlias = Sequence[Sequence[int]]


class ObjectiveValues(NamedTuple):
    """The lines of the objective, compared lexicographically; less is better."""

    byes: int
    repeat_byes: int
    bye_scores: int
    sizes: int
    pods: int
    thirds: int
    pairing: int
    odd_sizes: int
    seats: int


def evaluate(instance: Instance, pods: Pods, byes: Iterable[int]) -> ObjectiveValues:
    """The value of every line. pods: people in seat order."""
    problem, out = instance.problem, list(byes)
    odd = [pod for pod in pods if len(pod) != problem.wanted]
    return ObjectiveValues(
        byes=len(out),
        repeat_byes=sum(int(instance.byes[person]) for person in out),
        bye_scores=sum(int(instance.scores[person]) for person in out),
        sizes=sum(abs(len(pod) - problem.wanted) for pod in pods),
        pods=len(pods),
        thirds=sum(count_excess_meetings(instance, pod) for pod in pods),
        pairing=sum(cost_pairing(instance, pod) for pod in pods),
        odd_sizes=sum(int(instance.odd_counts[member]) for pod in odd for member in pod),
        seats=sum(int(instance.seat_counts[one, seat]) for pod in pods for seat, one in enumerate(pod)),
    )


def list_meetings(instance: Instance, pod: Iterable[int]) -> list[int]:
    """For every pair in the pod that met before: how often."""
    pairs = combinations(sorted(pod), 2)
    return [instance.met[pair] for pair in pairs if pair in instance.met]


def count_excess_meetings(instance: Instance, pod: Iterable[int]) -> int:
    """Sum over pairs of max(0, m − 1)², m = how often they met before."""
    return sum((times - 1) ** 2 for times in list_meetings(instance, pod))


def cost_pairing(instance: Instance, pod: Sequence[int]) -> int:
    """repeat_worth² · sum of m² + (highest − lowest score)²."""
    scores = [int(instance.scores[member]) for member in pod]
    repeats = sum(times**2 for times in list_meetings(instance, pod))
    return instance.problem.repeat_worth**2 * repeats + (max(scores) - min(scores)) ** 2


def is_allowed(instance: Instance, pods: Pods, byes: Iterable[int]) -> bool:
    """Whether the hard rules hold: everybody once, sizes in range, forbidden pairs apart, locks together and without
    byes.
    """
    problem, out = instance.problem, list(byes)
    pod_of = {member: number for number, pod in enumerate(pods) for member in pod}
    seated = sum(len(pod) for pod in pods)
    everybody = sorted([*pod_of, *out]) == list(range(instance.size)) and seated + len(out) == instance.size
    return (
        everybody
        and all(problem.min_size <= len(pod) <= problem.max_size for pod in pods)
        and not any(one in pod_of and pod_of[one] == pod_of.get(other) for one, other in instance.forbidden_pairs)
        and all(len({pod_of.get(member, -1) for member in lock} | {-1}) == 2 for lock in instance.locks)
        and all(member in pod_of for lock in instance.locks for member in lock)
    )
