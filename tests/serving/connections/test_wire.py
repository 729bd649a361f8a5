"""Frames written past the framework arrive whole and in order, and a slow reader is disconnected."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any, cast

import pytest
from autobahn.websocket.protocol import WebSocketProtocol
from twisted.internet.protocol import Protocol
from twisted.internet.tcp import Connection
from twisted.internet.testing import MemoryReactorClock

from games.serving.connection_limits import MAX_UNSENT
from games.serving.wire import HOLD_SECONDS, MAX_READ, DirectSocket, DirectWriter, Inbox, read_frame, to_frame


class Open(Protocol):
    """A connection whose handshake is over."""

    state: int = WebSocketProtocol.STATE_OPEN


class Line:
    """A server's end of a connection, and the browser's."""

    def __init__(self) -> None:
        self.ours, self.browser = socket.socketpair()
        self.ours.setblocking(False)
        self.browser.setblocking(False)
        new_reactor, new_protocol, connection = cast(Any, (MemoryReactorClock, Open, Connection))
        self.reactor = new_reactor()
        self.protocol = new_protocol()
        self.transport = connection(self.ours, self.protocol, self.reactor)
        self.transport.connected = 1
        self.protocol.makeConnection(self.transport)
        self.wire = DirectWriter(self.protocol)

    def read(self) -> bytes:
        """Everything that has arrived."""
        found = b""
        while True:
            try:
                found += self.browser.recv(1 << 20)
            except BlockingIOError:
                return found

    def fill(self) -> int:
        """Send until the kernel takes no more; returns how many frames that were."""
        count = 0
        while not self.reactor.getWriters():
            self.wire.send("x" * 60_000)
            count += 1
        return count


@pytest.fixture
def line() -> Iterator[Line]:
    """An open connection."""
    found = Line()
    yield found
    found.browser.close()
    found.ours.close()


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("", b"\x81\x00"),
        ("a" * 125, b"\x81\x7d"),
        ("a" * 126, b"\x81\x7e\x00\x7e"),
        ("ä" * 100, b"\x81\x7e\x00\xc8"),
        ("a" * 65_535, b"\x81\x7e\xff\xff"),
        ("a" * 65_536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_a_frame_is_its_length_and_its_text(text: str, head: bytes) -> None:
    assert to_frame(text) == head + text.encode()


def test_a_frame_is_there_at_once(line: Line) -> None:
    line.wire.send("one")
    assert line.read() == to_frame("one")
    assert line.reactor.getWriters() == []


def test_what_the_kernel_does_not_take_waits_and_comes_in_order(line: Line) -> None:
    count = line.fill()
    line.wire.send("last")
    arrived = line.read()
    while line.reactor.getWriters():
        line.transport.doWrite()
        arrived += line.read()
    assert arrived == to_frame("x" * 60_000) * count + to_frame("last")


def test_who_reads_nothing_is_cut_off(line: Line) -> None:
    line.fill()
    for _ in range(2 * MAX_UNSENT // 60_000):
        line.wire.send("x" * 60_000)
    assert line.transport._tempDataLen <= MAX_UNSENT + 2 * 60_020
    line.reactor.advance(0)
    assert (line.transport.disconnected, line.reactor.getWriters()) == (1, [])


def test_nothing_is_sent_after_the_end(line: Line) -> None:
    line.protocol.state = WebSocketProtocol.STATE_CLOSING
    line.wire.send("late")
    assert line.read() == b""


def test_a_connection_that_is_lost_is_left_to_the_loop_to_find(line: Line) -> None:
    line.browser.close()
    line.wire.send("one")
    assert line.reactor.getWriters() == [line.transport]


async def test_a_frame_that_is_held_goes_right_after_the_next_one(line: Line) -> None:
    line.wire.hold("answer")
    assert line.read() == b""
    line.wire.send("picture")
    assert line.read() == to_frame("picture") + to_frame("answer")
    await asyncio.sleep(2 * HOLD_SECONDS)
    assert line.read() == b""


async def test_a_frame_is_not_held_for_long(line: Line) -> None:
    line.wire.hold("one")
    line.wire.hold("two")
    await asyncio.sleep(2 * HOLD_SECONDS)
    assert line.read() == to_frame("one") + to_frame("two")


async def test_what_is_held_for_a_browser_that_has_gone_is_forgotten(line: Line) -> None:
    line.wire.hold("late")
    line.protocol.state = WebSocketProtocol.STATE_CLOSING
    await asyncio.sleep(2 * HOLD_SECONDS)
    assert (line.read(), line.wire._held) == (b"", b"")


class Received:
    """What takes the place of a `DirectSocket`: it keeps what is read, or cannot read it."""

    def __init__(self, line: Line, error: Exception | None = None) -> None:
        self.transport, self.error, self.data = line.transport, error, b""
        self.ended: list[object] = []
        line.transport.reactor._readOrWrite = lambda *_args: self.ended.append("by Twisted")
        line.transport.reactor._disconnectSelectable = lambda _transport, why, _is_read: self.ended.append(why)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self.error is not None:
            raise self.error
        self.data += data


def test_what_a_browser_sends_is_read_past_the_reactor_and_its_end_by_it(line: Line) -> None:
    received = Received(line)
    line.browser.send(b"x" * (MAX_READ + 1))
    for _ in range(2):
        DirectSocket._read(cast(Any, received))
    assert (len(received.data), received.ended) == (MAX_READ + 1, [])
    line.browser.close()
    DirectSocket._read(cast(Any, received))
    assert received.ended == ["by Twisted"]


def test_who_sends_what_breaks_the_reading_is_cut_off(line: Line) -> None:
    error = ValueError("broken")
    received = Received(line, error)
    line.browser.send(b"x")
    DirectSocket._read(cast(Any, received))
    assert received.ended == [error]


def masked(text: bytes, *, head: int = 0x81, mask: bytes = b"\x01\x80\xff\x00") -> bytes:
    """A frame as a browser sends it."""
    size = len(text)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([head]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(text))


@pytest.mark.parametrize("text", ["a", "ab\0", "żółw", "x" * 125, "x" * 126, "ü" * 30_000])
def test_one_whole_text_frame_is_read(text: str) -> None:
    assert read_frame(masked(text.encode())) == text.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        masked(b""),
        masked(b"hello")[:-1],
        masked(b"hello") + b"\x81",
        masked(b"hello") * 2,
        masked(b"hello", head=0x01),
        masked(b"hello", head=0x82),
        masked(b"hello", head=0x89),
        masked(b"hello", head=0xC1),
        masked(b"\xff\xfe"),
        to_frame("not masked"),
        b"\x81\xff" + bytes(8) + b"mask",
        b"\x81\xfe\x00",
    ],
)
def test_anything_else_is_left_to_the_framework(data: bytes) -> None:
    assert read_frame(data) is None


async def test_an_inbox_gives_what_was_said_in_order_and_waits_for_more() -> None:
    inbox = Inbox()
    for number in range(3):
        inbox.put_nowait({"number": number})
    assert (inbox.qsize(), [await inbox.get() for _ in range(3)]) == (3, [{"number": 0}, {"number": 1}, {"number": 2}])
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait({"number": 3})
    inbox.put_nowait({"number": 4})
    assert (await reading, inbox.qsize(), await inbox.get()) == ({"number": 3}, 1, {"number": 4})


async def test_who_stops_reading_takes_nothing_out_of_an_inbox() -> None:
    inbox = Inbox()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    inbox.put_nowait({"number": 1})
    assert await inbox.get() == {"number": 1}


def test_a_length_in_eight_bytes_is_left_to_the_framework() -> None:
    assert read_frame(b"\x81\xff" + (119).to_bytes(8, "big") + b"\0" * 4 + b"x" * 119) is None
