"""A program's stream in a test: the real application over HTTP or a WebSocket, with a real token."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.testing import WebsocketCommunicator

from config.asgi import application
from games.accounts import access_tokens, bot_accounts
from games.models import Player, User
from tests.cast import NOW, person
from tests.live.windows import SECONDS

Message = dict[str, Any]


def account(name: str) -> Player:
    """Somebody with an account."""
    player = person(name)
    player.user = User.objects.create_user(name.lower(), password="a long pass phrase")
    player.save()
    return player


def bot_of(owner: Player, name: str = "Robo", *, games: int = 10) -> Player:
    """A bot account."""
    return bot_accounts.create(owner, name=name, games_at_once=games)


def issue(owner: Player, player: Player | None = None, *scopes: str) -> str:
    """A token that does not expire in the test."""
    chosen = scopes or ("read", "play")
    return access_tokens.issue(owner, (player or owner).pk, name="desk", scopes=chosen, days=365, now=time.time())


class Stream:
    """What a program has been sent, message by message."""

    def __init__(self, read: Callable[[], Any]) -> None:
        self._read = read
        self.everything: list[str] = []

    async def take(self, kind: str = "table", **wanted: Any) -> Message:
        """The next message of this kind with these values; others are left out."""
        while True:
            text = await self._read()
            self.everything.append(text)
            message: Message = json.loads(text)
            if message["type"] == kind and wanted.items() <= message.items():
                return message


@asynccontextmanager
async def over_http(path: str, token: str) -> AsyncIterator[Stream]:
    """The stream at this path below /api/v1, as newline-delimited JSON."""
    wire = _ask(path, token)
    await wire.send_input({"type": "http.request", "body": b""})
    start = await wire.receive_output(SECONDS)
    assert (start["status"], dict(start["headers"])[b"content-type"]) == (200, b"application/x-ndjson")

    async def read() -> str:
        line: str = (await wire.receive_output(SECONDS))["body"].decode()
        assert line.endswith("\n")
        assert line.count("\n") == 1
        return line.strip()

    try:
        yield Stream(read)
    finally:
        await wire.send_input({"type": "http.disconnect"})
        await wire.wait(SECONDS)


async def refusal_over_http(path: str, token: str) -> tuple[int, str]:
    """Status and sentence of a refused stream."""
    wire = _ask(path, token)
    await wire.send_input({"type": "http.request", "body": b""})
    start, body = await wire.receive_output(SECONDS), await wire.receive_output(SECONDS)
    await wire.wait(SECONDS)
    answer = json.loads(body["body"])
    assert answer["status"] == start["status"]
    return start["status"], answer["sentence"]


def _ask(path: str, token: str) -> Any:
    address, _, query = path.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": f"/api/v1{address}", "query_string": query.encode(),
        "headers": _headers(token), "client": ("127.0.0.1", 1),
    }  # fmt: skip
    communicator: Any = ApplicationCommunicator
    return communicator(application, scope)


def _headers(token: str) -> list[tuple[bytes, bytes]]:
    return [(b"authorization", f"Bearer {token}".encode())] if token else []


@asynccontextmanager
async def over_socket(path: str, token: str) -> AsyncIterator[tuple[Stream, WebsocketCommunicator]]:
    """The same over a WebSocket."""
    wire = WebsocketCommunicator(application, f"/api/v1{path}", _headers(token))
    assert (await wire.connect(SECONDS))[0]

    async def read() -> str:
        return str(await wire.receive_from(SECONDS))

    try:
        yield Stream(read), wire
    finally:
        await wire.disconnect()
        await asyncio.sleep(0)


__all__ = ["NOW", "Stream", "account", "bot_of", "issue", "over_http", "over_socket", "refusal_over_http"]
