"""A crowd for page timings: fills an empty, migrated database.

`python -m benchmarks.samples.crowd --people N --results M`

People of very different diligence (a few have played thousands of tables, most a handful) meet at tables of five and
six over three years; each table leaves its seats, a move of each person in every deal (one deal, or at every fourth
table three), results, careers, totals and its rows on the leaderboards, counted by the functions that count a real
evening. Ranks and ratings are drawn by chance: what a page costs depends on how many rows there are, not on what they
say. The ratings are those of nobody, until `manage.py recompute_ratings` has put them right.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

BATCH = 5000
SECONDS = 3 * 365 * 86400.0
GAMES = ("animal-poker", "karriere-poker")
CLUBS = 20
SMALL_CLUB = 300

RESULT = (
    "counted_id", "player_id", "game", "ended_at", "seat", "place", "of", "rank", "people", "beaten", "score", "tops",
    "feat", "mu", "sigma", "total_mu", "total_sigma",
)  # fmt: skip
ENTRY = (
    "table_id", "player_id", "game", "deal", "seat", "rank", "of", "job", "before", "spell", "climb", "demoted_by_id",
    "at",
)  # fmt: skip
SEAT = ("table_id", "index", "player_id", "bot", "name", "avatar", "entropy")
PLY = ("table_id", "number", "event", "events", "key", "at")
COUNTED = ("number", "table_id", "game", "is_rated", "is_void", "ended_at")


def fill(people: int, results: int, *, seed: int) -> None:
    """Write so many people, and results of tables."""
    from django.db import connection

    from tournaments.flow.counting import place_counts
    from tournaments.models import Ledger

    rng = random.Random(seed)
    ids = _write_people(people, rng)
    tallies: dict[Any, Any] = {}
    last = 0
    for last in _write_tables(ids, results, rng, tallies):
        print(f"\r{last} tables", end="", file=sys.stderr, flush=True)
    _write_rows(tallies)
    place_counts.count_again()
    _write_totals(ids)
    Ledger.objects.update_or_create(pk=1, defaults={"last": last})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _write_people(people: int, rng: random.Random) -> list[int]:
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player
    from tournaments.models import Club, Membership

    rows = [Player(name=f"Player {number}", avatar=AVATARS[number % len(AVATARS)]) for number in range(people)]
    Player.objects.bulk_create(rows, batch_size=BATCH)
    ids = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    clubs = [Club(slug=f"club-{n}", name=f"Club {n}", avatar="fox", feed_token=f"f{n}") for n in range(CLUBS)]
    Club.objects.bulk_create(clubs)
    rng.shuffle(ids)
    for number, club in enumerate(clubs):
        members = ids if number == 0 else rng.sample(ids, min(len(ids), SMALL_CLUB))
        Membership.objects.bulk_create([Membership(club=club, player_id=one) for one in members], batch_size=BATCH)
    return ids


def _insert(model: type[Model], columns: Sequence[str], rows: Sequence[Any]) -> None:
    from django.db import connection, transaction

    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(quote(column) for column in columns)
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608


def _write_tables(ids: Sequence[int], results: int, rng: random.Random, tallies: dict[Any, Any]) -> Iterator[int]:
    """Batches of counted tables; yields how many there are."""
    from games.models import Ply, Seat, Table
    from tournaments.models import CareerEntry, CountedTable, PersonResult

    weights = list(accumulate(1 / (1 + index) ** 0.6 for index in range(len(ids))))
    blank = {field.attname: field.get_default() for field in Table._meta.concrete_fields}
    number = written = 0
    now = time.time()
    while written < results:
        batch = Batch()
        while len(batch.results) < BATCH and written + len(batch.results) < results:
            number += 1
            seats = rng.choice((5, 6))
            people = list(dict.fromkeys(rng.choices(ids, cum_weights=weights, k=seats)))
            at = now - SECONDS + SECONDS * (written + len(batch.results)) / results
            batch.add(number, people, seats, at, rng, blank)
        _insert(Table, list(blank), batch.tables)
        _insert(Seat, SEAT, batch.seats)
        _insert(Ply, PLY, batch.plies)
        _insert(CountedTable, COUNTED, batch.counted)
        _insert(PersonResult, RESULT, batch.results)
        _insert(CareerEntry, ENTRY, batch.entries)
        _count(batch.results, tallies)
        written += len(batch.results)
        yield number


@dataclass(slots=True)
class Batch:
    """Rows of some tables."""

    tables: list[Sequence[Any]] = field(default_factory=list)
    seats: list[Sequence[Any]] = field(default_factory=list)
    plies: list[Sequence[Any]] = field(default_factory=list)
    counted: list[Sequence[Any]] = field(default_factory=list)
    results: list[Sequence[Any]] = field(default_factory=list)
    entries: list[Sequence[Any]] = field(default_factory=list)

    def add(
        self, number: int, people: Sequence[int], seats: int, at: float, rng: random.Random, blank: dict[str, Any]
    ) -> None:
        """A table of these people, bots on the chairs that are left; the last deal decides the places."""
        table, game = f"crowd{number}", GAMES[number % 2]
        deals = [rng.sample(range(1, seats + 1), seats) for _ in range(1 if number % 4 else 3)]
        row = blank | {
            "id": table, "game": game, "rules": 1, "status": "over", "invite": table, "seat_count": seats,
            "turn_seconds": 45, "created_at": at, "started_at": at, "ended_at": at, "secret": "", "commitment": "",
            "seed": "00", "result": json.dumps({"places": deals[-1], "scores": None}),
        }  # fmt: skip
        self.tables.append(list(row.values()))
        self.counted.append((number, table, game, True, False, at))
        for seat in range(seats):
            person = people[seat] if seat < len(people) else None
            self.seats.append((table, seat, person, "" if person else "steady", "Somebody", "fox", None))
        for deal, ranks in enumerate(deals, start=1):
            events = json.dumps([["deal_over", None, {"deal": deal, "ranks": ranks}, None]], separators=(",", ":"))
            for seat in range(len(people)):
                event, event_list = (
                    f'{{"seat":{seat},"move":{{"pass":true}}}}',
                    events if seat == len(people) - 1 else "[]",
                )
                ply = (deal - 1) * len(people) + seat + 1
                self.plies.append((table, ply, event, event_list, f"{seat}:{deal}", 60.0 * deal))
        self.results += _results(number, game, at, people, deals, rng)
        self.entries += _entries(table, game, at, people, deals)


def _entries(
    table: str, game: str, at: float, people: Sequence[int], deals: Sequence[Sequence[int]]
) -> Iterator[tuple[Any, ...]]:
    from tournaments.careers.entries import list_entries

    seats = len(deals[0])
    for one in list_entries([(number, ranks, range(len(people))) for number, ranks in enumerate(deals, start=1)]):
        demoted_by = None if one.demoted_by is None else people[one.demoted_by]
        yield (
            table, people[one.seat], game, one.deal, one.seat, one.rank, one.of, _jobs(game, seats)[one.rank - 1],
            one.before, one.spell, one.climb, demoted_by, at + 60.0 * one.deal,
        )  # fmt: skip


@cache
def _jobs(game: str, seats: int) -> Sequence[str]:
    from tournaments.flow.counting.careers import name_ranks

    return name_ranks(game, seats, {})


def _results(
    number: int, game: str, at: float, people: Sequence[int], deals: Sequence[Sequence[int]], rng: random.Random
) -> Iterator[tuple[Any, ...]]:
    from tournaments.scoring.points import share_beaten

    places = tuple(deals[-1][: len(people)])
    for seat, person in enumerate(people):
        rank = 1 + sum(place < places[seat] for place in places)
        beaten = share_beaten(places, seat) if len(people) > 1 else 0
        tops = sum(ranks[seat] == 1 for ranks in deals)
        yield (
            number, person, game, at, seat, places[seat], len(deals[0]), rank, len(people), beaten, None, tops, None,
            rng.gauss(25, 4), 5.0, rng.gauss(25, 4), 5.0,
        )  # fmt: skip


def _count(rows: Iterable[Sequence[Any]], tallies: dict[Any, Any]) -> None:
    from tournaments.flow.counting import leaderboard_rows
    from tournaments.models import PersonResult

    result, last_week = PersonResult(), time.time() - 7 * 86_400
    for row in rows:
        for column, value in zip(RESULT, row, strict=True):
            setattr(result, column, value)
        for key in leaderboard_rows.keys_of(result):
            tally = tallies.setdefault((key, result.player_id), leaderboard_rows.BoardCounts())
            leaderboard_rows.add_result(tally, result, game=key[0])
            if result.ended_at < last_week:
                leaderboard_rows.keep(tally)


def _write_rows(tallies: dict[Any, Any]) -> None:
    from tournaments.flow.counting import leaderboard_rows
    from tournaments.models import BoardRow

    found = {key: leaderboard_rows.find_board(key).pk for key in {key for key, _ in tallies}}
    rows = [
        (found[key], player, True, *(getattr(tally, column) for column in leaderboard_rows.COLUMNS))
        for (key, player), tally in tallies.items()
    ]
    for start in range(0, len(rows), BATCH):
        _insert(
            BoardRow, ("board_id", "player_id", "is_listed", *leaderboard_rows.COLUMNS), rows[start : start + BATCH]
        )


def _write_totals(ids: Sequence[int]) -> None:
    from tournaments.flow.counting import player_totals
    from tournaments.models import PersonTotal

    columns = ("player_id", "game", "season", *player_totals.COLUMNS)
    for start in range(0, len(ids), BATCH):
        derived = player_totals.derive(ids[start : start + BATCH])
        _insert(PersonTotal, columns, [(*key, *player_totals.values_of(total)) for key, total in derived.items()])


def main() -> None:
    """Fill the database of this environment."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.samples.crowd", description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fill(options.people, options.results, seed=options.seed)


if __name__ == "__main__":
    main()
