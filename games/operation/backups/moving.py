"""Copies everything from a SQLite file into this installation's empty database, and checks that every row arrived.

The way is that of a backup (`backup`, `restore`), so all that holds for it holds here. Then each table is read on both
sides: rows are counted, and hashed one by one as a backup writes them, with the keys of each in one order. The hashes
of a table are added up, so the order in which a database gives the rows does not matter.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from django.core import serializers
from django.db import DatabaseError, connection, connections, models
from django.db.migrations.recorder import MigrationRecorder

from games.operation.backups.backup import BATCH, Say, list_models, write_backup
from games.operation.backups.backup_file import BackupError
from games.operation.backups.restore import MADE_BY_STARTING, RestoreResult, restore
from games.records import strict_json

SOURCE = "source"
"""Alias of the connection to the old database."""
BITS = 256
"""Bits of a SHA-256; sums of them are kept modulo 2 to this power."""


class TableDigest(NamedTuple):
    """How many rows a table has, and the sum of their SHA-256 (hex)."""

    rows: int
    sha256: str


class TableComparison(NamedTuple):
    """One table on both sides. name: its model's label."""

    name: str
    before: TableDigest
    after: TableDigest


def copy_database(file: Path, *, say: Say) -> tuple[RestoreResult, list[TableComparison]]:
    """Copy what is in this SQLite file into the default database, which is migrated and empty; then compare both.

    All of it or nothing. Raises BackupError with a sentence; if the comparison finds a difference, too.
    """
    with _open_source(file) as alias, tempfile.TemporaryDirectory(prefix="menagerie-") as folder:
        _require_same_migrations(alias)
        packed = Path(folder, "club.jsonl.gz")
        try:
            with gzip.open(packed, "wb", compresslevel=1) as out:
                done = write_backup(out, alias, time.time(), lambda _line: None)
        except DatabaseError as error:
            raise BackupError(f"{file} cannot be read: {error}.") from error
        if done.missing:
            raise BackupError(
                f"{len(done.missing)} files of finished games are missing in GAMES_DIR, for example {done.missing[0]}. "
                "Bring them back first. Nothing was changed."
            )
        restored = restore(packed, say=say)
        compared = compare(alias, "default")
    if wrong := [table.name for table in compared if table.before != table.after]:
        raise BackupError(
            f"These tables are not the same on both sides: {', '.join(wrong)}. Keep using {file}, and empty the new "
            "database before you try again. Make sure that no server is running."
        )
    return restored, compared


def compare(before: str, after: str) -> list[TableComparison]:
    """Every table that is copied, on both connections."""
    copied = [model for model in list_models() if model._meta.label_lower != MADE_BY_STARTING]
    return [
        TableComparison(
            copied_model._meta.label_lower, digest_rows(copied_model, before), digest_rows(copied_model, after)
        )
        for copied_model in copied
    ]


def digest_rows(model: type[models.Model], alias: str) -> TableDigest:
    """The digest of a table's rows, independent of the database and of their order."""
    total, count = 0, 0
    rows = model._base_manager.using(alias).order_by("pk").iterator(chunk_size=BATCH)
    lines = _LineBuffer()
    for row in rows:
        serializers.serialize("jsonl", [row], stream=lines, use_natural_foreign_keys=True)
        text = strict_json.write(_sort(json.loads(lines.take())))
        total += int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        count += 1
    return TableDigest(count, f"{total % (1 << BITS):064x}")


def _sort(value: object) -> object:
    """The same JSON value with the keys of its objects in order: PostgreSQL keeps none."""
    if isinstance(value, dict):
        return {key: _sort(value[key]) for key in sorted(value)}
    return [_sort(item) for item in value] if isinstance(value, list) else value


class _LineBuffer:
    """Takes what a serializer writes."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def write(self, text: str) -> None:
        self._pieces.append(text)

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


@contextmanager
def _open_source(file: Path) -> Iterator[str]:
    """The alias of a connection to a copy of this file, made online: whatever writes to it changes nothing here."""
    if not file.is_file():
        raise BackupError(f"The file {file} does not exist.")
    if connection.vendor == "sqlite" and Path(connection.settings_dict["NAME"]).absolute() == file.absolute():
        raise BackupError(
            f"DATABASE_URL is not set, so {file} is this installation's own database. Set it to the new one's address."
        )
    with tempfile.TemporaryDirectory(prefix="menagerie-", dir=file.parent) as folder:
        copy = Path(folder, "copy.sqlite3")
        try:
            with (
                closing(sqlite3.connect(file.absolute().as_uri() + "?mode=ro", uri=True)) as live,
                closing(sqlite3.connect(copy)) as target,
            ):
                live.backup(target)
        except sqlite3.Error as error:
            raise BackupError(f"{file} cannot be read as a SQLite database: {error}.") from error
        connections.databases[SOURCE] = {
            **connection.settings_dict,
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(copy),
            "OPTIONS": {},
        }
        try:
            yield SOURCE
        finally:
            connections[SOURCE].close()
            del connections[SOURCE]
            del connections.databases[SOURCE]


def _require_same_migrations(alias: str) -> None:
    """Raises BackupError unless both databases have the same migrations: rows are read with today's columns."""
    here, there = (set(MigrationRecorder(connections[name]).applied_migrations()) for name in ("default", alias))
    if here != there:
        which = "old" if here - there else "new"
        raise BackupError(
            f"The {which} database is not set up for this version. Nothing was changed. Run manage.py migrate with its "
            "settings, then this command again."
        )
