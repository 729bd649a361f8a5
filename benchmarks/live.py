"""Tables of five sockets against a running installation: moves per second, latency, and what they cost."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from benchmarks.load import usage
from benchmarks.load.driver import Group, drive
from benchmarks.load.probe import Measured, Probe
from benchmarks.load.setups import SETUPS, Setup

DEALS = 10
"""Deals of each game; when one is over, its five players go on to the next prepared table."""
MOVES_A_GAME = 500
FASTEST = 3000.0
"""Moves a second that the prepared tables must be enough for."""
WARM_SECONDS = 3.0
PACED_THINK = 0.25
"""Mean pause before a move; at 50 tables 200 moves a second."""


class Case(NamedTuple):
    """What to measure. think: 0 saturates."""

    setup: str
    tables: int
    think: float = 0.0


class Row(Measured):
    """One run with what the processes used. cpu: % of one core; cpu_ms_move: of the servers."""

    server: str
    cpu: dict[str, float]
    memory_mb: dict[str, float]
    cpu_ms_move: float


class Usage(TypedDict):
    """By process: CPU in % of one core, resident MB."""

    cpu: dict[str, float]
    memory_mb: dict[str, float]


class Meter(Probe):
    """What processes use while measuring."""

    def __init__(self, pids: dict[str, int]) -> None:
        self._pids = pids
        self._before: dict[str, float] = {}
        self.used = Usage(cpu={}, memory_mb={})

    def begin(self) -> None:
        """Note where they stand."""
        self._before = {name: usage.cpu_seconds(pid) for name, pid in self._pids.items()}

    def end(self, seconds: float) -> None:
        """Work out what they used since."""
        spent = {name: usage.cpu_seconds(pid) - self._before[name] for name, pid in self._pids.items()}
        self.used = Usage(
            cpu={name: round(100 * used / seconds, 1) for name, used in spent.items()},
            memory_mb={name: round(usage.memory_mb(pid), 1) for name, pid in self._pids.items()},
        )


def measure(case: Case, *, seconds: float) -> Row:
    """One run over a fresh installation."""
    allow_many_files()
    with SETUPS[case.setup](groups=case.tables, games=count_games(case, seconds), deals=DEALS) as setup:
        return play(setup, setup.groups, think=case.think, seconds=seconds)


def play(setup: Setup, groups: Sequence[Group], *, think: float, seconds: float) -> Row:
    """Play at these tables of a running installation."""
    meter = Meter(setup.pids)
    done = asyncio.run(drive(setup.addresses, groups, seconds=seconds, warm=WARM_SECONDS, think=think, probe=meter))
    spent = sum(used for name, used in meter.used["cpu"].items() if name.startswith("server"))
    cost = 10 * spent / done["moves_s"] if done["moves_s"] else 0.0
    return Row(**done, **meter.used, server=setup.name, cpu_ms_move=round(cost, 3))


def count_games(case: Case, seconds: float) -> int:
    """How many games each five may need."""
    rate = case.tables / case.think if case.think else FASTEST
    return 1 + int(rate * (seconds + WARM_SECONDS) / case.tables / MOVES_A_GAME)


def allow_many_files() -> None:
    """As many sockets as the system lets us have, here and in the servers started from here."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def median(rows: Iterable[Row]) -> Row:
    """Every figure's median; errors and stalled tables are added up."""
    runs = list(rows)
    middle = runs[0].copy()
    for name in ("moves_s", "p50", "p95", "p99", "max", "bytes_update", "driver_cpu", "cpu_ms_move", "moves"):
        middle[name] = statistics.median(run[name] for run in runs)
    middle["cpu"] = _middle_of([run["cpu"] for run in runs])
    middle["memory_mb"] = _middle_of([run["memory_mb"] for run in runs])
    middle["errors"] = [error for run in runs for error in run["errors"]]
    middle["stalled"] = sum(run["stalled"] for run in runs)
    return middle


def _middle_of(used: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in used) for name in used[0]}
