"""Problems with wide pods, at random: mostly of five to eight people, after up to eight rounds."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from benchmarks.samples.random_problems import HIGHEST, LEVEL, REPEAT_WORTH, pair_up, play
from tournaments.draw import Entrant, Problem

SIZES: Final = (6, 6, 6), (5, 6, 7), (7, 7, 7), (6, 7, 8), (8, 8, 8), (7, 8, 8), (3, 5, 8), (3, 8, 8)
SCORES: Final = "spread", "levels", "equal", "wins", "bell"
WIN: Final = 840
"""Score of a round won."""
WORTHS: Final = REPEAT_WORTH, REPEAT_WORTH, 420, 140, 5_000
"""Values of repeat_worth, at random."""
RULES_SHARE: Final = 0.35
"""Share of the problems that have rules."""
LOCKS: Final = 2, 2, 3
"""People of a lock."""


class Wide(NamedTuple):
    """One problem's features; number: tells it from others of the same size. sizes: min, wanted, max."""

    people: int
    number: int
    sizes: tuple[int, int, int]
    rounds: int
    scores: str
    rules: bool
    worth: int

    def __str__(self) -> str:
        smallest, wanted, largest = self.sizes
        pods = f"pods of {wanted}" if smallest == largest else f"pods of {wanted} ({smallest} to {largest})"
        rules = ", rules" if self.rules else ""
        return f"{self.number}: {pods} after {self.rounds} rounds, {self.scores}{rules}, repeats worth {self.worth}"


def pick_features(people: int, number: int) -> Wide:
    """The features of this problem."""
    rng = random.Random(f"lot {people} {number}")
    sizes, rounds, scores = rng.choice(SIZES), rng.randint(2, 8), rng.choice(SCORES)
    return Wide(people, number, sizes, rounds, scores, rng.random() < RULES_SHARE, rng.choice(WORTHS))


def build_problem(wide: Wide) -> Problem:
    """With rules: for every thirty people two forbidden pairs and two locks or more, and some absent and byes."""
    people, number, sizes, rounds, scores, rules, worth = wide
    rng = random.Random(f"{people} {number} {sizes} {rounds} {scores} {rules} {worth}")
    names = [f"p{place:03d}" for place in range(people)]
    entrants = tuple(Entrant(one, _score(rng, scores, rounds)) for one in names)
    few = 2 * max(1, people // 30) if rules else 0
    chosen = rng.sample(names, 6 * few) if rules else []
    forbidden_pairs, friends = chosen[: 2 * few], chosen[2 * few :]
    locks = tuple(tuple(friends[first : first + rng.choice(LOCKS)]) for first in range(0, len(friends), 4))
    absent = tuple(rng.sample(names, few // 2)) if rules else ()
    return Problem(
        entrants=entrants,
        wanted=sizes[1],
        min_size=sizes[0],
        max_size=sizes[2],
        seed="1",
        repeat_worth=worth,
        history=tuple(play(names, sizes, rng, few // 2) for _ in range(rounds)),
        absent=absent,
        forbidden=pair_up(forbidden_pairs),
        locked=locks,
    )


def _score(rng: random.Random, scores: str, rounds: int) -> int:
    """spread: anything; levels: whole and half wins; equal: all the same; wins: so many; bell: most near the middle."""
    if scores == "equal":
        return 0
    if scores == "bell":
        return int(rng.gauss(HIGHEST / 2, HIGHEST / 6))
    step, count = {"spread": (1, HIGHEST + 1), "levels": (LEVEL, HIGHEST // LEVEL + 1), "wins": (WIN, rounds + 1)}[
        scores
    ]
    return step * rng.randrange(count)
