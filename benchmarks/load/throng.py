"""Simulated people of an arena's benchmark: an organiser who enters results, and the pages of all phones."""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.load import usage
from benchmarks.load.socket_client import Socket

GAME = 30.0
WARM_SECONDS = 20.0
SPREAD = 0.5
"""Seconds over which pages spread their fetching, as `static/js/tournament/live-page.js` does."""
TOKEN = "b" * 32
VERSION = re.compile(rb'data-version="([^"]+)"')
OPEN_PODS = """
SELECT pod.id, pod.seated_at FROM tournaments_pod AS pod WHERE pod.seated_at IS NOT NULL AND pod.id NOT IN
(SELECT pod_id FROM tournaments_result WHERE status = 'accepted')
"""


def spread(values: Sequence[float]) -> dict[str, float]:
    """p50, p95, p99 and the greatest."""
    if len(values) < 2:
        return {}
    cuts = statistics.quantiles(values, n=100)
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(values)}


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
