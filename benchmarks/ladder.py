"""How strong the levels of bots are against each other: `python -m benchmarks.ladder`.

Strength is the head-to-head share: over every pair of seats with different levels at one table, who finished ahead;
ties count half. Deals are duplicated: each is played once for every rotation of the levels over the seats, with the
same cards and the same chance, which removes most of the luck. The 95 % interval is over deals. Seconds are those of
the processor, for decisions with more than one legal move. The same seed gives the same figures, apart from seconds.

    python -m benchmarks.ladder [--game SLUG …] [--seats N …] [--levels LEVEL LEVEL] [--deals N] [--seed S]
                                [--options JSON] [--progress] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from games import bots
from games.records.simulate import ChooseMove, SimulationPlan, derive_bytes, play_game, seat_levels
from games.rules import registry
from games.rules.base import Config, Move, View

SEATS: Final = (4, 2, 6)
"""Numbers of players that are measured where a game allows them, unless others are asked for."""
_NORMAL: Final = 1.96
"""Standard errors on each side of a mean that make a 95 % interval."""
_P99: Final = 0.99


class Share(NamedTuple):
    """Part of the comparisons that a level won, 0 … 1, and its 95 % interval over deals."""

    mean: float
    low: float
    high: float


class Figures(NamedTuple):
    """One row: `better` against `worse`, names of levels. seconds: level → median and p99 of a decision."""

    game: str
    seats: int
    better: str
    worse: str
    deals: int
    games: int
    share: Share
    seconds: dict[str, tuple[float, float]]


class Stopwatch:
    """A way to choose moves, and how long each level took for a decision that was one."""

    def __init__(self, choose_move: ChooseMove) -> None:
        self._choose_move = choose_move
        self.seconds: dict[str, list[float]] = {}

    def choose(self, game: str, view: View, legal: Sequence[Move], rng: Any, level: str) -> Move:
        """The move of the bot. Where moves are not listed, `legal` is a sample, and a bot makes a move of its own."""
        began = time.process_time()
        move = self._choose_move(game, view, legal, rng, level)
        took = time.process_time() - began
        if len(legal) > 1 or move is not legal[0]:
            self.seconds.setdefault(level, []).append(took)
        return move

    def summarise(self) -> dict[str, tuple[float, float]]:
        """Median and p99 by level; a level that never had a choice is left out."""
        return {level: (statistics.median(found), find_p99(found)) for level, found in sorted(self.seconds.items())}


def find_p99(found: Sequence[float]) -> float:
    """The value that 99 % do not exceed."""
    ranked = sorted(found)
    return ranked[min(len(ranked) - 1, int(_P99 * len(ranked)))]


def list_rotations(levels: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The levels dealt to the seats in turn, then moved on by one seat until the first seating comes again."""
    first = seat_levels(levels, seats, 0)
    return list(dict.fromkeys((*first[turn:], *first[:turn]) for turn in range(seats)))


def compare(levels: Sequence[str], places: Sequence[int], better: str) -> float | None:
    """The share of `better` in one game; None if no two seats have different levels."""
    mine = [place for level, place in zip(levels, places, strict=True) if level == better]
    others = [place for level, place in zip(levels, places, strict=True) if level != better]
    points = [1.0 if one < other else 0.5 if one == other else 0.0 for one in mine for other in others]
    return statistics.fmean(points) if points else None


def find_share(by_deal: Sequence[float]) -> Share:
    """The mean of the deals and its interval, cut off at 0 and 1; of one deal the interval is everything."""
    mean = statistics.fmean(by_deal)
    if len(by_deal) < 2:
        return Share(mean, 0.0, 1.0)
    margin = _NORMAL * statistics.stdev(by_deal) / len(by_deal) ** 0.5
    return Share(mean, max(0.0, mean - margin), min(1.0, mean + margin))


def measure(
    game: str,
    seats: int,
    levels: tuple[str, str],
    *,
    deals: int,
    seed: bytes,
    options: Mapping[str, Any],
    choose: ChooseMove = bots.choose,
) -> Figures:
    """Duplicated deals of one game between two levels. Raises BadSetup for options that the game does not have."""
    *_, last = measure_deals(game, seats, levels, deals=deals, seed=seed, options=options, choose=choose)
    return last


def measure_deals(
    game: str,
    seats: int,
    levels: tuple[str, str],
    *,
    deals: int,
    seed: bytes,
    options: Mapping[str, Any],
    choose: ChooseMove = bots.choose,
) -> Iterator[Figures]:
    """The same after each deal: the figures so far."""
    better, worse = levels
    watch, by_deal, games = Stopwatch(choose), [], 0
    rotations = list_rotations(levels, seats)
    for deal in range(deals):
        shares = []
        for rotation in rotations:
            plan = SimulationPlan(
                registry.find(game), Config(seats, options), derive_bytes(seed, "deal", deal), rotation
            )
            played = play_game(plan, 0, watch.choose, stays_silent=bots.stays_silent)
            games += 1
            share = compare(rotation, played.outcome.places, better)
            if share is not None:
                shares.append(share)
        by_deal.append(statistics.fmean(shares))
        yield Figures(game, seats, better, worse, deal + 1, games, find_share(by_deal), watch.summarise())


def list_rows(games: Sequence[str], seats: Sequence[int], levels: Sequence[str]) -> Iterator[tuple[str, int, str, str]]:
    """Game, seats and two levels of each row: the given levels, or each level against the one below it."""
    for game in games:
        bot_levels = bots.list_bot_levels(game)
        pairs = [tuple(levels)] if levels else list(zip(bot_levels[1:], bot_levels, strict=False))
        for better, worse in pairs:
            if better in bot_levels and worse in bot_levels:
                yield from ((game, count, better, worse) for count in seats if count in registry.find(game).seat_counts)


HEAD: Final = (
    "| game, seats | levels | share | 95 % interval | median s | p99 s | games (deals) |\n|---|---|---|---|---|---|---|"
)


def write_row(row: Figures) -> str:
    """One row of the table. Seconds are those of the better level."""
    median, p99 = row.seconds.get(row.better, (0.0, 0.0))
    share = row.share
    name = registry.infos()[row.game].name
    return (
        f"| {name}, {row.seats} | {row.better} v {row.worse} | {100 * share.mean:.1f} % "
        f"| {100 * share.low:.1f}–{100 * share.high:.1f} | {median:.3f} | {p99:.3f} | {row.games} ({row.deals}) |"
    )


def dump_row(row: Figures) -> dict[str, Any]:
    """One row as JSON values."""
    seconds = {level: {"median": median, "p99": p99} for level, (median, p99) in row.seconds.items()}
    return {**row._asdict(), "share": row.share._asdict(), "seconds": seconds}


def main(args: Sequence[str] | None = None) -> None:
    """Measure, print a table, write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", nargs="+", default=list(registry.slugs()), choices=list(registry.slugs()))
    parser.add_argument("--seats", type=int, nargs="+", default=list(SEATS))
    parser.add_argument("--levels", nargs=2, default=[], metavar="LEVEL", help="the better one first; default: all")
    parser.add_argument("--deals", type=int, default=50, help="of each row (default 50)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--options", type=json.loads, default={}, metavar="JSON", help='of the game, as {"deals": 1}')
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--progress", action="store_true", help="write the figures so far to stderr after each deal")
    given = parser.parse_args(args)
    print(HEAD)
    rows = []
    for game, seats, better, worse in list_rows(given.game, given.seats, given.levels):
        for row in measure_deals(
            game, seats, (better, worse), deals=given.deals, seed=given.seed.encode(), options=given.options
        ):
            if given.progress:
                print(write_row(row), file=sys.stderr, flush=True)
        rows.append(row)
        print(write_row(row), flush=True)
    if given.json:
        given.json.write_text(json.dumps([dump_row(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
