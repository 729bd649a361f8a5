"""A process that cannot save reports it, and so does every page that would save something."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from chaos.disk import Disk, small_disk
from games import memo, models
from games.operation.health import write_check
from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import Person

SOON = 60.0


def ask(guest: Guest) -> tuple[int, str]:
    """What `/ready/` answers to a probe, and what it says of saving."""
    answer = Guest(guest.address).get("/ready/")
    return answer.status, answer.json()["parts"]["saving"]


def await_answer(guest: Guest, wanted: tuple[int, str]) -> None:
    """Until `/ready/` says so."""
    last = time.monotonic() + SOON
    while (found := ask(guest)) != wanted:
        assert time.monotonic() < last, found
        time.sleep(0.2)


def watch_trouble(guest: Guest, words: str, trouble: Any) -> None:
    """While there is trouble nothing is saved, everybody is told, and nothing is lost."""
    person = Person(guest, guest.play_now())
    view = person.await_turn()
    await_answer(guest, (200, "ok"))
    with trouble:
        await_answer(guest, (503, words))
        refused = guest.move(person.table, view["legal"][0], ply=view["ply"], key="once")
        shown = ("could not save this. Nothing was changed" in refused.text, "is not answering" in refused.text)
        assert (refused.status, any(shown)) == (503, True), refused
    await_answer(guest, (200, "ok"))
    assert guest.move(person.table, view["legal"][0], ply=view["ply"], key="once").json()["repeat"] is False


def test_a_full_disk_under_sqlite(empty_club: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        shutil.copytree(empty_club, disk.folder / "club")
        club = Installation(disk.folder / "club")
        with club.serve() as server:
            trouble = disk.full(server.process.pid)
            watch_trouble(Guest(server.address), "nothing can be saved: the disk is full", trouble)


@contextmanager
def readonly(url: str) -> Iterator[None]:
    """A PostgreSQL that takes no changes, as a standby does; open connections are closed, as a restart would."""
    name = sql.Identifier(url.rpartition("/")[2])
    server = url[: url.rindex("/") + 1] + "postgres"
    change = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
    with psycopg.connect(server, autocommit=True) as database:
        for value in ("on", "off"):
            database.execute(change.format(name, sql.SQL(value)))
            database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name._obj[0]]
            )
            if value == "on":
                yield


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_readonly_postgresql(big_club: Installation) -> None:
    with big_club.work(), big_club.serve() as server:
        trouble = readonly(big_club.settings["DATABASE_URL"])
        watch_trouble(Guest(server.address), "nothing can be saved: the database is read-only", trouble)


@contextmanager
def on_small_disk(url: str) -> Iterator[Disk]:
    """The files of this database on a small disk of their own."""
    name = sql.Identifier(url.rpartition("/")[2])
    server = url[: url.rindex("/") + 1] + "postgres"
    with (
        tempfile.TemporaryDirectory(prefix="menagerie-small-") as place,
        small_disk(Path(place) / "disk") as disk,
        psycopg.connect(server, autocommit=True) as database,
    ):
        Path(place).chmod(0o711)  # PostgreSQL has a user of its own
        if not os.geteuid():
            shutil.chown(disk.folder, "postgres", "postgres")
        database.execute(sql.SQL("CREATE TABLESPACE small LOCATION {}").format(str(disk.folder)))
        database.execute(sql.SQL("ALTER DATABASE {} SET TABLESPACE small").format(name))
        try:
            yield disk
        finally:
            database.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
            database.execute("DROP TABLESPACE small")


@contextmanager
def no_new_files(disk: Disk) -> Iterator[None]:
    """Where no disk may be mounted: what PostgreSQL would add to its files is refused."""
    folders = [folder for folder in disk.folder.glob("*/*") if folder.is_dir()]
    for folder in folders:
        folder.chmod(0o500)
    yield
    for folder in folders:
        folder.chmod(0o700)


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_full_disk_under_postgresql(big_club: Installation) -> None:
    with on_small_disk(big_club.settings["DATABASE_URL"]) as disk, big_club.serve() as server:
        guest = Guest(server.address)
        await_answer(guest, (200, "ok"))
        is_mounted = disk.kind == "mounted"
        words = "nothing can be saved: the disk is full" if is_mounted else "nothing can be saved"
        with disk.full(server.process.pid) if is_mounted else no_new_files(disk):
            await_answer(guest, (503, words))
        await_answer(guest, (200, "ok"))


def test_a_success_counts_for_a_while_and_a_failure_for_none(
    db: None, django_assert_num_queries: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        for _ in range(2):
            assert write_check.find_fault() == "nothing can be saved: the database is read-only"
        cursor.execute("PRAGMA query_only = 0")
    assert [record.message for record in caplog.records][:1] == [
        "nothing can be saved: attempt to write a readonly database"
    ]
    assert write_check.find_fault() == ""
    row = bytes(models.WriteProbe.objects.get().payload)
    with django_assert_num_queries(0):
        assert write_check.find_fault() == ""
    memo.forget_all()
    assert write_check.find_fault() == ""
    assert bytes(models.WriteProbe.objects.get().payload) != row
