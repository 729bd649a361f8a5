"""Hundreds of spectators at one table.

`python -m benchmarks.tables.spectators --people 500 2000 --setups embedded production`

Five play; the others come, watch, and lose their connections all at the same moment and come back; then the server is
restarted, and all come back to it. Measured are the
frames that are sent (those that only say who is here by themselves) and the time from a move to the last screen; then,
without sockets, so many requests for the table's page at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

from benchmarks.live import allow_many_files
from benchmarks.load import usage
from benchmarks.load.audience import Audience, Phase, Spread, summarise_ms
from benchmarks.load.setups import SETUPS, Setup

DEALS = 99
WATCH_SECONDS = 15.0
CALM_SECONDS = 3.0
"""After all are back: what was told of their coming is told by then."""
PAGE_SECONDS = 120.0


class Pages(TypedDict):
    """So many requests for the table's page at once. seconds: until the last answer."""

    answered: int
    seconds: float
    took: Spread
    to_players: Spread


class Row(TypedDict):
    """One run; cpu: the servers' seconds of the processor by phase."""

    setup: str
    people: int
    phases: dict[str, Phase]
    pages: Pages
    cpu: dict[str, float]
    driver_cpu: dict[str, float]
    errors: list[str]


def measure(setup: str, people: int) -> Row:
    """One run over a fresh installation."""
    allow_many_files()
    with SETUPS[setup](groups=1, games=1, deals=DEALS, spectators=people) as running:
        return asyncio.run(_watch(running, people))


async def _watch(setup: Setup, people: int) -> Row:
    audience = Audience(setup.groups[0], setup.addresses[0])
    row = Row(setup=setup.name, people=people, phases={}, pages=_NO_PAGES, cpu={}, driver_cpu={}, errors=[])
    await audience.table.sit_down()
    await audience.table.wait_until_seen()
    pinging = asyncio.create_task(audience.ping())
    audience.table.begin()
    try:
        for name, work in (("join", audience.join), ("watch", _sleep), ("return", audience.come_back)):
            before, own = _cpu(setup), time.process_time()
            audience.begin()
            await work()
            row["phases"][name] = audience.end()
            row["cpu"][name], row["driver_cpu"][name] = _cpu(setup) - before, time.process_time() - own
            await asyncio.sleep(CALM_SECONDS)
        own = time.process_time()
        await audience.follow_restart(setup.restart)
        row["phases"]["restart"] = audience.end()
        row["cpu"]["restart"] = _cpu(setup)  # of the new processes, their start included
        row["driver_cpu"]["restart"] = time.process_time() - own
        await asyncio.sleep(CALM_SECONDS)
        for spectator in audience.spectators:
            spectator.close()
        await asyncio.sleep(CALM_SECONDS)
        before = _cpu(setup)
        row["pages"] = await _load_pages(audience)
        row["cpu"]["pages"] = _cpu(setup) - before
    finally:
        pinging.cancel()
        audience.leave()
    row["errors"] = audience.tally.errors[:5]
    return row


_NO_SPREAD = Spread(count=0, p50=0, p95=0, max=0)
_NO_PAGES = Pages(answered=0, seconds=0, took=_NO_SPREAD, to_players=_NO_SPREAD)


async def _sleep() -> None:
    await asyncio.sleep(WATCH_SECONDS)


def _cpu(setup: Setup) -> float:
    return sum(usage.cpu_seconds(pid) for name, pid in setup.pids.items() if name.startswith("server"))


async def _load_pages(audience: Audience) -> Pages:
    """Every spectator asks for the page at the same moment."""
    path = audience.path.removeprefix("/ws")
    audience.begin()
    began = time.perf_counter()
    done = await asyncio.gather(*[_get(audience.address, path, one.session) for one in audience.spectators])
    seconds = time.perf_counter() - began
    return Pages(
        answered=sum(took is not None for took in done),
        seconds=round(seconds, 2),
        took=summarise_ms(took for took in done if took is not None),
        to_players=audience.end()["to_players"],
    )


async def _get(address: str, path: str, session: str) -> float | None:
    """Seconds until the whole page is here; None if it is refused, or does not come."""
    at, began = urlsplit(address), time.perf_counter()
    try:
        async with asyncio.timeout(PAGE_SECONDS):
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            head = (
                f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\nCookie: sessionid={session}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode())
            answer = await reader.read()
            writer.close()
    except (OSError, TimeoutError):
        return None
    return time.perf_counter() - began if answer.startswith(b"HTTP/1.1 200") else None


def write_rows(rows: list[Row]) -> list[str]:
    """The rows as a table."""
    head = (
        "| setup | spectators | phase | seconds | frames | presence (most a second and socket) | MB |"
        " move → players p50 / p95 / max s | → last open screen | → last of all screens | CPU s |"
    )
    lines = [head, "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        head = f"| {row['setup']} | {row['people']}"
        for name, phase in row["phases"].items():
            frames = f"{phase['frames']:,} | {phase['presence_frames']:,} ({phase['presence_peak']})"
            times = " | ".join(_write(phase[key]) for key in ("to_players", "to_open", "to_all"))  # type: ignore[literal-required]
            cpu = row["cpu"][name]
            lines.append(
                f"{head} | {name} | {phase['seconds']} | {frames} | {phase['megabytes']} | {times} | {cpu:.1f} |"
            )
        pages = row["pages"]
        lines.append(
            f"{head} | pages | {pages['seconds']} | {pages['answered']:,} pages: {_write(pages['took'])} s | | |"
            f" {_write(pages['to_players'])} | | | {row['cpu']['pages']:.1f} |"
        )
    return lines


def _write(times: Spread) -> str:
    return f"{times['p50']} / {times['p95']} / {times['max']}" if times["count"] else "–"


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables.spectators", description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[500, 2000])
    parser.add_argument("--setups", nargs="+", default=["embedded", "production"], choices=list(SETUPS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    options = parser.parse_args()
    rows: list[Row] = []
    for _ in range(options.runs):
        for setup in options.setups:
            for people in options.people:
                rows.append(measure(setup, people))
                print("\n".join(write_rows(rows[-1:])), flush=True)
    found: dict[str, Any] = {"rows": rows}
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
