"""The origin check of sockets: only this site's own pages open one, not those of another site at the same host name.

A browser sends the visitor's cookies to every port of a host. So host name alone does not tell this site's pages from
those of another service; scheme, host and port together do (RFC 6454).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import validate_host

PORTS: Mapping[str, int] = {"http": 80, "https": 443}
"""Each scheme's own port, which a browser leaves out."""


class Origin(NamedTuple):
    """Where a page is from."""

    scheme: str
    host: str
    port: int


class OriginValidator:
    """Lets an ASGI application see only sockets that this site's own pages, or programs in their name, open.

    A socket without an `Origin` is refused, too: a browser always sends one, and a program can.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket, or answer 403."""
        application = self.application if is_from_here(scope) else WebsocketDenier()
        await application(scope, receive, send)


def is_from_here(scope: Mapping[str, Any]) -> bool:
    """Whether the socket's `Origin` is this site.

    At the host name of SITE_URL only SITE_URL is: a proxy may leave the port out of `Host`. At another name of
    ALLOWED_HOSTS, or without SITE_URL, it is the address to which the socket itself was opened.
    """
    asked = read_origin(_find_header(scope, b"origin"))
    if asked is None:
        return False
    home = read_origin(settings.SITE_URL)
    if home is not None and asked.host == home.host:
        return asked == home
    return asked == _find_own(scope)


def read_origin(text: str) -> Origin | None:
    """The origin that this text names; None where it names none, as `null` does, or more than one."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    is_bare = text.lower() == f"{parts.scheme}://{parts.netloc.lower()}" and "@" not in parts.netloc
    if parts.scheme not in PORTS or not parts.hostname or not is_bare:
        return None
    return Origin(parts.scheme, parts.hostname, PORTS[parts.scheme] if port is None else port)


def _find_own(scope: Mapping[str, Any]) -> Origin | None:
    """The site as the browser that opens this socket has reached it; None where that is none of ALLOWED_HOSTS."""
    own = read_origin(f"{_find_scheme(scope)}://{_find_header(scope, b'host')}")
    if own is None:
        return None
    name = f"[{own.host}]" if ":" in own.host else own.host
    return own if validate_host(name, settings.ALLOWED_HOSTS) else None


def _find_scheme(scope: Mapping[str, Any]) -> str:
    """Behind a proxy that ends TLS it says whether there was any, as it does for pages."""
    if settings.SECURE_PROXY_SSL_HEADER is not None:
        header, secure = settings.SECURE_PROXY_SSL_HEADER
        name = header.removeprefix("HTTP_").replace("_", "-").lower().encode()
        return "https" if _find_header(scope, name).partition(",")[0].strip() == secure else "http"
    return "https" if scope.get("scheme") == "wss" else "http"


def _find_header(scope: Mapping[str, Any], name: bytes) -> str:
    """The header's value; empty where it is missing, or stands there twice."""
    values = [value for key, value in scope.get("headers", ()) if key == name]
    return values[0].decode("latin-1").strip() if len(values) == 1 else ""
