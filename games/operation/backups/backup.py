"""Writes a backup: everything that is stored, in one compressed file (`backup_file`) that any installation can restore.

It holds the secrets of games that are under way: keep it as you keep the database.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from games.operation.backups import filed_games
from games.operation.backups.backup_file import FILES, BackupError, Writer, fingerprint_key

BATCH = 500
"""Rows that are read or written at once."""
LEFT_OUT = frozenset({"contenttypes.contenttype", "auth.permission", "admin.logentry", "games.writeprobe"})
"""What every installation makes by itself, and the log of the admin's clicks."""
SNAPSHOT = "snapshot"
MB = 1024 * 1024
REMAINS_SECONDS = 86_400.0
"""No backup is still being written after a day."""

Say = Callable[[str], None]


class BackupSummary(NamedTuple):
    """What a backup holds. missing: files of finished games that it should hold, and that cannot be read."""

    rows: int
    files: int
    missing: list[str]


def list_models() -> list[type[models.Model]]:
    """Every model that is backed up; models come after those that they refer to."""
    configs: Any = [(config, None) for config in apps.get_app_configs()]
    ordered = serializers.sort_dependencies(configs, allow_cycles=True)
    return [model for model in ordered if model._meta.managed and model._meta.label_lower not in LEFT_OUT]


def back_up(file: Path, *, now: float, say: Say) -> BackupSummary:
    """Back up what is stored at one moment; people may go on playing. Raises BackupError."""
    part = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(handle, "wb") as raw,
            gzip.open(raw, "wb") as out,
            _snapshot(file.parent) as alias,
        ):
            done = write_backup(out, alias, now, say)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(file)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror or error}.") from error
    except (DatabaseError, sqlite3.Error) as error:
        raise BackupError(f"The database cannot be read: {error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
    return done


@contextmanager
def _snapshot(folder: Path) -> Iterator[str]:
    """The alias of a connection on which nothing changes: a copy made online (SQLite), one transaction (PostgreSQL).

    folder: where there is room for a backup there may be some for a copy; where temporary files lie is often memory.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield "default"
        return
    live_file = Path(connection.settings_dict["NAME"]).absolute()
    _require_room(live_file, folder)
    with tempfile.TemporaryDirectory(prefix="menagerie-", suffix=".part", dir=folder) as place:
        copy = Path(place, "copy.sqlite3")
        # A connection of its own, read-only: a copy over the one that is in use would wait for itself.
        source = live_file.as_uri() + "?mode=ro"
        with closing(sqlite3.connect(source, uri=True)) as live, closing(sqlite3.connect(copy)) as target:
            live.backup(target)
        connections.databases[SNAPSHOT] = {**connection.settings_dict, "NAME": str(copy), "OPTIONS": {}}
        try:
            yield SNAPSHOT
        finally:
            connections[SNAPSHOT].close()
            del connections[SNAPSHOT]
            del connections.databases[SNAPSHOT]


def _require_room(live: Path, folder: Path) -> None:
    needed = sum(file.stat().st_size for file in (live, live.with_name(f"{live.name}-wal")) if file.exists())
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupError(
            f"{free // MB:,} MB are free in {folder}, and a copy of the database is made there first, of "
            f"{needed // MB:,} MB. Free disk space, or choose a file elsewhere."
        )


def remove_remains(folder: Path, *, now: float) -> None:
    """Delete what interrupted backups have left in this folder."""
    for part in folder.glob("menagerie-*.part"):
        if part.stat().st_mtime < now - REMAINS_SECONDS:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def write_backup(out: gzip.GzipFile, alias: str, now: float, say: Say) -> BackupSummary:
    """Write what this connection sees, as a backup. Raises DatabaseError."""
    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connections[alias]).applied_migrations())
    key = {"secret_key": _kept_secret(), "key_print": fingerprint_key(settings.SECRET_KEY)}
    lines = Writer(out, {"at": round(now), "migrations": applied} | key)
    total = 0
    for model in list_models():
        lines.begin(model._meta.label_lower)
        rows = model._base_manager.using(alias).order_by("pk").iterator(chunk_size=BATCH)
        counted = _RowCounter(rows)
        serializers.serialize("jsonl", counted, stream=lines, use_natural_foreign_keys=True)
        total += counted.count
        if counted.count:
            say(f"{counted.count:>9}  {model._meta.verbose_name_plural}")
    files, missing = _write_files(lines, alias)
    if files:
        say(f"{files:>9}  files of finished games")
    lines.close(total)
    return BackupSummary(total, files, missing)


def _write_files(lines: Writer, alias: str) -> tuple[int, list[str]]:
    """Write the files of finished games; returns how many, and the names of unreadable ones, which are left out."""
    files, missing = 0, []
    lines.begin(FILES)
    for name, data in filed_games.read_all(alias):
        if data is None:
            missing.append(name)
        else:
            lines.write(filed_games.to_line(name, data))
            files += 1
    return files, missing


class _RowCounter:
    """Passes rows on and counts them."""

    def __init__(self, rows: Iterator[models.Model]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[models.Model]:
        for row in self._rows:
            self.count += 1
            yield row


def _kept_secret() -> str | None:
    """The SECRET_KEY that this installation generated; empty if it comes from the environment."""
    file = settings.DATA_DIR / "secret-key"
    return settings.SECRET_KEY if file.exists() and file.read_text().strip() == settings.SECRET_KEY else None
