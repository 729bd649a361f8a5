"""A TCP relay between a browser and the server that can be cut, held, mended, and closed to WebSockets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

CHUNK = 1 << 16
SOCKET_PATH = b"GET /ws/"


class NetworkLine:
    """A relay on a port of its own, run by a thread with an event loop. address: the URL for the browser."""

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
        """Abort all connections, and accept none until `mend`."""
        self._do(lambda: self._set(is_whole=False))

    def mend(self) -> None:
        """Accept connections again, and deliver data that was held back."""
        self._do(lambda: self._set(is_whole=True))
        self._do(self._flows.set)

    def hold(self) -> None:
        """Hold back all data without closing a connection, like a phone out of range."""
        self._do(self._flows.clear)

    def forsake(self) -> None:
        """Hold back data on the present connections only; new ones work, as after a change of network."""
        self._do(self._begin_anew)

    def _begin_anew(self) -> None:
        self._flows.clear()
        self._forsaken.append(self._flows)
        self._flows = asyncio.Event()
        self._flows.set()

    def refuse_sockets(self) -> None:
        """Abort all connections; from now on let through requests but no WebSockets, like some proxies."""
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
        """Start to listen, and set the address."""
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
        """The body of the thread: relay until `stop`."""
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
        """Stop the event loop of the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def open_line(address: str) -> Iterator[NetworkLine]:
    """A working relay to the server at this URL, stopped at the end."""
    line, ready = NetworkLine(int(address.rpartition(":")[2])), threading.Event()
    thread = threading.Thread(target=line.run, args=(ready,), daemon=True)
    thread.start()
    try:
        assert ready.wait(60)
        yield line
    finally:
        line.stop()
        thread.join(5)
