"""A person's browser, as far as a server can tell: cookies, requests, a socket. It goes to whichever server answers."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from benchmarks.wire import Socket

PATIENCE = 8.0
"""Seconds after which a browser gives a request up."""
_FORM = "application/x-www-form-urlencoded"


class Answer(NamedTuple):
    """What a server said."""

    status: int
    text: str
    location: str

    def json(self) -> Any:
        """The JSON value of the body."""
        return json.loads(self.text)


class Browser:
    """One person's. The first of the addresses that takes the connection gets the request, as behind a proxy.

    on_text: called with everything that a server says, frames excepted.
    """

    def __init__(self, addresses: Sequence[str], on_text: Callable[[str], None]) -> None:
        self.addresses = addresses
        self.cookies = {"csrftoken": secrets.token_hex(16)}
        self._on_text = on_text

    async def get(self, path: str) -> Answer:
        """Fetch a page. Raises OSError where nobody answers."""
        return await self._ask("GET", path, b"")

    async def post(self, path: str, **fields: object) -> Answer:
        """Send a form. Raises OSError where nobody answers; what became of it is then not known."""
        return await self._ask("POST", path, urlencode(fields).encode())

    async def open(self, path: str, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]) -> Socket:
        """Open a socket. Raises OSError."""
        failure = OSError("no server")
        for address in self.addresses:
            socket = Socket(on_frame, on_lost)
            at = urlsplit(address)
            try:
                async with asyncio.timeout(PATIENCE):
                    loop, host, port = asyncio.get_running_loop(), at.hostname or "", at.port or 80
                    await loop.create_connection(lambda socket=socket: socket, host, port)  # type: ignore[misc]
                    await socket.open(address, path, self._cookie())
                return socket
            except OSError as error:
                socket.close()
                failure = error
        raise failure

    async def _ask(self, method: str, path: str, body: bytes) -> Answer:
        async with asyncio.timeout(PATIENCE):
            reader, writer, address = await self._connect()
            try:
                writer.write(self._head(method, path, address, len(body)) + body)
                raw = await reader.read()
            finally:
                writer.close()
        return self._read(raw)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, str]:
        failure = OSError("no server")
        for address in self.addresses:
            at = urlsplit(address)
            try:
                return *await asyncio.open_connection(at.hostname, at.port), address
            except OSError as error:
                failure = error
        raise failure

    def _head(self, method: str, path: str, address: str, size: int) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {urlsplit(address).netloc}",
            "Connection: close",
            "Accept: application/json",
            f"Cookie: {self._cookie()}",
            f"X-CSRFToken: {self.cookies['csrftoken']}",
            *([f"Content-Type: {_FORM}", f"Content-Length: {size}"] if method == "POST" else []),
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    def _read(self, raw: bytes) -> Answer:
        head, end, body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        if not end or not lines[0].startswith("HTTP/1.1 "):
            raise ConnectionError("the server hung up")
        headers: dict[str, str] = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(value.strip()).items()}
            headers[name.lower()] = value.strip()
        if "chunked" in headers.get("transfer-encoding", ""):
            body = _join_chunks(body)
        elif len(body) < int(headers.get("content-length", 0)):
            raise ConnectionError("the server hung up in the middle of an answer")
        text = body.decode()
        self._on_text(text)
        return Answer(int(lines[0].split()[1]), text, headers.get("location", ""))

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


def _join_chunks(body: bytes) -> bytes:
    """The text of a chunked answer. Raises ConnectionError if its end is missing."""
    joined = b""
    while True:
        size, end, body = body.partition(b"\r\n")
        if not end or len(body) < int(size, 16) + 2:
            raise ConnectionError("the server hung up in the middle of an answer")
        if int(size, 16) == 0:
            return joined
        joined, body = joined + body[: int(size, 16)], body[int(size, 16) + 2 :]
