"""Sockets are opened by this site's own pages only: scheme, host and port decide together."""

from __future__ import annotations

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator

from config.asgi import application
from games.live.origins import is_from_here
from tests.live.windows import SECONDS

OURS = ["cards.example.org", "127.0.0.1", "[::1]"]
TLS = ("HTTP_X_FORWARDED_PROTO", "https")


def scope(*headers: tuple[str, str], scheme: str = "ws") -> dict[str, Any]:
    """What a server makes of a socket's request."""
    return {"scheme": scheme, "headers": [(name.encode(), value.encode()) for name, value in headers]}


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://cards.example.org", "cards.example.org"),
        ("http://cards.example.org:80", "cards.example.org"),
        ("http://cards.example.org", "CARDS.example.org:80"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_without_site_url_it_is_the_address_that_was_opened(settings: Any, origin: str, host: str) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "", OURS
    assert is_from_here(scope(("origin", origin), ("host", host)))


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:9000", "127.0.0.1:8000"),  # another service on this machine
        ("http://127.0.0.1", "127.0.0.1:8000"),
        ("https://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:9000", "[::1]:8000"),
        ("http://localhost:8000", "127.0.0.1:8000"),
        ("http://evil.example", "evil.example"),  # a name that was bent to this machine (DNS rebinding)
        ("http://evil.example", "127.0.0.1:8000"),
        ("http://x@127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://127.0.0.1:8000/page", "127.0.0.1:8000"),
        ("http://127.0.0.1:800000", "127.0.0.1:8000"),
        ("file://127.0.0.1:8000", "127.0.0.1:8000"),
        ("null", "127.0.0.1:8000"),
        ("", "127.0.0.1:8000"),
        ("http://127.0.0.1:8000", ""),
    ],
)
def test_another_address_is_refused(settings: Any, origin: str, host: str) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "", OURS
    assert not is_from_here(scope(("origin", origin), ("host", host)))


def test_a_header_that_is_missing_or_stands_there_twice(settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "", OURS
    host, ours, other = ("host", "127.0.0.1"), ("origin", "http://127.0.0.1"), ("origin", "http://evil.example")
    assert [is_from_here(scope(host, *origins)) for origins in ((ours,), (), (ours, other), (other, ours))] == [
        True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("host", ["cards.example.org", "cards.example.org:8443", "10.0.0.7:8001"])
def test_behind_a_proxy_site_url_decides(settings: Any, host: str) -> None:
    """Whatever the proxy makes of `Host`: some leave the port out."""
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://cards.example.org:8443", OURS
    settings.SECURE_PROXY_SSL_HEADER = TLS
    found = {
        origin: is_from_here(scope(("origin", origin), ("host", host), ("x-forwarded-proto", "https")))
        for origin in ("https://cards.example.org:8443", "https://cards.example.org", "http://cards.example.org:8443")
    }
    assert list(found.values()) == [True, False, False]


def test_another_name_of_the_site_is_its_own_origin(settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "http://cards.example.org", OURS
    lan = ("host", "127.0.0.1:8000")
    assert is_from_here(scope(lan, ("origin", "http://127.0.0.1:8000")))
    assert not is_from_here(scope(lan, ("origin", "http://127.0.0.1:9000")))


def test_the_scheme_is_what_the_proxy_says_only_behind_one(settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "", OURS
    forwarded = scope(("origin", "https://127.0.0.1"), ("host", "127.0.0.1"), ("x-forwarded-proto", "https, http"))
    assert not is_from_here(forwarded)
    assert is_from_here(scope(("origin", "https://127.0.0.1"), ("host", "127.0.0.1"), scheme="wss"))
    settings.SECURE_PROXY_SSL_HEADER = TLS
    assert is_from_here(forwarded)


@pytest.mark.parametrize("path", ["tables/x", "tournaments/x", "evenings/x", "clubs/x", "nowhere"])
@pytest.mark.parametrize(("origin", "is_open"), [("http://localhost", True), ("http://localhost:8001", False)])
async def test_every_socket_of_both_apps(transactional_db: None, path: str, origin: str, is_open: bool) -> None:
    headers = [(b"host", b"localhost"), (b"origin", origin.encode())]
    wire = WebsocketCommunicator(application, f"/ws/{path}/", headers=headers)
    assert (await wire.connect(SECONDS))[0] is is_open
