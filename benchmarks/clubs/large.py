"""Server time of pages of large things: `python -m benchmarks.clubs.large [--only WORDS …]`, SQLite, in one process.

A season of 40 tournaments of 300 people, a ladder of 60 tables, an arena of 300 people and 2,000 games, a round robin
of 64, a knockout of 256, a club of 2,000 members and 200 tournaments, a person of 3,000 deals; their pages, feeds,
files and lists for programs. Every page is asked for through the whole of Django (middleware, session, templates).
Before each request to something that goes on, one more result comes in. "first" is the first request to a process that
has read nothing of it yet; "of the process" the processor time of the web process, mean and p95, and p95 of the next
reader of the same present.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from typing import Any

from benchmarks.load.fresh_installation import run_inside

MUST_MS = 50.0
MUST_KB = 150.0


@dataclass(frozen=True)
class Asked:
    """A page, and who asks for it (by name). change: what happens before each request."""

    page: str
    reader: str
    path: str
    change: Callable[[], object] = field(default=lambda: None)


def main() -> None:
    """Lay down, measure, print a table; or, inside an installation, do it there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clubs.large", description=__doc__)
    parser.add_argument("--requests", type=int, default=30, help="of each page (default 30)")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", choices=list(PARTS), help="parts to measure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        for row in measure(options.only or list(PARTS), options.requests):
            print(json.dumps(row), flush=True)
        return
    print(f"{options.requests} requests of each page; ms of server time, SQLite")
    print(f"load average of this machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    rows = []
    for row in _run(options):
        rows.append(row)
        print(_format_row(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


def _format_row(row: dict[str, Any]) -> str:
    verdict = "ok" if row["p95"] < MUST_MS and row["kb"] < MUST_KB else "MISSED"
    times = f"p50 {row['p50']:6.1f}  p95 {row['p95']:6.1f}  first {row['first']:7.1f}"
    spent = f"of the process {row['cpu']:6.1f}, {row['cpu95']:6.1f}, again {row['again']:6.1f}"
    figures = f"{times}  {spent}  {row['queries']:3} queries"
    return f"{row['page']:<28}{row['reader']:<10}{figures}  {row['kb']:6.1f} kB packed  {verdict}"


def _run(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    return run_inside("large", "--requests", options.requests, *(["--only", *options.only] if options.only else []))


def measure(parts: list[str], requests: int) -> Iterator[dict[str, Any]]:
    """Pages of the installation of this environment: page, reader, times in ms, queries, size packed in kB."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from games.models import Player
    from games.serving.server import reduce_garbage_collection
    from tests.cast import browser, person
    from tests.tournaments.cast import found

    owner = person("Ana")
    club = found(owner)
    for part in parts:
        asked = PARTS[part](club, owner)
        somebody = Player.objects.filter(name="Regular 7").first() or person("Regular 7")
        readers = {"organiser": browser(owner), "player": browser(somebody), "stranger": browser()}
        readers["stranger"].get("/about/", headers={"host": "127.0.0.1"})  # the process is warm
        reduce_garbage_collection()  # as the server does
        for one in asked:
            client = readers[one.reader]
            client.defaults["HTTP_HOST"] = "127.0.0.1"
            yield {"page": one.page, "reader": one.reader, **_time(client, one, requests)}


def _time(client: Any, one: Asked, requests: int) -> dict[str, float]:
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from games import memo

    times: list[float] = []
    spent: list[float] = []
    again: list[float] = []
    size = 0
    memo.forget_all()
    for _ in range(requests + 1):
        one.change()
        cache.clear()  # no limit of requests is measured
        began, before = time.perf_counter(), time.process_time()
        answer = client.get(one.path)
        times.append((time.perf_counter() - began) * 1000)
        spent.append((time.process_time() - before) * 1000)
        assert answer.status_code == 200, (one.path, answer.status_code)
        size = max(size, len(gzip.compress(answer.getvalue(), 6)))
        before = time.process_time()
        client.get(one.path)
        again.append((time.process_time() - before) * 1000)
    one.change()
    with CaptureQueriesContext(connection) as queries:
        client.get(one.path)
    return {
        "p50": statistics.median(times[1:]),
        "p95": statistics.quantiles(times[1:], n=20)[18],
        "first": times[0],
        "first_cpu": spent[0],
        "cpu": statistics.mean(spent[1:]),
        "cpu95": statistics.quantiles(spent[1:], n=20)[18],
        "again": statistics.quantiles(again, n=20)[18],
        "queries": len(queries),
        "kb": size / 1024,
    }


def _season(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_season
    from tournaments.flow.archive import export_jobs
    from tournaments.flow.seasons import season_changes
    from tournaments.work import tasks

    season = lay_season(club, owner, tournaments=40, people=300)
    last, turns = season.counted.order_by("-finished_at").first(), cycle((False, True))
    assert last is not None

    def change() -> None:
        season_changes.count_tournament(season, owner, last.pk, counts=next(turns), now=time.time())

    page = f"/tournaments/{season.pk}/"
    document = f"{page}files/league.json"

    def write_and_change() -> None:
        """The document is there; what was written a moment ago is sent although the season goes on."""
        if export_jobs.find_file(export_jobs.ask_file(season, "season", None, "", now=time.time())) is None:
            tasks.sweep_jobs()
        change()

    return [
        Asked("season", "player", page, change),
        Asked("season", "stranger", page, change),
        Asked("season, its console", "organiser", f"{page}console/", change),
        Asked("season, its hall", "stranger", f"{page}hall/", change),
        Asked("season, league.json", "stranger", document, write_and_change),
        Asked("season, standings.csv", "stranger", f"{page}files/standings.csv", change),
        Asked("season, for programs", "stranger", f"/api/v1/seasons/{season.pk}", change),
    ]


def _pages(name: str, made: Any, owner: Any, pages: tuple[str, ...]) -> list[Asked]:
    """These pages of a tournament, before each of which one more result comes in."""
    from tests.cast import NOW
    from tournaments.flow.rounds import results
    from tournaments.flow.rounds.result_reports import ReportedResult
    from tournaments.models import Pod, Round

    running = Pod.objects.filter(round__tournament=made, round__status=Round.Status.RELEASED, results=None)
    open_pods = list(running.order_by("-round__number", "number").values_list("pk", flat=True))
    turns = count()

    def change() -> None:
        """One more result, or another one for a table that has one."""
        passes, index = divmod(next(turns), len(open_pods))
        places = [1, 2, 3, 4][passes % 4 :] + [1, 2, 3, 4][: passes % 4]
        results.decide(made, owner, open_pods[index], ReportedResult(tuple(places)), now=NOW)

    asked = []
    for page in pages:
        readers = ("organiser",) if page in ("console/", "log/") else ("player", "stranger")
        if page.startswith(("/api", "files")):
            readers = ("stranger",)
        path = page.format(made.pk) if page.startswith("/") else f"/tournaments/{made.pk}/{page}"
        title = page.removeprefix("/api/v1/tournaments/{}/").removeprefix("files/").rstrip("/") or "overview"
        kind = ", for programs" if page.startswith("/api") else ""
        asked += [Asked(f"{name}, {title}{kind}", reader, path, change) for reader in readers]
    return asked


TOURNAMENT = ("", "pairings/", "standings/", "chronicle/", "hall/", "console/", "log/", "pulse.json")
FILES = ("files/tournament.json", "files/standings.csv", "files/results.csv")
LISTS = tuple(f"/api/v1/tournaments/{{}}/{page}" for page in ("entrants", "rounds", "standings"))


def _swiss(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_tournament

    return _pages("swiss", lay_tournament(club, owner, "swiss", people=300, rounds=5), owner, (*FILES, *LISTS))


def _arena(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_tournament

    made = lay_tournament(club, owner, "arena", people=300, rounds=1, pods=2060, round_minutes=600)
    return _pages("arena", made, owner, (*TOURNAMENT, *FILES, *LISTS))


def _round_robin(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_tournament

    made = lay_tournament(club, owner, "round-robin", people=64, rounds=21)
    return _pages("round robin", made, owner, TOURNAMENT)


def _knockout(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_tournament

    return _pages("knockout", lay_tournament(club, owner, "knockout", people=256, rounds=4), owner, TOURNAMENT)


def _ladder(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_tournament

    made = lay_tournament(club, owner, "ladder", people=240, rounds=6, deals=20, game="animal-poker")
    return _pages("ladder", made, owner, ("ladder/", *TOURNAMENT))


def _club(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_club

    lay_club(club, owner, members=2000, tournaments=200)
    page = f"/clubs/{club.slug}/"
    return [
        Asked("club", "organiser", page),
        Asked("club", "player", page),
        Asked("club", "stranger", page),
        Asked("clubs", "stranger", "/clubs/"),
        Asked("tournaments", "player", "/tournaments/"),
        Asked("tournaments", "stranger", "/tournaments/"),
        Asked("lobby", "player", "/"),
        Asked("lobby", "stranger", "/"),
        Asked("club, its records", "stranger", f"{page}records/"),
        Asked("club, calendar", "stranger", f"{page}calendar.ics"),
        Asked("club, feed", "stranger", f"{page}news.atom"),
        Asked("club, form for an evening", "organiser", f"{page}evenings/new/"),
        Asked("club, form for a tournament", "organiser", f"{page}plan/"),
        Asked("club, tournaments, for programs", "stranger", f"/api/v1/clubs/{club.slug}/tournaments"),
        Asked("club, evenings, for programs", "stranger", f"/api/v1/clubs/{club.slug}/evenings"),
        Asked("evening with 2,000 free", "organiser", lay_evening_path(club, owner)),
    ]


def lay_evening_path(club: Any, owner: Any) -> str:
    """The page of an evening at which nobody sits yet."""
    from tournaments.flow.evenings import sessions

    plan = sessions.EveningPlan("Friday", "animal-poker", 60)
    return f"/evenings/{sessions.open_evening(club, owner, plan, now=time.time()).pk}/"


def _person(club: Any, owner: Any) -> list[Asked]:
    from benchmarks.samples.large_events import lay_career

    lay_career(owner, tables=150, deals=20)
    page = f"/people/{owner.pk}/"
    return [
        Asked("person of 3,000 deals", "organiser", page),
        Asked("person of 3,000 deals", "stranger", page),
        Asked("their career", "stranger", f"{page}careers/animal-poker/"),
        Asked("their year", "stranger", f"{page}years/{time.gmtime().tm_year}/"),
    ]


PARTS: dict[str, Callable[[Any, Any], list[Asked]]] = {
    "swiss": _swiss,
    "arena": _arena,
    "round-robin": _round_robin,
    "knockout": _knockout,
    "ladder": _ladder,
    "season": _season,
    "club": _club,
    "person": _person,
}


if __name__ == "__main__":
    main()
