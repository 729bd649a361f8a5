"""Where the server listens: on its own port, on a shared one, or on a socket handed over by a service manager."""

from __future__ import annotations

import os
import socket

FIRST_GIVEN = 3
"""The first open file that a service manager hands over (sd_listen_fds)."""
BACKLOG = 4096
"""Connections that the kernel queues, if `net.core.somaxconn` allows as many. Further ones are dropped, and the client
retries one to three seconds later."""


def find_endpoints(host: str, port: int, *, given: int, is_shared: bool) -> list[str]:
    """Twisted's names of what to listen at. Raises OSError.

    given: how many sockets were handed over; is_shared: other processes may listen at the same port.

    A socket of the service manager (LISTEN_FDS) stays open while the server is replaced: new connections wait.
    """
    if given:
        return [f"fd:fileno={FIRST_GIVEN + index}" for index in range(given)]
    if not is_shared:
        escaped = host.replace(":", r"\:")
        return [f"tcp:port={port}:interface={escaped}:backlog={BACKLOG}"]
    return [f"fd:fileno={_share(host, port)}"]


def count_given() -> int:
    """How many sockets a service manager has handed over. Call it before Twisted is imported, which deletes it."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return 0
    count = os.environ.get("LISTEN_FDS", "")
    return int(count) if count.isdigit() else 0


def _share(host: str, port: int) -> int:
    shared = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind((host, port))
    shared.listen(BACKLOG)
    return shared.detach()
