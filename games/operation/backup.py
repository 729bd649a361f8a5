"""Everything that is stored, as one compressed file that any database can take again.

`menagerie-backup/1`: JSON lines. The first names format, time and migrations; then one a row, in an order in
which every row comes after those it refers to; the last counts the rows. It holds the secrets of games that
are under way: keep it as you keep the database.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from games import strict_json

FORMAT = "menagerie-backup/1"
BATCH = 500
LEFT_OUT = frozenset({"contenttypes.contenttype", "auth.permission", "admin.logentry", "games.writeprobe"})
"""What every installation makes by itself, and the log of the admin's clicks."""
SNAPSHOT = "snapshot"
MB = 1024 * 1024
REMAINS_SECONDS = 86_400.0
"""No backup is still being written after a day."""
MADE_BY_STARTING = "games.pulse"
"""What a server or worker leaves in a database that nobody has used yet."""

Say = Callable[[str], None]


class BackupError(Exception):
    """A sentence: why nothing was backed up or restored."""


def list_models() -> list[type[models.Model]]:
    """Every model with rows to keep, those first that others refer to."""
    configs: Any = [(config, None) for config in apps.get_app_configs()]
    ordered = serializers.sort_dependencies(configs, allow_cycles=True)
    return [model for model in ordered if model._meta.managed and model._meta.label_lower not in LEFT_OUT]


def back_up(file: Path, *, now: float, say: Say) -> int:
    """Back up what is stored at one moment; people may go on playing. Returns the rows. Raises BackupError."""
    part = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(handle, "wb") as raw,
            gzip.open(raw, "wt", encoding="utf-8") as out,
            _snapshot(file.parent) as alias,
        ):
            rows = _write(out, alias, now, say)
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
    return rows


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
            f"{needed // MB:,} MB. Make room, or name a file elsewhere."
        )


def remove_remains(folder: Path, *, now: float) -> None:
    """What backups into this folder have left that were ended by force."""
    for part in folder.glob("menagerie-*.part"):
        if part.stat().st_mtime < now - REMAINS_SECONDS:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def _write(out: IO[str], alias: str, now: float, say: Say) -> int:
    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connections[alias]).applied_migrations())
    head = {"format": FORMAT, "at": round(now), "migrations": applied, "secret_key": _kept_secret()}
    out.write(strict_json.write(head) + "\n")
    total = 0
    for model in list_models():
        rows = model._base_manager.using(alias).order_by("pk").iterator(chunk_size=BATCH)
        counted = _Counted(rows)
        serializers.serialize("jsonl", counted, stream=out, use_natural_foreign_keys=True)
        total += counted.count
        if counted.count:
            say(f"{counted.count:>9}  {model._meta.verbose_name_plural}")
    out.write(strict_json.write({"rows": total}) + "\n")
    return total


class _Counted:
    """Passes rows on and counts them."""

    def __init__(self, rows: Iterator[models.Model]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[models.Model]:
        for row in self._rows:
            self.count += 1
            yield row


def _kept_secret() -> str | None:
    """The key that this installation drew for itself; one from the environment is the operator's to keep."""
    file = settings.DATA_DIR / "secret-key"
    return settings.SECRET_KEY if file.exists() and file.read_text().strip() == settings.SECRET_KEY else None


def restore(file: Path, *, say: Say) -> int:
    """Put a backup into an empty, migrated database: all of it or nothing. Returns the rows. Raises BackupError."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            head = _read_head(file, next(lines, ""))
            _require_empty()
            with transaction.atomic():
                apps.get_model(MADE_BY_STARTING)._default_manager.all().delete()
                rows = _insert(lines, say)
                _reset_sequences()
    except (OSError, EOFError, UnicodeError) as error:
        why = getattr(error, "strerror", None)  # of the machine, not of what is in the file
        raise BackupError(f"{file} {f'cannot be read: {why}' if why else f'is no whole backup: {error}'}.") from error
    except (DeserializationError, DatabaseError, ValueError) as error:
        raise BackupError(f"{file} cannot be restored: {error}. Nothing was changed.") from error
    _keep_secret(head.get("secret_key"))
    return rows


def _read_head(file: Path, line: str) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT or not isinstance(head.get("migrations"), list):
        raise BackupError(f"{file} is no backup of Menagerie ({FORMAT}).")
    known = {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}
    newer = sorted(set(map(str, head["migrations"])) - known)
    if newer:
        raise BackupError(
            f"This backup needs {newer[-1]}, which this database does not have: run manage.py migrate, "
            "with a program at least as new as the one that made the backup."
        )
    return head


def _require_empty() -> None:
    for model in list_models():
        if model._meta.label_lower == MADE_BY_STARTING:
            continue
        if model._meta.app_label in ("games", "tournaments", "auth") and model._default_manager.exists():
            raise BackupError(
                f"This database is not empty (it has {model._meta.verbose_name_plural}). Restore into a new one: "
                "another DATA_DIR or DATABASE_URL, then manage.py migrate, then restore."
            )


def _insert(lines: IO[str], say: Say) -> int:
    total = 0
    counts: Counter[Any] = Counter()
    model: Any = None
    batch: list[models.Model] = []
    relations: list[Any] = []
    for line in lines:
        if line.startswith('{"rows"'):
            _save(model, batch)
            if json.loads(line)["rows"] != total:
                raise BackupError(f"The backup has {total} rows and should have others: it is not whole.")
            for row in relations:
                for name, values in (row.m2m_data or {}).items():
                    getattr(row.object, name).set(values)
            for of, count in counts.items():
                say(f"{count:>9}  {of._meta.verbose_name_plural}")
            return total
        told = _read_row(line, total)
        if model is None or told["model"] != model._meta.label_lower or len(batch) >= BATCH:
            _save(model, batch)  # first: a row is read by looking for those that it refers to by name
            batch = []
        row = next(iter(serializers.deserialize("python", [told])))
        model = type(row.object)
        counts[model] += 1
        batch.append(row.object)
        if row.m2m_data:
            relations.append(row)
        total += 1
    raise BackupError(f"The backup ends after {total} rows: it is not whole.")


def _read_row(line: str, total: int) -> dict[str, Any]:
    row = json.loads(line)
    if not isinstance(row, dict) or not isinstance(row.get("model"), str):
        raise BackupError(f"What follows row {total} of the backup is no row: it is not whole.")
    return row


def _save(model: Any, batch: list[models.Model]) -> None:
    if batch:
        with _keeping_times(model):
            model._base_manager.bulk_create(batch)  # as it was: the keys of a name come by themselves, or later


@contextmanager
def _keeping_times(model: type[models.Model]) -> Iterator[None]:
    """What notes by itself when a row was made leaves alone what the backup says of that."""
    noting = [column for column in model._meta.concrete_fields if getattr(column, "auto_now_add", False)]
    for column in noting:
        column.auto_now_add = False  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for column in noting:
            column.auto_now_add = True  # type: ignore[attr-defined]


def _reset_sequences() -> None:
    """PostgreSQL counts ids by itself: on from the highest that came with the backup."""
    statements = connection.ops.sequence_reset_sql(no_style(), list_models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _keep_secret(key: str | None) -> None:
    """The key that signed people's sessions, so that they stay who they are; not over one from the environment."""
    file = settings.DATA_DIR / "secret-key"
    if key and not os.environ.get("SECRET_KEY", "").strip():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(key)
