"""What time decides at a table: that its game begins without those who contributed nothing, and that turns run out."""

from __future__ import annotations

from typing import NamedTuple

from games.play.moves import submission
from games.play.seats import opening
from games.play.storage import store
from games.play.storage.table import WAITING, Loaded
from games.rules.clock import find_overdue_clock


def run_clock(table_id: str, *, now: float) -> Loaded:
    """Make everything happen at this table that time decides, its start included. Safe to run twice or never.

    A turn answered in time counts, also if its answer is on its way here or still waits for the database:
    timers run late by `patience`.
    """
    return run_late_clock(table_id, now=now).table


class Ran(NamedTuple):
    """The table after its clocks ran. late: seconds by which the first that ran out was over; None if none did."""

    table: Loaded
    late: float | None


def run_late_clock(table_id: str, *, now: float) -> Ran:
    """As `run_clock`, and how late it was."""
    store.refresh(table_id)

    def attempt(table: Loaded, now: float) -> Ran:
        grace = submission.patience(table)
        if table.status == WAITING:
            is_due = opening.is_due(table, now=now - grace)
            return Ran(opening.begin(table, now=now) if is_due else table, None)
        clock = find_overdue_clock(table.desk.clocks, now - grace)
        after = submission.run_overdue(table, now=now, grace=grace)
        return Ran(after, now - clock.due if clock is not None and after.ply > table.ply else None)

    return submission.retry(table_id, attempt, now=now)
