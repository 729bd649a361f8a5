"""What a ply takes in the database, its indexes included, in SQLite and PostgreSQL, for each game.

Four people play each game by chance until there are plies enough; every ply has a key of 36 characters, as the page
sends it. SQLite's bytes are the pages that are free once the plies are gone; PostgreSQL's are its own count of the
table and its indexes. Nothing is packed before: it is measured as it grew.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests import programs
from tests.servers import Installation

PLIES = 3_000
"""Plies of each game, at least."""
SEATS = 4


def main() -> None:
    """Measure both databases and print a line for each game. `--here` measures the installation of the settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        json.dump(_measure_here(), sys.stdout)
        return
    found = measure()
    print("bytes a ply                       SQLite   PostgreSQL (its rows + its indexes)")
    for game, lite in found["sqlite"].items():
        big = found.get("postgresql", {}).get(game)
        more = f"{big['total']:>10.0f}   ({big['rows']:.0f} + {big['indexes']:.0f})" if big else ""
        print(f"{game:<20} {lite['plies']:>6} plies {lite['total']:>6.0f} {more}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def measure() -> dict[str, dict[str, dict[str, float]]]:
    """By database and game: plies, total bytes a ply, and where the database says so those of rows and indexes."""
    found = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="menagerie-bench-")))
        settings: dict[str, dict[str, str]] = {"sqlite": {}}
        if programs.find("postgresql"):
            settings["postgresql"] = {"DATABASE_URL": stack.enter_context(programs.run_postgres()).url}
        for name, wanted in settings.items():
            (folder / name).mkdir()
            club = Installation(folder / name, wanted)
            club.migrate()
            found[name] = json.loads(club.run_module("benchmarks.tables.storage", "--here", TABLES_PER_HOUR="100000"))
    return found


def _measure_here() -> dict[str, dict[str, float]]:
    import django

    django.setup()
    from django.conf import settings

    settings.DATABASES["default"].get("OPTIONS", {}).pop("pool", None)
    from games.rules import registry

    found = {}
    for slug in registry.slugs():
        plies = _play(slug)
        print(f"{slug}: {plies} plies", file=sys.stderr, flush=True)
        found[slug] = {"plies": plies, **_weigh(plies)}
    return found


def _play(game: str) -> int:
    """Game after game until there are plies enough. Returns how many there are."""
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player, Ply
    from games.play.moves import submission
    from games.play.seats import opening, sitting
    from games.play.storage.table import PLAYING

    rng = random.Random(game)
    count = 0
    while count < PLIES:
        now = time.time()
        people = [Player.objects.create(name=f"{game} {count} {seat}", avatar=AVATARS[seat]) for seat in range(SEATS)]
        table = opening.open_table(people[0], opening.TableRequest(game, SEATS), avatars=AVATARS, now=now)
        for person in people[1:]:
            table = sitting.sit(table.id, person, now=now)
        for person in people:
            table = sitting.contribute(table.id, person.pk, commitment=table.commitment, entropy=str(count), now=now)
        table = opening.start(table.id, people[0].pk, fill="", avatars=AVATARS, now=now)
        assert table.status == PLAYING, table.status
        while table.status == PLAYING and count < PLIES:
            count += 1
            seat = table.rules.to_act(table.state)[0]
            place = table.place(seat)
            assert place is not None
            assert place.player_id is not None
            listed = table.rules.legal_moves(table.state, seat)
            move = rng.choice(listed) if listed else table.rules.legal_sample(table.state, seat, rng)
            key = str(uuid.UUID(int=rng.getrandbits(128)))
            sent: dict[str, Any] = dict(move)
            table = submission.submit_move(table.id, place.player_id, sent, ply=table.ply, key=key, now=now).table
    return Ply.objects.count()


def _weigh(plies: int) -> dict[str, float]:
    """Bytes a ply of all that are there; afterwards there are none."""
    from django.db import connection

    from games.models import Ply

    with connection.cursor() as cursor:

        def ask(sql: str) -> int:
            cursor.execute(sql)
            return int(cursor.fetchone()[0])

        if connection.vendor == "postgresql":
            rows, indexes = ask("SELECT pg_table_size('games_ply')"), ask("SELECT pg_indexes_size('games_ply')")
            cursor.execute("TRUNCATE games_ply")
            return {"total": (rows + indexes) / plies, "rows": rows / plies, "indexes": indexes / plies}
        used = ask("PRAGMA page_count") - ask("PRAGMA freelist_count")
        Ply.objects.all()._raw_delete("default")
        left = ask("PRAGMA page_count") - ask("PRAGMA freelist_count")
        return {"total": (used - left) * ask("PRAGMA page_size") / plies}


if __name__ == "__main__":
    main()
