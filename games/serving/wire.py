"""Reads and writes WebSocket frames directly, past ASGI, Daphne, Autobahn and Twisted's write queue.

Every browser at a table gets a frame with every move. Through the frameworks a frame costs several times as much as its
bytes, and another turn of the event loop. A `DirectWriter` only puts a header before the text and writes it to the
kernel's buffer. Messages from browsers are almost always one short text frame, which is parsed in one step; everything
else is left to Autobahn.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any

from autobahn.websocket.protocol import WebSocketProtocol as Protocol

from games.live.base_socket import WIRE_EXTENSION
from games.serving.connection_limits import MAX_UNSENT
from games.serving.graceful_shutdown import GracefulServer
from games.serving.socket_limits import BoundedSocket

logger = logging.getLogger(__name__)

Message = dict[str, Any]

HOLD_SECONDS = 0.02
"""Seconds that a held frame waits for the one it is sent with: longer than rendering takes, not noticeable."""
_TEXT = 0x81
"""The first byte of a whole text frame (RFC 6455, 5.2)."""
_SMALL, _MEDIUM = 125, 0xFFFF
"""Greatest lengths that are written in one byte and in three."""
_MASKED = 0x80
_MASK_BYTES = 4
MAX_READ = 8192
"""Bytes that are read from a browser at once: more than a message has. What is left is read in the next turn."""


class DirectWriter:
    """Writes text frames to one browser's connection."""

    __slots__ = ("_held", "_protocol")

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._held = b""

    def send(self, text: str) -> None:
        """Send one text frame, now if the kernel takes it. Nothing happens where the connection has gone."""
        self._write(to_frame(text))

    def hold(self, text: str) -> None:
        """Send one text frame right after the next one; in a moment, if none comes."""
        if not self._held:
            asyncio.get_running_loop().call_later(HOLD_SECONDS, self._let_go)
        self._held += to_frame(text)

    def _let_go(self) -> None:
        if self._held:
            self._write(b"")

    def _write(self, data: bytes) -> None:
        if self._held:
            data, self._held = data + self._held, b""
        if self._protocol.state != Protocol.STATE_OPEN:
            return
        transport = self._protocol.transport
        waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        if waiting > MAX_UNSENT:
            logger.info("a browser reads nothing: %s bytes wait for it", waiting)
            transport.abortConnection()
            return
        if not waiting:
            try:  # not `suppress`, which takes longer: this runs for every socket at a table with every move
                sent = transport.socket.send(data)
            except OSError:  # full or lost: Twisted finds out which
                sent = 0
            data = data[sent:]
            if not data:
                return
        transport.write(data)  # Twisted keeps what is left, and finds out if the connection is lost


def to_frame(text: str) -> bytes:
    """A text as a WebSocket frame from a server: whole, without a mask."""
    payload = text.encode()
    size = len(payload)
    if size <= _SMALL:
        return bytes((_TEXT, size)) + payload
    if size <= _MEDIUM:
        return bytes((_TEXT, 126, size >> 8, size & 0xFF)) + payload
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + payload


def read_frame(data: bytes) -> bytes | None:
    """The text of exactly one whole, masked text frame from a browser; None for anything else, however good."""
    if len(data) < 2 or data[0] != _TEXT:
        return None
    size, start = data[1] - _MASKED, 2
    if size > _SMALL:
        if size != _SMALL + 1:
            return None
        size, start = int.from_bytes(data[2:4], "big"), 4
    mask, payload = data[start : start + _MASK_BYTES], data[start + _MASK_BYTES :]
    if not 0 < size == len(payload):
        return None
    key = int.from_bytes((mask * (size // _MASK_BYTES + 1))[:size], "big")
    text = (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    return text


class Inbox:
    """Unread messages of a browser: an `asyncio.Queue` with less memory, which keeps four lists for each browser."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: tuple[Message, ...] = ()
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    def put_nowait(self, message: Message) -> None:
        """Append a message. Called on the loop."""
        self._messages = (*self._messages, message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Message:
        """Wait for and return the first message; for one reader at a time."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        message, *rest = self._messages
        self._messages = tuple(rest)
        return message


class DirectSocket(BoundedSocket):
    """A socket that is read without Twisted's contexts, and parses the usual frame in one step."""

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Bytes from the browser."""
        text = read_frame(data) if self._is_between_frames() else None
        if text is None:
            super().dataReceived(data)
        else:
            self.onMessage(text, False)

    def onOpen(self) -> None:  # noqa: N802 - Autobahn's name
        """Free the data of the handshake, which is over."""
        super().onOpen()
        self.clean_headers.clear()  # the scope's, too
        self.http_headers.clear()
        self.http_request_data = self.http_response_data = b""
        self._read_directly()

    def _read_directly(self) -> None:
        """Have the loop call `_read` instead of Twisted's reactor, which still counts this connection as its own.

        So it stops reading whenever Twisted says so; where Twisted begins again, it reads itself.
        """
        transport = self.transport
        if transport in transport.reactor._readers:
            transport.reactor._asyncioEventloop.add_reader(transport.fileno(), self._read)

    def _read(self) -> None:
        """Take what the browser has sent. The connection's end is Twisted's matter."""
        reactor = self.transport.reactor
        try:
            data = self.transport.socket.recv(MAX_READ)
        except OSError:
            data = b""
        if not data:
            reactor._readOrWrite(self.transport, True)
            return
        try:
            self.dataReceived(data)
        except Exception as error:
            logger.exception("what a browser sent could not be read")
            reactor._disconnectSelectable(self.transport, error, True)

    def _is_between_frames(self) -> bool:
        if self.state != Protocol.STATE_OPEN or self.autoPingTimeoutCall:
            return False
        return not self.data and self.current_frame is None and not self.inside_message


class DirectServer(GracefulServer):
    """A server whose sockets have a `DirectWriter`."""

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """As Daphne does, but a socket's scope offers a `DirectWriter`, and its messages go to an `Inbox`."""
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        scope |= {"extensions": {WIRE_EXTENSION: DirectWriter(protocol)}, "asgi": {"version": "3.0"}}
        inbox = Inbox()
        work = self.application(scope=scope, receive=inbox.get, send=partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(work)
        return inbox
