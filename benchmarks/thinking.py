"""Whether people wait while bots think: their moves beside 50 tables of bots, and without.

Ten tables of five people, who take a second for a move; beside them so many tables at which only bots of one level play
Karriere Poker, as fast as bots move (BOT_DELAY 0.9). Measured in turn on fresh data: no bots, `steady` and `sharp`. A
move counts until all five people see it. The claim: 99 of 100 moves are as fast beside bots of `sharp` as without bots.

    python -m benchmarks.thinking [--setup embedded|production] [--tables N] [--people N] [--seconds S] [--runs N]
                                  [--levels LEVEL …] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import live, report
from benchmarks.live import Case, Row
from benchmarks.load.setups import SETUPS
from tests.servers import Installation

NONE: Final = "none"
"""In the place of a level: no tables of bots."""
LEVELS: Final = (NONE, "steady", "sharp")
GAME, SEATS, DEALS = "karriere-poker", 4, 999
THINK: Final = 1.0
"""Mean pause before a person's move, in seconds."""
SETTINGS: Final = {"BOT_DELAY": "0.9"}
MUST: Final = 1.2
"""p99 beside `sharp` ÷ p99 without bots: the noise of two runs is as large. The aim is 1."""


def main() -> None:
    """Measure each level in turn, print both, and write JSON; or, inside, open the tables of bots."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.thinking", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--setup", choices=["embedded", "production"], default="embedded")
    parser.add_argument("--tables", type=int, default=50, help="of bots (default 50)")
    parser.add_argument("--people", type=int, default=10, help="tables of five people (default 10)")
    parser.add_argument("--seconds", type=float, default=30, help="measured seconds of a run (default 30)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each level (default 3)")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--open", metavar="LEVEL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.open:
        open_tables(options.tables, options.open)
        return
    rows: dict[str, list[Row]] = {level: [] for level in options.levels}
    for _ in range(options.runs):
        print(f"load average of this machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
        for level, found in rows.items():
            found.append(
                measure(options.setup, level, tables=options.tables, people=options.people, seconds=options.seconds)
            )
            print(write_row(level, found[-1]), flush=True)
    p99 = {level: statistics.median(row["p99"] for row in found) for level, found in rows.items()}
    print("median of p99:", ", ".join(f"{level} {value:.1f} ms" for level, value in p99.items()))
    if p99.get(NONE) and "sharp" in p99:
        claim = report.Claim("p99 beside sharp ÷ without", p99["sharp"] / p99[NONE], MUST, 1, is_at_least=False)
        print("\n".join(report.write_claims([claim])))
    if options.json is not None:
        options.json.write_text(json.dumps({"p99": p99, "runs": rows}, indent=2) + "\n")


def measure(setup: str, level: str, *, tables: int, people: int, seconds: float) -> Row:
    """One run on fresh data. level: of the bots, or `NONE`."""
    live.allow_many_files()
    games = live.count_games(Case(setup, people, THINK), seconds)
    also = None if level == NONE else partial(prepare_bots, tables=tables, level=level)
    with SETUPS[setup](groups=people, games=games, deals=live.DEALS, settings=SETTINGS, also=also) as running:
        return live.play(running, running.groups, think=THINK, seconds=seconds)


def prepare_bots(club: Installation, *, tables: int, level: str) -> None:
    """Open the tables of bots in this installation."""
    club.run_module("benchmarks.thinking", "--open", level, "--tables", str(tables))


def open_tables(count: int, level: str) -> None:
    """Open so many tables of bots of this level (in a program over an installation's settings)."""
    import django

    django.setup()
    from django.conf import settings
    from django.db import transaction

    from games.accounts.animal_pictures import AVATARS
    from games.play.seats import opening

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    request = opening.TableRequest(GAME, SEATS, {"deals": DEALS}, bot_level=level)
    with transaction.atomic():
        for _ in range(count):
            opening.open_exhibition(request, avatars=AVATARS, now=time.time())


def write_row(level: str, row: Row) -> str:
    """One line a run."""
    used = ", ".join(f"{name} {share:.0f} %" for name, share in row["cpu"].items())
    return (
        f"bots: {level:<7} people: {row['moves_s']:.1f} moves/s, p50 {row['p50']} ms, p95 {row['p95']} ms, "
        f"p99 {row['p99']} ms, max {row['max']} ms; processor: {used}; errors {len(row['errors']) + row['stalled']}"
    )


if __name__ == "__main__":
    main()
