"""The effect of each of the server's shortcuts (`games.serving.shortcuts`).

`python -m benchmarks.tables.shortcuts [--runs N] [--seconds S] [--tables M]`

Frames: one installation (SQLite, one process), its server started again and again with and without the short way,
and M tables of five play as fast as they can (`benchmarks.live`). Pages: in one process eight browsers ask for the
lobby, the page about this site and a table without a pause, by turns of Django's handler and of ours, past Daphne.
Each way is compared with the one beside it in the same run, so a busy machine falls on both; the processor time of
a move and of a page hardly depends on what else runs.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks import live
from benchmarks.load.fresh_installation import run_inside
from benchmarks.load.probe import percentile
from benchmarks.load.setups import SETTINGS, Setup, prepare
from tests.servers import Installation

WAYS: Final = ("ALL", "NONE")
BROWSERS: Final = 8
PAGES_A_TURN: Final = 48
FIGURES: Final = {
    "frames": ("moves_s", "p50", "p95", "cpu_ms_move"),
    "pages": ("pages_s", "p50", "p95", "cpu_ms_page"),
}

Row = dict[str, float]


def main() -> None:
    """Measure, print the medians of each way and of their ratios, and write JSON; or, inside an installation, pages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables.shortcuts", description=__doc__)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="of moves")
    parser.add_argument("--tables", type=int, default=50, help="0: pages only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        for rows in measure_pages(options.runs):
            print(json.dumps(rows), flush=True)
        return
    found = {"pages": list(run_inside("shortcuts", "--runs", options.runs))}
    print("\n".join(_summarise("pages", found["pages"])), flush=True)
    if options.tables:
        found["frames"] = list(_measure_frames(options))
        print("\n".join(_summarise("frames", found["frames"])))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def _measure_frames(options: argparse.Namespace) -> Iterator[dict[str, Row]]:
    live.allow_many_files()
    with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
        club = Installation(Path(folder), dict(SETTINGS))
        club.migrate()
        groups = prepare(club, groups=options.tables * options.runs * len(WAYS), games=1, deals=live.DEALS)
        for run in range(options.runs):
            rows: dict[str, Row] = {}
            for way in WAYS if run % 2 == 0 else reversed(WAYS):
                ours, groups = groups[: options.tables], groups[options.tables :]
                rows[way] = _play(club, way, ours, options.seconds)
            yield rows


def _play(club: Installation, way: str, groups: list[Any], seconds: float) -> Row:
    """Figures of one server that takes these shortcuts; latencies in ms."""
    with club.serve(SERVER_SHORTCUTS="ALL" if way == "ALL" else "PAGES") as server:  # without: only that of frames
        setup = Setup(way, [server.address], groups, {"server": server.process.pid}, lambda: None)
        moves = live.play(setup, groups, think=0.0, seconds=seconds)
        server.stop()
    return {name: float(moves[name]) for name in FIGURES["frames"]}  # type: ignore[literal-required]


def measure_pages(runs: int) -> Iterator[dict[str, Row]]:
    """Pages of the installation of this environment by both handlers, in turn; the first turns are not counted."""
    from django.conf import settings
    from django.core.handlers.asgi import ASGIHandler

    import config.asgi  # noqa: F401 - sets Django up
    from games.serving.request_threads import PageHandler
    from games.serving.server import reduce_garbage_collection
    from tests.cast import browser, person
    from tests.tournaments.cast import found

    ana = person("Ana")
    found(ana)
    cookie = browser(ana).cookies.output(header="", sep=";").strip()
    handlers = {"ALL": PageHandler(settings.PAGE_THREADS), "NONE": ASGIHandler()}
    reduce_garbage_collection()  # as the server does
    for handler in handlers.values():
        asyncio.run(_ask(handler, cookie))
    for run in range(runs):
        turn = list(handlers.items())
        yield {way: asyncio.run(_ask(handler, cookie)) for way, handler in (turn if run % 2 else reversed(turn))}


async def _ask(handler: Any, cookie: str) -> Row:
    """Ask this handler for pages from all browsers at once, without a pause. Latencies in ms."""
    times: list[float] = []
    paths = itertools.cycle(("/", "/about/", "/leaderboards/"))
    left = iter(range(PAGES_A_TURN))
    began, spent = time.perf_counter(), time.process_time()

    async def browse() -> None:
        for _ in left:
            asked = time.perf_counter()
            await _ask_once(handler, next(paths), cookie)
            times.append(1000 * (time.perf_counter() - asked))

    await asyncio.gather(*(browse() for _ in range(BROWSERS)))
    lasted, spent = time.perf_counter() - began, time.process_time() - spent
    ranked = sorted(times)
    return {
        "pages_s": round(PAGES_A_TURN / lasted, 1),
        "p50": percentile(ranked, 0.5),
        "p95": percentile(ranked, 0.95),
        "cpu_ms_page": round(1000 * spent / PAGES_A_TURN, 2),
    }


async def _ask_once(handler: Any, path: str, cookie: str) -> None:
    """One request as Daphne would make it. Raises RuntimeError if the answer is no page."""
    headers = [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    asked, for_ever = iter([{"type": "http.request", "body": b""}]), asyncio.Event()

    async def receive() -> Any:
        for message in asked:
            return message
        await for_ever.wait()
        return None

    async def send(message: Any) -> None:
        if message.get("status", 200) != 200:
            raise RuntimeError(f"no page: {path} {message['status']}")

    await handler(scope | {"client": ("127.0.0.1", 50_000)}, receive, send)


def _summarise(shortcut: str, found: list[dict[str, Row]]) -> Iterator[str]:
    for name in FIGURES[shortcut]:
        by_way = "  ".join(f"{way} {statistics.median(rows[way][name] for rows in found):8.2f}" for way in WAYS)
        ratios = sorted(rows["ALL"][name] / rows["NONE"][name] for rows in found)
        middle, spread = statistics.median(ratios), f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        yield f"{shortcut:<7}{name:<12}{by_way}  with ÷ without {middle:.2f} ({spread})"


if __name__ == "__main__":
    main()
