"""Clients that open a socket, ask for data and never read it."""

from __future__ import annotations

import asyncio
import base64
import secrets
import socket
import time
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.load import usage
from chaos.parts import Club

SOCKETS = 2
"""Sockets opened at once."""
SECONDS = 20.0
"""For how long they ask."""
ASK = b'{"type":"ping","version":0}'
"""Asks for the whole board: no page shows version 0 of a game under way."""
PAUSE = 0.01
"""Seconds between two requests of a socket."""
KERNEL_BYTES = 4096
"""The client's receive buffer, as small as the kernel allows."""


class SilentSockets(NamedTuple):
    """opened: sockets; cut: those that the server closed; grown: MB by which the servers' memory grew meanwhile."""

    opened: int
    cut: int
    grown: float


async def open_silent_sockets(club: Club, table: str) -> SilentSockets:
    """Open sockets at a table and ask for more than they read, for a while."""
    pids = [club.parts[name].pid for name in club.names("web")]
    before = sum(usage.memory_mb(pid) for pid in pids)
    cuts = await asyncio.gather(*(asyncio.to_thread(_ask, club.addresses[0], table) for _ in range(SOCKETS)))
    grown = sum(usage.memory_mb(pid) for pid in pids) - before
    return SilentSockets(SOCKETS, sum(cuts), round(grown, 1))


def _ask(address: str, table: str) -> bool:
    """Send requests on one socket without reading; returns whether the server closed it."""
    at = urlsplit(address)
    with socket.socket() as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
        silent.settimeout(SECONDS)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        head = [
            f"GET /ws/tables/{table}/ HTTP/1.1",
            f"Host: {at.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Origin: {address}",
        ]
        try:
            silent.connect((at.hostname, at.port))
            silent.sendall("\r\n".join([*head, "", ""]).encode())
            silent.recv(64)
            return _keep_asking(silent)
        except OSError:
            return True


def _keep_asking(silent: socket.socket) -> bool:
    frame = bytes([0x81, 0x80 | len(ASK), 0, 0, 0, 0]) + ASK
    last = time.monotonic() + SECONDS
    while time.monotonic() < last:
        try:
            silent.sendall(frame)
        except OSError:
            return True
        time.sleep(PAUSE)
    return False
