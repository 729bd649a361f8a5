"""A crowd for page timings: `python -m benchmarks.crowd --people N --results M` fills an empty database.

People of very different diligence (a few have played thousands of tables, most a handful) meet at tables of five and
six; results, ratings, boards and careers are written by the same functions that count a real evening. So are their
numbers: the ratings are those that recompute_ratings gives.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.models import Table
    from tournaments.models import CareerEntry, PersonResult

BATCH = 2000
SECONDS = 3 * 365 * 86400.0
GAMES = {"animal-poker": ("ceo", "director", "head-of-department", "specialist", "assistant", "trainee")} | {
    "karriere-poker": ("boss", "managing-director", "manager", "department-head", "supervisor", "dishwasher")
}
DEALS = 4
CLUBS = 20


def fill(people: int, results: int, *, seed: int) -> None:
    """Write so many people and results of tables."""
    from django.db import connection

    from games.art import AVATARS
    from games.models import Player
    from tournaments.flow import recomputing
    from tournaments.models import Club, Ledger, Membership

    rng = random.Random(seed)
    Player.objects.bulk_create(
        [Player(name=f"Player {number}", avatar=AVATARS[number % len(AVATARS)]) for number in range(people)],
        batch_size=BATCH,
    )
    ids = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    clubs = [Club(slug=f"club-{n}", name=f"Club {n}", avatar="fox", feed_token=f"f{n}") for n in range(CLUBS)]
    Club.objects.bulk_create(clubs)
    members = [
        Membership(club=club, player_id=player)
        for number, club in enumerate(clubs)
        for player in (ids if number == 0 else rng.sample(ids, min(len(ids), 300)))
    ]
    Membership.objects.bulk_create(members, batch_size=BATCH)
    last = 0
    for last in _write_tables(ids, results, rng):
        print(f"\r{last} tables", end="", file=sys.stderr, flush=True)
    Ledger.objects.update_or_create(pk=1, defaults={"last": last})
    began = time.monotonic()
    changed = recomputing.recompute(now=time.time())
    print(f"\n{changed} in {time.monotonic() - began:.0f} s")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _write_tables(ids: Sequence[int], results: int, rng: random.Random) -> Iterator[int]:
    """Batches of counted tables; yields how many there are."""
    from games.models import Seat, Table
    from tournaments.models import CareerEntry, CountedTable, PersonResult

    weights = [1 / (1 + index) ** 0.6 for index in range(len(ids))]
    number = written = 0
    now = time.time()
    while written < results:
        tables: list[Table] = []
        rows: list[PersonResult] = []
        entries: list[CareerEntry] = []
        while len(tables) < BATCH and written + len(rows) < results:
            number += 1
            seats = rng.choice((5, 6))
            players = list(dict.fromkeys(rng.choices(ids, weights, k=seats)))
            at = now - SECONDS + SECONDS * (written + len(rows)) / results
            table = _table(number, list(GAMES)[number % 2], seats, at)
            tables.append(table)
            entries += _careers(table, players, rng)
            rows += _results(table, number, players, rng)
        Table.objects.bulk_create(tables)
        counted = [
            CountedTable(
                number=number - len(tables) + index + 1,
                table=table,
                game=table.game,
                is_rated=True,
                ended_at=table.ended_at,
            )
            for index, table in enumerate(tables)
        ]
        CountedTable.objects.bulk_create(counted)
        PersonResult.objects.bulk_create(rows, batch_size=BATCH)
        CareerEntry.objects.bulk_create(entries, batch_size=BATCH)
        Seat.objects.bulk_create(
            [
                Seat(
                    table_id=tables[row.counted_id - counted[0].number].pk,
                    index=row.seat,
                    player_id=row.player_id,
                    name="x",
                    avatar="fox",
                )
                for row in rows
            ],
            batch_size=BATCH,
        )
        written += len(rows)
        yield number


def _table(number: int, game: str, seats: int, at: float) -> Table:
    from games.models import Table

    return Table(
        id=f"crowd{number}", game=game, rules=1, status="over", invite=f"crowd{number}", seat_count=seats,
        turn_seconds=45, created_at=at, started_at=at, ended_at=at, commitment="",
    )  # fmt: skip


def _careers(table: Table, players: Sequence[int], rng: random.Random) -> list[CareerEntry]:
    from tournaments.careers.entries import follow
    from tournaments.models import CareerEntry

    seats = range(len(players))
    deals = [(deal, rng.sample(range(1, len(players) + 1), len(players))) for deal in range(1, DEALS + 1)]
    jobs = GAMES[table.game]
    assert table.ended_at is not None
    return [
        CareerEntry(
            table=table, player_id=players[entry.seat], game=table.game, deal=entry.deal, seat=entry.seat,
            rank=entry.rank, of=entry.of, job=jobs[entry.rank - 1], before=entry.before, spell=entry.spell,
            climb=entry.climb, demoted_by_id=None if entry.demoted_by is None else players[entry.demoted_by],
            at=table.ended_at,
        )
        for entry in follow(deals)
        if entry.seat in seats
    ]  # fmt: skip


def _results(table: Table, number: int, players: Sequence[int], rng: random.Random) -> list[PersonResult]:
    from tournaments.models import PersonResult
    from tournaments.scoring.points import share_beaten

    places = tuple(rng.sample(range(1, len(players) + 1), len(players)))
    assert table.ended_at is not None
    return [
        PersonResult(
            counted_id=number, player_id=player, game=table.game, ended_at=table.ended_at, seat=seat,
            place=places[seat],
            of=table.seat_count, rank=places[seat], people=len(players), score=rng.randrange(20),
            tops=rng.randrange(3),
            beaten=share_beaten(places, seat) if len(players) > 1 else 0,
        )
        for seat, player in enumerate(players)
    ]  # fmt: skip


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
