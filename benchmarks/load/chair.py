"""A simulated player of Karriere Poker in a browser: a socket, a screen, and pauses before moves."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchmarks.load.probe import percentile
from benchmarks.load.screen import Screen, is_fragment
from benchmarks.load.socket_client import Socket

THINK = 3.0
"""Mean pause before a person's move, in seconds."""
HEARTBEAT_SECONDS = 10.0
"""Seconds between two heartbeats of a browser (static/js/live.js)."""


@dataclass(slots=True)
class Notes:
    """What the simulated players received. Moments are seconds since 1970, durations seconds.

    seen: table, ply and moment of each picture; answers: status and duration; accepted: table and key of each move;
    lost: tables whose socket the server closed.
    """

    seen: list[tuple[str, int, float]] = field(default_factory=list)
    answers: list[tuple[int, float]] = field(default_factory=list)
    accepted: list[tuple[str, str]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    keys: Iterator[int] = field(default_factory=lambda: itertools.count(1))


class Chair:
    """One person's browser. is_playing: without it they look on, and make no move."""

    def __init__(self, notes: Notes, address: str, table: str, session: str, *, is_playing: bool = True) -> None:
        self.notes, self.address, self.table, self.session = notes, address, table, session
        self.is_playing = is_playing
        self.screen, self.ply, self.version = Screen(), -1, b""
        self.accepted_ply = -1
        """The ply of the last move that was accepted: until a later picture comes, the screen is that of before."""
        self.sent: dict[str, float] = {}
        self.sent_ply = -1
        self.waits: str = ""
        """The key of the move that is thought about or under way."""

    async def sit(self) -> None:
        """Open the socket."""
        at = urlsplit(self.address)
        self.socket = Socket(self.hear, lambda: self.notes.lost.append(self.table))
        await asyncio.get_running_loop().create_connection(lambda: self.socket, at.hostname or "", at.port or 80)
        await self.socket.open(self.address, f"/ws/tables/{self.table}/", f"sessionid={self.session}")

    def play(self) -> None:
        """Make moves from now on."""
        self.is_playing = True
        self._think()

    def stop(self) -> None:
        """Make no more moves."""
        self.is_playing = False

    def hear(self, frame: bytes) -> None:
        """A picture, or the answer to a move."""
        now = time.time()
        if is_fragment(frame):
            ply = self.screen.show(frame)
            if ply > self.ply:
                self.notes.seen.append((self.table, ply, now))
            self.ply = ply
            self.version = frame[frame.index(b'data-version="') + 14 :].partition(b'"')[0]
            self._think()
        elif frame.startswith(b'{"type":"answer"'):
            answer = json.loads(frame)
            self.notes.answers.append((answer.get("status", 0), now - self.sent.pop(answer["key"], now)))
            if answer.get("status") == 200:
                self.notes.accepted.append((self.table, answer["key"]))
                self.accepted_ply = self.sent_ply
            self.waits = ""
            self._think()

    def _think(self) -> None:
        if self.screen.is_my_turn and self.ply > self.accepted_ply and not self.waits and self.is_playing:
            self.waits = f"{next(self.notes.keys)}"
            asyncio.get_running_loop().call_later(THINK * (0.5 + random.random()), self._move)

    def _move(self) -> None:
        if not self.screen.is_my_turn or not self.is_playing:
            self.waits = ""
            return
        cards = self.screen.choose()
        move: dict[str, object] = {"pass": True} if cards is None else {"play": cards}
        self.sent[self.waits], self.sent_ply = time.time(), self.ply
        self.socket.send(json.dumps({"type": "move", "ply": self.ply, "key": self.waits, "move": move}).encode())

    def ping(self) -> None:
        """Say which version is shown, as a page does."""
        if self.version:
            self.socket.send(b'{"type":"ping","version":%s}' % self.version)

    def leave(self) -> None:
        """Close the socket."""
        self.is_playing = False
        self.socket.close()


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """How many there are, and p50, p95, p99 and the greatest, in ms."""
    ranked = sorted(1000 * one for one in seconds)
    parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {"n": len(ranked)} | {name: percentile(ranked, part) for name, part in parts.items()}
