"""What a socket costs that nobody uses, and how long the server takes to its first page."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from benchmarks import usage
from benchmarks.driver import Group, Table, Tally, seat_all
from benchmarks.live import allow_many_files
from benchmarks.setups import SETTINGS, embedded
from tests.guest import Guest
from tests.servers import Installation

TABLES = 200
SETTLE_SECONDS = 2.0


class Idle(TypedDict):
    """sockets: how many were open, five a table; kb_socket: resident kB of the server for each, tables included."""

    sockets: int
    kb_socket: float


def measure_sockets() -> Idle:
    """Open sockets at tables under way, and do nothing."""
    allow_many_files()
    with embedded(groups=TABLES, games=1, deals=3) as setup:
        Guest(setup.addresses[0]).get("/")  # whatever is loaded with the first page is not a socket's
        pid = setup.pids["server"]
        before = usage.memory_mb(pid)
        sockets, after = asyncio.run(_hold(setup.addresses, setup.groups, pid))
    return Idle(sockets=sockets, kb_socket=round((after - before) * 1024 / sockets, 1))


async def _hold(addresses: Sequence[str], groups: Sequence[Group], pid: int) -> tuple[int, float]:
    tables = [Table(group, Tally(), addresses) for group in groups]
    try:
        await seat_all(tables)
        await asyncio.sleep(SETTLE_SECONDS)
        return sum(len(table.seats) for table in tables), usage.memory_mb(pid)
    finally:
        for table in tables:
            table.leave()


def measure_start() -> float:
    """Seconds from the command to the first page, on a machine that is set up."""
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        began = time.monotonic()
        with club.serve() as server:
            answer = Guest(server.address).get("/")
            took = time.monotonic() - began
    if answer.status != 200:
        raise RuntimeError(f"the first page was answered with {answer.status}")
    return round(took, 2)
