"""The service manager is told when people can come, and not before."""

from __future__ import annotations

import socket
from pathlib import Path

from tests.guest import Guest
from tests.servers import Installation


def test_ready_is_said_once_pages_are_given(club: Installation, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        with club.serve(NOTIFY_SOCKET=str(tmp_path / "notify")) as server:
            assert manager.recv(64) == b"READY=1"
            assert Guest(server.address).get("/ready/").status == 200
