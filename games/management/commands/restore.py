"""`manage.py restore`: a backup into an empty database, of the same kind or another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.commands.backup import say_content
from games.operation.backups.backup_file import BackupError
from games.operation.backups.restore import restore

NO_CHECKSUMS = "This backup has no checksums, because an older version made it. Only its structure could be checked."
OTHER_KEY = (
    "Warning: the backup was made with another SECRET_KEY. Everybody is signed out, and guests cannot come back to "
    "their seats. Links in emails, authenticator apps and recovery codes no longer work. To keep all that, set "
    "SECRET_KEY to the key of the backup's installation (or unset it if the backup contains the key). Then restore "
    "again, into an empty database."
)


class Command(BaseCommand):
    """All of it or nothing; games go on when a server is started."""

    help = "Restore a backup into an empty database (after manage.py migrate). Games go on at the next start."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which file."""
        parser.add_argument("file", type=Path, help="a file made by manage.py backup")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Raises CommandError with a sentence."""
        try:
            done = restore(file, say=self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        if not done.has_checksums:
            self.stdout.write(NO_CHECKSUMS)
        if done.missing:
            self.stderr.write(
                f"Warning: {done.missing} files of finished games are neither in this backup nor in "
                f"{settings.GAMES_DIR}. Copy them there. Until then, these games cannot be watched."
            )
        if done.is_key_other:
            self.stderr.write(OTHER_KEY)
        self.stdout.write(
            f"{say_content(done.rows, done.files)} are restored. "
            "Start the server: games go on with the time that was left."
        )
