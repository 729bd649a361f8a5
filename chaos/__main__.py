"""Fault injection: `python -m chaos`, or `make chaos`.

Starts whole sites at 127.0.0.1 (one process with SQLite; and PostgreSQL, Redis, two web servers and two workers), lets
people and bots play short games at many tables at once, and kills, empties, slows, fills and sets back what such a site
depends on. In the end everything that clients were told is compared with the log, the records and the rules. Prints one
line for each point, and ends with status 1 if any does not hold. Processes are stopped by their process ids.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from pathlib import Path

from chaos import campaign, report, verdict
from chaos.campaign import CampaignOptions
from chaos.faults import FAULTS, describe
from chaos.parts import SETUPS, find_missing
from chaos.verdict import Point

SHARES = {"production": 10, "embedded": 3}
"""How games and time are divided between the set-ups: a thousand games with PostgreSQL and Redis are required."""
RESULTS = Path(__file__).resolve().parent.parent / "build" / "chaos"


def main() -> int:
    """Run the setups one after the other; the exit status."""
    options = _read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is stopped then, too
    results: list[dict[str, object]] = []
    verdicts: list[list[Point]] = []
    left_out = []
    last = time.monotonic() + 60 * options.minutes
    setups = [setup for setup in SHARES if setup in options.setups]
    for at, setup in enumerate(setups):
        if missing := find_missing(setup):
            print(f"{setup} is left out: apt-get install {' '.join(missing)}")
            left_out.append(setup)
            continue
        faults = [name for name in options.faults or FAULTS[setup] if name in FAULTS[setup]]
        games = round(options.games * SHARES[setup] / sum(SHARES[one] for one in setups))
        share = SHARES[setup] / sum(SHARES[one] for one in setups[at:])  # of the time that is left
        least = 30 * options.minutes * SHARES[setup] / sum(SHARES[one] for one in setups)
        seconds = max(least, (last - time.monotonic()) * share)
        found = campaign.run(CampaignOptions(setup, games, options.tables, seconds, faults, options.seed, options.logs))
        points = [*verdict.judge_run(found), *verdict.judge(found)]
        print("\n".join(report.write(found, points)), flush=True)
        results.append(report.to_json(found, points))
        verdicts.append(points)
    _write(options.json or RESULTS / "chaos.json", json.dumps(results, indent=2))
    total = verdict.add_up(verdicts)
    is_sound = bool(total) and not left_out and not any(point.faults for point in total)
    print("== in all\n" + "\n".join(report.list_points(total, most=0)))
    print("Everything held." if is_sound else "Not everything held.")
    return 0 if is_sound else 1


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n")
    print(f"Written to {file}")


def _read_options() -> argparse.Namespace:
    fault_lines = [
        f"  {setup:<12}{name:<10}{describe(strike)}" for setup in FAULTS for name, strike in FAULTS[setup].items()
    ]
    parser = argparse.ArgumentParser(
        prog="python -m chaos",
        description=__doc__,
        epilog="\n".join(["faults:", *fault_lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--setups", nargs="+", default=list(SETUPS), choices=list(SETUPS))
    parser.add_argument("--games", type=int, default=1300, help="in all (default 1300)")
    parser.add_argument("--tables", type=int, default=40, help="at once (default 40)")
    parser.add_argument("--minutes", type=float, default=21, help="after which no new game begins (default 21)")
    parser.add_argument("--faults", nargs="+", metavar="FAULT", help="default: all of a setup, in turn")
    parser.add_argument("--seed", type=int, default=0, help="what people do by chance, and where faults strike")
    parser.add_argument("--logs", type=Path, metavar="DIR", help="keep the processes' logs here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
