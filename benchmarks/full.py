"""A site at full load, on the embedded default: `python -m benchmarks.full [--tables 40 80 160] [--seconds S]`.

At each table of five sit two people with a socket each, who take three seconds for a move, and three bots, who take
0.9; a quarter as many tables of eight beside them, at which nobody answers, so that every turn runs out after five
seconds; somebody fetches the lobby and a table's page twice a second. Measured: what a move waits for its answer, how
long after a ply it is on each screen, how long bots take, how late clocks are, what a page takes. Whatever the load,
each accepted move stands in the log once, and no turn of somebody who answers runs out.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.live import allow_many_files
from benchmarks.load import usage
from benchmarks.load.chair import HEARTBEAT_SECONDS, Chair, Notes, spread
from benchmarks.load.federation import runs
from benchmarks.load.setups import SETTINGS, SETUPS
from tests.servers import Installation

PEOPLE, CHAIRS = 2, 5
WARM_SECONDS = 15.0
"""Seconds of play before measuring begins."""
PAGE_SECONDS = 0.5
"""Seconds between two pages that are asked for."""
ORDINARY = {"BOT_DELAY": "0.9", "SOCKETS_PER_ADDRESS": SETTINGS["SOCKETS_PER_ADDRESS"], "LOG_LEVEL": "ERROR"}


def main() -> None:
    """Measure each number of tables on fresh data, and print a line for each; or, inside, do a part of it there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.full", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[40, 80, 160])
    parser.add_argument("--seconds", type=float, default=45.0)
    parser.add_argument("--federation", type=float, nargs="+", metavar="PERCENT", help="of a federation's Saturday")
    parser.add_argument("--setup", choices=list(SETUPS), default="production", help="for the federation")
    parser.add_argument(
        "--parts-at", type=float, nargs="+", default=(), metavar="PERCENT", help="find the model's costs there, first"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        import django

        django.setup()
        print(json.dumps(prepare(options.inside)))
        return
    if options.federation:
        found = runs.run(options.federation, parts_at=options.parts_at, setup=options.setup, seconds=options.seconds)
    else:
        found = _measure_tables(options.tables, options.seconds)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def _measure_tables(counts: Sequence[int], seconds: float) -> list[dict[str, Any]]:
    allow_many_files()
    found = []
    for tables in counts:
        print(f"load average of this machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
        found.append(run(tables, seconds))
        print(json.dumps(found[-1], indent=2), flush=True)
    return found


def prepare(tables: int) -> list[dict[str, Any]]:
    """Games under way, each with its id and the sessions of its people by seat."""
    from django.conf import settings
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from benchmarks import timers
    from games.accounts.animal_pictures import AVATARS
    from games.accounts.session import PLAYER
    from games.models import Player
    from games.play.seats import opening, sitting

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    request = opening.TableRequest(
        game="karriere-poker", seats=CHAIRS, options={"deals": 50}, turn_seconds=45, is_public=False
    )
    made = []
    for number in range(tables):
        with transaction.atomic():
            sessions, now = [], time.time()
            people = [Player.objects.create(name=f"Guest {number}", avatar=AVATARS[seat]) for seat in range(PEOPLE)]
            for person in people:
                session = SessionStore()
                session[PLAYER] = person.pk
                session.create()
                sessions.append(session.session_key)
            table = opening.open_table(people[0], request, avatars=AVATARS, now=now)
            for person in people[1:]:
                sitting.sit(table.id, person, now=now)
            for person in people:
                sitting.contribute(table.id, person.pk, commitment=table.commitment, entropy=f"{person.pk}", now=now)
            opening.start(table.id, people[0].pk, fill="steady", avatars=AVATARS, now=now)
        made.append({"table": table.id, "sessions": sessions})
    timers.prepare(max(1, tables // 4))
    return made


def run(tables: int, seconds: float) -> dict[str, Any]:
    """The figures of one run on fresh data."""
    with tempfile.TemporaryDirectory(prefix="menagerie-full-") as folder:
        club = Installation(Path(folder), dict(ORDINARY))
        club.migrate()
        prepared = json.loads(club.run_module("benchmarks.full", "--inside", str(tables)))
        with club.serve() as server:
            site = Site(server.address, prepared, server.process.pid)
            return asyncio.run(site.measure(seconds)) | site.read_log(Path(folder) / "menagerie.sqlite3")


class Site:
    """The clients of one run, and their measurements."""

    def __init__(self, address: str, tables: list[dict[str, Any]], pid: int) -> None:
        self.address, self.pid, self.tables = address, pid, tables
        self.notes = Notes()
        self.chairs = [Chair(self.notes, address, one["table"], key) for one in tables for key in one["sessions"]]
        self.pages: list[float] = []

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Sit down, play, and say what the server took."""
        for chair in self.chairs:
            await chair.sit()
        going = [asyncio.create_task(self._ping()), asyncio.create_task(self._look())]
        await asyncio.sleep(WARM_SECONDS)
        self.since, before = time.time(), usage.cpu_seconds(self.pid)
        for kept in (self.notes.seen, self.notes.answers, self.pages):
            kept.clear()
        await asyncio.sleep(seconds)
        took = time.time() - self.since
        spent = usage.cpu_seconds(self.pid) - before
        self.until = time.time()
        for chair in self.chairs:
            chair.stop()
        await asyncio.sleep(5.0)
        for task in going:
            task.cancel()
        return {
            "tables": len(self.tables), "load": os.getloadavg()[0], "core": round(spent / took, 2),
            "memory_mb": round(usage.memory_mb(self.pid)), "answers": spread([took for _, took in self.notes.answers]),
            "refused": sum(status != 200 for status, _ in self.notes.answers),
            "unanswered": sum(len(chair.sent) for chair in self.chairs), "sockets_lost": len(self.notes.lost),
            "pages": spread(self.pages),
        }  # fmt: skip

    def read_log(self, database: Path) -> dict[str, Any]:
        """The figures that follow from the log of the games."""
        rows = sqlite3.connect(database).execute(
            "SELECT p.table_id, p.number, p.event, p.key, t.started_at + p.at, t.game FROM games_ply p"
            " JOIN games_table t ON t.id = p.table_id ORDER BY p.table_id, p.number"
        )
        at: dict[tuple[str, int], float] = {}
        keys: dict[tuple[str, str], int] = {}
        bots, late, run_out = [], [], 0
        for table, number, event, key, moment, game in rows:
            at[table, number] = moment
            before = at.get((table, number - 1))
            if key is not None:
                name = (table, key.partition(":")[2])
                keys[name] = keys.get(name, 0) + 1
            if before is None or not self.since <= moment <= self.until:
                continue
            if game == "karriere-poker":
                run_out += "clock" in json.loads(event)
                bots += [moment - before] if key is None else []
            elif json.loads(event) == {"clock": "turn"}:
                late.append(moment - before - 5)
        delays = [now - at[table, ply] for table, ply, now in self.notes.seen if (table, ply) in at]
        return {
            "shown": spread(delays), "bots": spread(bots), "clocks": spread(late), "turns_run_out": run_out,
            "accepted": len(self.notes.accepted),
            "not_once_in_the_log": sum(keys.get(one) != 1 for one in self.notes.accepted),
        }  # fmt: skip

    async def _ping(self) -> None:
        for chair in itertools.cycle(self.chairs):
            await asyncio.sleep(HEARTBEAT_SECONDS / len(self.chairs))
            chair.ping()

    async def _look(self) -> None:
        place = urlsplit(self.address)
        for turn in itertools.count():
            chair = random.choice(self.chairs)
            path = "/" if turn % 2 else f"/tables/{chair.table}/"
            began = time.time()
            reader, writer = await asyncio.open_connection(place.hostname, place.port)
            head = f"GET {path} HTTP/1.0\r\nHost: {place.netloc}\r\nCookie: sessionid={chair.session}\r\n\r\n"
            writer.write(head.encode())
            answer = await reader.read()
            writer.close()
            if b" 200 " not in answer[:20]:
                raise RuntimeError(f"{path}: {answer[:200]!r}")
            self.pages.append(time.time() - began)
            await asyncio.sleep(max(0.0, began + PAGE_SECONDS - time.time()))


if __name__ == "__main__":
    main()
