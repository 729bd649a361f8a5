"""Graceful shutdown: accept nothing new, close sockets so that browsers reconnect elsewhere, finish pages."""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

from daphne.server import Server, reactor, twisted_loop

from games.live.hub import find_hub
from games.live.version_sockets import find_watch
from games.operation.health import shutdown_state
from games.serving.connection_limits import limit_accepts

logger = logging.getLogger(__name__)

RESTART = 1012
"""Close code from RFC 6455's registry: service restart, reconnect at once."""
PAGES_SECONDS = 10.0
"""Seconds that pages under way may take to finish."""
POLL_SECONDS = 0.05
"""Seconds between two looks at what is still under way."""
LAST_REQUEST_SECONDS = 0.25
"""Seconds that a request may still be on its way on a connection accepted before the shutdown."""


class GracefulServer(Server):  # type: ignore[misc]
    """A server that shuts down gracefully on SIGTERM, and at once on a second one or Ctrl-C."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ports: list[Any] = []
        self._leaving: asyncio.Task[None] | None = None

    def listen_success(self, port: Any) -> None:
        """Remember the port for the shutdown, and limit how many connections it accepts per turn."""
        self.ports.append(port)
        limit_accepts(port)
        super().listen_success(port)

    def install_signal_handler(self) -> None:
        """Install the SIGTERM handler. Called on the loop, after Twisted has installed its own."""
        signal.signal(signal.SIGTERM, lambda *_: twisted_loop.call_soon_threadsafe(self._begin))

    def _begin(self) -> None:
        if self._leaving is None:
            self._leaving = twisted_loop.create_task(self._close_sockets())
        else:
            self.stop()

    async def _close_sockets(self) -> None:
        shutdown_state.begin_draining()
        try:
            for port in self.ports:
                closed = port.stopListening()
                if closed is not None:
                    await closed.asFuture(twisted_loop)
            await asyncio.sleep(LAST_REQUEST_SECONDS)
            for sockets in (find_hub(), find_watch()):
                if sockets is not None:
                    await sockets.close_all(RESTART)
            await asyncio.wait_for(self._finish_pages(), PAGES_SECONDS)
            await asyncio.sleep(POLL_SECONDS)  # what was answered last goes out
        except Exception:
            logger.warning("the server could not leave in order", exc_info=True)
        finally:
            reactor.stop()

    async def _finish_pages(self) -> None:
        while any(self._is_page_under_way(details) for details in list(self.connections.values())):
            await asyncio.sleep(POLL_SECONDS)

    def _is_page_under_way(self, details: dict[str, Any]) -> bool:
        work = details.get("application_instance")
        return work is not None and not work.done()
