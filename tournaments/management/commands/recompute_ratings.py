"""`manage.py recompute_ratings`: compute ratings, leaderboards and careers again from the stored games."""

from __future__ import annotations

import signal
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.flow.counting import finished_tables, real_tables, recomputing, rederiving
from tournaments.models import Tournament

WIDTH = 40
"""Characters of the progress bar."""
TERMINATED = 128 + signal.SIGTERM
"""Exit status after SIGTERM, as shells report it."""


class Command(BaseCommand):
    """Count missed tables, compute everything again, and print what had to be corrected."""

    help = (
        "Compute ratings, leaderboards and careers again from the stored games, and say what was corrected. People can "
        "go on playing. You can interrupt it and start it again at any time."
    )
    _shown = -1

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError if another computation is under way."""
        before = signal.signal(signal.SIGTERM, self._stop)
        try:
            self._compute()
        finally:
            signal.signal(signal.SIGTERM, before)

    def _compute(self) -> None:
        began = time.monotonic()
        self.stderr.write("From the stored games:")
        for table_id in list(recomputing.list_voided_still_counted()):
            recomputing.uncount_voided(table_id)
        derived = rederiving.derive_again(now=time.time(), progress=self._show_progress)
        missed = self._count_missed()
        real_tables.drop_orphans(now=time.time())
        for tournament_id in list(Tournament.objects.order_by("created_at").values_list("pk", flat=True)):
            real_tables.follow(tournament_id, now=time.time())
        self.stderr.write("\nFrom the results: all ratings, then everybody's places and totals, then the leaderboards:")
        changed = recomputing.recompute(now=time.time(), progress=self._show_progress)
        if changed is None:
            raise CommandError("This is already running. Wait until it is finished.")
        missed += self._count_missed()
        if changed.tables:
            self.stderr.write("")
        took = f"{changed.tables} tables in {time.monotonic() - began:.1f} s"
        if not any((missed, derived, *changed[1:])):
            self.stdout.write(f"{took}: everything was right, nothing was changed")
            return
        self.stdout.write(
            f"{took}: {missed} newly counted, {derived} entries and results, {changed.ratings} ratings, "
            f"{changed.rows} rows of leaderboards, {changed.totals} totals and {changed.counts} counts corrected"
        )

    @staticmethod
    def _count_missed() -> int:
        """Count finished tables that were not counted. Returns how many there were."""
        return sum(
            finished_tables.count_table(table_id, now=time.time())
            for table_id in list(finished_tables.list_uncounted())
        )

    @staticmethod
    def _stop(*_: Any) -> None:
        """Exit as after Ctrl-C, so that the claim on counting is released."""
        raise SystemExit(TERMINATED)

    def _show_progress(self, done: int, total: int) -> None:
        per_cent = 100 * done // max(1, total)
        if per_cent < self._shown:
            self.stderr.write("")
        if per_cent != self._shown:
            filled = WIDTH * per_cent // 100
            self.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {per_cent:3d} %", ending="")
            self.stderr.flush()
        self._shown = per_cent
