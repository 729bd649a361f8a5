"""Do at once what is done bit by bit every hour: close abandoned tables, write old games to files."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from games.play.records import filing, retention


class Command(BaseCommand):
    """`manage.py tidy_games [--dry-run]`."""

    help = "Close casual tables that everybody has left, and write old finished games to record files."

    def add_arguments(self, parser: CommandParser) -> None:
        """One switch."""
        parser.add_argument("--dry-run", action="store_true", help="change nothing; only count")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Piece by piece, until nothing is left."""
        now, days = time.time(), settings.KEEP_GAMES_DAYS
        if options["dry_run"]:
            closed = len(retention.list_abandoned(now=now, most=1_000_000))
            filed = len(filing.list_old(before=now - days * retention.DAY, most=1_000_000)) if days else 0
            self.stdout.write(f"To close: {closed} tables. To write to files: {filed} games. Nothing was changed.")
            return
        closed = filed = 0
        while any(done := retention.tidy_tables(now=now)):
            closed, filed = closed + done.closed, filed + done.filed
        self.stdout.write(f"Closed: {closed} tables. Written to files in {settings.GAMES_DIR}: {filed} games.")
