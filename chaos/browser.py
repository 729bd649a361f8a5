"""A simulated browser of one person: cookies, requests, a socket. It uses the first server that answers."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from benchmarks.load.socket_client import Socket

TIMEOUT_SECONDS = 8.0
"""Seconds after which a browser gives a request up."""
_FORM = "application/x-www-form-urlencoded"


class _Connection(NamedTuple):
    """A connection that is kept from one request to the next."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    address: str


class Response(NamedTuple):
    """A server's response."""

    status: int
    text: str
    location: str

    def json(self) -> Any:
        """The JSON value of the body."""
        return json.loads(self.text)


class Browser:
    """One person's browser. The first address that accepts the connection gets the request, as behind a proxy.

    on_text: called with everything that a server sends, except frames.
    """

    def __init__(self, addresses: Sequence[str], on_text: Callable[[str], None]) -> None:
        self.addresses = addresses
        self.cookies = {"csrftoken": secrets.token_hex(16)}
        self._on_text = on_text
        self._connection: _Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def get(self, path: str) -> Response:
        """Fetch a page. Raises OSError where nobody answers."""
        return await self._ask("GET", path, b"")

    async def post(self, path: str, **fields: object) -> Response:
        """Send a form. Raises OSError where nobody answers; it may have been accepted or not."""
        return await self._ask("POST", path, urlencode(fields).encode())

    async def open(self, path: str, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]) -> Socket:
        """Open a socket. Raises OSError."""
        failure = OSError("no server")
        for address in self.addresses:
            socket = Socket(on_frame, on_lost)
            at = urlsplit(address)
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    loop, host, port = asyncio.get_running_loop(), at.hostname or "", at.port or 80
                    await loop.create_connection(lambda socket=socket: socket, host, port)  # type: ignore[misc]
                    await socket.open(address, path, self._cookie())
                return socket
            except OSError as error:
                socket.close()
                failure = error
        raise failure

    async def _ask(self, method: str, path: str, body: bytes) -> Response:
        async with asyncio.timeout(TIMEOUT_SECONDS), self._one_at_a_time:
            if self._connection is None or self._connection.reader.at_eof():
                self._hang_up()
                self._connection = await self._connect()
            connection = self._connection
            try:
                connection.writer.write(self._head(method, path, connection.address, len(body)) + body)
                head = await connection.reader.readuntil(b"\r\n\r\n")
                status, headers = self._read_head(head.decode("latin-1"))
                text = (await _read_body(connection.reader, headers)).decode()
            except BaseException as error:  # whatever came of it, the next answer would be this one's
                self._hang_up()
                if isinstance(error, asyncio.IncompleteReadError):
                    raise ConnectionError("the server hung up") from error
                raise
        if connection.address != self.addresses[0]:  # which may be there again by the next request
            self._hang_up()
        self._on_text(text)
        return Response(status, text, headers.get("location", ""))

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.writer.close()
            self._connection = None

    async def _connect(self) -> _Connection:
        failure = OSError("no server")
        for address in self.addresses:
            at = urlsplit(address)
            try:
                reader, writer = await asyncio.open_connection(at.hostname, at.port)
                return _Connection(reader, writer, address)
            except OSError as error:
                failure = error
        raise failure

    def _head(self, method: str, path: str, address: str, size: int) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {urlsplit(address).netloc}",
            "Accept: application/json",
            f"Cookie: {self._cookie()}",
            f"X-CSRFToken: {self.cookies['csrftoken']}",
            *([f"Content-Type: {_FORM}", f"Content-Length: {size}"] if method == "POST" else []),
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    def _read_head(self, head: str) -> tuple[int, dict[str, str]]:
        """The status and the headers, by their names in small letters. Keeps the cookies."""
        first, *lines = head.strip().split("\r\n")
        headers: dict[str, str] = {}
        for connection in lines:
            name, _, value = connection.partition(":")
            if name.lower() == "set-cookie":
                self._keep(SimpleCookie(value.strip()))
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers

    def _keep(self, cookies: SimpleCookie) -> None:
        for name, morsel in cookies.items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    """The body of an answer. Raises IncompleteReadError if its end is missing."""
    if "chunked" not in headers.get("transfer-encoding", ""):
        return await reader.readexactly(int(headers.get("content-length", 0)))
    joined = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        joined += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return joined
