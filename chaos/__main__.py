"""Games under fire: `python -m chaos`, or `make chaos`.

Starts whole clubs at 127.0.0.1 (one process with SQLite; and PostgreSQL, Redis, two web servers and two workers), lets
people and bots play short games at many tables at once, and kills, empties, slows, fills and turns back what such
a club stands on. In the end everything that clients were told is held against the log, the records and the rules.
Ends with status 1 if anything does not hold. What was started is stopped by its process id.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from chaos import campaign, report, verdict
from chaos.campaign import Wish
from chaos.faults import FAULTS, describe
from chaos.parts import SETUPS, find_missing

RESULTS = Path(__file__).resolve().parent.parent / "build" / "chaos"


def main() -> int:
    """Run the setups one after the other; the exit status."""
    wish = _read_wish()
    results = []
    is_sound = True
    for setup in wish.setups:
        if missing := find_missing(setup):
            print(f"{setup} is left out: apt-get install {' '.join(missing)}")
            is_sound = False
            continue
        faults = [name for name in wish.faults or FAULTS[setup] if name in FAULTS[setup]]
        share = wish.games // len(wish.setups)
        seconds = 60 * wish.minutes / len(wish.setups)
        found = campaign.run(Wish(setup, share, wish.tables, seconds, faults, wish.seed, wish.logs))
        points = verdict.judge(found)
        print("\n".join(report.write(found, points)), flush=True)
        results.append(report.to_json(found, points))
        is_sound = is_sound and not any(point.faults for point in points)
    _write(wish.json or RESULTS / "chaos.json", json.dumps(results, indent=2))
    print("Everything held." if is_sound else "Not everything held.")
    return 0 if is_sound else 1


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n")
    print(f"Written to {file}")


def _read_wish() -> argparse.Namespace:
    known = [f"  {setup:<12}{name:<10}{describe(strike)}" for setup in FAULTS for name, strike in FAULTS[setup].items()]
    parser = argparse.ArgumentParser(
        prog="python -m chaos",
        description=__doc__,
        epilog="\n".join(["faults:", *known]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--setups", nargs="+", default=list(SETUPS), choices=list(SETUPS))
    parser.add_argument("--games", type=int, default=1000, help="in all (default 1000)")
    parser.add_argument("--tables", type=int, default=40, help="at once (default 40)")
    parser.add_argument("--minutes", type=float, default=15, help="after which no new game begins (default 15)")
    parser.add_argument("--faults", nargs="+", metavar="FAULT", help="default: all of a setup, in turn")
    parser.add_argument("--seed", type=int, default=0, help="what people do by chance, and where faults strike")
    parser.add_argument("--logs", type=Path, metavar="DIR", help="keep the processes' logs here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
