"""Frames written to a browser's connection at once, without the way through the framework.

Each of the five screens of a table gets a frame with every move. By way of ASGI, Daphne, Autobahn and
Twisted's write queue a frame costs several times what its bytes do, and another turn of the loop. A
`Wire` is what remains: a header before the text, and the kernel's buffer.
"""

from __future__ import annotations

import logging
from typing import Any

from autobahn.websocket.protocol import WebSocketProtocol
from daphne.server import Server

from games.live.consumer import WIRE

logger = logging.getLogger(__name__)

MOST_UNSENT = 512 * 1024
"""Bytes kept for a browser that does not read; one that is further behind is cut off, and comes back by itself."""
_TEXT = 0x81
"""The first byte of a whole text frame (RFC 6455, 5.2)."""
_SMALL, _MEDIUM = 125, 0xFFFF
"""Greatest lengths that are written in one byte and in three."""


class Wire:
    """The way back to one browser, from its consumer past the framework."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def send(self, text: str) -> None:
        """Send one text frame, now if the kernel takes it. Nothing happens where the connection has gone."""
        if self._protocol.state != WebSocketProtocol.STATE_OPEN:
            return
        transport = self._protocol.transport
        data = to_frame(text)
        waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        if waiting > MOST_UNSENT:
            logger.info("a browser reads nothing: %s bytes wait for it", waiting)
            transport.abortConnection()
            return
        if not waiting:
            sent = transport.writeSomeData(data)
            if sent == len(data):
                return
            if isinstance(sent, int):
                data = data[sent:]
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


class WiredServer(Server):  # type: ignore[misc]
    """Daphne, whose sockets come with a wire."""

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """As Daphne does, with the wire as an extension of the scope."""
        if scope["type"] == "websocket":
            scope["extensions"] = {WIRE: Wire(protocol)}
        return super().create_application(protocol, scope)
