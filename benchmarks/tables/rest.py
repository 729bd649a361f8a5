"""Ten thousand games over days at rest: what each sweep takes with none and with all of them, and memory.

python -m benchmarks.tables.rest [--tables N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.servers import Installation

ROWS = 500
"""Rows per statement, within what SQLite takes."""
REPEATS = 51
PERIODS = {
    "sweeper": 0.5,
    "tables without people": 30.0,
    "turns at live tables": 5.0,
    "turns in games over days": 5.0,
    "rows to be corrected": 3600.0,
}
"""Seconds between two runs of each sweep."""
MUST_SHARE = 0.005
"""Share of the time between two runs that a sweep may take with all tables at rest."""


def main() -> None:
    """Prepare, measure, print and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--inside", choices=["fill", "measure"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        import django

        django.setup()
        print(json.dumps(_measure() if options.inside == "measure" else _fill(options.tables)))
        return
    found = run(options.tables)
    for name, (alone, full) in found["ms"].items():
        share = full / 1000 / PERIODS[name]
        verdict = "ok" if share < MUST_SHARE else "MISSED"
        print(
            f"{name}: {alone:.2f} ms with 0 tables, {full:.2f} ms with {options.tables}: {share:.3%} of time {verdict}"
        )
    print(f"memory: {found['mb'][0]:.1f} MB with 0 tables, {found['mb'][1]:.1f} MB with {options.tables}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def run(tables: int) -> dict[str, Any]:
    """Medians of both, each measured by a process of its own: milliseconds by sweep, and megabytes."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), {})
        club.migrate()
        alone = json.loads(club.run_module("benchmarks.tables.rest", "--inside", "measure"))
        club.run_module("benchmarks.tables.rest", "--inside", "fill", "--tables", str(tables))
        full = json.loads(club.run_module("benchmarks.tables.rest", "--inside", "measure"))
    ms = {name: (alone["ms"][name], full["ms"][name]) for name in PERIODS}
    return {"tables": tables, "ms": ms, "mb": (alone["mb"], full["mb"])}


def _measure() -> dict[str, Any]:
    from games.notifications import day_turns, turns
    from games.play.clocks import due_tables, idle_tables
    from games.play.days import awaited_turns

    sweeps: dict[str, Callable[[float], object]] = {
        "sweeper": lambda now: due_tables.list_due(until=now + 1.0),
        "tables without people": lambda now: idle_tables.pause_idle_tables(now=now),
        "turns at live tables": lambda now: turns.look_for_turns(now=now),
        "turns in games over days": lambda now: day_turns.tell_awaited(now=now),
        "rows to be corrected": lambda _now: awaited_turns.repair_rows(),
    }
    return {"ms": {name: _time(sweep) for name, sweep in sweeps.items()}, "mb": _read_memory()}


def _time(sweep: Callable[[float], object]) -> float:
    """Milliseconds, the median."""
    taken = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        sweep(time.time())
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def _fill(count: int) -> int:
    """So many games over days of two people and two bots, in which a person is awaited and has been told."""
    from django.db import transaction

    from games.accounts.animal_pictures import AVATARS
    from games.models import AwaitedTurn, Player, Seat, Table
    from games.play.seats import opening

    now = time.time()
    ana, ben = (Player.objects.create(name=name, avatar="fox") for name in ("Ana", "Ben"))
    wanted = opening.TableRequest("karriere-poker", 4, {"deals": 3}, turn_seconds=86_400)
    model = opening.open_exhibition(wanted, avatars=AVATARS, now=now)
    row = Table.objects.get(pk=model.id)
    for first in range(0, count, ROWS):
        tables, seats, awaited = [], [], []
        for number in range(first, min(count, first + ROWS)):
            values = {one.attname: getattr(row, one.attname) for one in Table._meta.concrete_fields}
            due = now + 3600.0 + number
            values |= {"id": f"rest{number}", "invite": f"rest{number}", "wake_at": due, "started_at": now - 7200.0}
            tables.append(Table(**values))
            for index, player in enumerate((ana, ben)):
                seats.append(Seat(table_id=values["id"], index=index, player=player, name=player.name, avatar="fox"))
            awaited.append(
                AwaitedTurn(table_id=values["id"], player=ana, due_at=due, notice_at=due - 60, version=row.version)
            )
        with transaction.atomic():
            Table.objects.bulk_create(tables, batch_size=20)
            Seat.objects.bulk_create(seats, batch_size=100)
            AwaitedTurn.objects.bulk_create(awaited, batch_size=100)
    Table.objects.filter(pk=model.id).delete()
    return count


def _read_memory() -> float:
    """Resident MB of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
