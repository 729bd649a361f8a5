"""Tells the service manager that the server is ready, for which `systemctl restart` waits."""

from __future__ import annotations

import os
import socket


def notify_ready() -> None:
    """Send READY=1 as sd_notify does; does nothing without NOTIFY_SOCKET."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect("\0" + address[1:] if address.startswith("@") else address)
        manager.sendall(b"READY=1")
