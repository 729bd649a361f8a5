"""The server is killed while it reads an archive in, and started again: the tournament is there once, and whole."""

from __future__ import annotations

import io
import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.guest import Guest
from tests.servers import Installation
from tournaments.flow.archive.background_jobs import LOST_AFTER
from tournaments.flow.archive.tournament_schema import (
    FORMAT,
    Archive,
    ArchivedEntrant,
    ArchivedPod,
    ArchivedRound,
    ArchivedSeat,
)
from tournaments.flow.planning.tournament_plan import Agreement

RECORD = Path(__file__).parents[1] / "records" / "examples" / "animal-poker-time-up.json"
TABLES = 50
TIMEOUT_SECONDS = 120.0


def make_archive() -> bytes:
    """A round at so many tables, each with the record of a game."""
    numbers = range(1, TABLES + 1)
    pods = tuple(
        ArchivedPod(
            number=number,
            seats=tuple(ArchivedSeat(4 * number - back) for back in range(4)),
            places=(1, 2, 3, 4),
            is_online=True,
            record=f"records/r1-t{number}.json",
        )
        for number in numbers
    )
    archive = Archive(
        format=FORMAT,
        club="Harbour Club",
        agreement=Agreement(name="A long night", game="animal-poker", options={}, rounds_planned=1),
        lot_seed="5eed",
        entrants=tuple(ArchivedEntrant(number, f"Person {number}") for number in range(1, 4 * TABLES + 1)),
        rounds=(ArchivedRound(number=1, stage="swiss", pods=pods, solution="{}"),),
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("tournament.json", msgspec.json.encode(archive))
        for number in numbers:
            file.writestr(f"records/r1-t{number}.json", RECORD.read_bytes())
    return packed.getvalue()


def ask(club: Installation, question: str) -> tuple[int, ...]:
    """The first row of the answer of the club's database."""
    with closing(sqlite3.connect(club.folder / "menagerie.sqlite3", timeout=60)) as database:
        found: tuple[int, ...] = database.execute(question).fetchone()
        return found


def await_answer(club: Installation, question: str, holds: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """The answer as soon as it is as wished."""
    last = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < last:
        if holds(found := ask(club, question)):
            return found
        time.sleep(0.02)
    pytest.fail(f"{question}: still {ask(club, question)}")


KEPT = "SELECT count(*) FROM games_upload WHERE is_kept"
THERE = "SELECT count(*) FROM tournaments_tournament"
PODS = "SELECT count(DISTINCT record), count(*) FROM tournaments_pod WHERE record != ''"


SLOWLY = """CREATE TRIGGER slowly AFTER INSERT ON games_upload BEGIN
  SELECT count(*) FROM (WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 300000)
    SELECT n FROM numbers);
END"""
"""From now on every game takes a moment to keep, so that there is a middle to be killed in."""


NIGHT = f"UPDATE tournaments_errand SET seen_at = seen_at - {LOST_AFTER}"  # noqa: S608 - our own number
"""Nobody has been heard of for hours."""


def change(club: Installation, *changes: str) -> None:
    """Change something in the club's database that no page can."""
    with closing(sqlite3.connect(club.folder / "menagerie.sqlite3", timeout=60)) as database, database:
        for one in changes:
            database.execute(one)


def test_killed_in_the_middle_it_goes_on_and_is_there_once(club: Installation) -> None:
    sent = make_archive()
    change(club, SLOWLY)
    with club.serve() as server:
        guest = Guest(server.address)
        answer = guest.post("/clubs/new/", name="Harbour Club")
        restore = f"{answer.location}restore/"
        page = guest.send(restore, "night.zip", sent).location
        assert guest.send(restore, "night.zip", sent).location == page
        await_answer(club, KEPT, lambda found: found[0] >= 5)
        server.kill()
    (kept,) = ask(club, KEPT)
    assert 5 <= kept < TABLES
    assert ask(club, THERE) == (0,)
    change(club, "DROP TRIGGER slowly", NIGHT)
    with club.serve():
        assert guest.send(restore, "night.zip", sent).location == page
        await_answer(club, THERE, lambda found: found == (1,))
        await_answer(club, "SELECT count(*) FROM tournaments_errand WHERE status = 'done'", lambda found: found == (1,))
        there = guest.get(page).location
        assert guest.get(there).status == 200
        assert guest.send(restore, "night.zip", sent).location == there
    assert (ask(club, THERE), ask(club, KEPT), ask(club, PODS)) == ((1,), (TABLES,), (TABLES, TABLES))
