"""What an idle socket costs, and how long the server takes to its first page."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import TypedDict

from benchmarks.live import allow_many_files
from benchmarks.load import usage
from benchmarks.load.driver import Group, Table, Tally, seat_all
from benchmarks.load.setups import SETTINGS, Setup, embedded
from tests.guest import Guest
from tests.servers import Installation

TABLES = 200
"""Tables under way, each with five sockets in the second measurement."""
SETTLE_SECONDS = 2.0
"""Pause before memory is read."""


class Idle(TypedDict):
    """sockets: how many were open, five a table; kb_socket: resident kB of the server for each, tables included.

    kb_alone: for each further socket at a table; kb_table: for a table without its sockets.
    """

    sockets: int
    kb_socket: float
    kb_alone: float
    kb_table: float


def measure_sockets() -> Idle:
    """Open sockets at tables under way, and do nothing: first one at each table, then the others."""
    allow_many_files()
    with embedded(groups=TABLES, games=1, deals=3) as setup:
        Guest(setup.addresses[0]).get("/")  # whatever is loaded with the first page is not a socket's
        pid = setup.pids["server"]
        before = usage.memory_mb(pid)
        one, all_of_them = asyncio.run(_hold(setup, pid))
    tables, seats = len(setup.groups), len(setup.groups[0]["sessions"])
    alone = (all_of_them - one) * 1024 / (tables * (seats - 1))
    return Idle(
        sockets=tables * seats,
        kb_socket=round((all_of_them - before) * 1024 / (tables * seats), 1),
        kb_alone=round(alone, 1),
        kb_table=round((one - before) * 1024 / tables - alone, 1),
    )


async def _hold(setup: Setup, pid: int) -> tuple[float, float]:
    """MB of the server with one socket at each table, and with all."""
    firsts = [Group(sessions=group["sessions"][:1], tables=group["tables"], spectators=[]) for group in setup.groups]
    others = [Group(sessions=group["sessions"][1:], tables=group["tables"], spectators=[]) for group in setup.groups]
    tables: list[Table] = []
    found: list[float] = []
    try:
        for groups in (firsts, others):
            tables += (coming := [Table(group, Tally(), setup.addresses) for group in groups])
            await seat_all(coming)
            await asyncio.sleep(SETTLE_SECONDS)
            found.append(usage.memory_mb(pid))
    finally:
        for table in tables:
            table.leave()
    return found[0], found[1]


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
