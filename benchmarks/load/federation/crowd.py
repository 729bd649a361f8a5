"""Simulated spectators of a federation's Saturday: of the final, hall displays, and readers of pages."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchmarks.load.http_requests import fetch
from benchmarks.load.screen import is_fragment
from benchmarks.load.socket_client import Socket

SPREAD_SECONDS = 0.5
"""Over which pages spread their fetching (`static/js/tournament/live-page.js`)."""
_PLY = b'<div data-ply="'
_VERSION = re.compile(rb'data-version="([^"]+)"')


@dataclass(slots=True)
class Sights:
    """What they saw. seen: ply and moment of each picture of the final; pages, walls: seconds; frames: their number."""

    seen: list[tuple[int, float]] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    walls: list[float] = field(default_factory=list)
    frames: int = 0
    lost: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


class Onlooker:
    """One spectator's browser."""

    def __init__(self, sights: Sights, table: str, session: str) -> None:
        self.sights, self.table, self.session = sights, table, session
        self.ply, self.version = -1, b""
        self.socket: Socket | None = None

    async def come(self, address: str) -> None:
        """Open the socket."""
        self.socket = await _open(address, f"/ws/tables/{self.table}/", self.session, self._hear, self._lose)

    def _hear(self, frame: bytes) -> None:
        if not is_fragment(frame):
            return
        self.sights.frames += 1
        ply = int(frame[len(_PLY) : frame.index(b'"', len(_PLY))])
        if ply > self.ply >= 0:
            self.sights.seen.append((ply, time.time()))
        self.ply = ply
        self.version = frame[frame.index(b'data-version="') + 14 :].partition(b'"')[0]

    def _lose(self) -> None:
        self.sights.lost.append("a spectator")

    def ping(self) -> None:
        """Say which version is shown."""
        if self.version and self.socket is not None:
            self.socket.send(b'{"type":"ping","version":%s}' % self.version)

    def leave(self) -> None:
        """Close the socket."""
        if self.socket is not None:
            self.socket.close()


class Wall:
    """A hall display of a tournament: a page, and the socket that says when it is out of date."""

    def __init__(self, sights: Sights, address: str, tournament: str, session: str) -> None:
        self.sights, self.address, self.tournament, self.session = sights, address, tournament, session
        self.shown = ""
        self.news = asyncio.Event()
        self.socket: Socket | None = None

    async def open(self) -> None:
        """Fetch the page, and follow its version."""
        await self._fetch()
        path = f"/ws/tournaments/{self.tournament}/"
        self.socket = await _open(self.address, path, self.session, self._hear, self._lose)

    def _hear(self, frame: bytes) -> None:
        if json.loads(frame).get("version", self.shown) != self.shown:
            self.news.set()

    def _lose(self) -> None:
        self.sights.lost.append("a hall display")

    async def follow(self) -> None:
        """Fetch the page whenever it is out of date."""
        while True:
            await self.news.wait()
            self.news.clear()
            await asyncio.sleep(SPREAD_SECONDS * random.random())
            await self._fetch()

    async def _fetch(self) -> None:
        began = time.perf_counter()
        page = await fetch(self.address, f"/tournaments/{self.tournament}/hall/", session=self.session)
        self.sights.walls.append(time.perf_counter() - began)
        found = _VERSION.search(page)
        self.shown = found[1].decode() if found else ""

    def leave(self) -> None:
        """Close the socket."""
        if self.socket is not None:
            self.socket.close()


class Readers:
    """People who ask for pages, so many a second, whether those before have been answered or not."""

    def __init__(self, sights: Sights, addresses: Sequence[str], sessions: Sequence[str], paths: Sequence[str]) -> None:
        self.sights, self.addresses, self.sessions, self.paths = sights, addresses, sessions, paths
        self._asked: set[asyncio.Task[None]] = set()

    async def read(self, pages_per_second: float) -> None:
        """Until it is cancelled."""
        try:
            for path in itertools.cycle(self.paths):
                await asyncio.sleep((0.5 + random.random()) / pages_per_second)
                task = asyncio.create_task(self._read(path))
                self._asked.add(task)
                task.add_done_callback(self._asked.discard)
        finally:
            for task in self._asked:
                task.cancel()

    async def _read(self, path: str) -> None:
        began = time.perf_counter()
        try:
            await fetch(random.choice(self.addresses), path, session=random.choice(self.sessions))
        except Exception as error:  # noqa: BLE001 - told at the end, with all others
            self.sights.trouble.append(str(error) or type(error).__name__)
        self.sights.pages.append(time.perf_counter() - began)


async def _open(address: str, path: str, session: str, hear: object, lose: object) -> Socket:
    at = urlsplit(address)
    socket = Socket(hear, lose)  # type: ignore[arg-type]
    await asyncio.get_running_loop().create_connection(lambda: socket, at.hostname or "", at.port or 80)
    await socket.open(address, path, f"sessionid={session}")
    return socket
