"""Samples the resources that an installation's processes and the machine use: /proc, the database, /metrics."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import usage
from benchmarks.load.http_requests import fetch
from tests.servers import Installation

SAMPLE_SECONDS = 2.0
BUSY = 0.95
"""A machine or a process of one thread that is busy for this part of the time is the limit."""
DRIVER = "driver"
ONE_THREAD = ("server", DRIVER, "redis")
"""Names (their beginnings) of processes that use one core at most."""
_QUEUE = re.compile(rb'^menagerie_queue_length\{queue="[^"]+"\} (\S+)', re.MULTILINE)
_OVERDUE = re.compile(rb"^menagerie_overdue_tables (\S+)", re.MULTILINE)


class Moment(NamedTuple):
    """Seconds of the processor by process, of the machine busy and in all, at one moment."""

    at: float
    cpu: dict[str, float]
    busy: float
    whole: float


class Use(NamedTuple):
    """Between two moments. shares: cores by process; machine, others: cores that were busy, with all and without us."""

    seconds: float
    shares: dict[str, float]
    machine: float
    others: float


def measure_now(pids: Mapping[str, int]) -> Moment:
    """The present moment; the process that asks is the driver."""
    cpu = {name: usage.cpu_seconds(pid) for name, pid in pids.items()} | {DRIVER: time.process_time()}
    fields = [int(one) for one in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    ticks = os.sysconf("SC_CLK_TCK")
    return Moment(time.time(), cpu, (sum(fields) - fields[3] - fields[4]) / ticks, sum(fields) / ticks)


def find_use(before: Moment, after: Moment) -> Use:
    """What was used between two moments."""
    seconds = after.at - before.at
    shares = {name: max(0.0, (after.cpu[name] - before.cpu[name]) / seconds) for name in after.cpu}
    machine = (after.busy - before.busy) / seconds
    return Use(seconds, shares, machine, max(0.0, machine - sum(shares.values())))


def find_limit(use: Use, cores: int) -> str:
    """The exhausted resource in a sentence; empty if there is none."""
    full = [name for name, share in use.shares.items() if name.startswith(ONE_THREAD) and share >= BUSY]
    busiest = max(use.shares, key=lambda name: use.shares[name])
    if full:
        return f"the limit is one core of {' and of '.join(full)}"
    if use.machine >= BUSY * cores:
        most = f"{busiest} uses most of it, {use.shares[busiest]:.2f} of a core"
        busy = f"{use.machine:.2f} of {cores} cores are busy ({use.others:.2f} with other programs)"
        return f"the limit is the machine: {busy}; {most}"
    return ""


def group(shares: Mapping[str, float]) -> dict[str, float]:
    """Shares by kind of process: all servers together as "web", the others as they are, without the driver."""
    web = sum(share for name, share in shares.items() if name.startswith("server"))
    rest = {name: share for name, share in shares.items() if not name.startswith("server") and name != DRIVER}
    return {"web": web, **rest}


def find_memory(pids: Mapping[str, int]) -> dict[str, float]:
    """Memory in MB by process with its children; what processes share counts once."""
    every = {**pids, DRIVER: os.getpid()}
    return {name: usage.proportional_mb(pid, with_children=name != DRIVER) for name, pid in every.items()}


def find_database_size(club: Installation) -> int:
    """Bytes of an installation's database."""
    url = club.settings.get("DATABASE_URL")
    if not url:
        return sum(file.stat().st_size for file in club.folder.glob("menagerie.sqlite3*"))
    import psycopg

    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0]) if row else 0


@dataclass(slots=True)
class Queues:
    """The most that waited. unknown: how often the server did not say it."""

    longest: float = 0.0
    overdue: float = 0.0
    asked: int = 0
    unknown: int = 0
    trouble: list[str] = field(default_factory=list)

    async def watch(self, address: str) -> None:
        """Ask the server again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            try:
                self.read(await fetch(address, "/metrics"))
            except (OSError, TimeoutError) as error:
                self.trouble.append(str(error) or type(error).__name__)

    def read(self, text: bytes) -> None:
        """Take in an answer of /metrics."""
        self.asked += 1
        lengths = [float(one) for one in _QUEUE.findall(text)]
        overdue = [float(one) for one in _OVERDUE.findall(text)]
        if any(one != one for one in lengths + overdue):
            self.unknown += 1
            return
        self.longest = max([self.longest, sum(lengths)])
        self.overdue = max([self.overdue, *overdue])
