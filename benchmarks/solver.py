"""How long the solver of Fancy Animals takes: the best play for a hand and a table of so many cards.

Positions come from games at random, under no special rule and under all four. Milliseconds are those of the
processor, so that a busy machine does not count; the targets are those of fancy-animals.md, last section.

    python -m benchmarks.solver [--positions N] [--seed S] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any, Final

from games.catalogue.fancy_animals import rules as fancy_animals
from games.catalogue.fancy_animals.rules.claims import SPECIAL_RULES, list_offer
from games.catalogue.fancy_animals.rules.solving.best import find_best
from games.catalogue.fancy_animals.rules.solving.problem import Problem
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Config
from games.rules.chance import Chance

SIZES: Final = (10, 20, 40, 60)
JUDGED: Final = 40
MAX_MEDIAN: Final = 50
MAX_P99: Final = 1000
"""Milliseconds at the size that is judged."""


def main() -> None:
    """Measure, print a table, write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200, help="of each size, half of them under all special rules")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    print(f"{'cards':>6}{'rules':>7}{'positions':>11}{'claims':>8}{'median':>8}{'p90':>8}{'p99':>8}{'most':>8}  ms")
    figures = []
    for size in SIZES:
        for active in ((), SPECIAL_RULES):
            row = measure(size, active, given.positions // 2, random.Random(f"{given.seed} {size} {active}"))
            figures.append(row)
            print(
                f"{size:>6}{len(active):>7}{row['positions']:>11}{row['claims']:>8}{row['median']:>8.1f}{row['p90']:>8.1f}"
                f"{row['p99']:>8.1f}{row['most']:>8.1f}  {judge(row)}"
            )
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")


def measure(size: int, active: tuple[str, ...], count: int, rng: random.Random) -> dict[str, Any]:
    """Times over positions with tables of this size."""
    times, claims = [], 0
    for _ in range(count):
        problem = find_problem(size, active, rng)
        began = time.process_time()
        found = find_best(problem)
        times.append(1000 * (time.process_time() - began))
        claims += found is not None and found.claim is not None
    times.sort()
    return {
        "cards": size,
        "rules": len(active),
        "positions": count,
        "claims": claims,
        "median": statistics.median(times),
        "p90": times[int(0.9 * count)],
        "p99": times[int(0.99 * count)],
        "most": times[-1],
    }


def find_problem(size: int, active: tuple[str, ...], rng: random.Random) -> Problem:
    """A position of a random game of three or four with a table of this size, or one card more."""
    while True:
        state = play_until(size, active, rng)
        if state is not None:
            seat = state.turn
            offer = list_offer(state.clothing)
            return Problem(
                state.table, state.hands[seat], state.worn[seat], state.animals[seat], offer, state.active, state.top
            )


def play_until(size: int, active: tuple[str, ...], rng: random.Random) -> State | None:
    """A random game up to this size of the table; None if it ended, or went past it."""
    rules = fancy_animals.RULES
    config = Config(rng.choice((3, 4)), {}, {"active": list(active)})
    state = rules.start(config, Chance(rng.randbytes(32)))
    while acting := rules.to_act(state):
        lying = state.tiles.bit_count()
        if lying >= size:
            return state if lying <= size + 1 and state.hands[acting[0]] else None
        state, _ = rules.apply(state, acting[0], rules.legal_sample(state, acting[0], rng))
    return None


def judge(row: dict[str, Any]) -> str:
    """How the times compare with the targets."""
    if row["cards"] != JUDGED:
        return ""
    return "enough" if row["median"] <= MAX_MEDIAN and row["p99"] <= MAX_P99 else "TOO SLOW"


if __name__ == "__main__":
    main()
