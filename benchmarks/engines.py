"""How fast the engines are: random play of whole games through the public contract, on one core.

Listed or sampled legal moves and `apply`, no view. Seconds are those of the processor, so that a busy machine
does not count. Each figure is the median of several runs, in which the games take turns; the targets are those
of performance.md.

    python -m benchmarks.engines [--seconds S] [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

from games.rules import registry
from games.rules.base import Config, Rules
from games.rules.chance import Chance

TARGETS = {
    "karriere-poker": (100_000, 250_000),
    "animal-poker": (100_000, 250_000),
    "animals-on-board": (40_000, 80_000),
    "super-zwierzaki": (25_000, 50_000),
    "fancy-animals": (5_000, 10_000),
}
"""Moves per second that must come out, and that we aim at."""

DEALS = 3
"""Deals of a game of several: what makes it end by itself."""


class Run(NamedTuple):
    """One measurement."""

    games: int
    moves: int
    seconds: float

    @property
    def speed(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def measure(slug: str, seconds: float, seed: int) -> Run:
    """Whole random games at tables of all sizes in turn, until the time is up."""
    rules = registry.find(slug)
    rng = random.Random(seed)
    options = registry.infos()[slug].agree_on_deals(DEALS)
    games = moves = 0
    began = time.process_time()
    while (taken := time.process_time() - began) < seconds:
        for seats in rules.seat_counts:
            moves += play(rules, Config(seats, options), rng)
            games += 1
    return Run(games, moves, taken)


def play(rules: Rules[Any], config: Config, rng: random.Random) -> int:
    """One random game; the number of its moves."""
    state = rules.start(config, Chance(rng.randbytes(32)))
    to_act, legal_moves, apply, draw = rules.to_act, rules.legal_moves, rules.apply, rng.random
    moves = 0
    while acting := to_act(state):
        seat = acting[0]
        legal = legal_moves(state, seat)
        move = rules.legal_sample(state, seat, rng) if legal is None else legal[int(draw() * len(legal))]
        state, _ = apply(state, seat, move)
        moves += 1
    return moves


def summarise(runs: list[Run]) -> Run:
    """The run of median speed."""
    middle = statistics.median_low(run.speed for run in runs)
    return next(run for run in runs if run.speed == middle)


def judge(slug: str, speed: float) -> str:
    """How the speed compares with the targets."""
    must, aim = TARGETS.get(slug, (0, 0))
    return "aim reached" if speed >= aim else "enough" if speed >= must else "TOO SLOW"


def main() -> None:
    """Measure every registered game, print a table, write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one run")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    runs: dict[str, list[Run]] = {slug: [] for slug in registry.slugs()}
    for seed in range(given.runs):
        for slug, done in runs.items():
            done.append(measure(slug, given.seconds, seed))
    print(f"{'game':<18}{'games':>8}{'moves':>11}{'moves/s':>10}{'must':>10}{'aim':>10}")
    figures = {}
    for slug, done in runs.items():
        run, (must, aim) = summarise(done), TARGETS.get(slug, (0, 0))
        print(
            f"{slug:<18}{run.games:>8}{run.moves:>11}{run.speed:>10,.0f}{must:>10,}{aim:>10,}  {judge(slug, run.speed)}"
        )
        figures[slug] = {
            "games": run.games,
            "moves": run.moves,
            "moves_per_second": round(run.speed),
            "runs": [round(one.speed) for one in done],
            "must": must,
            "aim": aim,
        }
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
