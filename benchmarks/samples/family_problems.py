"""Problems with 15 families of three to five people, at random, who sit together, must not, or should not."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Final, NamedTuple

from benchmarks.samples.random_problems import HIGHEST, LEVEL, REPEAT_WORTH, play
from tournaments.draw import Entrant, Problem

FAMILIES: Final = 15
"""Families of a problem."""
FAMILY_SIZES: Final = 3, 4, 5
"""People of a family."""
WISHES: Final = "together", "never", "apart"
"""Of a family: locked to one table, forbidden to meet, or counted as if they had met once more."""
SCORES: Final = "spread", "levels"
"""Anything up to five wins; or whole and half wins."""
SIZES: Final = (3, 4, 5), (4, 5, 6)
"""min, wanted, max."""


class FamilyProblem(NamedTuple):
    """One problem's features; number: tells it from others. sizes: min, wanted, max."""

    people: int
    number: int
    wish: str
    scores: str
    sizes: tuple[int, int, int]
    rounds: int

    def __str__(self) -> str:
        smallest, wanted, largest = self.sizes
        return (
            f"{self.number}: families {self.wish}, pods of {wanted} ({smallest} to {largest}), {self.scores}, "
            f"after {self.rounds} rounds"
        )


def pick_features(people: int, number: int) -> FamilyProblem:
    """Each wish with each kind of scores, in turn; pod sizes and rounds by lot. number: from 1."""
    rng = random.Random(f"families {people} {number}")
    wish, scores = WISHES[(number - 1) % 3], SCORES[(number - 1) // 3 % 2]
    return FamilyProblem(people, number, wish, scores, rng.choice(SIZES), rng.randint(2, 5))


def build_problem(features: FamilyProblem) -> Problem:
    """Everybody's scores and earlier tables by lot."""
    people, number, wish, scores, sizes, rounds = features
    rng = random.Random(f"{people} {number} {wish} {scores} {sizes} {rounds}")
    names = [f"p{place:03d}" for place in range(people)]
    step = LEVEL if scores == "levels" else 1
    left = iter(rng.sample(names, people))
    families = tuple(tuple(next(left) for _ in range(rng.choice(FAMILY_SIZES))) for _ in range(FAMILIES))
    return Problem(
        entrants=tuple(Entrant(one, rng.randrange(0, HIGHEST + 1, step)) for one in names),
        wanted=sizes[1],
        min_size=sizes[0],
        max_size=sizes[2],
        seed="1",
        repeat_worth=REPEAT_WORTH,
        history=tuple(play(names, sizes, rng, 0) for _ in range(rounds)),
        locked=families if wish == "together" else (),
        forbidden=tuple(pair for one in families for pair in combinations(one, 2)) if wish == "never" else (),
        apart=families if wish == "apart" else (),
    )
