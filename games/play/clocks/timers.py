"""Timers of a table: its game begins without missing contributions, and turns run out."""

from __future__ import annotations

from typing import NamedTuple

from games.play.moves import submission
from games.play.seats import opening
from games.play.storage import store
from games.play.storage.table import WAITING, LoadedTable
from games.rules.clock import find_overdue_clock


def run_clock(table_id: str, *, now: float) -> LoadedTable:
    """Run everything that is overdue at this table, its start included. Safe to run twice or never.

    Timers run late by `submission.find_answer_grace`, so that a move sent in time counts even if it is still on its
    way or waits for the database.
    """
    return run_clock_timed(table_id, now=now).table


class ClockRun(NamedTuple):
    """The table after its clocks ran. late: seconds by which the first one was overdue; None if none ran out."""

    table: LoadedTable
    late: float | None


def run_clock_timed(table_id: str, *, now: float) -> ClockRun:
    """As `run_clock`, with how late it was."""
    store.refresh(table_id)

    def attempt(table: LoadedTable, now: float) -> ClockRun:
        grace = submission.find_answer_grace(table)
        if table.status == WAITING:
            is_due = opening.is_due(table, now=now - grace)
            return ClockRun(opening.begin(table, now=now) if is_due else table, None)
        clock = find_overdue_clock(table.runtime.clocks, now - grace)
        after = submission.run_overdue(table, now=now, grace=grace)
        return ClockRun(after, now - clock.due if clock is not None and after.ply > table.ply else None)

    return submission.retry(table_id, attempt, now=now)
