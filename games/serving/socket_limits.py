"""Limits of one browser's socket: unsent bytes and unread messages; and close codes that Autobahn would refuse."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import Any

from autobahn.websocket.protocol import WebSocketProtocol as Protocol
from daphne.ws_protocol import WebSocketProtocol

from games.serving.connection_limits import MAX_UNSENT, ConnectionCounter, uncount_connection

logger = logging.getLogger(__name__)

MAX_KERNEL_BUFFER = 128 * 1024
"""Bytes of the kernel's send buffer; by default it grows to megabytes for each connection."""
MAX_UNREAD = 64
"""Messages of a browser that wait for earlier ones: far more than a person sends. Beyond that it is disconnected."""


class SendBacklog:
    """Bytes sent to a browser since its connection was full (Twisted's IPushProducer)."""

    __slots__ = ("_is_full", "_size")

    def __init__(self) -> None:
        self._is_full, self._size = False, 0

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The connection is full."""
        self._is_full = True

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Everything was sent."""
        self._is_full, self._size = False, 0

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The connection is lost."""

    def add(self, size: int) -> int:
        """Note that `size` bytes are sent. Returns how many wait."""
        self._size = self._size + size if self._is_full else 0
        return self._size


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's socket with limited buffers in both directions."""

    connections: ConnectionCounter | None = None
    """Where its connection is counted."""
    backlog: SendBacklog | None = None

    def makeConnection(self, transport: Any) -> None:  # noqa: N802 - Twisted's name
        """Take the connection over from the HTTP protocol, whose objects can then be freed."""
        transport.unregisterProducer()
        limit_kernel_buffer(transport)
        self.backlog = SendBacklog()
        transport.registerProducer(self.backlog, True)
        self.connections = self.factory.server_class.http_factory.connections
        super().makeConnection(transport)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - Autobahn's names
        """Queue one message for the consumer, which reads them one by one."""
        if self.application_queue.qsize() >= MAX_UNREAD:
            logger.info("a browser says more than anybody can answer")
            self.transport.abortConnection()
        else:
            super().onMessage(payload, isBinary)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802 - Daphne's name
        """Send one message, or disconnect a browser that does not read."""
        waiting = self.backlog.add(len(content)) if self.backlog else 0
        if waiting > MAX_UNSENT:
            logger.info("a browser reads nothing: %s bytes wait for it", waiting)
            self.transport.abortConnection()
        else:
            super().serverSend(content, binary)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        """The browser has gone."""
        uncount_connection(self)
        super().connectionLost(reason)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802 - Daphne's name
        """Close with this code. Autobahn does not let servers send codes like 1013 (try again later)."""
        if self.state == Protocol.STATE_OPEN:
            self.sendCloseFrame(code=code or 1000, reasonUtf8=None, isReply=False)


def limit_kernel_buffer(transport: Any) -> None:
    """Limit the kernel's send buffer to `MAX_KERNEL_BUFFER`."""
    with suppress(OSError, AttributeError):  # it has gone already; or this is no connection of the kernel's
        transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_KERNEL_BUFFER)
