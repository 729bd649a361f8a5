"""Runs a federation's Saturday at several sizes; prints measurements, the model's predictions, and the limit."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.live import allow_many_files
from benchmarks.load import resources
from benchmarks.load.federation import cost_model, game_log, report
from benchmarks.load.federation.day import Day
from benchmarks.load.federation.preparation import TURN_SECONDS, Prepared, Size
from benchmarks.load.setups import SETUPS, Setup
from tests.servers import Installation

SETTINGS = {"BOT_DELAY": "0.9", "QUESTIONS_PER_MINUTE": "1000000", "METRICS_ALLOW": "127.0.0.1"}
"""Bots take their time; organisers' programs are at one address."""
PATIENT_TURN_SECONDS = 1800
"""In a run of parts people sit there before they play."""
REST_PERCENT = 1.0
"""Of the federation: what such an installation uses at rest is the model's base."""


def run(
    percents: Sequence[float], *, parts_at: Sequence[float] = (), setup: str, seconds: float, ends_at_limit: bool = True
) -> list[dict[str, Any]]:
    """The figures of each size in turn, printed as they are found, until the machine is the limit.

    parts_at: the sizes at which the model's costs are found; without any there is no model.
    """
    allow_many_files()
    signal.signal(signal.SIGTERM, _end)  # without it servers, database and Redis would outlive this process
    base = _measure_rest(setup, seconds) if parts_at else {}
    costs = {percent: _find_costs(setup, percent, seconds, base) for percent in parts_at}
    found: list[dict[str, Any]] = []
    for percent in percents:
        row = _run_one(setup, percent, seconds, costs)
        found.append(row)
        print(json.dumps(row, indent=2), flush=True)
        print(f"{percent:g} % of a federation, {setup}: {row['verdict']}", flush=True)
        if row["limit"] and ends_at_limit:
            print("Larger ones are left out.")
            break
    return found


def _end(*_args: object) -> None:
    """Exit through all contexts, each of which stops its processes."""
    sys.exit(128 + signal.SIGTERM)


def _measure_rest(setup: str, seconds: float) -> cost_model.Shares:
    """What the smallest installation uses at rest."""
    with _installed(setup, REST_PERCENT) as (running, _, ready):
        day = Day(running, ready, Size(REST_PERCENT))
        asyncio.run(day.rest(seconds))
    return resources.group(day.windows[0].use.shares)


def _find_costs(setup: str, percent: float, seconds: float, base: cost_model.Shares) -> cost_model.Costs:
    """Costs from an installation of this size whose parts begin one by one. base: of the model."""
    row, day, log = _drive(setup, percent, seconds, in_parts=True)
    parts = [
        cost_model.Part(window.brings, report.count(window, log), resources.group(window.use.shares))
        for window in day.windows
    ]
    costs = cost_model.find_costs(base, parts)
    print(json.dumps({"parts_at": percent, "base": costs.base, "costs": costs.units, "run": row}, indent=2))
    print("cost in ms of a core, by unit and process (of a socket: µs of a core a second)")
    for unit, by_process in costs.units.items():
        factor = 1e6 if unit == "socket" else 1000
        output = "  ".join(f"{process} {factor * cost:.2f}" for process, cost in by_process.items())
        print(f"  {unit:<10}{output}", flush=True)
    return costs


def _run_one(setup: str, percent: float, seconds: float, costs: Mapping[float, cost_model.Costs]) -> dict[str, Any]:
    row, day, log = _drive(setup, percent, seconds, in_parts=False)
    window = day.windows[-1]
    if costs:
        predicted = cost_model.predict(cost_model.interpolate(costs, percent), report.count(window, log))
        deviations = cost_model.compare(predicted, resources.group(window.use.shares))
        row["model"] = [one._asdict() for one in deviations]
        row["model_within_a_fifth"] = cost_model.is_within(deviations)
        for one in deviations:
            off = "too little to compare" if one.percent is None else f"{one.percent:+.0f} %"
            print(f"  {one.process:<10}predicted {one.predicted:.3f}  measured {one.measured:.3f}  {off}")
    return row


def _drive(setup: str, percent: float, seconds: float, *, in_parts: bool) -> tuple[dict[str, Any], Day, game_log.Log]:
    size, turn = Size(percent), PATIENT_TURN_SECONDS if in_parts else TURN_SECONDS
    with _installed(setup, percent, turn_seconds=turn) as (running, club, ready):
        day = Day(running, ready, size)
        before, began = resources.find_database_size(club), time.time()
        memory = asyncio.run(_spend(day, seconds, in_parts=in_parts))
        grown, took = resources.find_database_size(club) - before, time.time() - began
        rows = json.loads(club.run_module("benchmarks.load.federation.preparation", "log"))
    log = game_log.read([tuple(row) for row in rows], [one["table"] for one in ready["tables"]])
    outcome = report.tell(day, log) | {"memory_mb": memory}
    outcome |= {"setup": running.name, "percent": percent, "database_mb": grown / 1e6, "database_mb_over_seconds": took}
    return outcome, day, log


@contextmanager
def _installed(
    setup: str, percent: float, *, turn_seconds: int = TURN_SECONDS
) -> Iterator[tuple[Setup, Installation, Prepared]]:
    """An installation in which a federation of this size is prepared, and its servers run."""
    made: list[tuple[Installation, Prepared]] = []

    def prepare(club: Installation) -> None:
        options = ["--percent", str(percent), "--turn-seconds", str(turn_seconds)]
        made.append((club, json.loads(club.run_module("benchmarks.load.federation.preparation", "prepare", *options))))

    with SETUPS[setup](groups=0, games=1, deals=1, settings=SETTINGS, also=prepare) as running:
        yield running, *made[0]


async def _spend(day: Day, seconds: float, *, in_parts: bool) -> dict[str, float]:
    """The whole day; returns the memory of all processes at its end, when everybody is still there."""
    try:
        await day.run(seconds, in_parts=in_parts)
        return resources.find_memory(day.setup.pids)
    finally:
        await day.leave()
