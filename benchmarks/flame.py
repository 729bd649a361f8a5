"""Where the processor time of a move goes: a running server is sampled by py-spy while 50 tables play.

    python -m benchmarks.flame [--setups embedded production] [--tables N] [--seconds S] [--svg FOLDER]

Prints, for each setup, the milliseconds of a move and the share of its parts, and writes a flame graph as SVG into the
folder. py-spy (`pip install py-spy`) must be on the path, and the system must let it read the server's memory: run it
as root, or with `kernel.yama.ptrace_scope` 0.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks import live
from benchmarks.live import WARM_SECONDS, Case
from benchmarks.load.flame_graph import Stack, read_stacks, render, share_out
from benchmarks.load.setups import SETUPS, Setup
from tests import programs
from tests.servers import ROOT

SAMPLES_A_SECOND: Final = 400
PARTS: Final = {
    "rendering": re.compile(r"games/live/tables/(regions|common_regions|screens)\.py"),
    "sending": re.compile(r"games/serving/wire\.py: DirectWriter\."),
    "reading": re.compile(r"games/serving/wire\.py: DirectSocket\.|asyncioreactor\.py: .*_readOrWrite"),
    "writing": re.compile(r"games/play/storage/(store|table_writes)\.py: (save|_write_one|write)$"),
    "telling": re.compile(r"games/play/storage/store\.py: .*_send_signals"),
    "deciding": re.compile(r"games/play/moves/(batch|submission)\.py"),
    "dispatching": re.compile(r"games/live/(base_socket|tables/consumer|database_threads)\.py"),
    "choosing screens": re.compile(r"games/live/hub\.py"),
}
"""Part of a move → what one of its frames is like; the first part counts where several fit."""


def main() -> None:
    """Sample each setup, print, and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--setups", nargs="+", default=["embedded"], choices=list(SETUPS))
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--svg", type=Path, metavar="FOLDER", help="where to write the pictures")
    options = parser.parse_args()
    if programs.find("py-spy") is None:
        sys.exit("py-spy is missing: pip install py-spy")
    live.allow_many_files()
    for name in options.setups:
        row, stacks = _sample(Case(name, options.tables), options.seconds)
        cost = row["cpu_ms_move"]
        print(f"{name}: {row['moves_s']:.0f} moves/s, {cost:.3f} ms of the processor a move, {len(stacks)} stacks")
        for part, share in share_out(stacks, PARTS, rest="the event loop and all else").items():
            print(f"  {part:<28}{share:6.1%}{share * cost:8.3f} ms")
        if options.svg:
            title = f"A move, {name}, {options.tables} tables: the processor time of the server"
            (options.svg / f"move-{name}.svg").write_text(render(stacks, title))


def _sample(case: Case, seconds: float) -> tuple[live.Row, list[Stack]]:
    """Play, and sample the server after the first moves."""
    games = live.count_games(case, seconds)
    with (
        SETUPS[case.setup](groups=case.tables, games=games, deals=live.DEALS) as setup,
        tempfile.TemporaryDirectory() as folder,
    ):
        file = Path(folder) / "stacks"
        sampling = _start_sampling(setup, file, seconds)
        row = live.play(setup, setup.groups, think=case.think, seconds=seconds)
        sampling.wait(timeout=60)
        return row, list(read_stacks(file.read_text().splitlines(), root=str(ROOT)))


def _start_sampling(setup: Setup, file: Path, seconds: float) -> subprocess.Popen[bytes]:
    record = ["py-spy", "record", "--format", "raw", "--function", "--full-filenames", "--nonblocking"]
    record += ["--rate", str(SAMPLES_A_SECOND), "--duration", f"{max(1.0, seconds - 3):.0f}"]
    record += ["--output", str(file), "--pid", str(setup.pids["server"])]
    wait = f"{WARM_SECONDS + 2:.0f}"
    command = ["/bin/sh", "-c", 'sleep "$0"; exec "$@"', wait, *record]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
