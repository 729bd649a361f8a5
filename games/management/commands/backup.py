"""`manage.py backup`: everything that is stored, while people go on playing."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.operation.backup import BackupError, back_up, remove_remains

NAME = "menagerie-*.jsonl.gz"
TERMINATED = 128 + signal.SIGTERM


class Command(BaseCommand):
    """Writes one file; with --keep removes older ones beside it."""

    help = "Back up everything that is stored into one file, while people go on playing."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to, and how many to keep."""
        parser.add_argument("file", nargs="?", type=Path, help="default: a new file in DATA_DIR/backups")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="keep the newest N of DATA_DIR/backups, remove others"
        )

    def handle(self, *args: Any, file: Path | None, keep: int | None, **options: Any) -> None:
        """Raises CommandError with a sentence."""
        before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # and what is half done goes
        try:
            self._back_up(file, keep)
        finally:
            signal.signal(signal.SIGTERM, before)

    def _back_up(self, file: Path | None, keep: int | None) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep must be at least 1.")
        folder = settings.DATA_DIR / "backups"
        now = time.time()
        file = file or folder / time.strftime("menagerie-%Y%m%d-%H%M%S.jsonl.gz", time.gmtime(now))
        try:
            rows = back_up(file, now=now, say=self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{rows} rows are in {file} ({file.stat().st_size // 1024} kB). Keep it as you keep the database."
        )
        if keep:
            remove_remains(folder, now=now)
            for old in sorted(folder.glob(NAME))[:-keep]:
                old.unlink()
