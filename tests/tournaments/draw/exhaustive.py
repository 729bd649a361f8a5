"""The best draw of a few people by looking at every one there is; straight from the definitions of the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

from tournaments.draw import Problem

ObjectiveValues: TypeAlias = tuple[int, ...]


def find_best(problem: Problem) -> ObjectiveValues | None:
    """The nine values of the best draw, None if the hard rules allow none (or nobody would play)."""
    return min(find_all(problem), default=None)


def find_all(problem: Problem) -> set[ObjectiveValues]:
    """The nine values of every draw that keeps the hard rules and in which somebody plays."""
    present = [entrant.id for entrant in problem.entrants if entrant.id not in problem.absent]
    worth = Worth(problem)
    draws = (worth.of(pods, byes) for pods, byes in list_draws(problem, present) if pods)
    return {values for values in draws if values is not None}


def list_draws(problem: Problem, people: list[str]) -> Iterator[tuple[list[tuple[str, ...]], list[str]]]:
    """Every way to make pods and byes of the people."""
    if not people:
        yield [], []
        return
    first, rest = people[0], people[1:]
    for pods, byes in list_draws(problem, rest):
        yield pods, [first, *byes]
    for size in range(problem.min_size, problem.max_size + 1):
        for mates in combinations(rest, size - 1):
            left = [one for one in rest if one not in mates]
            for pods, byes in list_draws(problem, left):
                yield [(first, *mates), *pods], byes


class Worth:
    """The nine values of a problem's draws: the sums of those of their pods and byes, each looked at once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.scores = {entrant.id: entrant.score if problem.swiss else 0 for entrant in problem.entrants}
        present = {*self.scores} - {*problem.absent}
        self.locks = [lock for lock in ({*names} & present for names in problem.locked) if len(lock) > 1]
        self.past = [pod for earlier in problem.history for pod in earlier.pods]
        self.pod_values: dict[tuple[str, ...], ObjectiveValues | None] = {}
        self.bye_values = {one: self._look_at_bye(one) for one in present}

    def of(self, pods: Sequence[tuple[str, ...]], byes: Sequence[str]) -> ObjectiveValues | None:
        """None if a hard rule is broken."""
        found = [self.of_pod(pod) for pod in pods] + [self.bye_values[one] for one in byes]
        kept = [values for values in found if values is not None]
        return tuple(map(sum, zip(*kept, strict=True))) if len(kept) == len(found) else None

    def of_pod(self, pod: tuple[str, ...]) -> ObjectiveValues | None:
        """None if somebody is in it who may not be."""
        if pod not in self.pod_values:
            self.pod_values[pod] = self._look_at_pod(pod) if self._is_allowed({*pod}) else None
        return self.pod_values[pod]

    def _is_allowed(self, pod: set[str]) -> bool:
        return not any({*pair} <= pod for pair in self.problem.forbidden) and all(
            lock <= pod or not lock & pod for lock in self.locks
        )

    def _look_at_bye(self, one: str) -> ObjectiveValues | None:
        if any(one in lock for lock in self.locks):
            return None
        return (1, sum(one in earlier.byes for earlier in self.problem.history), self.scores[one], 0, 0, 0, 0, 0, 0)

    def _look_at_pod(self, pod: tuple[str, ...]) -> ObjectiveValues:
        met = [sum(one in past and other in past for past in self.past) for one, other in combinations(pod, 2)]
        scores = [self.scores[one] for one in pod]
        off = abs(len(pod) - self.problem.wanted)
        odd = sum(one in past and len(past) != self.problem.wanted for past in self.past for one in pod)
        seat_counts = {
            (one, seat): sum(len(past) > seat and past[seat] == one for past in self.past)
            for one in pod
            for seat in range(len(pod))
        }
        return (
            *(0, 0, 0, off, 1),
            sum(max(0, times - 1) ** 2 for times in met),
            self.problem.repeat_worth**2 * sum(times**2 for times in met) + (max(scores) - min(scores)) ** 2,
            odd if off else 0,
            min(sum(seat_counts[one, seat] for seat, one in enumerate(way)) for way in permutations(pod)),
        )
