"""To which addresses messages go, and who does not come to an end there."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import override_settings
from django.urls import reverse

from games import models
from games.play.errors import BadInput
from tests.cast import NOW, browser
from tests.tournaments.cast import found
from tests.tournaments.flow.clubs.test_webhooks import _local, listener
from tournaments.flow.clubs import webhook_requests, webhooks
from tournaments.models import Webhook

__all__ = ["_local"]


@override_settings(WEBHOOKS_MAY_BE_LOCAL=False)
def test_no_message_enters_a_private_network() -> None:
    for host in ("127.0.0.1", "localhost", "10.0.0.1", "[::1]", "169.254.169.254"):
        assert "private network" in webhooks.send(f"https://{host}/", ("s",), "result.in", "{}", now=NOW)


@override_settings(WEBHOOKS_MAY_BE_LOCAL=False)
@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "javascript:alert(1)",
        "https://a:b@c/",
        "https://:b@c/",
        "https://example.org:99999/",
        "https://example.org:0/",
        "https://[::1/",
        "https://example.org/a b",
        "https://example.org/\r\nX-Evil: 1",
        "https://exämple.org/",
    ],
)
def test_no_address_of_a_program(ana: models.Player, url: str) -> None:
    club = found(ana)
    with pytest.raises(BadInput):
        webhooks.add(club, ana, url)
    assert Webhook.objects.count() == 0


@override_settings(WEBHOOKS_MAY_BE_LOCAL=False)
@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "10.0.0.1", "172.16.0.9:8443", "192.168.1.5", "100.64.0.1", "169.254.169.254"),
        *("[::1]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[::]", "2130706433", "0x7f.1"),
    ],
)
def test_a_private_address_is_refused_in_the_form(ana: models.Player, host: str) -> None:
    """With a sentence, however it is written: the system's resolver also reads numbers."""
    club = found(ana)
    page = browser(ana).post(
        reverse("tournaments:connections", args=[club.slug]),
        {"action": "add-hook", "url": f"https://{host}/hook"},
        follow=True,
    )
    assert "This address is in a private network." in page.content.decode()
    assert Webhook.objects.count() == 0


@override_settings(WEBHOOKS_MAY_BE_LOCAL=False)
@pytest.mark.parametrize(
    ("addresses", "is_taken"),
    [(("93.184.216.34",), True), (("93.184.216.34", "10.0.0.1"), False), (("10.0.0.1", "93.184.216.34"), False)],
)
def test_a_name_is_looked_up(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...], is_taken: bool
) -> None:
    """In the form, and again with each message: it may lead elsewhere by then."""
    resolver = list_as(*addresses, port=443)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_words: resolver)
    if is_taken:
        webhooks.add(found(ana), ana, "https://hook.example/")
        resolver[:] = list_as("10.0.0.1", port=443)
    else:
        with pytest.raises(BadInput, match="private network"):
            webhooks.add(found(ana), ana, "https://hook.example/")
    assert "private network" in webhooks.send("https://hook.example/", ("s",), "result.in", "{}", now=NOW)


def list_as(*addresses: str, port: int) -> list[tuple[Any, ...]]:
    """What the system's resolver answers."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]


def test_the_address_that_was_checked_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere a moment later is looked up once a message; `Host` is the name, not the address."""
    asked: list[str] = []
    with listener(200) as (url, heard), socket.create_server(("127.0.0.2", 0)) as elsewhere:
        port = urlsplit(url).port or 0

        def look_up(host: str, *_args: Any, **_words: Any) -> list[tuple[Any, ...]]:
            asked.append(host)
            if len(asked) == 1:
                return list_as("127.0.0.1", port=port)
            return list_as("127.0.0.2", port=elsewhere.getsockname()[1])

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        assert webhooks.send(f"http://hook.example:{port}/?x=%20", ("s",), "result.in", "{}", now=NOW) == "200"
        elsewhere.settimeout(0.1)
        with pytest.raises(TimeoutError):
            elsewhere.accept()
    assert asked == ["hook.example"]
    assert [headers["Host"] for headers, _body in heard] == [f"hook.example:{port}"]


def test_neither_a_proxy_nor_a_password_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ana password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with listener(200) as (url, heard), listener(500) as (proxy, through):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        assert webhooks.send(url, ("s",), "result.in", "{}", now=NOW) == "200"
    assert (len(heard), through) == (1, [])
    assert "Authorization" not in heard[0][0]


@contextmanager
def listen_by_tls(folder: Path, name: str) -> Iterator[tuple[int, Path, list[str | None]]]:
    """A program that answers 200 by TLS as this host: its port, its certificate, and the names it was called by."""
    certificate, key, called = folder / "certificate.pem", folder / "key.pem", list[str | None]()
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", f"/CN={name}"]
    subprocess.run([*command, "-addext", f"subjectAltName=DNS:{name}"], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    context.set_servername_callback(lambda _socket, server_name, _context: called.append(server_name))
    server = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                with suppress(OSError), context.wrap_socket(connection, server_side=True) as stream:
                    request = b""
                    while not request.endswith(b"{}") and (more := stream.recv(4096)):
                        request += more  # what is unread when a socket closes resets the connection
                    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1], certificate, called
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(5)


def test_the_certificate_must_be_the_hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The host's, not the address's; and by an authority that this machine trusts."""
    with listen_by_tls(tmp_path, "hook.example") as (port, certificate, called):
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_words: list_as("127.0.0.1", port=port))

        def send_to(host: str) -> str:
            return webhooks.send(f"https://{host}:{port}/", ("s",), "result.in", "{}", now=NOW)

        assert "certificate verify failed: self-signed certificate" in send_to("hook.example")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert send_to("hook.example") == "200"
        assert "certificate verify failed: Hostname mismatch" in send_to("other.example")
        assert "certificate verify failed: IP address mismatch" in send_to("127.0.0.1")
    assert called == ["hook.example", "hook.example", "other.example", None]


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.1.2.3", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("2002:a9fe:a9fe::", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::5db8:d822", True),
        ("64:ff9b:1::a00:1", False),
        ("fec0::1", False),
        ("::7f00:1", False),
        ("::ffff:0:7f00:1", False),
    ],
)
def test_whose_address_it_is(address: str, is_public: bool) -> None:
    assert webhook_requests.is_public(address) == is_public


def test_a_redirection_is_not_followed() -> None:
    with listener(307) as (url, heard):
        assert webhooks.send(url, ("s",), "result.in", "{}", now=NOW) == "307"
    assert len(heard) == 1


@contextmanager
def drip(piece: bytes) -> Iterator[str]:
    """A program that takes connections and says this every twentieth of a second, without end."""
    server = socket.create_server(("127.0.0.1", 0))
    has_to_stop = threading.Event()

    def talk() -> None:
        with suppress(OSError):
            connection, _ = server.accept()
            while not has_to_stop.wait(0.05):
                connection.sendall(piece)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.getsockname()[1]}/"
    finally:
        has_to_stop.set()
        server.close()
        thread.join(5)


@pytest.mark.parametrize(
    ("scheme", "piece", "answer"),
    [
        ("http", b"", "TimeoutError: "),
        ("http", b"H", "TimeoutError: "),
        ("http", b"HTTP/1.1 100 Continue\r\n\r\n", "TimeoutError: "),
        ("http", b"HTTP/1.1 200 OK\r\nX: ", "TimeoutError: "),
        ("http", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000, "RemoteProtocolError: Receive buffer too long"),
        ("http", b"x" * 20_000, "RemoteProtocolError: Receive buffer too long"),
        ("http", b"SSH-2.0\r\n\r\n", "RemoteProtocolError: illegal status line: bytearray(b'SSH-2.0')"),
        ("http", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 20_000, "200"),
        ("https", b"", "TimeoutError: "),
    ],
)
def test_who_does_not_come_to_an_end_is_left(
    monkeypatch: pytest.MonkeyPatch, scheme: str, piece: bytes, answer: str
) -> None:
    monkeypatch.setattr(webhook_requests, "TIMEOUT_SECONDS", 0.4 if answer.startswith("TimeoutError") else 60.0)
    with drip(piece) as place:
        assert webhooks.send(f"{scheme}://{place}", ("s",), "result.in", "{}", now=NOW) == answer


def test_a_name_that_is_looked_up_for_ever_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()

    def look_up(*_args: Any, **_kwargs: Any) -> list[Any]:
        answered.wait(60)
        raise OSError("too late")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(webhook_requests, "TIMEOUT_SECONDS", 0.2)
    began = time.monotonic()
    assert webhooks.send("https://example.org/", ("s",), "result.in", "{}", now=NOW) == "TimeoutError: "
    assert time.monotonic() - began < 30
    answered.set()
