"""`manage.py restore`: a backup into an empty database, of the same kind or another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.operation.backup import BackupError, restore


class Command(BaseCommand):
    """All of it or nothing; games go on when a server is started."""

    help = "Restore a backup into an empty database (after manage.py migrate). Games go on at the next start."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which file."""
        parser.add_argument("file", type=Path, help="what manage.py backup has written")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Raises CommandError with a sentence."""
        try:
            rows = restore(file, say=self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{rows} rows are restored. Start the server, and games go on with the time that was left.")
