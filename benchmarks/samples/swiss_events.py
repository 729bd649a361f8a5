"""Simulated Swiss events: people of different strength, some rounds drawn and played, and the next one to draw."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from tournaments.draw import Entrant, PastRound, Problem, solve

SHARE = 840
"""Score for finishing ahead of everybody in a pod."""
DRAW_SECONDS = 0.5
"""Time limit of each round that leads up to the measured one."""


def simulate(people: int, rounds: int, *, sizes: tuple[int, int, int] = (3, 4, 5), seed: str = "1") -> Problem:
    """The problem after so many rounds. sizes: min, wanted, max."""
    rng = random.Random(f"{people} {rounds} {seed}")
    strength = {f"p{number:05d}": rng.gauss(0, 1) for number in range(people)}
    problem = Problem(
        entrants=tuple(Entrant(one) for one in strength),
        wanted=sizes[1],
        min_size=sizes[0],
        max_size=sizes[2],
        seed=seed,
        time_limit=DRAW_SECONDS,
    )
    for _ in range(rounds):
        scores = {entrant.id: entrant.score for entrant in problem.entrants}
        past = draw_well(problem)
        for pod in past.pods:
            for one, gained in play(pod, strength, rng).items():
                scores[one] += gained
        for bye in past.byes:
            scores[bye] += SHARE // 2
        entrants = tuple(Entrant(one, score) for one, score in scores.items())
        problem = replace(problem, entrants=entrants, history=(*problem.history, past))
    return problem


def draw_well(problem: Problem) -> PastRound:
    """By our own draw."""
    drawn = solve(problem)
    return PastRound(tuple(pod.seats for pod in drawn.pods), drawn.byes)


def play(pod: Sequence[str], strength: dict[str, float], rng: random.Random) -> dict[str, int]:
    """One game: places by strength and luck; the share beaten of each."""
    order = sorted(pod, key=lambda one: strength[one] + rng.gauss(0, 1))
    return {one: place * SHARE // (len(pod) - 1) for place, one in enumerate(order)}
