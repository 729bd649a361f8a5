"""Reasons of pods are true: checked against all draws of a hundred small problems."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournaments.draw.exhaustive import ObjectiveValues, Worth, list_draws
from tournaments.draw import Entrant, PastRound, Pod, Problem, Sentence, Solution, solve

NAMES = ("ana", "ben", "eva", "kim", "lea", "mia", "ole")
SAME = "same score: %(score)d"
RANGE = "scores from %(low)d to %(high)d"
NOBODY = "nobody here has met before"
AGAIN = "%(one)s and %(other)s meet again (before: %(times)d)"
AGAIN_BEST = f"{AGAIN}: any draw without that costs at least as much elsewhere"
AGAIN_FOUND = f"{AGAIN}: no better draw was found"
AGAIN_LOCKED = f"{AGAIN}: they are locked together"
LOCKED = "locked together: %(names)s"
NUMBER = "a pod of %(size)d, because the number present does not divide by %(wanted)d"
SO_MANY = "a pod of %(size)d, because so many are locked together"
RULES = (
    "a pod of %(size)d, because locks or forbidden pairs leave no sizes nearer to %(wanted)d "
    "without further or other byes"
)
NOT_FOUND = "a pod of %(size)d: no draw with sizes nearer to %(wanted)d was found"
CLAIMS = {SAME, RANGE, NOBODY, AGAIN_BEST, AGAIN_LOCKED, LOCKED, NUMBER, SO_MANY, RULES}
Draws = list[tuple[ObjectiveValues, list[tuple[str, ...]], list[str]]]


def problem_of(number: int) -> Problem:
    """Four to seven people with a history; in most of them some are locked or kept apart."""
    rng = random.Random(number)
    names = NAMES[: rng.randint(4, 7)]
    smallest, largest = rng.choice(((2, 3), (2, 4), (3, 4), (3, 5), (2, 5)))
    lock = tuple(rng.sample(names, rng.choice((0, 0, 2, 3, 4, 5)) % (len(names) + 1)))
    pairs = [pair for pair in combinations(names, 2) if not {*pair} <= {*lock}]
    return Problem(
        entrants=tuple(Entrant(one, rng.choice((0, 420, 840))) for one in names),
        wanted=rng.randint(smallest, largest),
        min_size=smallest,
        max_size=max(largest, len(lock)),
        seed=str(number),
        history=tuple(_play(names, rng) for _ in range(rng.randint(0, 3))),
        forbidden=tuple(rng.sample(pairs, min(len(pairs), rng.choice((0, 0, 1, 3))))),
        locked=(lock,),
        swiss=rng.random() < 0.8,
    )


def _play(names: Sequence[str], rng: random.Random) -> PastRound:
    order = rng.sample(names, len(names))
    return PastRound((tuple(order[:2]), tuple(order[2:-1])), tuple(order[-1:]))


def list_values(problem: Problem) -> Draws:
    present = [entrant.id for entrant in problem.entrants]
    worth = Worth(problem)
    draws = ((worth.of(pods, byes), pods, byes) for pods, byes in list_draws(problem, present) if pods)
    return [(values, pods, byes) for values, pods, byes in draws if values is not None]


def list_reasons(solution: Solution) -> Iterator[tuple[Pod, Sentence]]:
    for pod in solution.pods:
        for sentence in pod.reason:
            yield pod, sentence


def is_true(problem: Problem, solution: Solution, pod: Pod, reason: Sentence, draws: Draws) -> bool:
    """Worked out from the problem and from all the draws it has."""
    scores = [entrant.score for entrant in problem.entrants if entrant.id in pod.seats]
    met = Counter(pair for past in problem.history for seats in past.pods for pair in combinations(sorted(seats), 2))
    here = {pair: met[pair] for pair in combinations(sorted(pod.seats), 2) if met[pair]}
    values, lock = reason.values, {*problem.locked[0]}
    if reason.template in (SAME, RANGE):
        stated = (values["score"],) * 2 if reason.template == SAME else (values["low"], values["high"])
        return (
            problem.swiss
            and stated == (min(scores), max(scores))
            and (stated[0] == stated[1]) == (reason.template == SAME)
        )
    if reason.template == NOBODY:
        return not here
    if reason.template == LOCKED:
        return values["names"] == tuple(sorted(lock)) and lock <= {*pod.seats}
    if "times" in values:
        first, second = sorted((str(values["one"]), str(values["other"])))
        return here[first, second] == values["times"] and _is_repeat_true(
            solution, reason, {first, second}, lock, draws
        )
    is_odd = (values["size"], values["wanted"]) == (len(pod.seats), problem.wanted) and len(pod.seats) != problem.wanted
    return is_odd and _is_size_true(problem, solution, pod, reason, draws)


def _is_repeat_true(solution: Solution, reason: Sentence, pair: set[str], lock: set[str], draws: Draws) -> bool:
    if reason.template == AGAIN_LOCKED:
        return pair <= lock
    reached = tuple(line.value for line in solution.objective)[:7]
    without = [values[:7] for values, pods, _ in draws if not any(pair <= {*seats} for seats in pods)]
    return reason.template == AGAIN_BEST and all(values >= reached for values in without)


def _is_size_true(problem: Problem, solution: Solution, pod: Pod, reason: Sentence, draws: Draws) -> bool:
    lock = {*problem.locked[0]}
    deviation = {line.name: line.value for line in solution.objective}["sizes"]
    if reason.template == SO_MANY:
        return lock == {*pod.seats} and len(lock) > problem.wanted
    free = min(values for values, _, _ in list_values(replace(problem, locked=((),), forbidden=())))
    is_by_number = (free[0], free[3]) == (len(solution.byes), deviation)
    if reason.template == NUMBER:
        return is_by_number and len(problem.entrants) % problem.wanted != 0
    alike = [values[3] for values, _, byes in draws if sorted(byes) == sorted(solution.byes)]
    return reason.template == RULES and not is_by_number and deviation == min(alike)


@pytest.mark.slow
def test_what_is_said_of_a_hundred_draws_is_true() -> None:
    collected, untrue = set(), []
    for number in range(110):
        problem = problem_of(number)
        draws = list_values(problem)
        if draws:
            solution = solve(problem)
            collected |= {sentence.template for _, sentence in list_reasons(solution)}
            untrue += [
                (number, str(sentence))
                for pod, sentence in list_reasons(solution)
                if not is_true(problem, solution, pod, sentence, draws)
            ]
    assert untrue == []
    assert collected == CLAIMS


def people(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"p{number:02d}", 140 * (number % 9)) for number in range(count))


def tell_sizes(pods: Sequence[Pod]) -> list[tuple[object, str]]:
    sizes = [sentence for pod in pods for sentence in pod.reason if "size" in sentence.values]
    return sorted((sentence.values["size"], sentence.template) for sentence in sizes)


def test_a_lock_of_five_is_why_sizes_are_odd_among_twenty_four() -> None:
    problem = Problem(people(24), 4, 3, 5, locked=(("p00", "p05", "p09", "p13", "p22"),))
    assert tell_sizes(solve(problem).pods) == [(3, RULES), (5, SO_MANY)]


def test_the_number_is_why_sizes_are_odd_among_twenty_three() -> None:
    assert tell_sizes(solve(Problem(people(23), 4, 3, 5)).pods) == [(3, NUMBER)]


@pytest.mark.parametrize(("limit", "text"), [(0.001, AGAIN_FOUND), (10.0, AGAIN_BEST)])
def test_a_repeat_is_said_to_be_needed_only_where_that_is_proven(limit: float, text: str) -> None:
    rng, names = random.Random(3), [one.id for one in people(24)]
    orders = [rng.sample(names, 24) for _ in range(5)]
    past = tuple(PastRound(tuple(tuple(order[at : at + 4]) for at in range(0, 24, 4))) for order in orders)
    solution = solve(Problem(people(24), 4, 3, 5, history=past, time_limit=limit))
    assert {sentence.template for _, sentence in list_reasons(solution) if "times" in sentence.values} == {text}


def test_of_a_round_of_a_plan_nothing_is_said_to_be_proven() -> None:
    locks = (("p00", "p01", "p02"), ("p03", "p04", "p05"), ("p06", "p07"))
    rounds = solve(Problem(people(8), 4, 3, 5, locked=locks, rounds=2)).rounds
    assert rounds is not None
    assert [tell_sizes(pods) for pods in rounds] == [[(3, NOT_FOUND), (5, NOT_FOUND)]] * 2
    again = solve(Problem(people(4), 4, 4, 4, rounds=2)).rounds
    assert again is not None
    assert [sentence.template for sentence in again[1][0].reason] == [AGAIN] * 6
