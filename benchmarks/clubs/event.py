"""Server time of a tournament's pages: `python -m benchmarks.clubs.event [--entrants N]`, SQLite, in one process.

A club night in its fifth round, with a claimed entrant as a reader, an organiser, and a stranger. Every page is asked
for through the whole of Django (middleware, session, templates). Before each request one more result comes in, so no
page may live on what was drawn for the last reader; "again" is the same page for the next reader of the same present;
"of the process" is the mean processor time of the web process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.load.fresh_installation import run_inside

MUST_MS = 50.0
MUST_KB = 150.0
ROUNDS = 5
PAGES = ("tournament", "pairings", "standings", "chronicle", "hall", "console", "log", "pulse")
ORGANISER_ONLY = ("console", "log")


def main() -> None:
    """Play, measure, print a table and write JSON; or, inside an installation, do it there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clubs.event", description=__doc__)
    parser.add_argument("--entrants", type=int, default=300)
    parser.add_argument("--requests", type=int, default=30, help="of each page (default 30)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.entrants, options.requests)))
        return
    (rows,) = run_inside("event", "--entrants", options.entrants, "--requests", options.requests)
    size = f"{options.entrants} entrants, round {ROUNDS}"
    print(f"{size}, {options.requests} requests of each page; ms of server time, SQLite")
    for row in rows:
        print(_format_row(row))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


def _format_row(row: dict[str, Any]) -> str:
    verdict = "ok" if row["p95"] < MUST_MS and row["kb"] < MUST_KB else "MISSED"
    times = f"p50 {row['p50']:6.1f}  p95 {row['p95']:6.1f}  again p95 {row['again']:6.1f}"
    figures = f"{times}  of the process {row['cpu']:5.1f}  {row['kb']:5.1f} kB packed"
    return f"{row['page']:<11}{row['reader']:<10}{figures}  {verdict}"


def measure(entrants: int, requests: int) -> list[dict[str, Any]]:
    """Pages of the installation of this environment: page, reader, p50, p95, again and cpu in ms, size packed in kB."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.urls import reverse

    from games.serving.server import reduce_garbage_collection
    from tests.cast import browser, person
    from tournaments.models import Entrant

    organiser = person("Ana")
    tournament = _play(organiser, entrants)
    mine = Entrant.objects.filter(tournament=tournament).order_by("number")[entrants // 2]
    mine.player = person(mine.name)
    mine.save()
    readers = {"organiser": browser(organiser), "player": browser(mine.player), "stranger": browser()}
    for client in readers.values():
        client.defaults["HTTP_HOST"] = "127.0.0.1"
    rows = []
    results = _Results(tournament)
    reduce_garbage_collection()  # as the server does
    for page in PAGES:
        for reader, client in readers.items():
            if page not in ORGANISER_ONLY or reader == "organiser":
                url = reverse(f"tournaments:{page}", args=[tournament.pk])
                rows.append({"page": page, "reader": reader, **_time(client, url, results, requests)})
    return rows


def _play(organiser: Any, entrants: int) -> Any:
    """So many walk-ins in the last of their rounds, at real tables."""
    from tests.tournaments.cast import begin, play_round, release
    from tournaments.flow.drawing import draw_context

    draw_context.TIME_LIMIT = 1  # how well rounds are drawn is not measured here
    tournament = begin(
        organiser, [f"Person {number}" for number in range(entrants)], most=4, venue="real", rounds_planned=ROUNDS
    )
    for number in range(1, ROUNDS):
        play_round(organiser, tournament, number)
    release(organiser, tournament, ROUNDS)
    return tournament


class _Results:
    """Results of the running round, decided by the organiser, one at a time, over and over."""

    def __init__(self, tournament: Any) -> None:
        from tournaments.models import Pod

        self.tournament = tournament
        self.pods = list(Pod.objects.filter(round__tournament=tournament, round__number=ROUNDS).order_by("number"))
        self.owner = tournament.club.memberships.get().player
        self.turn = 0

    def decide(self) -> None:
        """One more result comes in, or another one for a table that has one."""
        from tests.cast import NOW
        from tournaments.flow.rounds import results
        from tournaments.flow.rounds.result_reports import ReportedResult

        passes, index = divmod(self.turn, len(self.pods))
        pod = self.pods[index]
        places = list(range(1, pod.seats.count() + 1))
        first = (passes + index) % len(places)
        places = places[first:] + places[:first]
        results.decide(self.tournament, self.owner, pod.pk, ReportedResult(tuple(places)), now=NOW + self.turn)
        self.turn += 1


def _time(client: Any, url: str, results: _Results, requests: int) -> dict[str, float]:
    first: list[float] = []
    again: list[float] = []
    size, spent = 0, 0.0
    client.get(url)
    for _ in range(requests):
        results.decide()
        for times in (first, again):
            began, before = time.perf_counter(), time.process_time()
            answer = client.get(url)
            times.append((time.perf_counter() - began) * 1000)
            spent += (time.process_time() - before) * 1000 if times is first else 0
            assert answer.status_code == 200, (url, answer.status_code)
        size = max(size, len(gzip.compress(answer.content, 6)))
    return {
        "p50": statistics.median(first),
        "p95": statistics.quantiles(first, n=20)[18],
        "again": statistics.quantiles(again, n=20)[18],
        "cpu": spent / requests,
        "kb": size / 1024,
    }


if __name__ == "__main__":
    main()
