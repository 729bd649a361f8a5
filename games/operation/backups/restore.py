"""Restores a backup into an empty installation, with the same kind of database or another: completely or not at all."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from games.models.name_repair import repair_names
from games.operation.backups import filed_games, older_rows
from games.operation.backups.backup import BATCH, Say, list_models
from games.operation.backups.backup_file import END, FILE, BackupError, check, fingerprint_key, read_row, reading

MADE_BY_STARTING = "games.pulse"
"""What a server or worker leaves in a database that nobody has used yet."""


class RestoreResult(NamedTuple):
    """What was restored: its rows, whether checksums proved them, and whether people's sessions and codes are lost.

    files: of finished games; missing: those to which the rows refer, and that neither backup nor GAMES_DIR has.
    """

    rows: int
    has_checksums: bool
    is_key_other: bool
    files: int = 0
    missing: int = 0


def restore(file: Path, *, say: Say) -> RestoreResult:
    """Restore a backup into an empty, migrated database: completely or not at all. Raises BackupError.

    The whole file is checked before anything is touched.
    """
    checked = check(file)
    _require_migrations(checked.head)
    _require_empty()
    files = filed_games.StagedFiles()
    try:
        with reading(file), gzip.open(file, "rb") as lines, files, transaction.atomic():
            next(lines)
            apps.get_model(MADE_BY_STARTING)._default_manager.all().delete()
            _insert_rows(lines, files, say)
            repair_names(apps, connection.alias)
            _reset_sequences()
    except (DeserializationError, DatabaseError, ValueError) as error:
        raise BackupError(f"{file} cannot be restored: {error}. Nothing was changed.") from error
    _keep_secret(checked.head.get("secret_key"))
    is_key_other, missing = _is_key_other(checked.head), filed_games.count_missing()
    return RestoreResult(checked.rows, checked.has_checksums, is_key_other, files.count, missing)


def _require_migrations(head: dict[str, Any]) -> None:
    applied = {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}
    newer = sorted(set(map(str, head["migrations"])) - applied)
    if newer:
        raise BackupError(
            f"This backup needs {newer[-1]}, which this database does not have. Run manage.py migrate with a "
            "version of Menagerie that is at least as new as the one that made the backup."
        )


def _require_empty() -> None:
    for model in list_models():
        if model._meta.label_lower == MADE_BY_STARTING:
            continue
        if model._meta.app_label in ("games", "tournaments", "auth") and model._default_manager.exists():
            raise BackupError(
                f"This database is not empty (it has {model._meta.verbose_name_plural}). Restore into a new one: set "
                "another DATA_DIR or DATABASE_URL, run manage.py migrate, then restore."
            )


def _insert_rows(lines: Iterable[bytes], files: filed_games.StagedFiles, say: Say) -> None:
    """The rows and then the files, up to the last line."""
    counts: Counter[Any] = Counter()
    model: Any = None
    batch: list[models.Model] = []
    relations: list[Any] = []
    for number, line in enumerate(lines):
        if line.startswith(END):
            break
        if line.startswith(FILE):
            files.put(line)
            continue
        written = older_rows.rename(read_row(line, number))
        if model is None or written["model"] != model._meta.label_lower or len(batch) >= BATCH:
            _save(model, batch)  # first: a row is read by looking for those that it refers to by name
            batch = []
        row = next(iter(serializers.deserialize("python", [written])))
        model = type(row.object)
        counts[model] += 1
        batch.append(row.object)
        if row.m2m_data:
            relations.append(row)
    _save(model, batch)
    for row in relations:
        for name, values in (row.m2m_data or {}).items():
            getattr(row.object, name).set(values)
    for model, count in counts.items():
        say(f"{count:>9}  {model._meta.verbose_name_plural}")
    if files.count:
        say(f"{files.count:>9}  files of finished games")


def _save(model: Any, batch: list[models.Model]) -> None:
    if batch:
        with _keeping_times(model):
            model._base_manager.bulk_create(batch)  # as it was: the keys of a name come by themselves, or later


@contextmanager
def _keeping_times(model: type[models.Model]) -> Iterator[None]:
    """Turn off automatic creation times, so that rows keep those of the backup."""
    noting = [column for column in model._meta.concrete_fields if getattr(column, "auto_now_add", False)]
    for column in noting:
        column.auto_now_add = False  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for column in noting:
            column.auto_now_add = True  # type: ignore[attr-defined]


def _reset_sequences() -> None:
    """Set PostgreSQL's id sequences to the highest restored ids."""
    statements = connection.ops.sequence_reset_sql(no_style(), list_models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _keep_secret(key: str | None) -> None:
    """Store the SECRET_KEY of the backup, so that sessions stay valid; a key from the environment wins."""
    file = settings.DATA_DIR / "secret-key"
    if key and not _key_of_environment():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(key)


def _is_key_other(head: dict[str, Any]) -> bool:
    """Whether this installation uses another SECRET_KEY than the backup's."""
    kept = head.get("secret_key")
    if kept and not _key_of_environment():
        return False
    wanted = head.get("key_print") or (fingerprint_key(kept) if kept else None)
    return wanted is not None and wanted != fingerprint_key(settings.SECRET_KEY)


def _key_of_environment() -> str:
    return os.environ.get("SECRET_KEY", "").strip()
