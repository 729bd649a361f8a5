"""What each of the server's shortcuts brings: `python -m benchmarks.shortcuts [--runs N] [--seconds S] [--tables M]`.

One installation (SQLite, one process), its server started again and again with another `SERVER_SHORTCUTS`: first
eight browsers ask for pages without a pause, then M tables of five play as fast as they can (`benchmarks.live`). The
ways alternate within a run, and each is compared with the one beside it in the same run, so a busy machine falls on
both; the processor time a move and a page hardly depends on what else runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks import live, usage
from benchmarks.probe import percentile
from benchmarks.setups import SETTINGS, Setup, prepare
from tests.servers import Installation

WAYS: Final = ("ALL", "PAGES", "FRAMES", "NONE")
BROWSERS: Final = 8
WARM_SECONDS: Final = 2.0
"""Of pages that are not counted."""
COMPARED: Final = {"frames": (("ALL", "PAGES"), ("FRAMES", "NONE")), "pages": (("ALL", "FRAMES"), ("PAGES", "NONE"))}
"""By shortcut: the pairs of ways that differ in it alone, with it first."""
FIGURES: Final = {
    "frames": ("moves_s", "p50", "p95", "cpu_ms_move", "server_mb"),
    "pages": ("pages_s", "page_p50", "page_p95", "cpu_ms_page"),
}

Row = dict[str, float]


def main() -> None:
    """Measure, print the medians of each way and the medians of ratios, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shortcuts", description=__doc__)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="of moves, and again of pages")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pages", action="store_true", help="pages only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    wish = parser.parse_args()
    live.allow_many_files()
    found: list[dict[str, Row]] = []
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        groups = prepare(club, groups=wish.tables * wish.runs * len(WAYS), games=1, deals=live.DEALS)
        for run in range(wish.runs):
            rows: dict[str, Row] = {}
            for way in WAYS if run % 2 == 0 else reversed(WAYS):
                ours, groups = groups[: wish.tables], groups[wish.tables :]
                rows[way] = _measure(club, way, ours, wish.seconds, has_moves=not wish.pages)
                print(f"run {run + 1} {way:<7}{json.dumps(rows[way])}", flush=True)
            found.append(rows)
    print("\n".join(line for name in (["pages"] if wish.pages else COMPARED) for line in _summarise(name, found)))
    if wish.json:
        wish.json.write_text(json.dumps(found, indent=2) + "\n")


def _measure(club: Installation, way: str, groups: list[Any], seconds: float, *, has_moves: bool) -> Row:
    """Figures of one server that takes these shortcuts; latencies in ms."""
    with club.serve(SERVER_SHORTCUTS=way) as server:
        setup = Setup(way, [server.address], groups, {"server": server.process.pid}, lambda: None)
        asyncio.run(_ask(server.address, groups, server.process.pid, WARM_SECONDS))
        pages = asyncio.run(_ask(server.address, groups, server.process.pid, seconds))
        if not has_moves:
            return pages
        moves = live.play(setup, groups, think=0.0, seconds=seconds)
        server.stop()
    figures = {name: float(moves[name]) for name in ("moves_s", "p50", "p95", "cpu_ms_move")}  # type: ignore[literal-required]
    return figures | {"server_mb": moves["memory_mb"]["server"], "errors": float(len(moves["errors"]))} | pages


async def _ask(address: str, groups: list[Any], pid: int, seconds: float) -> Row:
    """Ask for pages without a pause: the lobby, the page about this site and one's own table, in turn."""
    times: list[float] = []
    at = urlsplit(address)
    end = time.perf_counter() + seconds
    before = usage.cpu_seconds(pid)

    async def browse(group: Any) -> None:
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        paths = _walk(group["tables"][0])
        while (asked := time.perf_counter()) < end:
            cookie = f"Cookie: sessionid={group['sessions'][0]}"
            writer.write(f"GET {next(paths)} HTTP/1.1\r\nHost: {at.netloc}\r\n{cookie}\r\n\r\n".encode())
            await _read_page(reader)
            times.append(1000 * (time.perf_counter() - asked))
        writer.close()

    await asyncio.gather(*(browse(group) for group in groups[:BROWSERS]))
    spent = usage.cpu_seconds(pid) - before
    ranked = sorted(times)
    return {
        "pages_s": round(len(times) / seconds, 1),
        "page_p50": percentile(ranked, 0.5),
        "page_p95": percentile(ranked, 0.95),
        "cpu_ms_page": round(1000 * spent / len(times), 2),
    }


def _walk(table: str) -> Iterator[str]:
    while True:
        yield from ("/", "/about/", f"/tables/{table}/")


async def _read_page(reader: asyncio.StreamReader) -> None:
    """Read one answer to its end. Raises RuntimeError if it is no page."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    if " 200 " not in head.partition("\r\n")[0]:
        raise RuntimeError(f"no page: {head}")
    await reader.readexactly(int(head.partition("content-length:")[2].partition("\r\n")[0]))


def _summarise(shortcut: str, found: list[dict[str, Row]]) -> Iterator[str]:
    for name in FIGURES[shortcut]:
        by_way = "  ".join(f"{way} {statistics.median(rows[way][name] for rows in found):8.2f}" for way in WAYS)
        ratios = sorted(rows[taken][name] / rows[left][name] for rows in found for taken, left in COMPARED[shortcut])
        middle, spread = statistics.median(ratios), f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        yield f"{shortcut:<7}{name:<12}{by_way}  with ÷ without {middle:.2f} ({spread})"


if __name__ == "__main__":
    main()
