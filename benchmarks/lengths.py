"""How long games of Super Zwierzaki last, by number of players: at random, and between bots.

Random play is uniform over the legal moves (a sampled one where they are too many to list); every game is played to
its end without an agreed time. Turns are those that have begun, empty ones included; moves are all answers: plays,
reactions and "let it be" of everybody asked, choices, calls. Same arguments, same figures, on every machine.

    python -m benchmarks.lengths [--games K] [--levels LEVEL …] [--players N …] [--seed HEX] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from games import bots
from games.catalogue.super_zwierzaki.rules import RULES
from games.records.simulate import SimulationPlan, play_games
from games.rules.base import Config

LEVELS = ("random", "steady", "sharp")
_COLUMNS = ("turns", "median", "longest")


@dataclass(frozen=True)
class Length:
    """Of several games."""

    mean: float
    median: float
    longest: int


@dataclass(frozen=True)
class Row:
    """Games of one number of players between bots of one level."""

    players: int
    level: str
    games: int
    turns: Length
    moves: Length


def measure(players: int, level: str, games: int, seed: bytes) -> Row:
    """Whole games."""
    plan = SimulationPlan(RULES, Config(players), seed, (level,))
    played = list(play_games(plan, games, bots.choose, stays_silent=bots.stays_silent))
    turns = [RULES.view(game.last, None)["turns"] for game in played]
    return Row(players, level, games, _summarise(turns), _summarise([game.moves for game in played]))


def _summarise(counts: Sequence[int]) -> Length:
    return Length(round(statistics.mean(counts), 1), statistics.median(counts), max(counts))


def _write(row: Row) -> str:
    lengths = "".join(f"{one.mean:>10,.0f}{one.median:>10,.0f}{one.longest:>10,}" for one in (row.turns, row.moves))
    return f"{row.players:>7}  {row.level:<8}{lengths}"


def main() -> None:
    """Measure, print a table, write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30, help="of each number of players and level (default 30)")
    parser.add_argument("--seed", default="00", metavar="HEX")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--players", type=int, nargs="+", default=list(RULES.seat_counts), choices=RULES.seat_counts)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    print(f"{'players':>7}  {'bots':<8}" + "".join(f"{name:>10}" for name in (*_COLUMNS, "moves", *_COLUMNS[1:])))
    rows = []
    for level in given.levels:
        for players in given.players:
            rows.append(measure(players, level, given.games, given.seed.encode()))
            print(_write(rows[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
