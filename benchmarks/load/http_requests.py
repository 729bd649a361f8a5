"""Requests as browsers and programs send them, each on a connection of its own."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

ANSWER_SECONDS = 60.0


class RefusedError(Exception):
    """The server answered with another status than 200."""


async def fetch(address: str, path: str, *, session: str = "") -> bytes:
    """A page, head and all. Raises RefusedError, OSError, TimeoutError."""
    cookie = f"Cookie: sessionid={session}\r\n" if session else ""
    return await _send(address, f"GET {path} HTTP/1.0\r\n", cookie, b"")


async def call(address: str, path: str, token: str, body: dict[str, Any] | None = None) -> Any:
    """What the API says to a question, or (with a body) to a change. Raises RefusedError, OSError, TimeoutError."""
    sent = b"" if body is None else json.dumps(body).encode()
    head = f"{'GET' if body is None else 'POST'} /api/v1{path} HTTP/1.0\r\n"
    more = f"Authorization: Bearer {token}\r\nAccept: application/json\r\n"
    kind = "" if body is None else f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
    answer = await _send(address, head, more + kind, sent)
    return json.loads(answer.partition(b"\r\n\r\n")[2])


async def _send(address: str, head: str, more: str, body: bytes) -> bytes:
    place = urlsplit(address)
    async with asyncio.timeout(ANSWER_SECONDS):
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            writer.write(f"{head}Host: {place.netloc}\r\n{more}\r\n".encode() + body)
            answer = await reader.read()
        finally:
            writer.close()
    if b" 200 " not in answer[:20]:
        raise RefusedError(f"{head.strip()}: {answer[:300]!r} … {answer[-300:]!r}")
    return answer
