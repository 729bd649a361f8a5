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
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.live import allow_many_files
from benchmarks.load import usage
from benchmarks.load.probe import percentile
from benchmarks.load.screen import Screen, is_fragment
from benchmarks.load.setups import SETTINGS
from benchmarks.load.socket_client import Socket
from tests.servers import Installation

PEOPLE, CHAIRS = 2, 5
THINK = 3.0
"""Mean pause before a person's move, in seconds."""
WARM_SECONDS = 15.0
"""Seconds of play before measuring begins."""
PAGE_SECONDS = 0.5
"""Seconds between two pages that are asked for."""
HEARTBEAT_SECONDS = 10.0
"""Seconds between two heartbeats of a browser (static/js/live.js)."""
ORDINARY = {"BOT_DELAY": "0.9", "SOCKETS_PER_ADDRESS": SETTINGS["SOCKETS_PER_ADDRESS"], "LOG_LEVEL": "ERROR"}


def main() -> None:
    """Measure each number of tables on fresh data, and print a line for each; or, inside, do a part of it there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.full", description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[40, 80, 160])
    parser.add_argument("--seconds", type=float, default=45.0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        import django

        django.setup()
        print(json.dumps(prepare(options.inside)))
        return
    allow_many_files()
    found = []
    for tables in options.tables:
        print(f"load average of this machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
        found.append(run(tables, options.seconds))
        print(json.dumps(found[-1], indent=2), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


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


class Client:
    """One person's browser."""

    def __init__(self, site: Site, table: str, session: str) -> None:
        self.site, self.table, self.session = site, table, session
        self.screen, self.ply, self.version = Screen(), -1, b""
        self.sent: dict[str, float] = {}
        self.waits: str = ""
        """The key of the move that is thought about or under way."""

    async def sit(self) -> None:
        """Open the socket."""
        at = urlsplit(self.site.address)
        self.socket = Socket(self.hear, lambda: self.site.lost.append(self.table))
        await asyncio.get_running_loop().create_connection(lambda: self.socket, at.hostname or "", at.port or 80)
        await self.socket.open(self.site.address, f"/ws/tables/{self.table}/", f"sessionid={self.session}")

    def hear(self, frame: bytes) -> None:
        """A picture, or the answer to a move."""
        now = time.time()
        if is_fragment(frame):
            ply = self.screen.show(frame)
            if ply > self.ply:
                self.site.seen.append((self.table, ply, now))
            self.ply = ply
            self.version = frame[frame.index(b'data-version="') + 14 :].partition(b'"')[0]
            self._think()
        elif frame.startswith(b'{"type":"answer"'):
            said = json.loads(frame)
            self.site.answers.append((said.get("status", 0), now - self.sent.pop(said["key"], now)))
            if said.get("status") == 200:
                self.site.accepted.append((self.table, said["key"]))
            self.waits = ""
            self._think()

    def _think(self) -> None:
        if self.screen.is_my_turn and not self.waits and not self.site.is_over:
            self.waits = f"{next(self.site.keys)}"
            asyncio.get_running_loop().call_later(THINK * (0.5 + random.random()), self._move)

    def _move(self) -> None:
        if not self.screen.is_my_turn or self.site.is_over:
            self.waits = ""
            return
        cards = self.screen.choose()
        move: dict[str, object] = {"pass": True} if cards is None else {"play": cards}
        self.sent[self.waits] = time.time()
        self.socket.send(json.dumps({"type": "move", "ply": self.ply, "key": self.waits, "move": move}).encode())

    def ping(self) -> None:
        """Say which version is shown, as a page does."""
        if self.version:
            self.socket.send(b'{"type":"ping","version":%s}' % self.version)


class Site:
    """Everybody who is there, and what they see."""

    def __init__(self, address: str, tables: list[dict[str, Any]], pid: int) -> None:
        self.address, self.pid, self.tables = address, pid, tables
        self.keys = itertools.count(1)
        self.chairs = [Client(self, one["table"], session) for one in tables for session in one["sessions"]]
        self.seen: list[tuple[str, int, float]] = []
        self.answers: list[tuple[int, float]] = []
        self.accepted: list[tuple[str, str]] = []
        self.pages: list[float] = []
        self.lost: list[str] = []
        self.is_over = False

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Sit down, play, and say what the server took."""
        for chair in self.chairs:
            await chair.sit()
        going = [asyncio.create_task(self._ping()), asyncio.create_task(self._look())]
        await asyncio.sleep(WARM_SECONDS)
        self.since, before = time.time(), usage.cpu_seconds(self.pid)
        for kept in (self.seen, self.answers, self.pages):
            kept.clear()
        await asyncio.sleep(seconds)
        took = time.time() - self.since
        spent = usage.cpu_seconds(self.pid) - before
        self.until, self.is_over = time.time(), True
        await asyncio.sleep(5.0)
        for task in going:
            task.cancel()
        return {
            "tables": len(self.tables), "load": os.getloadavg()[0], "core": round(spent / took, 2),
            "memory_mb": round(usage.memory_mb(self.pid)), "answers": _spread([took for _, took in self.answers]),
            "refused": sum(status != 200 for status, _ in self.answers),
            "unanswered": sum(len(chair.sent) for chair in self.chairs), "sockets_lost": len(self.lost),
            "pages": _spread(self.pages),
        }  # fmt: skip

    def read_log(self, database: Path) -> dict[str, Any]:
        """What came of it, by the log of the games."""
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
        told = [now - at[table, ply] for table, ply, now in self.seen if (table, ply) in at]
        return {
            "shown": _spread(told), "bots": _spread(bots), "clocks": _spread(late), "turns_run_out": run_out,
            "accepted": len(self.accepted), "not_once_in_the_log": sum(keys.get(one) != 1 for one in self.accepted),
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


def _spread(seconds: list[float]) -> dict[str, float]:
    ranked = sorted(1000 * one for one in seconds)
    parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {"n": len(ranked)} | {name: percentile(ranked, part) for name, part in parts.items()}


if __name__ == "__main__":
    main()
