"""A minimal WebSocket client that uses little processor time, so that the server is measured.

It speaks RFC 6455 as far as this server does: whole text frames, no extensions. The mask it must use
is zero, which is allowed and saves the masking.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
_END_OF_HEAD = b"\r\n\r\n"


class Socket(asyncio.Protocol):
    """One client. on_frame: called with every text frame as bytes; on_lost: when the connection ends."""

    def __init__(self, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]) -> None:
        self._on_frame = on_frame
        self._on_lost = on_lost
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._is_open = False
        self._is_closed_by_us = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to write."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    async def open(self, address: str, path: str, cookie: str, *, extra: str = "") -> None:
        """The handshake. extra: further lines of its head. Raises ConnectionError if the server refuses it."""
        host = urlsplit(address).netloc
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._write(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Origin: {address}\r\nCookie: {cookie}\r\n{extra}\r\n".encode()
        )
        await self._opened

    def send(self, text: bytes) -> None:
        """Send one text frame of less than 64 kB."""
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
        self._write(bytes([0x80 | TEXT]) + length + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Hang up."""
        self._is_closed_by_us = True
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take the frames that are complete."""
        self._buffer = self._buffer + data if self._buffer else data
        if not self._is_open and not self._read_head():
            return
        at, buffer = 0, self._buffer
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                if len(buffer) < start + width:
                    break
                size, start = int.from_bytes(buffer[start : start + width], "big"), start + width
            if len(buffer) < start + size:
                break
            self._take(buffer[at], buffer[start : start + size])
            at = start + size
        self._buffer = buffer[at:]

    def _take(self, head: int, payload: bytes) -> None:
        if head == 0x80 | TEXT:
            self._on_frame(payload)
        elif head == 0x80 | PING:
            self._write(bytes([0x80 | PONG, 0x80 | len(payload)]) + b"\0\0\0\0" + payload)
        elif head != 0x80 | CLOSE:
            raise ValueError(f"a frame of this kind is not expected: {head:#x}")

    def _read_head(self) -> bool:
        head, end, rest = self._buffer.partition(_END_OF_HEAD)
        if not end:
            return False
        self._buffer = rest
        self._is_open = True
        if head.startswith(b"HTTP/1.1 101"):
            self._opened.set_result(None)
        else:
            self._opened.set_exception(ConnectionError(head.decode(errors="replace")))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so, unless it was our doing."""
        if not self._opened.done():
            self._opened.set_exception(exc or ConnectionError("the server hung up"))
        if not self._is_closed_by_us:
            self._on_lost()

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)
