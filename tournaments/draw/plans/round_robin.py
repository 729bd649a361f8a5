"""A round robin planned as a whole: all rounds at once, so that everybody meets everybody as evenly as possible.

Four ways. Thorough: of few people all plans are gone through (thorough.py). Grids: rounds by algebra (grids.py).
Turned: one round is sought that, turned step by step in circles of people, has nobody meet twice (the method of
differences for resolvable designs). Free: people trade places in single rounds, in all of them or in those that a grid
leaves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeAlias

from tournaments.draw.one_round import draw_round
from tournaments.draw.plans.annealing import FreePlan, Round, TurnedRound
from tournaments.draw.plans.exhaustive import plan_thoroughly
from tournaments.draw.plans.grids import plan_circle, plan_grid
from tournaments.draw.plans.repeat_bound import bound_crossings, bound_repeats
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.definition import PastRound, Problem
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pod_sizes import Mix, count_byes
from tournaments.draw.problem.reasons import explain_pod, ground_plan
from tournaments.draw.problem.seat_assignment import seat_pod
from tournaments.draw.problem.solution import PLAN_LINE, Line, Pod, Solution, name_stop
from tournaments.draw.search.start import choose_mixes

Shown: TypeAlias = list[tuple[tuple[Pod, ...], tuple[str, ...]]]
SPANS: Final = 4
"""Circles of as many people as there are rounds are tried, and of up to so many more."""
TURNED_STEPS: Final = 10_000
FREE_STEPS: Final = 60
"""For each place of each round, the first time; more at other times (`find_length`)."""
START_COST: Final = 2
"""For each place of each round."""
BARRED: Final = 1_000
"""Foes count as having met so often."""
LOTS: Final = 20
"""Ways to place the locks that are tried in each round."""
LEAST: Final = 0.01
"""Seconds for each round that is drawn by itself."""
GRID_COST: Final = 15
"""For each place of a grid."""


def plan_rounds(problem: Problem, rounds: int, tell: Callable[[int], None] | None = None) -> Solution:
    """Sizes as near to the wanted one as the number allows, byes only if sizes force them, to those who had fewest.

    Raises Conflict if the hard rules cannot be kept in a round.
    """
    budget, instance = Budget(problem.time_limit, tell=tell), build_instance(replace(problem, swiss=False))
    mix = _choose_mix(instance)
    shown, bound = None, 0
    if mix is not None:
        bound = max(bound_repeats(instance, mix, rounds), bound_crossings(instance, mix, rounds))
        planned, out, bound = _plan(instance, mix, rounds, bound, budget)
        if all(is_allowed(instance, pods, sorted(byes)) for pods, byes in zip(planned, out, strict=True)):
            shown = _show(instance, planned, out)
    if shown is None:
        shown, bound = _plan_one_by_one(problem, instance, rounds), 0
    value = count_repeats(problem, [pods for pods, _ in shown])
    line = Line(PLAN_LINE, value, min(bound, value))
    stopped = name_stop([line], budget.is_clock_over)
    return Solution(
        (), (), (line,), stopped, budget.seconds, tuple(pods for pods, _ in shown), tuple(byes for _, byes in shown)
    )


def _plan(
    instance: Instance, mix: Mix, rounds: int, bound: int, budget: Budget
) -> tuple[list[Round], list[set[int]], int]:
    """Rounds, who sits out in each, and what no such plan costs less than."""
    best = plan_thoroughly(instance, mix, rounds, bound, budget) if bound else None
    if best is not None:
        planned, bound = best
        return planned, [set[int]() for _ in planned], bound
    return *_search(instance, mix, rounds, bound, budget), bound


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


def _choose_mix(instance: Instance) -> Mix | None:
    """The nearest to the wanted size; of these the one of most pods, where fewest meet again. None if locks do not fit.

    Where somebody sits out, and only then, somebody must not be locked.
    """
    problem, best = instance.problem, None
    byes = count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size)
    if (instance.group_of() < 0).sum() < byes:
        return None
    for mix in choose_mixes(instance, byes):
        if best is not None and mix.deviation > best.deviation:
            break
        if _place_tightly(instance, mix) is not None:
            best = mix
    return best


def _share_byes(instance: Instance, byes: int, rounds: int, rng: random.Random) -> list[set[int]]:
    """Per round who sits out: always those who did so least, nobody of a lock; among equals by lot."""
    single = [one for one in range(instance.size) if instance.group_of()[one] < 0]
    had = {one: int(instance.byes[one]) for one in single}
    out = []
    for _ in range(rounds):
        rng.shuffle(single)
        chosen = set(sorted(single, key=had.__getitem__)[:byes])
        for one in chosen:
            had[one] += 1
        out.append(chosen)
    return out


def _search(
    instance: Instance, mix: Mix, rounds: int, bound: int, budget: Budget
) -> tuple[list[Round], list[set[int]]]:
    """Rounds, and who sits out in each."""
    rng, nobody = random.Random(instance.problem.seed), [set[int]() for _ in range(rounds)]
    grid: list[Round] = []
    if not (instance.met or instance.foes or instance.groups or instance.byes.any()):
        grid = _plan_grid(instance, mix, rounds, budget)
        if len(grid) == rounds:
            return grid, [set(range(instance.size)).difference(*pods) for pods in grid]
        turned = None if bound else _search_turned(instance, mix, rounds, rng, budget)
        if turned is not None:
            return turned, nobody
    met = instance.meetings()
    for one, other in instance.foes:
        met[one, other] = met[other, one] = BARRED
    locked = {one for group in instance.groups for one in group}
    best, best_out, number = None, nobody, 0
    while best is None or (best.cost > bound and budget.left()):
        given = grid if number % 2 else []
        turn = number // 2 if grid else number
        out = _share_byes(instance, instance.size - mix.seated, rounds, rng)
        start = [*given, *(_start_round(instance, mix, byes, rng) for byes in out[len(given) :])]
        still = [set(range(instance.size))] * len(given) + [locked] * (rounds - len(given))
        plan, places = FreePlan(met.tolist(), start, still), instance.size * rounds
        budget.spend(START_COST * places)
        plan.rounds = plan.run(bound, FREE_STEPS * places * find_length(turn + 1), rng, budget)
        if best is None or plan.cost < best.cost:
            best, best_out = plan, out
        number += 1
    return best.rounds, best_out


def find_length(number: int) -> int:
    """Of runs that may begin in vain, counted from 1: 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman 1993)."""
    while number & (number + 1):
        number -= (1 << number.bit_length() - 1) - 1
    return number + 1 >> 1


def _plan_grid(instance: Instance, mix: Mix, rounds: int, budget: Budget) -> list[Round]:
    """Rounds by algebra, if their pods have the sizes that are wanted; all of them if somebody sits out."""
    budget.spend(GRID_COST * instance.size * rounds)
    if mix.sizes[0] == 2:
        pairs = plan_circle(instance.size, rounds)
        return pairs if mix.seated == instance.size or len(pairs) == rounds else []
    grid = plan_grid(instance.size, mix.sizes[0], rounds)
    return grid if all(tuple(sorted(map(len, pods), reverse=True)) == mix.sizes for pods in grid) else []


def _search_turned(instance: Instance, mix: Mix, rounds: int, rng: random.Random, budget: Budget) -> list[Round] | None:
    """A plan in which nobody meets twice, if one round can be turned into it and nobody sits out."""
    if mix.seated < instance.size:
        return None
    part = budget.part(budget.left() // 2)
    spans = range(max(2, rounds), min(rounds + SPANS, instance.size) + 1)
    meetings, pairs = sum(size * (size - 1) for size in mix.sizes), instance.size * (instance.size - 1)
    likely = [span for span in spans if instance.size % span <= len(mix.sizes) and span * meetings <= pairs]
    while likely and part.left():
        for span in likely:
            turned = TurnedRound(instance.size, mix.sizes, span, rng)
            if turned.run(TURNED_STEPS, rng, part):
                return turned.turn(rounds)
    return None


def _start_round(instance: Instance, mix: Mix, byes: set[int], rng: random.Random) -> Round:
    """Locks in any pods that have room for them, everybody else where he happens to come."""
    pods = _place_locks(instance, mix, rng)
    locked = {one for group in instance.groups for one in group}
    single = [one for one in range(instance.size) if one not in locked and one not in byes]
    rng.shuffle(single)
    rest = iter(single)
    return [[*pod, *(next(rest) for _ in range(size - len(pod)))] for pod, size in zip(pods, mix.sizes, strict=True)]


def _place_locks(instance: Instance, mix: Mix, rng: random.Random) -> Round:
    """Pods of the mix with nobody but locks in them; where no lot makes them fit, each in the tightest place."""
    for _ in range(LOTS):
        pods = _place(instance, mix, lambda room: rng.choice(list(room)))
        if pods is not None:
            return pods
    return _place_tightly(instance, mix) or []


def _place_tightly(instance: Instance, mix: Mix) -> Round | None:
    return _place(instance, mix, lambda room: min(room, key=room.__getitem__))


def _place(instance: Instance, mix: Mix, choose: Callable[[dict[int, int]], int]) -> Round | None:
    """choose: a pod, of those with enough room, each with how much. None if a lock finds none."""
    pods: Round = [[] for _ in mix.sizes]
    for lock in sorted(instance.groups, key=len, reverse=True):
        room = {pod: size - len(pods[pod]) for pod, size in enumerate(mix.sizes)}
        fitting = {pod: left for pod, left in room.items() if left >= len(lock)}
        if not fitting:
            return None
        pods[choose(fitting)].extend(lock)
    return pods


def _show(instance: Instance, rounds: list[Round], out: list[set[int]]) -> Shown:
    """With reasons, and seats shared out over the rounds."""
    met, sat, shown = dict(instance.met), instance.sat.copy(), []
    for pods, byes in zip(rounds, out, strict=True):
        seated = sorted(seat_pod(sorted(pod), sat) for pod in pods)
        known = replace(instance, met=met)
        grounds = ground_plan(instance, seated, byes)
        named = tuple(Pod(tuple(instance.ids[one] for one in pod), explain_pod(known, pod, grounds)) for pod in seated)
        shown.append((named, tuple(sorted(instance.ids[one] for one in byes))))
        met = dict(met)
        for pod in seated:
            for seat, one in enumerate(pod):
                sat[one, seat] += 1
            for pair in combinations(sorted(pod), 2):
                met[pair] = met.get(pair, 0) + 1
    return shown


def _plan_one_by_one(problem: Problem, instance: Instance, rounds: int) -> Shown:
    """Where the hard rules are so tight that only the draw of single rounds keeps them.

    Rounds for which there is no time, or for which nothing new is found, are those before over again.
    """
    single = replace(problem, rounds=None, swiss=False, time_limit=max(problem.time_limit / rounds, LEAST))
    new = min(rounds, int(max(0.5, problem.time_limit) / LEAST))
    index = {one: number for number, one in enumerate(instance.ids)}
    planned, out = [], []
    known: list[tuple[str, ...]] = []
    for _ in range(new):
        drawn = draw_round(single, known=known)
        known = [pod.seats for pod in drawn.pods]
        planned.append([[index[one] for one in pod.seats] for pod in drawn.pods])
        out.append({index[one] for one in drawn.byes})
        past = PastRound(tuple(pod.seats for pod in drawn.pods), drawn.byes)
        single = replace(single, history=(*single.history, past))
    turns = [turn % new for turn in range(rounds)]
    return _show(instance, [planned[turn] for turn in turns], [out[turn] for turn in turns])
