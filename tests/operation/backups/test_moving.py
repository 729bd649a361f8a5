"""A club moves from SQLite to PostgreSQL with one command, and every table is compared."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from games.models import Player, User
from games.operation.backups.backup import list_models
from games.operation.backups.backup_file import BackupError
from games.operation.backups.moving import TableDigest, compare, copy_database, digest_rows
from tests import programs
from tests.cast import person
from tests.servers import Installation

FILL = """
import time
from games.accounts.animal_pictures import AVATARS
from games.management.commands.demo import LIVE
from games.models import Player, User
from games.play.moves import submission
from games.play.seats import opening
Player.objects.create(name="Żaneta", avatar="fox", user=User.objects.create_user("zaneta"))
table = opening.open_exhibition(LIVE, avatars=AVATARS, now=time.time())
for _ in range(3):
    table = submission.play_bot(table.id, ply=table.ply, now=time.time() + 60) or table
"""


@pytest.mark.postgresql
def test_a_club_moves_to_postgresql_whole_and_verified(club: Installation, postgres: str, tmp_path: Path) -> None:
    done = club.manage("shell", "-c", FILL)
    assert done.returncode == 0, done.stderr
    file, empty = club.folder / "menagerie.sqlite3", tmp_path / "empty.sqlite3"
    empty.touch()
    other = Installation(club.folder, {"DATABASE_URL": programs.copy_database(postgres, "moved")})
    done = other.manage("copy_database", str(empty))
    assert "The old database is not set up for this version" in done.stderr
    done = other.manage("copy_database", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines() if line.endswith("same on both sides")]
    counts = {name: int(rows) for rows, name, *_ in lines}
    assert {"games.table", "games.ply", "games.player", "games.user", "games.seat", "games.namekey"} <= counts.keys()
    with sqlite3.connect(file) as database:
        for name in ("games_table", "games_ply", "games_seat"):
            (rows,) = database.execute(f"SELECT count(*) FROM {name}").fetchone()  # noqa: S608 - names of ours
            assert counts[name.replace("_", ".")] == rows > 0
    assert sorted(path.name for path in club.folder.glob("menagerie-*")) == []


def test_every_kind_of_difference_shows_in_the_digest(db: None) -> None:
    User.objects.create_user("ana", email="a@example.org")
    ben = person("Ben")
    assert {one.name for one in compare("default", "default")} == {
        model._meta.label_lower for model in list_models()
    } - {"games.pulse"}
    first = digest_rows(Player, "default")
    assert first.rows == 1
    ben.name = "Bem"
    ben.save()
    second = digest_rows(Player, "default")
    assert second != first
    assert second.rows == 1
    person("Cem")
    assert digest_rows(Player, "default").rows == 2
    Player.objects.all().delete()
    assert digest_rows(Player, "default") == TableDigest(0, "0" * 64)


def test_the_order_of_rows_makes_no_difference(db: None) -> None:
    ids = [person(name).pk for name in ("Ana", "Ben")]
    first = digest_rows(Player, "default")
    rows = list(Player.objects.filter(pk__in=ids).values())
    Player.objects.all().delete()
    for row in reversed(rows):
        Player.objects.create(**row)
    Player.objects.filter(pk__in=ids).update(created_at=rows[0]["created_at"])
    again = [row | {"created_at": rows[0]["created_at"]} for row in rows]
    second = digest_rows(Player, "default")
    Player.objects.all().delete()
    Player.objects.bulk_create([Player(**row) for row in again])
    Player.objects.filter(pk__in=ids).update(created_at=rows[0]["created_at"])
    assert digest_rows(Player, "default") == second
    assert second.rows == first.rows


def test_what_cannot_be_moved_is_said_and_changes_nothing(db: None, tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite3"
    text.write_text("no database at all, but a long enough text")
    for file, sentence in {
        tmp_path / "none": "does not exist",
        text: "cannot be read as a SQLite database",
        Path(connection.settings_dict["NAME"]): "this installation's own database|does not exist",
    }.items():
        with pytest.raises(BackupError, match=sentence):
            copy_database(file, say=lambda _line: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["text.sqlite3"]
