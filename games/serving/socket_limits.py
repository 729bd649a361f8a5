"""What one browser's socket may cost this process, whichever way its frames go; and close codes as we mean them."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import Any

from autobahn.websocket.protocol import WebSocketProtocol as Protocol
from daphne.ws_protocol import WebSocketProtocol

from games.serving.connection_limits import Arrivals, leave

logger = logging.getLogger(__name__)

MOST_UNSENT = 512 * 1024
"""Bytes kept for a browser that does not read; one that is further behind is cut off, and comes back by itself."""
KERNEL_UNSENT = 128 * 1024
"""Bytes that the kernel keeps besides. Left to itself it takes megabytes for each."""
MOST_UNREAD = 64
"""Messages of a browser that wait for what was said before; one that sends more without a pause is cut off."""


class Backlog:
    """What was sent to a browser since its connection took no more (Twisted's IPushProducer)."""

    __slots__ = ("_is_full", "_size")

    def __init__(self) -> None:
        self._is_full, self._size = False, 0

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The connection takes no more."""
        self._is_full = True

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Everything has gone out."""
        self._is_full, self._size = False, 0

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The connection is lost."""

    def add(self, size: int) -> int:
        """Note that so many bytes are sent. Returns how many wait."""
        self._size = self._size + size if self._is_full else 0
        return self._size


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's socket, with an end to what waits in either direction."""

    arrivals: Arrivals | None = None
    """Where its connection is counted."""
    backlog: Backlog | None = None

    def makeConnection(self, transport: Any) -> None:  # noqa: N802 - Twisted's name
        """Take over from what has read the request, which then need not be kept."""
        transport.unregisterProducer()
        bound_kernel(transport)
        self.backlog = Backlog()
        transport.registerProducer(self.backlog, True)
        self.arrivals = self.factory.server_class.http_factory.arrivals
        super().makeConnection(transport)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - Autobahn's names
        """One message, for the consumer, which takes them one by one."""
        if self.application_queue.qsize() >= MOST_UNREAD:
            logger.info("a browser says more than anybody can answer")
            self.transport.abortConnection()
        else:
            super().onMessage(payload, isBinary)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802 - Daphne's name
        """Send one message, unless the browser reads nothing."""
        waiting = self.backlog.add(len(content)) if self.backlog else 0
        if waiting > MOST_UNSENT:
            logger.info("a browser reads nothing: %s bytes wait for it", waiting)
            self.transport.abortConnection()
        else:
            super().serverSend(content, binary)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        """The browser has gone."""
        leave(self)
        super().connectionLost(reason)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802 - Daphne's name
        """Close with this code. Autobahn lets servers send none of the protocol's own, like 1013: come again later."""
        if self.state == Protocol.STATE_OPEN:
            self.sendCloseFrame(code=code or 1000, reasonUtf8=None, isReply=False)


def bound_kernel(transport: Any) -> None:
    """Have the kernel keep no more than it must for a browser that does not read."""
    with suppress(OSError, AttributeError):  # it has gone already; or this is no connection of the kernel's
        transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_UNSENT)
