"""Server time of the page of a long evening: `python -m benchmarks.clubs.evening [--tables N] [--deals N]`, SQLite.

So many tables of eight with so many deals behind them, each of some dozens of plies, through the whole of Django
(middleware, session, templates) in one process. Before each request one more deal is over, so no page may live on what
was drawn for the last reader; "of the process" is the mean processor time of the web process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from typing import Any

from benchmarks.load.fresh_installation import run_inside

MUST_MS = 50.0
PLIES = 45
"""Plies of a deal."""
PAGES = ("evening", "evening_pulse")


def main() -> None:
    """Lay down, measure, print a table; or, inside an installation, do it there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clubs.evening", description=__doc__)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--requests", type=int, default=30, help="of each page (default 30)")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.tables, options.deals, options.requests)))
        return
    size = f"{options.tables} tables, {options.deals} deals"
    print(f"{size}, {options.requests} requests of each page; ms of server time, SQLite")
    (rows,) = run_inside(
        "evening", "--tables", options.tables, "--deals", options.deals, "--requests", options.requests
    )
    for row in rows:
        verdict = "ok" if row["p95"] < MUST_MS else "MISSED"
        times = f"p50 {row['p50']:6.1f}  p95 {row['p95']:6.1f}  of the process {row['cpu']:5.1f}"
        print(f"{row['page']:<15}{row['reader']:<10}{times}  {row['kb']:5.1f} kB packed  {verdict}")


def measure(tables: int, deals: int, requests: int) -> list[dict[str, Any]]:
    """Pages of the installation of this environment: page, reader, p50, p95 and cpu in ms, size packed in kB."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.urls import reverse

    from games.serving.server import reduce_garbage_collection
    from tests.cast import browser, person

    owner = person("Ana")
    evening, opened = _open(owner, tables)
    for _ in range(deals):
        for table_id in opened:
            _play_deal(table_id)
    readers = {"owner": browser(owner), "stranger": browser()}
    reduce_garbage_collection()  # as the server does
    rows = []
    for page in PAGES:
        for reader, client in readers.items():
            client.defaults["HTTP_HOST"] = "127.0.0.1"
            url = reverse(f"tournaments:{page}", args=[evening.pk])
            rows.append({"page": page, "reader": reader, **_time(client, url, opened, requests)})
    return rows


def _open(owner: Any, tables: int) -> tuple[Any, list[str]]:
    """An evening with so many tables of eight under way."""
    from tests.cast import person
    from tests.tournaments.cast import found
    from tournaments.flow.evenings import sessions
    from tournaments.models import Membership, SessionTable

    club, now = found(owner), time.time()
    evening = sessions.open_evening(club, owner, sessions.EveningPlan("Long night", "animal-poker", 720), now=now)
    for number in range(1, tables + 1):
        guests = [person(f"Guest {number}-{chair}") for chair in range(1, 9)]
        Membership.objects.bulk_create(Membership(club=club, player=guest) for guest in guests)
        version = sessions.find(evening.pk).version
        sessions.add_table(evening, owner, [guest.pk for guest in guests], version=version, now=now)
        sessions.begin_table(evening, owner, number, now=now)
    return evening, list(SessionTable.objects.order_by("number").values_list("table_id", flat=True))


def _play_deal(table_id: str) -> None:
    """A deal's plies, as rows: everybody is promoted in turn."""
    from games.models import Ply, Table
    from games.play.storage import codec

    done = Table.objects.values_list("ply", flat=True).get(pk=table_id)
    deal = done // PLIES + 1
    ranks = [(seat + deal) % 8 + 1 for seat in range(8)]
    played = codec.write([["played", 3, {"cards": ["3-1", "3-2"], "left": 4}, None], ["turn", 4, {}, None]])
    over = codec.write([["deal_over", None, {"deal": deal, "ranks": ranks}, None]])
    move = '{"seat":3,"move":{"play":["3-1","3-2"]}}'
    Ply.objects.bulk_create(
        Ply(table_id=table_id, number=done + step, event=move, events=over if step == PLIES else played, at=done + step)
        for step in range(1, PLIES + 1)
    )
    Table.objects.filter(pk=table_id).update(ply=done + PLIES)


def _time(client: Any, url: str, opened: list[str], requests: int) -> dict[str, float]:
    times: list[float] = []
    size, spent = 0, 0.0
    client.get(url)
    for turn in range(requests):
        _play_deal(opened[turn % len(opened)])
        began, before = time.perf_counter(), time.process_time()
        answer = client.get(url)
        times.append((time.perf_counter() - began) * 1000)
        spent += (time.process_time() - before) * 1000
        assert answer.status_code == 200, (url, answer.status_code)
        size = max(size, len(gzip.compress(answer.content, 6)))
    return {
        "p50": statistics.median(times),
        "p95": statistics.quantiles(times, n=20)[18],
        "cpu": spent / requests,
        "kb": size / 1024,
    }


if __name__ == "__main__":
    main()
