"""Random draw problems: random scores, random earlier rounds, rules for random pairs."""

from __future__ import annotations

import random
from typing import Literal, TypeAlias

from tournaments.draw import Entrant, PastRound, Problem
from tournaments.draw.problem.pod_sizes import count_byes, find_size_mix

Scores: TypeAlias = Literal["spread", "levels", "equal", "far"]
HIGHEST = 4_200
"""Highest score: five rounds won."""
LEVEL = 420
"""Score of half a win."""
FARTHEST = 100_000_000
"""The largest score that a problem may have."""
REPEAT_WORTH = 1_260


def scatter(
    people: int,
    rounds: int,
    *,
    sizes: tuple[int, int, int] = (3, 4, 5),
    scores: Scores = "spread",
    rules: bool = False,
    repeat_worth: int = REPEAT_WORTH,
    seed: str = "1",
) -> Problem:
    """sizes: min, wanted, max. scores: anything up to five wins; whole and half wins; all the same; or any there are.

    rules: a forbidden pair for every fifteen people, a lock of two for every thirty, one in thirty away, and byes in
    the earlier rounds for as many.
    """
    rng = random.Random(f"{people} {rounds} {sizes} {scores} {rules} {seed}")
    names = [f"p{number:05d}" for number in range(people)]
    step = {"spread": 1, "levels": LEVEL, "equal": HIGHEST + 1, "far": 1}[scores]
    lowest, highest = (-FARTHEST, FARTHEST) if scores == "far" else (0, HIGHEST)
    few = max(1, people // 30)
    couples = rng.sample(names, 6 * few)
    return Problem(
        entrants=tuple(Entrant(one, rng.randrange(lowest, highest + 1, step)) for one in names),
        wanted=sizes[1],
        min_size=sizes[0],
        max_size=sizes[2],
        seed=seed,
        repeat_worth=repeat_worth,
        history=tuple(play(names, sizes, rng, few if rules else 0) for _ in range(rounds)),
        absent=tuple(rng.sample(names, few)) if rules else (),
        forbidden=pair_up(couples[: 4 * few]) if rules else (),
        locked=pair_up(couples[4 * few :]) if rules else (),
    )


def pair_up(people: list[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of neighbours."""
    return tuple(zip(people[::2], people[1::2], strict=True))


def play(names: list[str], sizes: tuple[int, int, int], rng: random.Random, byes: int) -> PastRound:
    """A round by lot, with so many byes and those that the sizes (min, wanted, max) force."""
    smallest, wanted, largest = sizes
    order = rng.sample(names, len(names))
    byes += count_byes(len(names) - byes, smallest=smallest, largest=largest)
    mix = find_size_mix(len(names) - byes, wanted=wanted, smallest=smallest, largest=largest)
    left = iter(order[byes:])
    pods = tuple(tuple(next(left) for _ in range(size)) for size in (mix.sizes if mix else ()))
    return PastRound(pods, tuple(order[:byes]))
