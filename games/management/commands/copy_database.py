"""`manage.py copy_database`: a club from a SQLite file into the database of DATABASE_URL, verified table by table."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.operation.backups.backup_file import BackupError
from games.operation.backups.moving import copy_database


class Command(BaseCommand):
    """Sets the new database up, copies all of it or nothing, and prints rows and digest of every table."""

    help = "Copy a club from a SQLite file into the empty database of DATABASE_URL, and verify every table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The old file."""
        parser.add_argument(
            "file", type=Path, nargs="?", default=settings.DATA_DIR / "menagerie.sqlite3",
            help="the SQLite file (default: DATA_DIR/menagerie.sqlite3); stop its server first",
        )  # fmt: skip

    def handle(self, *_: Any, file: Path, **__: Any) -> None:
        """Raises CommandError with a sentence."""
        if connection.vendor != "sqlite" and file.is_file():
            call_command("migrate", interactive=False, verbosity=0)
        try:
            done, compared = copy_database(file, say=lambda _line: None)
        except BackupError as error:
            raise CommandError(str(error)) from error
        for table in compared:
            if table.before.rows:
                self.stdout.write(
                    f"{table.after.rows:>9}  {table.name:<40} {table.after.sha256[:16]}  same on both sides"
                )
        self.stdout.write(
            f"{done.rows} rows of {len(compared)} tables are in {connection.settings_dict['NAME']} "
            f"({connection.vendor}). They are the same as in {file}: all rows were counted and hashed. "
            "Keep that file until you have seen that the club works."
        )
        if done.is_key_other:
            self.stderr.write(
                f"Warning: this club had another SECRET_KEY. Set it to the content of {settings.DATA_DIR}/secret-key. "
                "Otherwise everybody is signed out, and second factors no longer work."
            )
