"""An arena of hundreds, and what else the house does meanwhile: `python -m benchmarks.arena`.

Everybody looks at the arena's page on his phone: a socket that says when it is out of date, and the whole page fetched
anew whenever it does, as the page's script does it. They play at real tables; a game lasts `GAME` seconds, half more or
less, then the organiser enters its result, and whoever was there is seated again. So results and seatings follow one
another all the time. Beside them run tables of Super Zwierzaki at which nobody answers: how late their timers are is
what the others in the house feel of it. Also measured: pages per second and how long they take, the processor's time
of the server, how long after a change a page shows it to whom it concerns (he is seated) and to the others, and how
long people waited for a table.

    python -m benchmarks.arena [--people N] [--tables N] [--seconds S] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks import usage
from benchmarks.wire import Socket
from tests.servers import ROOT, Installation

GAME = 30.0
WARM_SECONDS = 20.0
SPREAD = 0.5
"""Seconds over which pages spread their fetching, as `pulse.js` does."""
MUST_MS = 250.0
SETTINGS = {"MOVES_PER_SECOND": "10000", "LOG_LEVEL": "ERROR", "SOCKETS_PER_ADDRESS": "100000"}
TOKEN = "b" * 32
VERSION = re.compile(rb'data-version="([^"]+)"')
OPEN_PODS = """
SELECT pod.id, pod.seated_at FROM tournaments_pod AS pod WHERE pod.seated_at IS NOT NULL AND pod.id NOT IN
(SELECT pod_id FROM tournaments_result WHERE status = 'accepted')
"""


def main() -> None:
    """Prepare, serve, play, read what happened when, print and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50, help="of Super Zwierzaki, beside it (default 50)")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--since", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--inside", choices=["prepare", "measure"], help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.inside:
        import django

        django.setup()
        print(json.dumps(prepare(wish.people, wish.tables) if wish.inside == "prepare" else measure(wish.since)))
        return
    found = run(wish)
    print(say(wish, found))
    if wish.json:
        wish.json.write_text(json.dumps(found, indent=2) + "\n")


def say(wish: argparse.Namespace, found: dict[str, Any]) -> str:
    """The figures, in lines."""
    timers, pages = found["timers"], found["pages"]
    verdict = "ok" if timers["p99"] < MUST_MS else "MISSED"
    return "\n".join(
        (
            f"{wish.people} people in an arena, {wish.tables} other tables, {wish.seconds:.0f} s, embedded",
            f"results {found['results']}, seatings {found['seatings']}, server {found['cpu']:.0%} of a core",
            f"timers of the others late by, ms: {_line(timers)}  {verdict}",
            f"pages {found['pages_s']:.1f} a second, ms: {_line(pages)}",
            f"a page shows whom it concerns his table after, s: {_line(found['told'])}",
            f"a page of the others is behind by, s: {_line(found['behind'])}",
            f"people wait for a table, s: {_line(found['waits'])}",
        )
    )


def _line(row: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.3g}" for name, value in row.items())


def spread(values: Sequence[float]) -> dict[str, float]:
    """p50, p95, p99 and the greatest."""
    if len(values) < 2:
        return {}
    cuts = statistics.quantiles(values, n=100)
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(values)}


def run(wish: argparse.Namespace) -> dict[str, Any]:
    """The figures of one run on fresh data."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        ready = _inside(club, "prepare", wish)
        with club.serve() as server:
            crowd = Crowd(server.address, ready, club.folder / "menagerie.sqlite3")
            found = asyncio.run(crowd.play(wish.seconds, server.process.pid))
        inside = _inside(club, "measure", wish, since=found.pop("since"))
    return found | {"timers": spread(inside["late"]), "waits": spread(inside["waits"]), "seatings": inside["seatings"]}


def _inside(club: Installation, what: str, wish: argparse.Namespace, *, since: float = 0.0) -> Any:
    args = ["--people", str(wish.people), "--tables", str(wish.tables), "--since", str(since)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.arena", "--inside", what, *args],
        env=club.environment(DJANGO_SETTINGS_MODULE="config.settings"), cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{what} failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


class Crowd:
    """Everybody's browsers, and an organiser who enters results."""

    def __init__(self, address: str, ready: dict[str, Any], database: Path) -> None:
        self.address, self.ready = address, ready
        self.database = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
        self.is_measured = self.is_over = False
        self.took: list[float] = []
        self.behind: list[float] = []
        self.told: list[float] = []
        self.results = 0
        self.ends: dict[int, float] = {}
        self.rng = random.Random(1)

    async def play(self, seconds: float, pid: int) -> dict[str, Any]:
        """Warm up, then measure for so long."""
        path = f"/tournaments/{self.ready['tournament']}/"
        readers = [(session, path) for session in self.ready["people"]]
        readers += [(self.ready["organiser"], f"{path}console/"), (self.ready["organiser"], f"{path}hall/")]
        tasks = [asyncio.create_task(self._enter_results())]
        for session, page in readers:
            reader = Reader(self, session, page)
            await reader.open()
            tasks.append(asyncio.create_task(reader.follow()))
        await asyncio.sleep(WARM_SECONDS)
        since, before, self.is_measured = time.time(), usage.cpu_seconds(pid), True
        await asyncio.sleep(seconds)
        cpu, self.is_measured, self.is_over = usage.cpu_seconds(pid) - before, False, True
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        return {
            "since": since, "cpu": cpu / seconds, "results": self.results, "pages_s": len(self.took) / seconds,
            "pages": spread([1000 * one for one in self.took]), "behind": spread(self.behind),
            "told": spread(self.told),
        }  # fmt: skip

    async def _enter_results(self) -> None:
        """Whatever has been played long enough gets its result."""
        url, cookie = f"/tournaments/{self.ready['tournament']}/console/do/", f"sessionid={self.ready['organiser']}"
        while not self.is_over:
            for pod, seated_at in self.database.execute(OPEN_PODS).fetchall():
                ends = self.ends.setdefault(pod, seated_at + GAME * self.rng.uniform(0.5, 1.5))
                if ends <= time.time():
                    form = {"action": "decide", "pod": pod, "how": "shared", "csrfmiddlewaretoken": TOKEN}
                    await self.request("POST", url, f"{cookie}; csrftoken={TOKEN}", urlencode(form))
                    self.results += self.is_measured
            await asyncio.sleep(0.1)

    async def request(self, method: str, path: str, cookie: str, body: str = "") -> bytes:
        """One request on a connection of its own; what came back, unpacked or not."""
        place = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {self.address}\r\nConnection: close\r\n"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n" if body else ""
        writer.write(f"{head}{kind}Content-Length: {len(body)}\r\nCookie: {cookie}\r\n\r\n{body}".encode())
        answer = await reader.read()
        writer.close()
        if b" 200 " not in answer[:20] and b" 302 " not in answer[:20]:
            raise RuntimeError(f"{path}: {answer[:200]!r}")
        return answer


class Reader:
    """One browser with one page open."""

    def __init__(self, crowd: Crowd, session: str, page: str) -> None:
        self.crowd, self.page, self.cookie = crowd, page, f"sessionid={session}"
        self.version, self.shown, self.heard_at = "", "", 0.0
        self.news = asyncio.Event()
        self.waits = False

    async def open(self) -> None:
        """Fetch the page, and follow its version."""
        await self._fetch()
        _, self.socket = await asyncio.get_running_loop().create_connection(
            lambda: Socket(self._hear, lambda: None), *_place(self.crowd.address)
        )
        path = f"/ws/tournaments/{self.crowd.ready['tournament']}/"
        await self.socket.open(self.crowd.address, path, self.cookie)

    def _hear(self, frame: bytes) -> None:
        version = json.loads(frame)["version"]
        if version != self.version:
            self.version = version
            if version != self.shown:
                self.news.set()

    async def follow(self) -> None:
        """Fetch the page whenever it is out of date."""
        while not self.crowd.is_over:
            await self.news.wait()
            self.news.clear()
            await asyncio.sleep(SPREAD * self.crowd.rng.random())
            await self._fetch()

    async def _fetch(self) -> None:
        began, waited = time.time(), self.waits
        text = await self.crowd.request("GET", self.page, self.cookie)
        found = VERSION.search(text)
        self.shown = found.group(1).decode() if found else ""
        self.waits = b"data-waits" in text
        if not self.crowd.is_measured:
            return
        self.crowd.took.append(time.time() - began)
        behind = time.time() - self._changed_at()
        (self.crowd.told if waited and not self.waits else self.crowd.behind).append(behind)

    def _changed_at(self) -> float:
        """When the step was taken up to which the page shows the present."""
        number = int(self.shown.partition("-")[0])
        query = "SELECT at FROM tournaments_step WHERE tournament_id = ? AND number = ?"
        rows = self.crowd.database.execute(query, (self.crowd.ready["tournament"], number)).fetchall()
        return float(rows[0][0]) if rows else time.time()


def _place(address: str) -> tuple[str, int]:
    place = urlsplit(address)
    return place.hostname or "", place.port or 0


def prepare(people: int, tables: int) -> dict[str, Any]:
    """A public arena that is open, everybody in it, and the other tables."""
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from benchmarks import timers
    from games.accounts.session import PLAYER
    from games.models import Player
    from tests.tournaments.cast import plan
    from tournaments.flow import arena, entry, phases, presence
    from tournaments.models import Phase

    def session_of(player: Player) -> str:
        session = SessionStore()
        session[PLAYER] = player.pk
        session.create()
        return str(session.session_key)

    now = time.time()
    with transaction.atomic():
        owner = Player.objects.create(name="Olga", avatar="fox")
        wishes: Any = {"format": "arena", "venue": "real", "least": 4, "most": 5, "round_minutes": 240}
        tournament = plan(owner, **wishes)
        for phase in (Phase.ENTRY, Phase.CHECK_IN):
            phases.move_on(tournament, owner, phase, now=now)
            tournament.refresh_from_db()
        players = [Player.objects.create(name=f"Person {number}", avatar="fox") for number in range(people)]
        for player in players:
            entry.enter(tournament, player, now=now)
        presence.check_in(tournament, owner, list(tournament.entrants.values_list("pk", flat=True)), now=now)
        arena.open_doors(tournament, owner, now=now)
        sessions = [session_of(player) for player in players]
        organiser = session_of(owner)
    timers.prepare(tables)
    return {"tournament": tournament.pk, "people": sessions, "organiser": organiser}


def measure(since: float) -> dict[str, Any]:
    """How late timers were, in ms; how long people waited between two games, in s; how many seatings there were."""
    from benchmarks import timers
    from tournaments.models import Pod, PodSeat, Step

    ended = dict(Pod.objects.filter(results__status="accepted").values_list("pk", "results__at"))
    last: dict[int, float] = {}
    waits = []
    rows = PodSeat.objects.order_by("pod__seated_at").values_list("entrant", "pod", "pod__seated_at")
    for entrant, pod, seated_at in rows:
        if seated_at is None:
            continue
        if entrant in last and seated_at >= since:
            waits.append(seated_at - last[entrant])
        last[entrant] = ended.get(pod, seated_at)
    seatings = Step.objects.filter(kind="seat", at__gte=since).count()
    return {"late": timers.measure(since), "waits": waits, "seatings": seatings}


if __name__ == "__main__":
    main()
