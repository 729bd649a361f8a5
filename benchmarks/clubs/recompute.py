"""What `recompute_ratings` costs, and how long it keeps others from writing, on SQLite.

`python -m benchmarks.clubs.recompute [--people N --results M | --at FOLDER] [--runs K]` fills a club of its own, or
takes the one in this data folder, and runs the command K times: the first time every rating of a made-up crowd is
wrong, afterwards none is. Meanwhile somebody else writes twenty times a second; what counts is how long they wait.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from tests.servers import ROOT, Installation

PAUSE = 0.05
"""Seconds between two writes of the other process."""
TIMEOUT_SECONDS = 60.0


class Run(NamedTuple):
    """One run. cpu, wall: seconds; megabytes: the most that was resident; written: kB that went to the disk; waits: of
    the other writer, in ms."""

    said: str
    cpu: float
    wall: float
    megabytes: float
    written: float
    waits: list[float]


def main() -> None:
    """Fill, run, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clubs.recompute", description=__doc__)
    parser.add_argument("--people", type=int, default=4_000)
    parser.add_argument("--results", type=int, default=40_000)
    parser.add_argument("--at", type=Path, help="a data folder that is filled already")
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="menagerie-recompute-") as folder:
        club = Installation(options.at.resolve() if options.at else Path(folder))
        if options.at is None:
            club.migrate()
            crowd = ["--people", str(options.people), "--results", str(options.results)]
            club.run_module("benchmarks.samples.crowd", *crowd)
        for number in range(1, options.runs + 1):
            _print(number, measure(club))


def _print(number: int, run: Run) -> None:
    waits = sorted(run.waits)
    late = statistics.quantiles(waits, n=100)[98] if len(waits) > 1 else 0.0
    print(f"\n{number}: {run.said}")
    print(f"   {run.cpu:.1f} s of processor time, {run.wall:.1f} s by the clock, {run.megabytes:.0f} MB at most")
    print(f"   {run.written:.0f} kB written")
    times = f"p50 {statistics.median(waits):.1f} ms, p99 {late:.1f}, longest {waits[-1]:.1f}"
    print(f"   another writer, {len(waits)} times: {times}")


def measure(club: Installation) -> Run:
    """One run of the command in this club."""
    command = [sys.executable, str(ROOT / "manage.py"), "recompute_ratings"]
    began = time.monotonic()
    with _somebody_writing(club.folder / "menagerie.sqlite3") as waits:
        process = subprocess.Popen(command, env=club.environment(), cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        output = process.stdout.read().strip()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - began
    return Run(output, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, usage.ru_oublock / 2, waits)


@contextmanager
def _somebody_writing(file: Path) -> Iterator[list[float]]:
    """Takes and gives back the right to write, again and again; how many ms it waited each time."""
    waits: list[float] = []
    is_over = Event()

    def write() -> None:
        connection = sqlite3.connect(file, timeout=TIMEOUT_SECONDS, isolation_level=None)
        while not is_over.wait(PAUSE):
            began = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            waits.append((time.perf_counter() - began) * 1000)
            connection.execute("COMMIT")
        connection.close()

    writer = Thread(target=write)
    writer.start()
    try:
        yield waits
    finally:
        is_over.set()
        writer.join()


if __name__ == "__main__":
    main()
