"""A player says that they have seen the new deal."""

from __future__ import annotations

from games.play.errors import NotAllowed
from games.play.moves import advance
from games.play.moves.interludes import note_ready
from games.play.moves.submission import commit, retry, run_overdue
from games.play.storage.table import PLAYING, LoadedTable


def mark_ready(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """This player wants the interlude to end; it does once all players do. Idempotent, without effect after it.

    Raises NotAllowed, Busy.
    """

    def attempt(table: LoadedTable, present: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        table = run_overdue(table, now=now)
        if table.status != PLAYING or table.runtime.interlude is None or table.runtime.paused_at is not None:
            return table
        after = note_ready(advance.note_presence(table, seat), seat, now=present)
        return table if after.runtime == table.runtime else commit(table, after, now=present)

    return retry(table_id, attempt, now=now)
