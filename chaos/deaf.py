"""Clients that open a socket and read nothing of what they ask for."""

from __future__ import annotations

import asyncio
import base64
import secrets
import socket
import time
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks import usage
from chaos.parts import Club

SOCKETS = 2
SECONDS = 20.0
ASK = b'{"type":"ping","version":0}'
"""Asks for the whole board: no page shows version 0 of a game under way."""
PAUSE = 0.01
KERNEL_BYTES = 4096
"""As little as possible is kept for the client on its own side."""


class Found(NamedTuple):
    """opened: sockets; cut: those that the server ended; grown: MB by which the servers have grown meanwhile."""

    opened: int
    cut: int
    grown: float


async def sit_deaf(club: Club, table: str) -> Found:
    """Open sockets to a table and ask for more than they read, for a while."""
    pids = [club.parts[name].pid for name in club.names("web")]
    before = sum(usage.memory_mb(pid) for pid in pids)
    cuts = await asyncio.gather(*(asyncio.to_thread(_ask, club.addresses[0], table) for _ in range(SOCKETS)))
    grown = sum(usage.memory_mb(pid) for pid in pids) - before
    return Found(SOCKETS, sum(cuts), round(grown, 1))


def _ask(address: str, table: str) -> bool:
    """Whether the server cut this one off."""
    at = urlsplit(address)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
        deaf.settimeout(SECONDS)
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
            deaf.connect((at.hostname, at.port))
            deaf.sendall("\r\n".join([*head, "", ""]).encode())
            deaf.recv(64)
            return _insist(deaf)
        except OSError:
            return True


def _insist(deaf: socket.socket) -> bool:
    frame = bytes([0x81, 0x80 | len(ASK), 0, 0, 0, 0]) + ASK
    last = time.monotonic() + SECONDS
    while time.monotonic() < last:
        try:
            deaf.sendall(frame)
        except OSError:
            return True
        time.sleep(PAUSE)
    return False
