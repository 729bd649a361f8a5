"""`manage.py recompute_ratings`: ratings, leaderboards and careers again, from the stored games."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Table
from tournaments.flow import counting, recomputing
from tournaments.flow.careers import record_deals

WIDTH = 40


class Command(BaseCommand):
    """Count what was missed, compute everything again, and say what was not as it should be."""

    help = "Compute ratings, leaderboards and careers again from the stored games, and say what had to be changed."

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError if another computation is under way."""
        tables = Table.objects.exclude(seed="").exclude(status="waiting").defer("state", "desk")
        entries = sum(record_deals(table) for table in tables.iterator(chunk_size=500))
        missed = sum(counting.count_table(table_id, now=time.time()) for table_id in list(counting.list_uncounted()))
        began = time.monotonic()
        changed = recomputing.recompute(now=time.time(), progress=self._show)
        if changed is None:
            raise CommandError("Everything is being computed again already. Wait until that is done.")
        if changed.tables:
            self.stderr.write("")
        self.stdout.write(
            f"{changed.tables} tables in {time.monotonic() - began:.1f} s: {missed} newly counted, {entries} career "
            f"entries added, {changed.ratings} ratings and {changed.rows} rows of leaderboards put right"
        )

    def _show(self, done: int, of: int) -> None:
        step = max(1, of // 200)
        if done % step == 0 or done == of:
            filled = WIDTH * done // of
            self.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {100 * done // of:3d} %", ending="")
            self.stderr.flush()
