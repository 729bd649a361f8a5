"""Leaving in order: take nobody new, send sockets away so that they come back to the next process, finish pages."""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

from daphne.server import Server, reactor, twisted_loop

from games.live.hub import find_hub
from games.live.version_sockets import find_watch
from games.operation import shutdown_state
from games.serving.connection_limits import take_some

logger = logging.getLogger(__name__)

RESTART = 1012
"""The close code of RFC 6455's registry: the service restarts, come again at once."""
PAGES_SECONDS = 10.0
MOMENT = 0.05
ARRIVAL_SECONDS = 0.25
"""How long somebody's question may be under way on a connection that was taken before the door was closed."""


class LeavingServer(Server):  # type: ignore[misc]
    """A server that a SIGTERM ends in order; a second one, or Ctrl-C, at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ports: list[Any] = []
        self._leaving: asyncio.Task[None] | None = None

    def listen_success(self, port: Any) -> None:
        """Remember what to close; take connections some at a time."""
        self.ports.append(port)
        take_some(port)
        super().listen_success(port)

    def heed_signals(self) -> None:
        """From now on a SIGTERM means: leave. Called on the loop, after it has set its own handlers."""
        signal.signal(signal.SIGTERM, lambda *_: twisted_loop.call_soon_threadsafe(self._begin))

    def _begin(self) -> None:
        if self._leaving is None:
            self._leaving = twisted_loop.create_task(self._leave())
        else:
            self.stop()

    async def _leave(self) -> None:
        shutdown_state.begin_draining()
        try:
            for port in self.ports:
                closed = port.stopListening()
                if closed is not None:
                    await closed.asFuture(twisted_loop)
            await asyncio.sleep(ARRIVAL_SECONDS)
            for sockets in (find_hub(), find_watch()):
                if sockets is not None:
                    await sockets.send_away(RESTART)
            await asyncio.wait_for(self._finish_pages(), PAGES_SECONDS)
            await asyncio.sleep(MOMENT)  # what was answered last goes out
        except Exception:
            logger.warning("the server could not leave in order", exc_info=True)
        finally:
            reactor.stop()

    async def _finish_pages(self) -> None:
        while any(self._is_page_under_way(details) for details in list(self.connections.values())):
            await asyncio.sleep(MOMENT)

    def _is_page_under_way(self, details: dict[str, Any]) -> bool:
        work = details.get("application_instance")
        return work is not None and not work.done()
