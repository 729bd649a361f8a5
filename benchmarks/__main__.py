"""Measure what docs/performance.md claims: `python -m benchmarks [all|live|peer|compare|idle|growth|engines|draw|…] …`.

Every case is run several times, ours and the peer's in turn, so that a noisy moment of the machine falls on
both; medians are printed and written as JSON. Servers listen at 127.0.0.1 and are stopped at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import live, peer, report
from benchmarks.live import PACED_THINK, Case, Row
from benchmarks.load.setups import SETUPS
from benchmarks.peer import PeerCase, PeerRow
from benchmarks.tables import growth, idle
from tests import programs

RESULTS = Path(__file__).resolve().parent / "results"
PARTS = (
    "live",
    "peer",
    "compare",
    "idle",
    "growth",
    "engines",
    "draw",
    "solver",
    "lengths",
    "timers",
    "notifications",
    "event",
    "storage",
    "spectators",
    "day",
    "bots",
    "thinking",
    "first_minutes",
    "door",
)
COMPARED = 50
"""Tables at which we and the peer are compared, saturated and paced."""


def main() -> None:
    """Measure, print, and write JSON."""
    options = _read_options()
    results: dict[str, Any] = {"cores": os.cpu_count(), "runs": options.runs, "seconds": options.seconds}
    if options.what in ("all", "engines"):
        results["engines"] = _measure_engines(options)
    if options.what in ("all", "draw"):
        results["draw"] = _measure_alone("draw")
    if options.what in ("all", "solver"):
        results["solver"] = _measure_alone("solver", "--positions", "40")
    if options.what in ("all", "lengths"):
        results["lengths"] = _measure_alone("lengths")
    if options.what in ("all", "timers"):
        results["timers"] = _measure_alone("timers")
    if options.what in ("all", "notifications"):
        results["notifications"] = _measure_alone("clubs.notifications")
    if options.what in ("all", "storage"):
        results["storage"] = _measure_alone("tables.storage")
    if options.what in ("all", "event"):
        results["event"] = _measure_alone("clubs.event")
    if options.what in ("all", "spectators"):
        setups = [setup for setup in ("embedded", "production") if setup == "embedded" or _has_services()]
        results["spectators"] = _measure_alone("tables.spectators", "--setups", *setups)
    if options.what in ("all", "day"):
        results["day"] = _measure_alone("tables.day")
    if options.what in ("all", "bots"):
        results["bots"] = _measure_alone("bots", "--runs", str(options.runs), "--seconds", str(options.seconds))
    if options.what in ("all", "thinking"):
        results["thinking"] = _measure_alone("thinking", "--runs", str(options.runs))
    if options.what in ("all", "first_minutes") and _has_browser():
        results["first_minutes"] = _measure_alone("tables.first_minutes")
    if options.what in ("all", "door") and _has_browser():
        results["door"] = _measure_alone("clubs.door")
    if options.what in ("all", "idle"):
        results["idle"] = _measure_idle()
    if options.what in ("all", "growth"):
        results["growth"] = _measure_growth()
    if options.what in ("all", "live", "peer", "compare"):
        results |= _measure_tables(options)
    file = options.json or RESULTS / f"{options.what}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(results, indent=2) + "\n")
    print(f"Written to {file}")


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=["all", *PARTS])
    parser.add_argument("--runs", type=int, default=3, help="runs of each case (default 3)")
    parser.add_argument("--seconds", type=float, default=8, help="measured seconds of a run (default 8)")
    parser.add_argument("--tables", type=int, nargs="+", default=[10, COMPARED, 200], help="default 10 50 200")
    parser.add_argument("--setups", nargs="+", default=list(SETUPS), choices=list(SETUPS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    return parser.parse_args()


def _measure_engines(options: argparse.Namespace) -> Any:
    file = RESULTS / "engines-alone.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.engines", "--runs", str(options.runs), "--json", str(file)]
    subprocess.run(command, check=True)
    return json.loads(file.read_text())


def _measure_alone(name: str, *args: str) -> Any:
    """A measurement in a process of its own: solvers keep what they have compiled and allocated.

    name: of its module in this package.
    """
    file = RESULTS / f"{name.rpartition('.')[2]}-alone.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *args, "--json", str(file)], check=True)
    return json.loads(file.read_text())


def _measure_idle() -> dict[str, Any]:
    sockets, start = idle.measure_sockets(), idle.measure_start()
    claims = [
        report.Claim("kB per idle socket", sockets["kb_socket"], 60, 35, is_at_least=False),
        report.Claim("seconds from start to first page", start, 5, 2, is_at_least=False),
    ]
    print("\n".join(report.write_claims(claims)))
    print(f"kB for each further socket at a table {sockets['kb_alone']}, for a table alone {sockets['kb_table']}")
    return {**sockets, "start_seconds": start}


def _measure_growth() -> list[float]:
    costs = growth.measure()
    claim = report.Claim("CPU per move, ply 901-1,000 ÷ 1-100", costs[-1] / costs[0], 1.3, 1, is_at_least=False)
    print("\n".join(report.write_claims([claim])))
    print(f"ms a move in every hundred plies: {' '.join(f'{cost:.2f}' for cost in costs)}")
    return costs


def _measure_tables(options: argparse.Namespace) -> dict[str, Any]:
    cases = [] if options.what == "peer" else _list_cases(options)
    rivals = [] if options.what == "live" else _list_rivals()
    ours: dict[Case, list[Row]] = {case: [] for case in cases}
    theirs: dict[PeerCase, list[PeerRow]] = {rival: [] for rival in rivals}
    for run in range(options.runs):
        for case, rows in ours.items():
            rows.append(live.measure(case, seconds=options.seconds))
            _log_progress(run, f"{case}: {rows[-1]['moves_s']:.0f} moves/s, p99 {rows[-1]['p99']} ms")
        for rival, peer_rows in theirs.items():
            peer_rows.append(peer.measure(rival, seconds=options.seconds))
            _log_progress(run, f"{rival}: {peer_rows[-1]['moves_s']:.0f} moves/s, p99 {peer_rows[-1]['p99']} ms")
    middle = {(case.setup, case.tables, case.think > 0): live.median(rows) for case, rows in ours.items()}
    peers = {f"{rival.store} {_pace(rival)}": peer.median(rows) for rival, rows in theirs.items()}
    claims = report.judge(middle, peers)
    print("\n".join(report.write_rows(middle.values(), peers)))
    print("\n".join(report.write_claims(claims)))
    return {
        "live": list(middle.values()),
        "peer": peers,
        "claims": [claim._asdict() for claim in claims],
        "runs_of_live": {str(case): rows for case, rows in ours.items()},
        "runs_of_peer": {str(rival): rows for rival, rows in theirs.items()},
    }


def _log_progress(run: int, what: str) -> None:
    print(f"run {run + 1}: {what}", file=sys.stderr, flush=True)


def _pace(rival: PeerCase) -> str:
    return "paced" if rival.think else "saturated"


def _list_cases(options: argparse.Namespace) -> list[Case]:
    setups = [setup for setup in options.setups if setup == "embedded" or _has_services()]
    saturated = [Case(setup, tables) for setup in setups for tables in options.tables]
    paced = [Case(setup, COMPARED, PACED_THINK) for setup in setups if COMPARED in options.tables]
    return [*saturated, *paced]


def _has_services() -> bool:
    missing = [programs.PACKAGES[mark] for mark in ("postgresql", "redis") if programs.find(mark) is None]
    if missing:
        print(f"PostgreSQL + Redis is left out: apt-get install {' '.join(missing)}")
    return not missing


def _has_browser() -> bool:
    if programs.find("chromium") is None:
        print(f"The first minutes on a phone are left out: apt-get install {programs.PACKAGES['chromium']}")
        return False
    return True


def _list_rivals() -> list[PeerCase]:
    if sentence := peer.find_missing():
        print(sentence)
        return []
    peer.install()
    stores = [store for store in peer.STORES if store != "pg" or programs.find("postgresql")]
    return [PeerCase(store, COMPARED, think) for store in stores for think in (0.0, PACED_THINK)]


if __name__ == "__main__":
    main()
