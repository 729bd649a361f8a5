"""A crowd for page timings: `python -m benchmarks.crowd --people N --results M` fills an empty, migrated database.

People of very different diligence (a few have played thousands of tables, most a handful) meet at tables of five and
six over three years; each table leaves results, one deal of careers and its rows on the leaderboards, counted by the
functions that count a real evening. Places and ratings are drawn by chance: what a page costs depends on how many
rows there are, not on what they say.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

BATCH = 5000
SECONDS = 3 * 365 * 86400.0
GAMES = {
    "animal-poker": ("ceo", "director", "head-of-department", "specialist", "assistant", "trainee"),
    "karriere-poker": ("boss", "managing-director", "manager", "department-head", "supervisor", "dishwasher"),
}
CLUBS = 20
SMALL_CLUB = 300

RESULT = (
    "counted_id", "player_id", "game", "ended_at", "seat", "place", "of", "rank", "people", "beaten", "score", "tops",
    "mu", "sigma", "total_mu", "total_sigma",
)  # fmt: skip
ENTRY = (
    "table_id",
    "player_id",
    "game",
    "deal",
    "seat",
    "rank",
    "of",
    "job",
    "before",
    "spell",
    "climb",
    "demoted_by_id",
    "at",
)


def fill(people: int, results: int, *, seed: int) -> None:
    """Write so many people, and results of tables."""
    from django.db import connection

    from tournaments.models import Ledger

    rng = random.Random(seed)
    ids = _write_people(people, rng)
    tallies: dict[Any, Any] = {}
    last = 0
    for last in _write_tables(ids, results, rng, tallies):
        print(f"\r{last} tables", end="", file=sys.stderr, flush=True)
    _write_rows(tallies)
    Ledger.objects.update_or_create(pk=1, defaults={"last": last})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _write_people(people: int, rng: random.Random) -> list[int]:
    from games.art import AVATARS
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
    from itertools import accumulate

    from games.models import Table
    from tournaments.models import CareerEntry, CountedTable, PersonResult

    weights = list(accumulate(1 / (1 + index) ** 0.6 for index in range(len(ids))))
    number = written = 0
    now = time.time()
    blank = {field.attname: field.get_default() for field in Table._meta.concrete_fields}
    while written < results:
        tables: list[list[object]] = []
        counted: list[tuple[object, ...]] = []
        rows: list[tuple[Any, ...]] = []
        entries: list[tuple[object, ...]] = []
        while len(rows) < BATCH and written + len(rows) < results:
            number += 1
            seats = rng.choice((5, 6))
            players = list(dict.fromkeys(rng.choices(ids, cum_weights=weights, k=seats)))
            game, at = list(GAMES)[number % 2], now - SECONDS + SECONDS * (written + len(rows)) / results
            known = blank | {
                "id": f"crowd{number}", "game": game, "rules": 1, "status": "over", "invite": f"crowd{number}",
                "seat_count": seats, "turn_seconds": 45, "created_at": at, "started_at": at, "ended_at": at,
                "secret": "", "commitment": "",
            }  # fmt: skip
            tables.append(list(known.values()))
            counted.append((number, f"crowd{number}", game, True, False, at))
            places = rng.sample(range(1, len(players) + 1), len(players))
            rows += _results(number, game, at, players, places, seats, rng)
            entries += [
                (f"crowd{number}", player, game, 1, seat, place, len(players), GAMES[game][place - 1], None, 1, None,
                 None if place < 3 else players[0], at)
                for seat, (player, place) in enumerate(zip(players, places, strict=True))
            ]  # fmt: skip
        _insert(Table, list(blank), tables)
        _insert(CountedTable, ("number", "table_id", "game", "is_rated", "is_void", "ended_at"), counted)
        _insert(PersonResult, RESULT, rows)
        _insert(CareerEntry, ENTRY, entries)
        _count(rows, tallies)
        written += len(rows)
        yield number


def _results(
    number: int, game: str, at: float, players: Sequence[int], places: Sequence[int], seats: int, rng: random.Random
) -> Iterable[tuple[Any, ...]]:
    from tournaments.scoring.points import share_beaten

    people = len(players)
    for seat, (player, place) in enumerate(zip(players, places, strict=True)):
        beaten = share_beaten(tuple(places), seat) if people > 1 else 0
        mu, total = rng.gauss(25, 4), rng.gauss(25, 4)
        yield (
            number,
            player,
            game,
            at,
            seat,
            place,
            seats,
            place,
            people,
            beaten,
            None,
            int(place == 1),
            mu,
            5.0,
            total,
            5.0,
        )


def _count(rows: Iterable[tuple[Any, ...]], tallies: dict[Any, Any]) -> None:
    from tournaments.flow import boards
    from tournaments.models import PersonResult

    result = PersonResult()
    for row in rows:
        for column, value in zip(RESULT, row, strict=True):
            setattr(result, column, value)
        for key in boards.keys_of(result):
            tally = tallies.setdefault((key, result.player_id), boards.Tally())
            boards.credit(tally, result, game=key[0])


def _write_rows(tallies: dict[Any, Any]) -> None:
    from tournaments.flow import boards
    from tournaments.models import BoardRow

    found = {key: boards.find_board(key).pk for key in {key for key, _ in tallies}}
    rows = [
        (found[key], player, True, *(getattr(tally, column) for column in boards.COLUMNS))
        for (key, player), tally in tallies.items()
    ]
    for start in range(0, len(rows), BATCH):
        _insert(BoardRow, ("board_id", "player_id", "is_listed", *boards.COLUMNS), rows[start : start + BATCH])


def main() -> None:
    """Fill the database of this environment."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd", description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    fill(wish.people, wish.results, seed=wish.seed)


if __name__ == "__main__":
    main()
