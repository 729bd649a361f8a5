"""The best draw of a few people by looking at every one there is; straight from the definitions of the lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from tournaments.draw import Problem

Values = tuple[int, ...]


def find_best(problem: Problem) -> Values | None:
    """The nine values of the best draw, None if the hard rules allow none (or nobody would play)."""
    present = [entrant.id for entrant in problem.entrants if entrant.id not in problem.absent]
    draws = (value_of(problem, pods, byes) for pods, byes in list_draws(problem, present) if pods)
    return min((values for values in draws if values is not None), default=None)


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


def value_of(problem: Problem, pods: list[tuple[str, ...]], byes: list[str]) -> Values | None:
    """None if a hard rule is broken."""
    place = {one: number for number, pod in enumerate(pods) for one in pod}
    if any(one in place and place[one] == place.get(other) for one, other in problem.forbidden):
        return None
    present = {*place, *byes}
    for lock in problem.locked:
        members = [one for one in set(lock) if one in present]
        if len(members) > 1 and (set(members) & set(byes) or len({place[one] for one in members}) > 1):
            return None
    scores = {entrant.id: entrant.score if problem.swiss else 0 for entrant in problem.entrants}
    past = [pod for earlier in problem.history for pod in earlier.pods]

    def met(one: str, other: str) -> int:
        return sum(one in pod and other in pod for pod in past)

    def sat(one: str, seat: int) -> int:
        return sum(len(pod) > seat and pod[seat] == one for pod in past)

    def odd(one: str) -> int:
        return sum(one in pod and len(pod) != problem.wanted for pod in past)

    pairs = [met(*pair) for pod in pods for pair in combinations(pod, 2)]
    widths = [max(scores[one] for one in pod) - min(scores[one] for one in pod) for pod in pods]
    return (
        len(byes),
        sum(one in earlier.byes for one in byes for earlier in problem.history),
        sum(scores[one] for one in byes),
        sum(abs(len(pod) - problem.wanted) for pod in pods),
        len(pods),
        sum(max(0, times - 1) ** 2 for times in pairs),
        problem.repeat_worth**2 * sum(times**2 for times in pairs) + sum(width**2 for width in widths),
        sum(odd(one) for pod in pods if len(pod) != problem.wanted for one in pod),
        sum(min(sum(sat(one, seat) for seat, one in enumerate(way)) for way in permutations(pod)) for pod in pods),
    )
