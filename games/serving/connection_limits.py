"""Limits before a visitor is identified: open connections, duration and size of requests.

Daphne and Twisted accept any number of connections, wait for ever for a request that arrives byte by byte, and keep a
body of any size. A reverse proxy limits all that; a server without one does it here.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext
from twisted.web.http import HTTPChannel

from games.accounts.rate_limits import network_of

logger = logging.getLogger(__name__)

HEAD_SECONDS = 20.0
"""Seconds from the first byte of a request to the end of its head."""
BODY_SECONDS = 300.0
"""Seconds from there to the end of its body: enough for an archive over a slow line."""
MAX_BODY = 2 * 1024 * 1024
MAX_ARCHIVE = 21 * 1024 * 1024
MAX_PICTURE = 9 * 1024 * 1024
"""Bytes of a body, of one with a tournament's archive, and of one with a club's picture or a photo of a result.
deploy/nginx.conf says the same."""
MIN_CONNECTIONS = 20
"""Connections per address on top of two for each allowed socket: a browser opens six for one page."""
MAX_UNSENT = 512 * 1024
"""Bytes buffered for a reader that does not read: several whole boards. Beyond that it is disconnected."""
STREAM_TYPE = "application/x-ndjson"
"""Content type of answers that never end by themselves (`games.live.streams`)."""
ACCEPTS_PER_TURN = 16
"""Connections accepted per turn of the event loop. Twisted accepts more and more, the more there are."""
_ARCHIVES = re.compile(rb"/clubs/[^/]+/restore/")
_PICTURES = re.compile(rb"/clubs/[^/]+/picture/|/tournaments/[^/]+/rounds/[0-9]+/[0-9]+/photos/")
_TOO_LARGE = (
    "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\r\n"
)


class ConnectionCounter:
    """Open connections of this process by network address."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more connection; returns False beyond the limit, which allows a page beside each socket."""
        address = network_of(address)
        if self._open[address] >= 2 * settings.SOCKETS_PER_ADDRESS + MIN_CONNECTIONS:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A counted connection is closed."""
        address = network_of(address)
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def count(self) -> int:
        """The number of open connections."""
        return self._open.total()


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """A request whose body is limited, and what waits for the reader of a stream, too."""

    def handle_reply(self, message: dict[str, Any]) -> None:
        """A piece of the answer."""
        is_stream = self.responseHeaders.getRawHeaders("content-type") == [STREAM_TYPE]
        if is_stream and self.channel is not None and _count_unsent(self.channel.transport) > MAX_UNSENT:
            logger.info("a program reads nothing of its stream")
            self.channel.transport.abortConnection()
        else:
            super().handle_reply(message)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """A piece of the body."""
        if self.content.tell() + len(data) > self.channel.most_body:
            self.channel.refuse_body()
        else:
            super().handleContentChunk(data)


def _count_unsent(transport: Any) -> int:
    """Bytes that Twisted keeps for this connection."""
    return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)


_Channel: Any = HTTPChannel  # what Twisted says of its types is not what it takes


class BoundedChannel(_Channel):  # type: ignore[misc]
    """A browser's connection, on which each request must arrive in time."""

    requestFactory = BoundedRequest  # noqa: N815 - Twisted's name
    most_body = MAX_BODY
    connections: ConnectionCounter | None = None
    """Where it is counted."""
    _deadline: Any = None
    _is_refused = False

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Bytes from the browser."""
        if self._is_refused:
            return
        if self._deadline is None and not self._handlingRequest:
            self._wait_for(HEAD_SECONDS)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:  # noqa: N802 - Twisted's name
        """The head of a request is here."""
        self._wait_for(BODY_SECONDS)
        self.most_body = _find_limit(self._path)
        super().allHeadersReceived()
        if self.length is not None and self.length > self.most_body:
            self.refuse_body()

    def allContentReceived(self) -> None:  # noqa: N802 - Twisted's name
        """The whole request is here."""
        self._wait_for(None)
        super().allContentReceived()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802 - Twisted's name
        """The browser has gone."""
        self._wait_for(None)
        uncount_connection(self)
        super().connectionLost(reason)

    def refuse_body(self) -> None:
        """Answer that the body is too large, and close the connection without reading on."""
        if not self._is_refused:
            self._is_refused = True
            self.transport.write(_build_too_large(self.most_body))
            self.loseConnection()

    def _wait_for(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self._hang_up)

    def _hang_up(self) -> None:
        self._deadline = None
        logger.info("a request did not come in time")
        self.transport.abortConnection()


def _find_limit(path: bytes) -> int:
    """Bytes of a body that may be sent to this address."""
    if _ARCHIVES.fullmatch(path):
        return MAX_ARCHIVE
    return MAX_PICTURE if _PICTURES.fullmatch(path) else MAX_BODY


def _build_too_large(most: int) -> bytes:
    """The answer in all languages of the site, as the reader's is not known yet."""
    sentences = []
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            sentence = gettext("This is too big. The limit is %(most)s MB. Nothing was changed. Go back and send less.")
            sentences.append(sentence % {"most": most // 1024**2})
    body = "\n\n".join(sentences).encode()
    return _TOO_LARGE.format(len(body)).encode() + body


def uncount_connection(protocol: Any) -> None:
    """The connection that this protocol speaks over is closed."""
    host = getattr(protocol.transport.getPeer(), "host", None)
    if protocol.connections is not None and host is not None:
        protocol.connections.leave(host)
        protocol.connections = None


def limit_accepts(port: Any) -> None:
    """Limit the connections that a listening port of Twisted accepts per turn to `ACCEPTS_PER_TURN`."""
    take = port.doRead

    def take_bounded() -> None:
        port.numberAccepts = min(port.numberAccepts, ACCEPTS_PER_TURN)
        take()

    port.doRead = take_bounded


class BoundedFactory(HTTPFactory):  # type: ignore[misc]
    """Limits connections per address; behind a proxy, where all have the same address, it does not count."""

    protocol = BoundedChannel

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.connections = None if server.proxy_forwarded_address_header else ConnectionCounter()

    def buildProtocol(self, addr: Any) -> BoundedChannel | None:  # noqa: N802 - Twisted's name
        """The protocol for a browser at this address; None refuses the connection."""
        host = getattr(addr, "host", None)
        if self.connections is not None and host is not None and not self.connections.enter(host):
            return None
        channel: BoundedChannel = super().buildProtocol(addr)
        channel.requestFactory = BoundedRequest
        channel.connections = self.connections
        return channel
