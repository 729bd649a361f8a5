"""`manage.py backup`: everything that is stored, while people go on playing."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.operation.backups import backup_file
from games.operation.backups.backup import back_up, remove_remains
from games.operation.backups.backup_file import BackupError

NAME = "menagerie-*.jsonl.gz"
HOUR_SECONDS = 3600.0
"""Seconds in an hour, the unit of `--every`."""
RETRY_SECONDS = 60.0
"""Seconds to wait after a backup that failed."""
TERMINATED = 128 + signal.SIGTERM


class Command(BaseCommand):
    """Writes one file, or one every so many hours; with --keep removes older ones. --check reads one instead."""

    help = "Back up everything into one file while people play, or check such a file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to, how many to keep, how often; or what to check."""
        parser.add_argument("file", nargs="?", type=Path, help="default: a new file in DATA_DIR/backups")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="keep the newest N backups in DATA_DIR/backups and remove the others"
        )
        parser.add_argument(
            "--every", type=float, metavar="HOURS", help="keep running; back up whenever the newest is this old"
        )
        parser.add_argument(
            "--check", type=Path, metavar="FILE", help="check that this backup is complete and unchanged; write nothing"
        )
        parser.add_argument(
            "--hook",
            default=settings.BACKUP_HOOK,
            metavar="PROGRAM",
            help="run this with the path of each new backup, to copy it elsewhere (default: BACKUP_HOOK)",
        )

    def handle(
        self,
        *args: Any,
        file: Path | None,
        keep: int | None,
        every: float | None,
        check: Path | None,
        hook: str,
        **options: Any,
    ) -> None:
        """Raises CommandError with a sentence."""
        self._hook = hook
        if keep is not None and keep < 1:
            raise CommandError("--keep must be at least 1.")
        if every is not None and (every <= 0 or file is not None):
            raise CommandError("--every needs hours above 0, and no file: each backup gets a name of its own.")
        before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # and what is half done goes
        try:
            if check is not None:
                self._check(check)
            elif every is None:
                self._back_up(file, keep)
            else:
                self._run_on(HOUR_SECONDS * every, keep)
        except BackupError as error:
            raise CommandError(str(error)) from error
        finally:
            signal.signal(signal.SIGTERM, before)

    def _run_hook(self, file: Path) -> None:
        """Raises BackupError where the program fails; the backup is there all the same."""
        if not self._hook:
            return
        try:
            status = subprocess.run([*shlex.split(self._hook), str(file)], check=False).returncode
        except (OSError, ValueError) as error:
            raise BackupError(f"{file} was made, but BACKUP_HOOK cannot be run: {error}.") from error
        if status:
            raise BackupError(f"{file} was made, but BACKUP_HOOK ended with status {status}. Check for a copy.")
        self.stdout.write(f"BACKUP_HOOK has handled {file.name}.")

    def _check(self, file: Path) -> None:
        found = backup_file.check(file)
        proof = "all checksums match" if found.has_checksums else "an older version made it, without checksums"
        when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(found.head.get("at", 0)))
        self.stdout.write(f"{file} is complete: {say_content(found.rows, found.files)} of {when} UTC; {proof}.")

    def _run_on(self, seconds: float, keep: int | None) -> None:
        """Until somebody ends it. A start makes no backup while the newest is young enough."""
        while True:
            folder = settings.DATA_DIR / "backups"
            newest = max((path.stat().st_mtime for path in folder.glob(NAME)), default=0.0)
            left = newest + seconds - time.time()
            if left <= 0:
                self._try_back_up(keep)
            else:
                when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(newest + seconds))
                self.stdout.write(f"The next backup will be made at {when} UTC.")
                self.stdout.flush()
                time.sleep(left)

    def _try_back_up(self, keep: int | None) -> None:
        """One of many: where it fails, its reason is said, and the next one is tried after a while."""
        try:
            self._back_up(None, keep)
        except BackupError as error:
            self.stderr.write(str(error))
            time.sleep(RETRY_SECONDS)

    def _back_up(self, file: Path | None, keep: int | None) -> None:
        folder = settings.DATA_DIR / "backups"
        now = time.time()
        file = file or folder / time.strftime("menagerie-%Y%m%d-%H%M%S.jsonl.gz", time.gmtime(now))
        done = back_up(file, now=now, say=self.stdout.write)
        if done.missing:
            self.stderr.write(
                f"Warning: {len(done.missing)} files of finished games are missing in {settings.GAMES_DIR}, "
                f"for example {done.missing[0]}. The backup does not contain them. Bring them back, or set GAMES_DIR."
            )
        self.stdout.write(
            f"{say_content(done.rows, done.files)} are in {file} ({file.stat().st_size // 1024} kB). "
            "Protect it like the database."
        )
        if keep:
            remove_remains(folder, now=now)
            for old in sorted(folder.glob(NAME))[:-keep]:
                old.unlink()
        self._run_hook(file)


def say_content(rows: int, files: int) -> str:
    """What a backup holds."""
    return f"{rows} rows and {files} files of finished games" if files else f"{rows} rows"
