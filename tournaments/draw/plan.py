"""A round robin planned as a whole: all rounds at once, so that everybody meets everybody as evenly as possible."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from tournaments.draw.budget import Budget
from tournaments.draw.instance import build_instance
from tournaments.draw.mixes import count_byes, find_mix
from tournaments.draw.problem import PastRound, Problem
from tournaments.draw.solution import PLAN_LINE, Line, Pod, Solution


def plan_rounds(problem: Problem, rounds: int) -> Solution:
    """Raises Conflict if the hard rules cannot be kept in a round."""
    from tournaments.draw.one_round import draw_round

    budget = Budget(problem.time_limit)
    share = max(problem.time_limit / rounds, 0.01)
    single = replace(problem, rounds=None, swiss=False, time_limit=share)
    planned: list[tuple[Pod, ...]] = []
    byes: list[tuple[str, ...]] = []
    for _ in range(rounds):
        drawn = draw_round(single)
        planned.append(drawn.pods)
        byes.append(drawn.byes)
        past = PastRound(tuple(pod.seats for pod in drawn.pods), drawn.byes)
        single = replace(single, history=(*single.history, past))
    line = Line(PLAN_LINE, count_repeats(problem, planned), bound_repeats(problem, rounds))
    stopped = None if line.is_proven else f"work limit: {PLAN_LINE} not proven"
    return Solution((), (), (line,), stopped, budget.seconds, tuple(planned), tuple(byes))


def count_repeats(problem: Problem, rounds: list[tuple[Pod, ...]]) -> int:
    """Sum over all rounds and pairs in one pod of m², m: how often they met before, in history or an earlier round."""
    met: dict[tuple[str, str], int] = {}
    for past in problem.history:
        for seats in past.pods:
            for pair in combinations(sorted(seats), 2):
                met[pair] = met.get(pair, 0) + 1
    total = 0
    for pods in rounds:
        for pod in pods:
            for pair in combinations(sorted(pod.seats), 2):
                total += met.get(pair, 0) ** 2
                met[pair] = met.get(pair, 0) + 1
    return total


def bound_repeats(problem: Problem, rounds: int) -> int:
    """So many meetings there must be; the cheapest of them, if they could be chosen freely."""
    instance = build_instance(problem)
    count = instance.size
    byes = count_byes(count, smallest=problem.min_size, largest=problem.max_size)
    mix = find_mix(count - byes, wanted=problem.wanted, smallest=problem.min_size, largest=problem.max_size)
    if mix is None:
        return 0
    meetings = rounds * sum(size * (size - 1) // 2 for size in mix.sizes)
    tally: dict[int, int] = {0: count * (count - 1) // 2 - len(instance.met)}
    for times in instance.met.values():
        tally[times] = tally.get(times, 0) + 1
    total, times = 0, 0
    while meetings > 0:
        here = min(meetings, tally.get(times, 0))
        total, meetings = total + here * times**2, meetings - here
        tally[times + 1] = tally.get(times + 1, 0) + tally.get(times, 0)
        times += 1
    return total
