"""Starts and stops Daphne."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable

# Twisted's reactor is chosen by this import; it comes before anything else of Daphne's or Twisted's.
from daphne.server import twisted_loop  # isort: split

from autobahn.websocket import protocol
from daphne import server as daphne_server
from daphne.ws_protocol import WebSocketFactory
from django.conf import settings
from django.utils.module_loading import import_string

from games.live import database_threads
from games.live.hub import find_hub
from games.live.messages import MAX_FRAME
from games.serving import shortcuts
from games.serving.connection_limits import BoundedFactory
from games.serving.graceful_shutdown import GracefulServer
from games.serving.listening import find_endpoints
from games.serving.socket_limits import BoundedSocket
from games.serving.wire import DirectServer, DirectSocket

logger = logging.getLogger(__name__)

DRAIN_SECONDS = 3.0
"""Seconds that cancelled tasks of the loop may take to end."""
GC_THRESHOLD = 20_000
"""New objects before a garbage collection: after some dozens of moves, instead of several times in each."""


def run_server(
    *, host: str, port: int, on_ready: Callable[[str], None], given: int = 0, is_shared: bool = False
) -> bool:
    """Serve until a signal ends it. on_ready: gets the address once connections are taken.

    Returns whether it could listen at all.
    """
    application = import_string(settings.ASGI_APPLICATION)
    _disable_debug_colours()
    try:
        endpoints = find_endpoints(host, port, given=given, is_shared=is_shared)
    except OSError:
        return False
    server: GracefulServer = _choose_server()(
        application,
        endpoints=endpoints,
        ready_callable=lambda: twisted_loop.call_soon(_announce, server, on_ready),
        proxy_forwarded_address_header="X-Forwarded-For" if settings.SECURE_PROXY_SSL_HEADER else None,
        websocket_max_message_size=4 * MAX_FRAME,
        websocket_max_frame_size=4 * MAX_FRAME,
        websocket_handshake_timeout=10,
        application_close_timeout=5,
        verbosity=0,
    )
    reduce_garbage_collection()
    server.run()
    _drain()
    return bool(server.listening_addresses)


def _choose_server() -> type[GracefulServer]:
    """Daphne with our limits, and with `games.serving.wire` if the setting and the installed versions permit it."""
    shortcuts.warn_of_untested()
    is_wired = shortcuts.is_used(shortcuts.FRAMES)
    daphne_server.HTTPFactory = BoundedFactory
    WebSocketFactory.protocol = DirectSocket if is_wired else BoundedSocket
    return DirectServer if is_wired else GracefulServer


def _disable_debug_colours() -> None:
    """Turn off Autobahn's colouring of debug lines, which it does for every frame even if nothing is logged."""
    vars(protocol).update(hltype=_return_unchanged, hlval=_return_unchanged)


def _return_unchanged(value: object) -> object:
    return value


def reduce_garbage_collection() -> None:
    """Exempt loaded objects from garbage collection: collecting them stops every table for a tenth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 10, 20)


def _announce(server: GracefulServer, on_ready: Callable[[str], None]) -> None:
    if not server.listening_addresses:
        return
    server.install_signal_handler()
    host, port = server.listening_addresses[0]
    on_ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")


def _drain() -> None:
    """Cancel what still runs on the loop and wait for it: open sockets must not break the exit."""
    hub = find_hub()
    if hub is not None:
        twisted_loop.run_until_complete(hub.close())
    tasks = asyncio.all_tasks(twisted_loop)
    for task in tasks:
        task.cancel()
    if tasks:
        twisted_loop.run_until_complete(asyncio.wait(tasks, timeout=DRAIN_SECONDS))
    twisted_loop.run_until_complete(twisted_loop.shutdown_asyncgens())
    database_threads.close()
    sys.stdout.flush()
