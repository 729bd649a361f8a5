"""Server time of pages in a big club, with SQLite and PostgreSQL.

`python -m benchmarks.clubs.pages [--people N] [--results M]`

`--at FOLDER` takes the club in this data folder as it is, with SQLite; `--database URL` one in PostgreSQL.

A page is asked for through the whole of Django (middleware, session, templates) in one process, over and over with
other parameters; what is measured is the time from request to finished response. The first request of each kind
warms up and is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import programs
from tests.servers import Installation

MUST_MS = 50.0
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
RESULTS = Path(__file__).resolve().parents[1] / "results"


def main() -> None:
    """Fill, measure, print a table and write JSON; or, inside an installation, measure what is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clubs.pages", description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=100, help="of each page (default 100)")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    parser.add_argument("--at", type=Path, help="a data folder that is filled already")
    parser.add_argument("--database", metavar="URL", help="a database that is filled already")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.requests)))
        return
    is_filled = options.at or options.database
    if is_filled:
        found = _ask_filled(options)
    else:
        found = {database: _run(database, options) for database in options.databases if _is_there(database)}
    size = "a club that is filled already" if is_filled else f"{options.people} people, {options.results} results"
    print(f"{size}, {options.requests} requests of each page; ms of server time")
    print("p50, p95: from request to response; of the process: its processor time, mean and p95")
    print(f"load average of this machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    for database, rows in found.items():
        for row in rows:
            verdict = "ok" if row["p95"] < MUST_MS else "MISSED"
            print(f"{database:<11}{row['page']:<34}{_format_row(row)}  {verdict}")
    _print_table(found)
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "pages.json").write_text(json.dumps(found, indent=2) + "\n")


def _ask_filled(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    found = {}
    if options.at:
        found["sqlite"] = _ask(Installation(options.at.resolve()), options)
    if options.database:
        with tempfile.TemporaryDirectory(prefix="menagerie-pages-") as folder:
            found["postgresql"] = _ask(Installation(Path(folder), {"DATABASE_URL": options.database}), options)
    return found


def _print_table(found: dict[str, list[dict[str, Any]]]) -> None:
    """The same as the table of the docs: by the clock p50 / p95, the processor's mean / p95, of each database."""
    print("\n| page |" + "".join(f" {TITLES[name]}, by the clock | processor |" for name in found) + " kB |")
    print("|---|" + "---|---|" * len(found) + "---|")
    for rows in zip(*found.values(), strict=True):
        columns = [f"{row['p50']:.0f} / {row['p95']:.0f} | {row['cpu']:.0f} / {row['cpu95']:.0f}" for row in rows]
        print(f"| {rows[0]['page']} | {' | '.join(columns)} | {rows[0]['kb']:.0f} |")


def _format_row(row: dict[str, Any]) -> str:
    times = f"p50 {row['p50']:6.1f}  p95 {row['p95']:6.1f}"
    return f"{times}  of the process {row['cpu']:6.1f}  p95 {row['cpu95']:6.1f}  {row['kb']:5.1f} kB"


def _is_there(database: str) -> bool:
    if database == "sqlite" or programs.find("postgresql"):
        return True
    print("PostgreSQL is left out: apt-get install postgresql")
    return False


def _run(database: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="menagerie-pages-") as folder:
        if database == "sqlite":
            return _measure(Installation(Path(folder)), options)
        with programs.run_postgres(is_durable=True) as service:
            return _measure(Installation(Path(folder), {"DATABASE_URL": service.url}), options)


def _measure(club: Installation, options: argparse.Namespace) -> list[dict[str, Any]]:
    club.migrate()
    crowd = ["--people", str(options.people), "--results", str(options.results)]
    club.run_module("benchmarks.samples.crowd", *crowd, LOG_LEVEL="ERROR")
    return _ask(club, options)


def _ask(club: Installation, options: argparse.Namespace) -> list[dict[str, Any]]:
    printed = club.run_module(
        "benchmarks.clubs.pages", "--inside", "--requests", str(options.requests), LOG_LEVEL="ERROR"
    )
    rows: list[dict[str, Any]] = json.loads(printed.splitlines()[-1])
    return rows


def measure(requests: int) -> list[dict[str, Any]]:
    """The pages of the installation of this environment: name, p50 and p95 in ms, size in kB."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.test import Client

    from games.models import User
    from games.serving.server import reduce_garbage_collection

    client = Client(headers={"host": "127.0.0.1"})
    reduce_garbage_collection()
    rows = [_time(client, name, make, requests) for name, make in _pages().items()]
    staff = User.objects.create_superuser(f"pages-{os.getpid()}")
    client.force_login(staff)
    try:
        return rows + [_time(client, name, make, requests) for name, make in _lists().items()]
    finally:
        client.logout()
        staff.delete()


def _lists() -> dict[str, Callable[[random.Random], str]]:
    """Lists of the admin, any page of them, and people or games looked for in them."""
    from games.models import Player
    from tournaments.models import CountedTable

    names = list(Player.objects.order_by("pk").values_list("name", flat=True)[:1000])
    tables = list(CountedTable.objects.order_by("-number").values_list("table", flat=True)[:1000])
    models = ("games/table", "tournaments/countedtable", "tournaments/personresult", "tournaments/careerentry")
    everything = (*models, "tournaments/boardrow", "tournaments/persontotal", "tournaments/membership", "games/player")
    return {
        "admin, a list": lambda rng: f"/admin/{rng.choice(everything)}/?p={rng.randrange(1, 100)}",
        "admin, a person looked for": lambda rng: f"/admin/{rng.choice(everything)}/?q={rng.choice(names).split()[-1]}",
        "admin, a table looked for": lambda rng: f"/admin/{rng.choice(models)}/?q={rng.choice(tables)}",
    }


def _pages() -> dict[str, Callable[[random.Random], str]]:
    from games.models import Player
    from tournaments.models import BoardRow, PersonResult

    people = list(PersonResult.objects.order_by("pk").values_list("player_id", flat=True)[:20_000])
    busiest = list(
        BoardRow.objects.filter(board__game="", board__season=0)
        .order_by("-games")
        .values_list("player_id", flat=True)[:20]
    )
    deep = list(
        BoardRow.objects.filter(board__game="", board__season=0)
        .order_by("-by_rating")
        .values_list("by_rating", "player_id")[::997]
    )
    initials = [name[0] for name in Player.objects.order_by("pk").values_list("name", flat=True)[:100]]
    season = time.gmtime().tm_year - 1
    board = "/leaderboards/"

    def anywhere(rng: random.Random) -> str:
        value, player = rng.choice(deep)
        return f"{board}?after={value}_{player}"

    def anywhere_in_a_club(rng: random.Random) -> str:
        value, player = rng.choice(deep)
        return f"{board}?club=club-0&after={value}_{player}"

    return {
        "leaderboard, all": lambda _: board,
        "leaderboard, game and season": lambda rng: (
            f"{board}?game=animal-poker&season={season}&by={rng.choice(('wins', 'tops', 'share', 'games', 'rating'))}"
        ),
        "leaderboard, any page": anywhere,
        "leaderboard, club of 300": lambda rng: (
            f"{board}?club=club-{rng.randrange(1, 20)}&by={rng.choice(('wins', 'rating'))}"
        ),
        "leaderboard, club of everybody": lambda rng: f"{board}?club=club-0&by={rng.choice(('wins', 'rating'))}",
        "same, any page": anywhere_in_a_club,
        "leaderboard, a name": lambda rng: f"{board}?q={rng.randrange(100, 1000)}",
        "leaderboard, a single letter": lambda rng: f"{board}?by=wins&q={rng.choice(initials)}",
        "same, club of 300": lambda rng: f"{board}?club=club-{rng.randrange(1, 20)}&q={rng.choice(initials)}",
        "search": lambda rng: f"/search/?q={rng.randrange(100, 1000)}",
        "search, a single letter": lambda rng: f"/search/?q={rng.choice(initials)}",
        "profile": lambda rng: f"/people/{rng.choice(people)}/",
        "profile, the busiest": lambda rng: f"/people/{rng.choice(busiest)}/",
        "people to compare with": lambda rng: f"/people/{rng.choice(busiest)}/against/?q={rng.randrange(100, 1000)}",
        "same, a single letter": lambda rng: f"/people/{rng.choice(busiest)}/against/?q={rng.choice(initials)}",
        "people they met, the busiest": lambda rng: f"/people/{rng.choice(busiest)}/against/",
        "head-to-head": lambda rng: f"/people/{rng.choice(people)}/against/{rng.choice(busiest)}/",
        "head-to-head, the busiest": lambda rng: "/people/{}/against/{}/".format(*rng.sample(busiest, 2)),
        "year": lambda rng: f"/people/{rng.choice(people)}/years/{season}/",
        "year, the busiest": lambda rng: f"/people/{rng.choice(busiest)}/years/{season}/",
        "club of 300": lambda rng: f"/clubs/club-{rng.randrange(1, 20)}/",
        "club of everybody": lambda _: "/clubs/club-0/",
        "records of a club of 300": lambda rng: f"/clubs/club-{rng.randrange(1, 20)}/records/",
        "records of the club of everybody": lambda _: "/clubs/club-0/records/",
        "clubs": lambda _: "/clubs/",
        "lobby": lambda _: "/",
    }


def _time(client: Any, name: str, make: Callable[[random.Random], str], requests: int) -> dict[str, Any]:
    rng = random.Random(name)
    times: list[float] = []
    spent: list[float] = []
    size = 0
    for path in _paths(make, rng, requests + 1):
        began, before = time.perf_counter(), time.process_time()
        answer = client.get(path)
        times.append((time.perf_counter() - began) * 1000)
        spent.append((time.process_time() - before) * 1000)
        assert answer.status_code in (200, 404), (path, answer.status_code)
        size = max(size, len(answer.content))
    return {
        "page": name,
        "p50": statistics.median(times[1:]),
        "p95": statistics.quantiles(times[1:], n=20)[18],
        "cpu": statistics.mean(spent[1:]),
        "cpu95": statistics.quantiles(spent[1:], n=20)[18],
        "kb": size / 1024,
    }


def _paths(make: Callable[[random.Random], str], rng: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield make(rng)


if __name__ == "__main__":
    main()
