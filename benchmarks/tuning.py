"""Finds weights with which `sharp` plays Super Zwierzaki against several others: `python -m benchmarks.tuning`.

The method is SPSA (Spall 1992), with which chess engines are tuned, too. Each step moves all weights a little, each one
up or down by chance, and plays a deal so; then the same deal with all of them moved the other way. `sharp` plays
against `steady`, and the deal is duplicated as in `benchmarks.ladder`. The weights then follow the difference of the
two shares, by less and less. What is found is their mean over the last third of the steps.

At the end the weights found and those that are stored (`turn_values.WEIGHTS`) play the same fresh deals against
`steady`. The same seed gives the same weights, with any number of processes.

    python -m benchmarks.tuning [--seats N] [--steps N] [--seed S] [--start plain|stored] [--deals N] [--processes N]
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import Final, NamedTuple

from benchmarks.ladder import Share, find_share, measure
from games.catalogue.super_zwierzaki.bots import players
from games.catalogue.super_zwierzaki.bots.turn_values import WEIGHTS, Weights
from games.rules.base import Move, View

GAME: Final = "super-zwierzaki"
PLAIN: Final = Weights(*(0.0 for _ in WEIGHTS))._replace(cards=1.0)
"""Where a search may start: only the cards that are left count."""
SPREADS: Final = Weights(
    turns=0.8, cards=0.2, block=2.0, follow=0.5, orc=0.5, near=0.5, demand=0.7, ape=0.7, throw_ape=0.4, giver=0.7,
    throw_giver=0.4, swap=0.4, no_swap=0.4, spare=0.5,
)  # fmt: skip
"""How far a step moves each weight. Set by hand: about what half a card in hand is worth."""
BATCH: Final = 8
"""Steps that are tried from the same weights, so that processes can share them."""
_GAIN: Final = 0.35
"""How many spreads the weights follow a difference of 1 in the first steps."""
_SLOWING: Final = 0.602
_SLOW_START: Final = 0.1
"""How that shrinks: with this power of the steps done, after about this part. Source: Spall 1998, Implementation."""


class Trial(NamedTuple):
    """One deal to play. seed: of the deal."""

    weights: Weights
    seats: int
    seed: bytes


class WeighedBots:
    """`games.bots.choose`, but `sharp` plays with these weights."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def choose(self, game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
        """The move of a bot of this level."""
        return players.choose(view, legal, rng, level, self._weights)


def play_trial(trial: Trial) -> float:
    """The share of `sharp` with these weights against `steady` in a duplicated deal."""
    choose = WeighedBots(trial.weights).choose
    figures = measure(GAME, trial.seats, ("sharp", "steady"), deals=1, seed=trial.seed, options={}, choose=choose)
    return figures.share.mean


def search(executor: Executor, *, start: Weights, seats: int, steps: int, seed: str) -> Iterator[Weights]:
    """The weights after each batch of steps."""
    rng, weights = random.Random(seed), start
    for done in range(0, steps, BATCH):
        numbers = range(done, min(done + BATCH, steps))
        signs = [[rng.choice((-1, 1)) for _ in SPREADS] for _ in numbers]
        trials = [
            Trial(move_weights(weights, one, side), seats, f"{seed}:{number}".encode())
            for number, one in zip(numbers, signs, strict=True)
            for side in (1, -1)
        ]
        shares = list(executor.map(play_trial, trials))
        gain = _GAIN / (1 + done / (_SLOW_START * steps)) ** _SLOWING
        for one, up, down in zip(signs, shares[::2], shares[1::2], strict=True):
            weights = move_weights(weights, one, gain * (up - down) / 2)
        yield weights


def move_weights(weights: Weights, signs: Sequence[int], spreads: float) -> Weights:
    """All weights moved by so many of their spreads, each up or down."""
    return Weights(*(w + spreads * sign * s for w, sign, s in zip(weights, signs, SPREADS, strict=True)))


def average(path: Sequence[Weights]) -> Weights:
    """The mean of the last third, to two decimals."""
    last = path[-max(1, len(path) // 3) :]
    return Weights(*(round(statistics.fmean(values), 2) for values in zip(*last, strict=True)))


def compare(executor: Executor, weights: Weights, *, seats: int, deals: int, seed: str) -> Share:
    """The share of these weights in so many duplicated deals, the same ones for all weights."""
    trials = [Trial(weights, seats, f"{seed}:after:{number}".encode()) for number in range(deals)]
    return find_share(list(executor.map(play_trial, trials, chunksize=4)))


def write_share(share: Share) -> str:
    """Percent, and the interval."""
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def main(args: Sequence[str] | None = None) -> None:
    """Search, print the way, and compare what was found with what is stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=4, choices=range(3, 9))
    parser.add_argument("--steps", type=int, default=1500, help="of two deals of two games each (default 1500)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--start", choices=("plain", "stored"), default="plain", help="default: only cards count")
    parser.add_argument("--deals", type=int, default=400, help="to compare the result with (default 400)")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(args)
    start = PLAIN if given.start == "plain" else WEIGHTS
    with ProcessPoolExecutor(given.processes) as executor:
        path = []
        for weights in search(executor, start=start, seats=given.seats, steps=given.steps, seed=given.seed):
            path.append(weights)
            if len(path) % max(1, given.steps // BATCH // 20) == 0:
                print(
                    BATCH * len(path), *(f"{name}={value:.2f}" for name, value in weights._asdict().items()), flush=True
                )
        found = average(path)
        print(found)
        for name, weights in (("found", found), ("stored", WEIGHTS)):
            share = compare(executor, weights, seats=given.seats, deals=given.deals, seed=given.seed)
            print(f"{name}: {write_share(share)} against steady, {given.seats} seats, {given.deals} deals", flush=True)


if __name__ == "__main__":
    main()
