"""Many people with different scores: all prefix cuts at once, and a nearly integral program."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, PastRound, Problem, solve
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_pod_model, describe_draw
from tournaments.draw.program.prefix_bound import ExcessCosts, PrefixBound, solve_prefix_program
from tournaments.draw.program.prefix_cuts import PrefixColumns

NAMES = "abcdefghij"


def run(instance: Instance, pods: list[list[int]], byes: list[int]) -> tuple[PrefixBound, ExcessCosts]:
    values, scales = evaluate(instance, pods, byes), find_scales(instance)
    shape, rows = build_pod_model(instance, values, scales, line="pairing", nodes=list_single_nodes(instance))
    rules = PrefixColumns(shape)
    start = describe_draw(rules, pods, byes)
    ran = solve_prefix_program(rules, rows, start, values.pairing // scales.scale**2, Budget(10))
    assert ran is not None
    return ran, ExcessCosts(rules, ran.prices)


@pytest.mark.parametrize(("people", "sizes"), [(8, (3, 4, 4)), (9, (3, 4, 5)), (9, (2, 3, 4)), (9, (2, 4, 4))])
@pytest.mark.parametrize("seed", range(2))
def test_its_bound_is_never_above_the_best_draw(people: int, sizes: tuple[int, int, int], seed: int) -> None:
    rng = random.Random(f"{people} {sizes} {seed}")
    names = NAMES[:people]
    entrants = tuple(Entrant(one, rng.randint(0, 900)) for one in names)
    orders = [rng.sample(names, people) for _ in range(2)]
    past = tuple(PastRound((tuple(order[:4]), tuple(order[4:8]))) for order in orders)
    problem = Problem(entrants, sizes[1], sizes[0], sizes[2], repeat_worth=300, history=past)
    instance = build_instance(problem)
    index = {one: number for number, one in enumerate(instance.ids)}
    draws = [
        ([[index[one] for one in pod] for pod in pods], [index[one] for one in byes])
        for pods, byes in list_draws(problem, list(names))
        if pods
    ]
    fewest = min(len(byes) for _, byes in draws)
    valued = [(evaluate(instance, pods, byes), pods, byes) for pods, byes in draws if len(byes) == fewest]
    plain = min(values[:6] for values, _, _ in valued)
    alike = [each for each in valued if each[0][:6] == plain]
    worst, pods, byes = max(alike)
    best = min(alike)
    scale = find_scales(instance).scale
    ran, excess = run(instance, pods, byes)
    assert ran.bound * scale**2 <= best[0].pairing < worst.pairing
    assert sum(excess.measure(best[1])) <= best[0].pairing // scale**2 - ran.bound
    kept = run(instance, best[1], best[2])[0]
    assert kept.bound * scale**2 <= best[0].pairing


def test_without_meetings_the_program_takes_whole_pods() -> None:
    rng = random.Random(5)
    entrants = tuple(Entrant(f"p{number:03d}", rng.randint(0, 4200)) for number in range(40))
    instance = build_instance(Problem(entrants, 4, 3, 5))
    pods = [list(range(first, 40, 10)) for first in range(10)]
    ran, _ = run(instance, pods, [])
    closest = [list(range(first, first + 4)) for first in range(0, 40, 4)]
    assert sorted(ran.whole.members.tolist()) == closest
    assert ran.bound == evaluate(instance, closest, []).pairing // find_scales(instance).scale ** 2


@pytest.mark.slow
def test_three_hundred_who_all_differ_are_drawn_all_but_perfectly() -> None:
    rng = random.Random(3)
    names = [f"p{number:03d}" for number in range(300)]
    orders = [rng.sample(names, 300) for _ in range(4)]
    past = tuple(PastRound(tuple(tuple(order[seat::75]) for seat in range(75))) for order in orders)
    entrants = tuple(Entrant(one, rng.randint(0, 1_000_000)) for one in names)
    solution = solve(Problem(entrants, 4, 3, 5, repeat_worth=300_000, history=past, time_limit=4))
    pairing = solution.objective[6]
    assert pairing.bound <= pairing.value <= 1.01 * pairing.bound
