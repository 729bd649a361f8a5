"""The wire between one browser and the server: it can be cut, mended, and closed to sockets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

CHUNK = 1 << 16
SOCKET_PATH = b"GET /ws/"


class Line:
    """A relay on a port of its own, run by a thread with its own loop. address: where the browser goes."""

    def __init__(self, port: int) -> None:
        self.address = ""
        self.takes_sockets = True
        self._target = port
        self._is_whole = True
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows.set()
        self._forsaken: list[asyncio.Event] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._relays: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Break every connection at once, and take no new one until `mend`."""
        self._do(lambda: self._set(is_whole=False))

    def mend(self) -> None:
        """Take connections again, and let through what was held."""
        self._do(lambda: self._set(is_whole=True))
        self._do(self._flows.set)

    def hold(self) -> None:
        """Let nothing through, without a word to either end, as a phone does that has left the room."""
        self._do(self._flows.clear)

    def forsake(self) -> None:
        """Let nothing more through on the connections that there are; new ones pass, as after a change of network."""
        self._do(self._begin_anew)

    def _begin_anew(self) -> None:
        self._flows.clear()
        self._forsaken.append(self._flows)
        self._flows = asyncio.Event()
        self._flows.set()

    def refuse_sockets(self) -> None:
        """Break every connection; from now on pages pass and sockets do not, as behind some proxies."""
        self.takes_sockets = False
        self.cut()
        self.mend()

    def _set(self, *, is_whole: bool) -> None:
        self._is_whole = is_whole
        if not is_whole:
            for writer in self._writers:
                writer.transport.abort()

    def _do(self, work: Callable[[], None]) -> None:
        done = threading.Event()

        def run() -> None:
            work()
            done.set()

        self._loop.call_soon_threadsafe(run)
        assert done.wait(60)

    async def open(self) -> asyncio.Server:
        """Listen."""
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return server

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._relays.add(task)
        self._writers.add(writer)
        try:
            with suppress(OSError):
                await self._relay(reader, writer)
        finally:
            self._relays.discard(task)
            self._writers.discard(writer)
            writer.transport.abort()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(CHUNK)
        if not self._is_whole or (first.startswith(SOCKET_PATH) and not self.takes_sockets):
            return
        flows = self._flows
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.add(back)
        try:
            back.write(first)
            await asyncio.gather(self._pump(reader, back, flows), self._pump(there, writer, flows))
        finally:
            self._writers.discard(back)
            back.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, flows: asyncio.Event) -> None:
        while data := await source.read(CHUNK):
            await flows.wait()
            target.write(data)
            await target.drain()
        if target.can_write_eof():
            target.write_eof()

    def run(self, ready: threading.Event) -> None:
        """The thread's work: relay until `stop`."""
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self.open())
        ready.set()
        self._loop.run_forever()
        server.close()
        self._set(is_whole=False)
        for flows in (*self._forsaken, self._flows):
            flows.set()
        self._loop.run_until_complete(asyncio.gather(*self._relays, return_exceptions=True))
        self._loop.close()

    def stop(self) -> None:
        """End the thread's work."""
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def lay(address: str) -> Iterator[Line]:
    """A whole line to the server at this address."""
    line, ready = Line(int(address.rpartition(":")[2])), threading.Event()
    thread = threading.Thread(target=line.run, args=(ready,), daemon=True)
    thread.start()
    try:
        assert ready.wait(60)
        yield line
    finally:
        line.stop()
        thread.join(5)
