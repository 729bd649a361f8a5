"""A round robin planned as a whole: all rounds at once, so that everybody meets everybody as evenly as possible.

Two ways, the better one counts. Turned: one round is sought that, turned step by step in circles of people, has nobody
meet twice (the method of differences for resolvable designs). Free: people trade places in single rounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeAlias

from tournaments.draw.annealing import STEP_COST, FreePlan, Round, TurnedRound
from tournaments.draw.budget import Budget
from tournaments.draw.faults import Conflict
from tournaments.draw.instance import Instance, build_instance
from tournaments.draw.lines import is_allowed
from tournaments.draw.mixes import Mix, count_byes, find_mix
from tournaments.draw.one_round import draw_round
from tournaments.draw.problem import PastRound, Problem
from tournaments.draw.reasons import explain_pod
from tournaments.draw.seating import seat_pod
from tournaments.draw.solution import PLAN_LINE, Line, Pod, Solution
from tournaments.draw.start import fill_pods

Shown: TypeAlias = list[tuple[tuple[Pod, ...], tuple[str, ...]]]
SPANS: Final = 4
"""Circles of as many people as there are rounds are tried, and of up to so many more."""
TURNED_STEPS: Final = 40_000
FREE_STEPS: Final = 5_000
"""The first time; each further time half as many again."""
BARRED: Final = 1_000
"""Foes count as having met so often."""


def plan_rounds(problem: Problem, rounds: int, tell: Callable[[int], None] | None = None) -> Solution:
    """Sizes as near to the wanted one as the number allows, byes only if sizes force them, to those who had fewest.

    Raises Conflict if the hard rules cannot be kept in a round.
    """
    budget, instance = Budget(problem.time_limit, tell=tell), build_instance(replace(problem, swiss=False))
    mix = _find_mix(instance)
    out = _share_byes(instance, instance.size - mix.seated, rounds)
    bound = max(bound_repeats(instance, mix, rounds), bound_crossings(instance, mix, rounds))
    planned = _search(instance, mix, out, bound, budget)
    if all(is_allowed(instance, pods, sorted(byes)) for pods, byes in zip(planned, out, strict=True)):
        shown = _show(instance, planned, out)
    else:
        shown, bound = _plan_one_by_one(problem, rounds), 0
    value = count_repeats(problem, [pods for pods, _ in shown])
    line = Line(PLAN_LINE, value, min(bound, value))
    stopped = None if line.is_proven else "clock" if budget.is_clock_over else f"work limit: {PLAN_LINE} not proven"
    return Solution(
        (), (), (line,), stopped, budget.seconds, tuple(pods for pods, _ in shown), tuple(byes for _, byes in shown)
    )


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


def bound_repeats(instance: Instance, mix: Mix, rounds: int) -> int:
    """So many meetings there must be; those of locks in every round, and of the others the cheapest."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in mix.sizes)
    locked = [pair for group in instance.groups for pair in combinations(group, 2)]
    total = sum((instance.met.get(pair, 0) + turn) ** 2 for pair in locked for turn in range(rounds))
    meetings -= rounds * len(locked)
    tally = {0: instance.size * (instance.size - 1) // 2 - len(instance.foes | set(locked) | set(instance.met))}
    for pair, times in instance.met.items():
        if pair not in instance.foes and pair not in locked:
            tally[times] = tally.get(times, 0) + 1
    times = 0
    while meetings > 0 and times <= rounds + max(tally):
        here = min(meetings, tally.get(times, 0))
        total, meetings = total + here * times**2, meetings - here
        tally[times + 1] = tally.get(times + 1, 0) + tally.get(times, 0)
        times += 1
    return total


def bound_crossings(instance: Instance, mix: Mix, rounds: int) -> int:
    """Any two rounds have so many pairs in common: the four of a pod come from three pods, so two from the same.

    A pair that meets M times costs 0² + 1² + … + (M − 1)², so no less than the M (M − 1) / 2 pairs of rounds in which
    it does.
    """
    between = _count_common(mix.sizes, len(mix.sizes) + instance.size - mix.seated)
    total = rounds * (rounds - 1) // 2 * between
    present = set(instance.ids)
    for past in instance.problem.history:
        pods = [present & set(pod) for pod in past.pods]
        classes = sum(bool(pod) for pod in pods) + len(present.difference(*pods))
        total += rounds * _count_common(mix.sizes, classes)
    return total


def _count_common(sizes: Sequence[int], classes: int) -> int:
    """So many pairs of the same class there are at least in pods of these sizes."""
    shares = [divmod(size, classes) for size in sizes]
    return sum(more * (whole + 1) * whole // 2 + (classes - more) * whole * (whole - 1) // 2 for whole, more in shares)


def _find_mix(instance: Instance) -> Mix:
    problem = instance.problem
    byes = count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size)
    mix = find_mix(instance.size - byes, wanted=problem.wanted, smallest=problem.min_size, largest=problem.max_size)
    if mix is None:
        raise Conflict("no pod is possible")
    return mix


def _share_byes(instance: Instance, byes: int, rounds: int) -> list[set[int]]:
    """Per round who sits out: always those who did so least, nobody of a lock."""
    locked = {one for group in instance.groups for one in group}
    had = {one: int(instance.byes[one]) for one in range(instance.size) if one not in locked}
    if len(had) < byes:
        raise Conflict("too many are locked together for somebody to sit out")
    out = []
    for _ in range(rounds):
        chosen = set(sorted(had, key=lambda one: (had[one], one))[:byes])
        for one in chosen:
            had[one] += 1
        out.append(chosen)
    return out


def _search(instance: Instance, mix: Mix, out: list[set[int]], bound: int, budget: Budget) -> list[Round]:
    rng = random.Random(instance.problem.seed)
    is_plain = not (instance.met or instance.foes or instance.groups or out[0])
    turned = _search_turned(instance, mix, len(out), rng, budget) if is_plain else None
    if turned is not None:
        return turned
    locked = {one for group in instance.groups for one in group}
    met = instance.meetings()
    for one, other in instance.foes:
        met[one, other] = met[other, one] = BARRED
    best: FreePlan | None = None
    steps = FREE_STEPS
    while best is None or (best.cost > bound and budget.left() > STEP_COST * steps):
        start = [_start_round(instance, mix, byes, locked, rng) for byes in out]
        plan = FreePlan(met.tolist(), start, [locked] * len(out))
        plan.rounds = plan.run(bound, steps, rng, budget)
        best = plan if best is None or plan.cost < best.cost else best
        steps = steps * 3 // 2
    return best.rounds


def _search_turned(instance: Instance, mix: Mix, rounds: int, rng: random.Random, budget: Budget) -> list[Round] | None:
    """A plan in which nobody meets twice, if one round can be turned into it."""
    if rounds * sum(size * (size - 1) for size in mix.sizes) > instance.size * (instance.size - 1):
        return None
    for span in range(max(2, rounds), min(rounds + SPANS, instance.size) + 1):
        if instance.size % span > len(mix.sizes) or not budget.left():
            continue
        turned = TurnedRound(instance.size, mix.sizes, span, rng)
        if turned.run(TURNED_STEPS, rng, budget.part(budget.limit // (2 * SPANS))):
            return turned.turn(rounds)
    return None


def _start_round(instance: Instance, mix: Mix, byes: set[int], locked: set[int], rng: random.Random) -> Round:
    pods = fill_pods(instance, mix, byes, instance.groups)
    if pods is None:
        raise Conflict("the locks do not fit into the pods")
    single = [one for pod in pods for one in pod if one not in locked]
    rng.shuffle(single)
    rest = iter(single)
    return [[one if one in locked else next(rest) for one in pod] for pod in pods]


def _show(instance: Instance, rounds: list[Round], out: list[set[int]]) -> Shown:
    """With reasons, and seats shared out over the rounds."""
    met, sat, shown = dict(instance.met), instance.sat.copy(), []
    for pods, byes in zip(rounds, out, strict=True):
        seated = sorted(seat_pod(sorted(pod), sat) for pod in pods)
        known = replace(instance, met=met)
        named = tuple(Pod(tuple(instance.ids[one] for one in pod), explain_pod(known, pod)) for pod in seated)
        shown.append((named, tuple(sorted(instance.ids[one] for one in byes))))
        met = dict(met)
        for pod in seated:
            for seat, one in enumerate(pod):
                sat[one, seat] += 1
            for pair in combinations(sorted(pod), 2):
                met[pair] = met.get(pair, 0) + 1
    return shown


def _plan_one_by_one(problem: Problem, rounds: int) -> Shown:
    """Where the hard rules are so tight that only the draw of single rounds keeps them."""
    single = replace(problem, rounds=None, swiss=False, time_limit=max(problem.time_limit / rounds, 0.01))
    shown = []
    for _ in range(rounds):
        drawn = draw_round(single)
        shown.append((drawn.pods, drawn.byes))
        past = PastRound(tuple(pod.seats for pod in drawn.pods), drawn.byes)
        single = replace(single, history=(*single.history, past))
    return shown
