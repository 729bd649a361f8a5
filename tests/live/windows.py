"""A browser's socket in a test: the real application, a real session, frames sorted as they arrive."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from config.asgi import application
from games import models
from games.play.storage.table import LoadedTable
from tests.cast import start_table, wait_for_choice

SECONDS = 60
_ROOT = re.compile(r'<div data-ply="(\d+)" data-version="(\d+)" data-now="(\d+)"( data-full="1")?>')


class Fragment(NamedTuple):
    """A piece of the page: everything that its root says, and the whole of it."""

    ply: int
    version: int
    now: int
    is_full: bool
    html: str


def read_fragment(html: str) -> Fragment:
    """The fragment of a frame, or of the polled board."""
    root = _ROOT.match(html)
    assert root is not None, html[:200]
    return Fragment(int(root[1]), int(root[2]), int(root[3]), root[4] is not None, html)


class Window:
    """What one browser shows of a table."""

    def __init__(self, wire: WebsocketCommunicator) -> None:
        self.wire = wire
        self.kept: list[str] = []
        self.everything: list[str] = []

    async def take(self, is_wanted: Callable[[str], bool]) -> str:
        """The first frame that is wanted; others are kept for later."""
        for frame in self.kept:
            if is_wanted(frame):
                self.kept.remove(frame)
                return frame
        while True:
            frame = str(await self.wire.receive_from(SECONDS))
            self.everything.append(frame)
            if is_wanted(frame):
                return frame
            self.kept.append(frame)

    async def fragment(self) -> Fragment:
        """The next piece of the page."""
        return read_fragment(await self.take(lambda frame: frame.startswith("<")))

    async def fragment_of(self, version: int) -> Fragment:
        """The piece of the page that shows this version; what came before it is dropped."""
        while True:
            found = await self.fragment()
            if found.version >= version:
                return found

    async def message(self, kind: str) -> dict[str, Any]:
        """The next message of this type."""
        frame = await self.take(lambda frame: frame.startswith("{") and json.loads(frame)["type"] == kind)
        message: dict[str, Any] = json.loads(frame)
        return message

    async def say(self, **message: Any) -> None:
        """Send one message."""
        await self.wire.send_to(text_data=json.dumps(message))

    async def move(self, move: Any, *, ply: int, key: str = "k") -> dict[str, Any]:
        """Send a move, and what the server answers."""
        await self.say(type="move", ply=ply, key=key, move=move)
        return await self.message("answer")

    async def ping(self, version: int = -1) -> dict[str, Any]:
        """Send a heartbeat, and the server's answer."""
        await self.say(type="ping", version=version)
        return await self.message("pong")

    async def is_quiet(self) -> bool:
        """Whether nothing else has arrived and nothing comes."""
        return not self.kept and await self.wire.receive_nothing(0.15)

    async def closing(self) -> int:
        """The code with which the server closes, after whatever it still says."""
        while True:
            message = await self.wire.receive_output(SECONDS)
            if message["type"] == "websocket.close":
                code: int = message["code"]
                return code


def connect(
    table_id: str,
    client: Client | None = None,
    *,
    origin: str | None = "http://localhost",
    language: str = "en",
    query: str = "",
) -> WebsocketCommunicator:
    """A socket to a table that is not yet open. language: what the browser prefers; query: what its page asks for."""
    return open_socket(f"/ws/tables/{table_id}/{query}", client, origin=origin, language=language)


def open_socket(
    path: str, client: Client | None = None, *, origin: str | None = "http://localhost", language: str = "en"
) -> WebsocketCommunicator:
    """A socket to this address that is not yet open."""
    headers = [(b"host", b"localhost"), (b"accept-language", language.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if client is not None and settings.SESSION_COOKIE_NAME in client.cookies:
        headers.append((b"cookie", client.cookies.output(header="", sep=";").strip().encode()))
    return WebsocketCommunicator(application, path, headers=headers)


@asynccontextmanager
async def window(table: LoadedTable | str, client: Client | None = None, **how: Any) -> AsyncIterator[Window]:
    """An open socket: it has not yet read anything."""
    wire = connect(table if isinstance(table, str) else table.id, client, **how)
    is_accepted, _ = await wire.connect(SECONDS)
    assert is_accepted
    try:
        yield Window(wire)
    finally:
        await wire.disconnect(timeout=SECONDS)


def game_of(ana: models.Player, *others: models.Player, **overrides: Any) -> LoadedTable:
    """A running game in which it is Ana's turn."""
    now = time.time()
    return wait_for_choice(start_table(ana, *others, now=now, **overrides), ana, now=now)
