"""A round robin planned as a whole: all rounds at once, so that everybody meets everybody as evenly as possible.

Four methods. Exhaustive: all plans of few people (exhaustive.py). Grids: rounds by algebra (grids.py). Cyclic: one
round that, rotated step by step in cycles of people, has nobody meet twice (the method of differences for resolvable
designs). Annealing: people swap places within single rounds, in all rounds or in those that a grid leaves. Where teams
or clubs should be apart, one round more is planned, in which they are the pods.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeAlias

from tournaments.draw.one_round import draw_round
from tournaments.draw.plans.annealing import AnnealedPlan, CyclicRound, PlannedRound
from tournaments.draw.plans.exhaustive import plan_exhaustively
from tournaments.draw.plans.grids import plan_circle, plan_grid
from tournaments.draw.plans.repeat_bound import bound_common_pairs, bound_repeats
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.definition import PastRound, Problem
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pod_sizes import SizeMix, count_byes
from tournaments.draw.problem.reasons import choose_plan_templates, explain_pod
from tournaments.draw.problem.seat_assignment import seat_pod
from tournaments.draw.problem.solution import PLAN_LINE, ObjectiveLine, Pod, Solution, describe_stop
from tournaments.draw.search.start import choose_size_mixes

ExplainedRounds: TypeAlias = list[tuple[tuple[Pod, ...], tuple[str, ...]]]
EXTRA_SPANS: Final = 4
"""Cycles of as many people as there are rounds are tried, and of up to so many more."""
CYCLIC_STEPS: Final = 10_000
"""Annealing steps for one attempt at a cyclic round. Short attempts, begun again, find more than one long one."""
FREE_STEPS: Final = 60
"""Annealing steps for each place of each round in the first run; multiples of it in others (`find_luby_term`)."""
START_COST: Final = 2
"""Units of work for each place of each round, to set up a run (measured)."""
FORBIDDEN_MEETINGS: Final = 1_000
"""A forbidden pair counts as having met so often, so that its meeting costs a million."""
RANDOM_PLACEMENTS: Final = 20
"""Random ways to place the locks that are tried in each round, before the tightest places."""
MIN_ROUND_SECONDS: Final = 0.01
"""Seconds of time limit for each round that is drawn by itself, at least."""
GRID_COST: Final = 15
"""Units of work for each place of a grid (measured)."""


def plan_rounds(problem: Problem, rounds: int, on_progress: Callable[[int], None] | None = None) -> Solution:
    """Sizes as near to the wanted one as the number allows, byes only if sizes force them, for those with the fewest.

    Raises Conflict if the hard rules cannot be kept in a round.
    """
    budget, instance = (
        Budget(problem.time_limit, on_progress=on_progress),
        build_instance(replace(problem, swiss=False)),
    )
    mix = _choose_mix(instance)
    explained, bound = None, 0
    if mix is not None:
        bound = max(bound_repeats(instance, mix, rounds), bound_common_pairs(instance, mix, rounds))
        planned, byes_by_round, bound = _plan(instance, mix, rounds, bound, budget)
        if all(is_allowed(instance, pods, sorted(byes)) for pods, byes in zip(planned, byes_by_round, strict=True)):
            explained = _explain_rounds(instance, planned, byes_by_round)
    if explained is None:
        explained, bound = _plan_one_by_one(problem, instance, rounds), 0
    value = count_repeats(problem, [pods for pods, _ in explained])
    line = ObjectiveLine(PLAN_LINE, value, min(bound, value))
    stopped = describe_stop([line], budget.is_clock_over)
    return Solution(
        (),
        (),
        (line,),
        stopped,
        budget.seconds,
        tuple(pods for pods, _ in explained),
        tuple(byes for _, byes in explained),
    )


def _plan(
    instance: Instance, mix: SizeMix, rounds: int, bound: int, budget: Budget
) -> tuple[list[PlannedRound], list[set[int]], int]:
    """Rounds, the byes of each, and a lower bound of the cost of every such plan."""
    best = plan_exhaustively(instance, mix, rounds, bound, budget) if bound else None
    if best is not None:
        planned, bound = best
        return planned, [set[int]() for _ in planned], bound
    return *_search(instance, mix, rounds, bound, budget), bound


def count_repeats(problem: Problem, rounds: list[tuple[Pod, ...]]) -> int:
    """Sum over all rounds and pairs in one pod of m², m = how often they met in the history or an earlier round.

    Pairs of one group that should be apart count as if they had met once more.
    """
    met = dict.fromkeys((pair for group in problem.apart for pair in combinations(sorted(set(group)), 2)), 1)
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


def _choose_mix(instance: Instance) -> SizeMix | None:
    """The sizes nearest to the wanted one; of these the most pods, where fewest meet again. None if locks do not fit.

    Where there are byes, enough people must not be locked.
    """
    problem, best = instance.problem, None
    byes = count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size)
    if (instance.lock_of() < 0).sum() < byes:
        return None
    for mix in choose_size_mixes(instance, byes):
        if best is not None and mix.deviation > best.deviation:
            break
        if _place_tightly(instance, mix) is not None:
            best = mix
    return best


def _share_byes(instance: Instance, byes: int, rounds: int, rng: random.Random) -> list[set[int]]:
    """The byes of each round: for those with the fewest, nobody of a lock; among equals by lot."""
    single = [entrant for entrant in range(instance.size) if instance.lock_of()[entrant] < 0]
    had = {member: int(instance.byes[member]) for member in single}
    byes_by_round = []
    for _ in range(rounds):
        rng.shuffle(single)
        chosen = set(sorted(single, key=had.__getitem__)[:byes])
        for person in chosen:
            had[person] += 1
        byes_by_round.append(chosen)
    return byes_by_round


def _search(
    instance: Instance, mix: SizeMix, rounds: int, bound: int, budget: Budget
) -> tuple[list[PlannedRound], list[set[int]]]:
    """Rounds, and the byes of each."""
    rng, nobody = random.Random(instance.problem.seed), [set[int]() for _ in range(rounds)]
    grid: list[PlannedRound] = []
    is_free = not (instance.forbidden_pairs or instance.locks or instance.byes.any())
    if is_free and not instance.met:
        grid = _plan_grid(instance, mix, rounds, budget)
        if len(grid) == rounds:
            return grid, [set(range(instance.size)).difference(*pods) for pods in grid]
        cyclic = None if bound else _search_cyclic(instance, mix, rounds, rng, budget)
        if cyclic is not None:
            return cyclic, nobody
    elif is_free and not bound and instance.met.keys() == instance.kin and not instance.problem.history:
        apart = _plan_beside_groups(instance, mix, rounds, rng, budget)
        if apart is not None:
            return apart, nobody
    met = instance.count_meetings()
    for one, other in instance.forbidden_pairs:
        met[one, other] = met[other, one] = FORBIDDEN_MEETINGS
    locked = {member for lock in instance.locks for member in lock}
    best, best_byes, number = None, nobody, 0
    while best is None or (best.cost > bound and budget.remaining()):
        grid_rounds = grid if number % 2 else []
        run_number = number // 2 if grid else number
        byes_by_round = _share_byes(instance, instance.size - mix.seated, rounds, rng)
        start = [*grid_rounds, *(_start_round(instance, mix, byes, rng) for byes in byes_by_round[len(grid_rounds) :])]
        fixed = [set(range(instance.size))] * len(grid_rounds) + [locked] * (rounds - len(grid_rounds))
        plan, places = AnnealedPlan(met.tolist(), start, fixed), instance.size * rounds
        budget.spend(START_COST * places)
        plan.rounds = plan.run(bound, FREE_STEPS * places * find_luby_term(run_number + 1), rng, budget)
        if best is None or plan.cost < best.cost:
            best, best_byes = plan, byes_by_round
        number += 1
    return best.rounds, best_byes


def find_luby_term(number: int) -> int:
    """The term of the Luby sequence, counted from 1: 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman 1993). The
    length of runs that may begin in vain.
    """
    while number & (number + 1):
        number -= (1 << number.bit_length() - 1) - 1
    return number + 1 >> 1


def _plan_grid(instance: Instance, mix: SizeMix, rounds: int, budget: Budget) -> list[PlannedRound]:
    """Rounds by algebra, if their pods have the wanted sizes; all rounds or none if there are byes."""
    budget.spend(GRID_COST * instance.size * rounds)
    if mix.sizes[0] == 2:
        pairs = plan_circle(instance.size, rounds)
        return pairs if mix.seated == instance.size or len(pairs) == rounds else []
    grid = plan_grid(instance.size, mix.sizes[0], rounds)
    return grid if all(tuple(sorted(map(len, pods), reverse=True)) == mix.sizes for pods in grid) else []


def _search_cyclic(
    instance: Instance, mix: SizeMix, rounds: int, rng: random.Random, budget: Budget
) -> list[PlannedRound] | None:
    """A plan in which nobody meets twice, if rotating one round gives one and there are no byes."""
    if mix.seated < instance.size:
        return None
    part = budget.split_off(budget.remaining() // 2)
    spans = range(max(2, rounds), min(rounds + EXTRA_SPANS, instance.size) + 1)
    count_meetings, pairs = sum(size * (size - 1) for size in mix.sizes), instance.size * (instance.size - 1)
    likely = [span for span in spans if instance.size % span <= len(mix.sizes) and span * count_meetings <= pairs]
    while likely and part.remaining():
        for span in likely:
            cyclic = CyclicRound(instance.size, mix.sizes, span, rng)
            if cyclic.run(CYCLIC_STEPS, rng, part):
                return cyclic.rotate(rounds)
    return None


def _plan_beside_groups(
    instance: Instance, mix: SizeMix, rounds: int, rng: random.Random, budget: Budget
) -> list[PlannedRound] | None:
    """A plan in which nobody meets twice, and nobody of their own group: it is the rest of one of a round more, whose
    first pods are the groups. None if the groups do not fit into pods, or no such plan is found.
    """
    together = _pack_groups(instance, mix)
    if together is None:
        return None
    plain = replace(instance, met={}, kin=frozenset())
    planned = _plan_grid(plain, mix, rounds + 1, budget)
    if len(planned) <= rounds:
        planned = _search_cyclic(plain, mix, rounds + 1, rng, budget) or []
    if len(planned) <= rounds:
        return None
    first = sorted(planned[0], key=len, reverse=True)
    who = {
        place: one for pod, group in zip(first, together, strict=True) for place, one in zip(pod, group, strict=True)
    }
    return [[[who[place] for place in pod] for pod in pods] for pods in planned[1:]]


def _pack_groups(instance: Instance, mix: SizeMix) -> PlannedRound | None:
    """Pods of these sizes, larger first, that each hold whole groups; None with byes, or if a group fits into none."""
    if mix.seated < instance.size:
        return None
    groups: dict[int, set[int]] = {}
    for one, other in instance.kin:
        joined = groups.get(one, {one}) | groups.get(other, {other})
        groups |= dict.fromkeys(joined, joined)
    pods: PlannedRound = [[] for _ in mix.sizes]
    packed = {min(group): sorted(group) for group in groups.values()}
    for members in sorted(packed.values(), key=lambda group: (-len(group), group)):
        room = [pod for pod, size in zip(pods, mix.sizes, strict=True) if len(pod) + len(members) <= size]
        if not room:
            return None
        room[0].extend(members)
    rest = iter(person for person in range(instance.size) if person not in groups)
    return [[*pod, *(next(rest) for _ in range(size - len(pod)))] for pod, size in zip(pods, mix.sizes, strict=True)]


def _start_round(instance: Instance, mix: SizeMix, byes: set[int], rng: random.Random) -> PlannedRound:
    """Locks in random pods with room for them, everybody else at random."""
    pods = _place_locks(instance, mix, rng)
    locked = {member for lock in instance.locks for member in lock}
    single = [person for person in range(instance.size) if person not in locked and person not in byes]
    rng.shuffle(single)
    rest = iter(single)
    return [[*pod, *(next(rest) for _ in range(size - len(pod)))] for pod, size in zip(pods, mix.sizes, strict=True)]


def _place_locks(instance: Instance, mix: SizeMix, rng: random.Random) -> PlannedRound:
    """Pods that hold only locks; if random places do not fit, each lock in the tightest."""
    for _ in range(RANDOM_PLACEMENTS):
        pods = _place_entrants(instance, mix, lambda room: rng.choice(list(room)))
        if pods is not None:
            return pods
    return _place_tightly(instance, mix) or []


def _place_tightly(instance: Instance, mix: SizeMix) -> PlannedRound | None:
    return _place_entrants(instance, mix, lambda room: min(room, key=room.__getitem__))


def _place_entrants(instance: Instance, mix: SizeMix, choose: Callable[[dict[int, int]], int]) -> PlannedRound | None:
    """choose: picks a pod from {pod: room}. None if a lock finds no room."""
    pods: PlannedRound = [[] for _ in mix.sizes]
    for lock in sorted(instance.locks, key=len, reverse=True):
        room = {pod: size - len(pods[pod]) for pod, size in enumerate(mix.sizes)}
        fitting = {pod: left for pod, left in room.items() if left >= len(lock)}
        if not fitting:
            return None
        pods[choose(fitting)].extend(lock)
    return pods


def _explain_rounds(instance: Instance, rounds: list[PlannedRound], byes_by_round: list[set[int]]) -> ExplainedRounds:
    """The rounds with reasons, and with seats shared out over the rounds."""
    met, seat_counts, explained = dict(instance.met), instance.seat_counts.copy(), []
    for pods, byes in zip(rounds, byes_by_round, strict=True):
        seated = sorted(seat_pod(sorted(pod), seat_counts) for pod in pods)
        current = replace(instance, met=met)
        templates = choose_plan_templates(instance, seated, byes)
        named = tuple(
            Pod(tuple(instance.ids[member] for member in pod), explain_pod(current, pod, templates)) for pod in seated
        )
        explained.append((named, tuple(sorted(instance.ids[entrant] for entrant in byes))))
        met = dict(met)
        for pod in seated:
            for seat, one in enumerate(pod):
                seat_counts[one, seat] += 1
            for pair in combinations(sorted(pod), 2):
                met[pair] = met.get(pair, 0) + 1
    return explained


def _plan_one_by_one(problem: Problem, instance: Instance, rounds: int) -> ExplainedRounds:
    """Where the hard rules are so tight that only drawing each round by itself keeps them.

    Rounds for which there is no time, or for which nothing new is found, repeat earlier ones.
    """
    single = replace(problem, rounds=None, swiss=False, time_limit=max(problem.time_limit / rounds, MIN_ROUND_SECONDS))
    new = min(rounds, int(max(0.5, problem.time_limit) / MIN_ROUND_SECONDS))
    index = {one: number for number, one in enumerate(instance.ids)}
    planned, byes_by_round = [], []
    latest: list[tuple[str, ...]] = []
    for _ in range(new):
        drawn = draw_round(single, fallback=latest)
        latest = [pod.seats for pod in drawn.pods]
        planned.append([[index[seat] for seat in pod.seats] for pod in drawn.pods])
        byes_by_round.append({index[entrant] for entrant in drawn.byes})
        past = PastRound(tuple(pod.seats for pod in drawn.pods), drawn.byes)
        single = replace(single, history=(*single.history, past))
    turns = [run_number % new for run_number in range(rounds)]
    return _explain_rounds(
        instance, [planned[run_number] for run_number in turns], [byes_by_round[run_number] for run_number in turns]
    )
