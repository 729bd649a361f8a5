"""Simulated players who keep playing while servers fail: some have a socket, some poll, some are absent."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.load.socket_client import Socket
from chaos.browser import Browser, Response
from chaos.evidence import Evidence, Sent

POLL_SECONDS = 1.0
PING_SECONDS = 10.0
"""Seconds between two heartbeats, as in static/js/live.js."""
ANSWER_SECONDS = 6.0
"""After so long without an answer a move is sent again, over a new socket."""
RETRY_SECONDS = (0.1, 0.5)
"""Seconds between two tries, at random."""
REFUSED = (400, 403, 409, 422)
"""Status codes after which a move was not made."""
_ROOT = re.compile(rb'<div data-ply="(\d+)" data-version="(\d+)"')
_SEAT = re.compile(rb'id="board"[^<>]*\sdata-seat="(\d*)"')
"""Of the reader, in a whole board. It is drawn when the game starts."""
_HAND = re.compile(rb'<div id="hand"[^>]*>(.*?)</div>', re.DOTALL)
_STACK = re.compile(rb'data-n="(\w+)">((?:<i>[^<]*</i>)*)')
CLIMBING = ("karriere-poker", "animal-poker")
"""Games whose hand is also read from frames."""


def _tells_end(text: str) -> bool:
    """Whether an answer says that the game is over. A refused move (409) has the view, and its own status."""
    if not text.startswith("{"):
        return 'data-status="over"' in text
    answer = json.loads(text)
    view = answer.get("view")
    return answer.get("status") == "over" or (isinstance(view, dict) and view.get("places") is not None)


class Person(ABC):
    """Plays random legal moves. seat: at the present table."""

    def __init__(self, addresses: Sequence[str], evidence: Evidence, rng: random.Random) -> None:
        self.evidence = evidence
        self.rng = rng
        self.browser = Browser(addresses, self._read)
        self.table = ""
        self.game = ""
        self.seat: int | None = None
        self.ply = 0
        self._is_known = False

    def sit_down(self, table: str, game: str) -> None:
        """Play at this table from now on."""
        self.table, self.game, self.seat, self.ply = table, game, None, 0

    async def come_in(self) -> None:
        """Open the lobby once, as everybody does before anything else."""
        if not self._is_known:
            await self.insist("GET", "/")
            self._is_known = True

    def _read(self, text: str) -> None:
        if _tells_end(text):
            self.evidence.over.add(self.table)
        self.evidence.see_text(self.table, text.encode())

    async def look(self) -> dict[str, Any]:
        """What this person may know and do; repeated until a server answers."""
        answer = await self.insist("GET", f"/tables/{self.table}/view.json")
        view: dict[str, Any] = answer.json()
        self.evidence.see_view(self.table, view)
        self.seat, self.ply = view["seat"], max(self.ply, view["ply"])
        return view

    async def insist(self, method: str, path: str, **fields: object) -> Response:
        """Repeat the request until the answer is not 503."""
        while True:
            try:
                answer = await (self.browser.post(path, **fields) if method == "POST" else self.browser.get(path))
                if answer.status == 500:
                    self.evidence.inside.append(f"{method} {path}: 500 {answer.text[:200]}")
                elif answer.status not in (429, 503):
                    return answer
            except OSError:
                self.evidence.retries += 1
            await self.wait_a_moment()

    async def wait_a_moment(self) -> None:
        """Between two tries."""
        await asyncio.sleep(self.rng.uniform(*RETRY_SECONDS))

    def choose(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """A random legal move, seldom a pass."""
        legal: list[dict[str, Any]] = view["legal"]
        active = [move for move in legal if "pass" not in move]
        return self.rng.choice(active if active and self.rng.random() < 0.9 else legal)

    @abstractmethod
    async def play(self) -> None:
        """Play to the end of the game."""


class Poller(Person):
    """Has no socket: polls the view, and sends moves as forms."""

    async def play(self) -> None:
        """To the end of the game."""
        while (view := await self.look())["status"] != "over":
            if view["legal"]:
                await self._move(view)
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def _move(self, view: Mapping[str, Any]) -> None:
        move = self.choose(view)
        sent = self.evidence.send(self.table, view["seat"], secrets.token_hex(8), move)
        path = f"/tables/{self.table}/moves/"
        answer = await self.insist("POST", path, move=json.dumps(move), ply=view["ply"], key=sent.key)
        sent.status = answer.status


class SocketPlayer(Person):
    """Has a socket, and moves when a frame says that it is their turn; a spectator never moves."""

    def __init__(self, addresses: Sequence[str], evidence: Evidence, rng: random.Random) -> None:
        super().__init__(addresses, evidence, rng)
        self._socket: Socket | None = None
        self._news = asyncio.Event()
        self._is_lost = self._is_over = self._is_mine = False
        self._version = -1
        self._shown = self._known = 0
        """The ply on the screen, and the one after the last accepted move; older frames are ignored."""
        self._open: tuple[Sent, int] | None = None
        """The move that is not answered, and the ply at which it was decided."""

    def sit_down(self, table: str, game: str) -> None:
        """From now on at this table."""
        super().sit_down(table, game)
        self._is_over = self._is_mine = False
        self._shown, self._known, self._open, self._version = 0, 0, None, -1

    async def play(self) -> None:
        """To the end of the game."""
        while not self._is_over:
            try:
                await self._play_on()
            except OSError:
                self.evidence.lost_sockets += 1
                await self.wait_a_moment()
            finally:
                if self._socket is not None:
                    self._socket.close()

    async def _play_on(self) -> None:
        self._is_lost, self._is_mine = False, False
        self._socket = await self.browser.open(f"/ws/tables/{self.table}/", self._hear, self._lose)
        if self._open is not None:
            self._send(*self._open)
        while not self._is_over:
            await self._await_news()
            if self._is_lost:
                raise ConnectionError("the socket was closed")
            if self._open is None and self._is_mine and self._shown >= self._known:
                await self._move()

    async def _await_news(self) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS if self._open else PING_SECONDS):
                await self._news.wait()
        except TimeoutError:
            if self._open is not None:
                raise ConnectionError("a move was not answered") from None
            self._say(type="ping", version=self._version)
        self._news.clear()

    async def _move(self) -> None:
        view = await self.look()
        if not view["legal"]:
            self._known = view["ply"]
            return
        move = self.choose(view)
        self._open = self.evidence.send(self.table, view["seat"], secrets.token_hex(8), move), view["ply"]
        self._send(*self._open)

    def _send(self, sent: Sent, ply: int) -> None:
        self._say(type="move", ply=ply, key=sent.key, move=sent.move)

    def _say(self, **message: object) -> None:
        if self._socket is not None and not self._is_lost:
            self._socket.send(json.dumps(message).encode())

    def _lose(self) -> None:
        self._is_lost = True
        self._news.set()

    def _hear(self, frame: bytes) -> None:
        if b'data-status="over"' in frame:
            self.evidence.over.add(self.table)
            self._is_over = True
        self.evidence.see_text(self.table, frame)
        if found := _ROOT.match(frame):
            self._shown, self._version = int(found[1]), int(found[2])
            self.ply = max(self.ply, self._shown)
            if board := _SEAT.search(frame):
                self.seat = int(board[1]) if board[1] else None
            self._see(frame)
        elif frame.startswith(b'{"type":"answer"'):
            self._take_answer(json.loads(frame))
        elif frame.startswith(b'{"type":"pong"'):
            return
        self._news.set()

    def _see(self, frame: bytes) -> None:
        if b'<div id="action"' in frame:
            self._is_mine = b'<div id="action" class="mine"' in frame
        if self.game in CLIMBING and (found := _HAND.search(frame)):
            cards = [kind.decode() for kind, stack in _STACK.findall(found[1]) for _ in range(stack.count(b"<i>"))]
            self.evidence.see_hand(self.table, self.seat, self._shown, tuple(sorted(cards)))

    def _take_answer(self, answer: Mapping[str, Any]) -> None:
        if self._open is None or answer["key"] != self._open[0].key:
            return
        sent, ply = self._open
        if answer["status"] in (429, 503):
            asyncio.get_running_loop().call_later(self.rng.uniform(*RETRY_SECONDS), self._send, sent, ply)
            return
        sent.status = answer["status"]
        self._open = None
        if sent.status == 200:
            self._known = answer["ply"]


class AbsentPlayer(Person):
    """Sat down and went away: clocks and bots play."""

    async def play(self) -> None:
        """Do nothing."""
