"""The peer: the same game on boardgame.io, with its own driver (peers/boardgame.io), in the same session."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TypedDict

from tests import programs

SOURCE = Path(__file__).resolve().parent / "peers" / "boardgame.io"
BUILD = Path(__file__).resolve().parent.parent / "build" / "peers" / "boardgame.io"
STORES = ("mem", "flat", "pg")
INSTALL_SECONDS = 300


class PeerCase(NamedTuple):
    """What to measure. think: mean pause before a move, in seconds; 0 saturates."""

    store: str
    tables: int
    think: float = 0.0


class PeerRow(TypedDict):
    """One line of the peer's driver, as far as we compare it."""

    M: int
    think: int
    moves_s: float
    p50: float
    p95: float
    p99: float
    max: float
    server_cpu: float
    server_rss_mb: list[float]
    B_per_update: int
    errors: int
    stalls: int


def find_missing() -> str:
    """A sentence about what the peer needs and is not installed; empty if nothing is missing."""
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"The peer is left out: it needs {' and '.join(missing)} (apt-get install nodejs npm)." if missing else ""


def install() -> None:
    """Copy the peer into the build folder, and fetch what it depends on once."""
    shutil.copytree(SOURCE, BUILD, dirs_exist_ok=True)
    if not (BUILD / "node_modules").is_dir():
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        subprocess.run(command, cwd=BUILD, check=True, timeout=INSTALL_SECONDS, stdin=subprocess.DEVNULL)


def measure(case: PeerCase, *, seconds: float) -> PeerRow:
    """One run over a fresh server, and a fresh database where it has one."""
    port = programs.free_port()
    command = [str(BUILD / "run.sh"), case.store, case.store, str(case.tables), str(round(case.think * 1000))]
    with ExitStack() as stack:
        where = [f"PORT={port}"]
        if case.store == "pg":
            postgres = stack.enter_context(programs.run_postgres(is_durable=True))
            where += [f"PGURI={postgres.url.replace('postgres:', 'postgresql:', 1)}", f"PGPM={postgres.pid}"]
        done = subprocess.run(
            [*command, str(round(seconds)), *where],
            cwd=BUILD,
            check=True,
            capture_output=True,
            text=True,
            timeout=150,
            stdin=subprocess.DEVNULL,
        )
    row: PeerRow = json.loads(done.stdout.splitlines()[-1])
    return row


def median(rows: Iterable[PeerRow]) -> PeerRow:
    """Every figure's median."""
    runs = list(rows)
    middle = runs[0].copy()
    for name in ("moves_s", "p50", "p95", "p99", "max", "server_cpu", "B_per_update"):
        middle[name] = statistics.median(run[name] for run in runs)
    middle["server_rss_mb"] = [statistics.median(run["server_rss_mb"][0] for run in runs)]
    middle["errors"] = sum(run["errors"] + run["stalls"] for run in runs)
    return middle
