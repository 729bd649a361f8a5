"""Processor time of a move by the API and by a browser: five players at each of 50 tables, both saturated.

`python -m benchmarks.bots [--tables 50] [--seconds 8] [--runs 3]`. Browsers have a socket for each table, as people do;
a bot has one stream for all of its tables. The claim: a bot's move costs no more processor time than a browser's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import live, report
from benchmarks.live import Case, Meter, Row
from benchmarks.load import bots_driver
from benchmarks.load.setups import SETTINGS
from tests.servers import Installation


def measure(*, tables: int, seconds: float) -> Row:
    """One run of bots over a fresh installation in one process with SQLite."""
    live.allow_many_files()
    games = live.count_games(Case("embedded", tables), seconds)
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        options = ["--tables", str(tables), "--games", str(games), "--deals", str(live.DEALS)]
        prepared: dict[str, Any] = json.loads(club.run_module("benchmarks.load.prepare_bots", *options))
        with club.serve() as server:
            meter = Meter({"server": server.process.pid})
            done = asyncio.run(
                bots_driver.drive(
                    server.address, prepared, tables=tables, seconds=seconds, warm=live.WARM_SECONDS, probe=meter
                )
            )
    cost = 10 * meter.used["cpu"]["server"] / done["moves_s"] if done["moves_s"] else 0.0
    return Row(**done, **meter.used, server="embedded, bots", cpu_ms_move=round(cost, 3))


def main() -> None:
    """Measure browsers and bots in turn, print both, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: dict[str, list[Row]] = {"browsers": [], "bots": []}
    for _ in range(options.runs):
        rows["browsers"].append(live.measure(Case("embedded", options.tables), seconds=options.seconds))
        rows["bots"].append(measure(tables=options.tables, seconds=options.seconds))
    costs = {name: statistics.median(row["cpu_ms_move"] for row in some) for name, some in rows.items()}
    for name, some in rows.items():
        rate = statistics.median(row["moves_s"] for row in some)
        size = statistics.median(row["bytes_update"] for row in some)
        print(f"{name}: {rate:.0f} moves/s, {costs[name]:.3f} ms of processor a move, {size:.0f} bytes a message")
        print(*(error for row in some for error in row["errors"]))
    ratio = costs["bots"] / costs["browsers"] if costs["browsers"] else float("inf")
    claim = report.Claim("CPU per move, bot ÷ browser", ratio, 1, 1, is_at_least=False)
    print("\n".join(report.write_claims([claim])))
    if options.json is not None:
        options.json.write_text(json.dumps({"costs": costs, "runs": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
