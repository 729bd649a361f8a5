"""Limits for unknown clients: too many connections, requests that never end, bodies that are too large."""

from __future__ import annotations

import asyncio
import http.client
import socket
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from twisted.internet import asyncioreactor
from twisted.internet.address import IPv4Address
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import MemoryReactorClock, StringTransportWithDisconnection

from games.serving.connection_limits import (
    ACCEPTS_PER_TURN,
    BODY_SECONDS,
    HEAD_SECONDS,
    MAX_ARCHIVE,
    MAX_BODY,
    MAX_PICTURE,
    BoundedFactory,
    limit_accepts,
)
from tests.guest import Guest
from tests.servers import Installation

HEAD = b"POST /tables/x/moves/ HTTP/1.1\r\nHost: localhost\r\n"


class Door:
    """A factory, and the connections that it took."""

    def __init__(self, *, has_proxy: bool = False) -> None:
        self.taken: list[Any] = []
        server = SimpleNamespace(
            proxy_forwarded_address_header="X-Forwarded-For" if has_proxy else None,
            protocol_connected=self.taken.append,
            protocol_disconnected=lambda _request: None,
            root_path="",
            create_application=lambda _request, _scope: None,
        )
        self.clock = cast(Any, MemoryReactorClock)()
        self.factory = BoundedFactory(server)
        self.factory.reactor = self.clock

    def knock(self, host: str = "192.0.2.1") -> Any:
        """The server's end of a new connection, or None."""
        channel: Any = self.factory.buildProtocol(IPv4Address("TCP", host, 40_000))
        if channel is not None:
            transport = cast(Any, StringTransportWithDisconnection)(peerAddress=IPv4Address("TCP", host, 40_000))
            transport.protocol = channel
            transport.abortConnection = transport.loseConnection
            channel.makeConnection(transport)
        return channel


def read_response(channel: Any) -> bytes:
    """What the browser got."""
    return bytes(channel.transport.value())


def is_open(channel: Any) -> bool:
    """Whether the connection still is."""
    return bool(channel.transport.connected)


def test_one_address_has_only_so_many_connections(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 2
    door = Door()
    channels = [door.knock() for _ in range(25)]
    assert [channel is not None for channel in channels] == [True] * 24 + [False]
    assert door.knock("192.0.2.2") is not None
    channels[0].transport.loseConnection()
    assert door.knock() is not None
    assert door.knock() is None


def test_behind_a_proxy_everybody_has_the_same_address(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    door = Door(has_proxy=True)
    assert [door.knock() is not None for _ in range(50)] == [True] * 50


def test_connections_are_taken_some_at_a_time() -> None:
    reactor: Any = asyncioreactor.AsyncioSelectorReactor(asyncio.new_event_loop())
    port = reactor.listenTCP(0, Factory.forProtocol(Protocol), backlog=200, interface="127.0.0.1")
    limit_accepts(port)
    comers = [socket.create_connection(("127.0.0.1", port.getHost().port)) for _ in range(150)]
    taken: list[int] = []
    while not taken or sum(taken) < len(comers):
        before = port.sessionno
        port.doRead()
        taken.append(port.sessionno - before)
    assert max(taken) == ACCEPTS_PER_TURN
    assert len(taken) <= 12  # and no fewer than that, once it is clear that many come
    port.stopListening()
    for comer in comers:
        comer.close()


def test_a_head_that_comes_byte_by_byte_is_not_waited_for() -> None:
    door = Door()
    channel = door.knock()
    for at, byte in enumerate(HEAD):
        if at >= HEAD_SECONDS:
            break
        assert is_open(channel)
        channel.dataReceived(bytes([byte]))
        door.clock.advance(1)
    assert not is_open(channel)


def test_a_body_that_comes_byte_by_byte_is_not_waited_for() -> None:
    door = Door()
    channel = door.knock()
    channel.dataReceived(HEAD + b"Content-Length: 100000\r\n\r\n")
    for _ in range(int(BODY_SECONDS) - 1):
        door.clock.advance(1)
        channel.dataReceived(b"x")
    assert is_open(channel)
    door.clock.advance(1)
    assert not is_open(channel)


def test_a_request_that_is_here_is_worked_on_for_as_long_as_it_takes() -> None:
    door = Door()
    channel = door.knock()
    channel.dataReceived(HEAD + b"Content-Length: 2\r\n\r\nhi")
    door.clock.advance(BODY_SECONDS * 2)
    assert is_open(channel)


@pytest.mark.parametrize(
    ("path", "length", "is_refused"),
    [
        (b"/tables/x/moves/", MAX_BODY, False),
        (b"/tables/x/moves/", MAX_BODY + 1, True),
        (b"/tables/x/moves/", 10**30, True),
        (b"/clubs/x/restore/", MAX_BODY + 1, False),
        (b"/clubs/x/restore/", MAX_ARCHIVE + 1, True),
        (b"/clubs/x/restore/../../", MAX_BODY + 1, True),
        (b"/clubs/x/picture/", MAX_BODY + 1, False),
        (b"/clubs/x/picture/", MAX_PICTURE + 1, True),
        (b"/tournaments/x/rounds/1/2/photos/", MAX_PICTURE, False),
        (b"/tournaments/x/rounds/1/2/photos/", MAX_PICTURE + 1, True),
    ],
)
def test_a_body_that_is_too_large_is_refused_before_it_comes(path: bytes, length: int, is_refused: bool) -> None:
    door = Door()
    channel = door.knock()
    channel.dataReceived(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (path, length))
    assert (read_response(channel)[:12], is_open(channel)) == ((b"HTTP/1.1 413", False) if is_refused else (b"", True))


def test_who_sends_too_much_reads_what_to_do_in_their_language() -> None:
    door = Door()
    channel = door.knock()
    channel.dataReceived(HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1))
    head, _, body = read_response(channel).partition(b"\r\n\r\n")
    assert b"Content-Length: %d" % len(body) in head
    assert body.decode().split("\n\n") == [
        "This is too big. The limit is 2 MB. Nothing was changed. Go back and send less.",
        "Das ist zu groß. Erlaubt sind 2 MB. Es hat sich nichts geändert. Geh zurück und schick weniger.",
        "To za dużo. Limit wynosi 2 MB. Nic się nie zmieniło. Wróć i wyślij mniej.",
    ]


def test_a_body_of_unknown_length_is_refused_where_it_becomes_too_large() -> None:
    door = Door()
    channel = door.knock()
    channel.dataReceived(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    for _ in range(MAX_BODY // 0x10000):
        channel.dataReceived(piece)
    assert is_open(channel)
    channel.dataReceived(piece)
    assert (read_response(channel)[:12], is_open(channel)) == (b"HTTP/1.1 413", False)


def await_door(guest: Guest) -> int:
    """The status of the first page that is given once the server knows who has gone."""
    last = time.monotonic() + 30
    while True:
        try:
            return guest.get("/about/").status
        except (OSError, http.client.HTTPException):
            if time.monotonic() > last:
                raise
            time.sleep(0.05)


def test_a_server_whose_door_is_full_takes_others_when_they_have_gone(club: Installation) -> None:
    club.settings["SOCKETS_PER_ADDRESS"] = "3"
    with club.serve() as server:
        port = int(server.address.rpartition(":")[2])
        loiterers = [socket.create_connection(("127.0.0.1", port)) for _ in range(26)]
        loiterers[0].sendall(b"GET / HTTP/1.1\r\nHo")
        time.sleep(0.2)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as late:
            assert late.recv(1) == b""
        for loiterer in loiterers:
            loiterer.close()
        guest = Guest(server.address)
        assert await_door(guest) == 200
        table = guest.open_table(bots=4)
        for _ in range(40):  # connections of sockets are given back, too
            with guest.socket(table):
                pass
            time.sleep(0.02)
        assert server.stop() == 0
        assert "Traceback" not in server.output()
