"""What anybody may do before this program knows who he is: connect, and send a request. Each is bounded.

Daphne and Twisted by themselves take any number of connections, wait for ever for a request that comes byte by
byte, and keep a body of any size. A proxy in front bounds all that; the one process without one does it here.
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
"""From the first byte of a request to the end of its head."""
BODY_SECONDS = 300.0
"""From there to the end of its body: an archive over a slow line."""
MOST_BODY = 2 * 1024 * 1024
MOST_ARCHIVE = 21 * 1024 * 1024
"""Bytes of a body, and of one with a tournament's archive. deploy/nginx.conf says the same."""
A_FEW = 20
"""Connections from one address that are taken however few sockets may be open: a browser uses six for one page."""
MOST_AT_ONCE = 16
"""Connections that are taken before the loop does something else. Twisted takes more and more, the more there are."""
_ARCHIVES = re.compile(rb"/clubs/[^/]+/restore/")
_TOO_LARGE = (
    "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\r\n"
)


class Arrivals:
    """Open connections of this process by network address."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more, which `leave` takes back, unless it is too many; a page beside each socket is not."""
        address = network_of(address)
        if self._open[address] >= 2 * settings.SOCKETS_PER_ADDRESS + A_FEW:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One that was counted is closed."""
        address = network_of(address)
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def count(self) -> int:
        """How many are open."""
        return self._open.total()


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """A request whose body has an end."""

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """A piece of the body."""
        if self.content.tell() + len(data) > self.channel.most_body:
            self.channel.refuse_body()
        else:
            super().handleContentChunk(data)


_Channel: Any = HTTPChannel  # what Twisted says of its types is not what it takes


class BoundedChannel(_Channel):  # type: ignore[misc]
    """A browser's connection, which must bring each request in time."""

    requestFactory = BoundedRequest  # noqa: N815 - Twisted's name
    most_body = MOST_BODY
    arrivals: Arrivals | None = None
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
        self.most_body = MOST_ARCHIVE if _ARCHIVES.fullmatch(self._path) else MOST_BODY
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
        leave(self)
        super().connectionLost(reason)

    def refuse_body(self) -> None:
        """It is too large: say so, and hang up without reading on."""
        if not self._is_refused:
            self._is_refused = True
            self.transport.write(_say_too_large(self.most_body))
            self.loseConnection()

    def _wait_for(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self._hang_up)

    def _hang_up(self) -> None:
        self._deadline = None
        logger.info("a request did not come in time")
        self.transport.abortConnection()


def _say_too_large(most: int) -> bytes:
    """The answer before anything is known of the reader: in each of the house's languages."""
    said = []
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            sentence = gettext("That is too big: at most %(most)s MB. Nothing was changed; go back and send less.")
            said.append(sentence % {"most": most // 1024**2})
    body = "\n\n".join(said).encode()
    return _TOO_LARGE.format(len(body)).encode() + body


def leave(protocol: Any) -> None:
    """The connection that this protocol speaks over is closed."""
    host = getattr(protocol.transport.getPeer(), "host", None)
    if protocol.arrivals is not None and host is not None:
        protocol.arrivals.leave(host)
        protocol.arrivals = None


def take_some(port: Any) -> None:
    """Have this listening port of Twisted's take no more connections at once than that."""
    take = port.doRead

    def take_bounded() -> None:
        port.numberAccepts = min(port.numberAccepts, MOST_AT_ONCE)
        take()

    port.doRead = take_bounded


class BoundedFactory(HTTPFactory):  # type: ignore[misc]
    """Takes connections, not too many of one address; behind a proxy that counts them all have the same."""

    protocol = BoundedChannel

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.arrivals = None if server.proxy_forwarded_address_header else Arrivals()

    def buildProtocol(self, addr: Any) -> BoundedChannel | None:  # noqa: N802 - Twisted's name
        """What speaks to the browser at this address; None turns it away."""
        host = getattr(addr, "host", None)
        if self.arrivals is not None and host is not None and not self.arrivals.enter(host):
            return None
        channel: BoundedChannel = super().buildProtocol(addr)
        channel.requestFactory = BoundedRequest
        channel.arrivals = self.arrivals
        return channel
