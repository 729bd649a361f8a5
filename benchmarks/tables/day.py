"""The cost of a day of casual tables: abandoned ones before and after they are paused, and tables with people.

`python -m benchmarks.tables.day`: somebody opens 30 tables with bots and goes. Measured are plies, bytes of the
database and seconds of the processor while bots still play, and once the tables stand still; a day is worked out from
both. Normal play is worked out from the same cost of a ply.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import usage
from tests.servers import Installation

TABLES, DEALS = 30, 999
DAY_SECONDS, UNATTENDED_SECONDS = 86_400.0, 600.0
"""Seconds: a day; for how long a table goes on after the last person left."""
LOOK_SECONDS = 35.0
"""Tables without people are looked for every 30 seconds; so many seconds are measured, to include one."""
NORMAL_PLIES = 20 * 3 * 60 * 12
"""A normal day: 20 tables of people for three hours, 12 plies a minute."""
SETTINGS = {"BOT_DELAY": "0.9", "LOG_LEVEL": "ERROR"}


class Stand(NamedTuple):
    """What there is at one moment. size: bytes of the database; cpu: seconds of the server."""

    at: float
    plies: int
    size: int
    cpu: float


class Rate(NamedTuple):
    """What is used in a second, and in a day of that."""

    plies: float
    size: float
    cpu: float


def open_tables() -> None:
    """Open the tables, and leave them (in a program over an installation's settings)."""
    import django

    django.setup()
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player
    from games.play.seats import opening, sitting

    guest, now = Player.objects.create(name="Guest", avatar=AVATARS[0]), time.time()
    for _ in range(TABLES):
        request = opening.TableRequest("karriere-poker", 5, {"deals": DEALS}, bots=4)
        table = opening.open_table(guest, request, avatars=AVATARS, now=now)
        opening.start(table.id, guest.pk, fill="", avatars=AVATARS, now=now)
        sitting.contribute(table.id, guest.pk, commitment=table.commitment, entropy="of the benchmark", now=now)
        sitting.leave(table.id, guest.pk, now=now)


def measure(seconds: float) -> dict[str, Rate]:
    """While bots play at all of them, and when all stand still."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        file = Path(folder) / "menagerie.sqlite3"
        club.run_module("benchmarks.tables.day", "--open")
        with club.serve() as server:
            time.sleep(5)
            playing = _measure(file, server.process.pid, seconds)
            with sqlite3.connect(file, timeout=30) as database:  # as if ten minutes had passed
                database.execute("UPDATE games_table SET started_at = started_at - 700, seen_at = NULL")
            time.sleep(LOOK_SECONDS)
            standing = _measure(file, server.process.pid, seconds)
    return {"playing": playing, "standing": standing}


def _measure(file: Path, pid: int, seconds: float) -> Rate:
    before = _read_counters(file, pid)
    time.sleep(seconds)
    after = _read_counters(file, pid)
    took = after.at - before.at
    return Rate((after.plies - before.plies) / took, (after.size - before.size) / took, (after.cpu - before.cpu) / took)


def _read_counters(file: Path, pid: int) -> Stand:
    database = sqlite3.connect(file, timeout=30)
    try:
        database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        (plies,) = database.execute("SELECT count(*) FROM games_ply").fetchone()
        (pages,), (each,) = (database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    finally:
        database.close()
    return Stand(time.monotonic(), plies, pages * each, usage.cpu_seconds(pid))


def write_days(found: dict[str, Rate]) -> list[str]:
    """The days as a table."""
    playing, standing = found["playing"], found["standing"]
    ply = Rate(1, playing.size / playing.plies, (playing.cpu - standing.cpu) / playing.plies)
    days = {
        f"{TABLES} abandoned tables, played on": Rate(*(DAY_SECONDS * one for one in playing)),
        f"{TABLES} abandoned tables, standing still after ten minutes": Rate(
            *(
                UNATTENDED_SECONDS * one + (DAY_SECONDS - UNATTENDED_SECONDS) * still
                for one, still in zip(playing, standing, strict=True)
            )
        ),
        f"normal play, {NORMAL_PLIES:,} plies": Rate(
            NORMAL_PLIES, NORMAL_PLIES * ply.size, NORMAL_PLIES * ply.cpu + DAY_SECONDS * standing.cpu
        ),
        "nothing": Rate(0, 0, DAY_SECONDS * standing.cpu),
    }
    lines = ["| a day of | plies | MB | CPU minutes |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {one.plies:,.0f} | {one.size / 1e6:,.1f} | {one.cpu / 60:.1f} |" for name, one in days.items()
    ]
    return [*lines, f"{ply.size:.0f} bytes and {1000 * ply.cpu:.2f} ms of the processor a ply."]


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables.day", description=__doc__)
    parser.add_argument("--open", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=60, help="of each of the two measurements (default 60)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    options = parser.parse_args()
    if options.open:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        open_tables()
        return
    found = measure(options.seconds)
    print("\n".join(write_days(found)))
    if options.json:
        options.json.write_text(json.dumps({name: rate._asdict() for name, rate in found.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
