"""Players pause and resume their table, and end its game without a result if all who are there agree.

At an arranged table only its organiser does so (`arranged_tables`).
"""

from __future__ import annotations

from collections.abc import Callable

from games.play.errors import NotAllowed, Stale
from games.play.moves import advance
from games.play.moves.submission import retry, run_overdue, schedule_bots
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.base import Seat


def pause(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """Stop all clocks and bots of this table until one of its players resumes. Idempotent.

    Raises NotAllowed (no seat, an arranged table), Stale (no game under way, paused by an organiser).
    """

    def attempt(table: LoadedTable, _seat: Seat, present: float) -> LoadedTable:
        if table.runtime.is_held:
            return table
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            return table
        if table.runtime.is_standing:
            table = advance.resume_clocks(table, now=present)
        advance.require_running(table)
        runtime = table.runtime._replace(paused_at=present, is_held=True, bot_due=None, bots=(), answers=())
        return store.commit(table, table.changed(runtime=runtime))

    return _change_table(table_id, player_id, attempt, now=now)


def resume(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """Resume a paused table with as much time on every clock as before. Idempotent.

    Raises NotAllowed (no seat, an arranged table), Stale (no game under way, paused by an organiser).
    """

    def attempt(table: LoadedTable, seat: Seat, present: float) -> LoadedTable:
        if table.runtime.paused_at is None:
            return table
        if not table.runtime.is_held and not table.runtime.is_standing:
            advance.require_running(table)
        after = advance.note_presence(advance.resume_clocks(table, now=present), seat)
        return store.commit(table, schedule_bots(after._replace(version=table.version + 1), now=present))

    return _change_table(table_id, player_id, attempt, now=now)


def agree_to_end(table_id: str, player_id: int | None, *, on: bool, now: float) -> LoadedTable:
    """Agree to end the game without a result, or take that back (on=False). Idempotent.

    It ends once everybody without a stand-in agrees. Raises NotAllowed (no seat, an arranged table), Stale (no
    game under way).
    """

    def attempt(table: LoadedTable, seat: Seat, present: float) -> LoadedTable:
        after = advance.note_presence(table, seat)
        ending = table.runtime.ending | {seat} if on else table.runtime.ending - {seat}
        after = advance.end_if_agreed(after._replace(runtime=after.runtime._replace(ending=ending)), now=present)
        if after == table:
            return table
        return store.commit(table, schedule_bots(after._replace(version=table.version + 1), now=present))

    return _change_table(table_id, player_id, attempt, now=now)


def _change_table(
    table_id: str, player_id: int | None, attempt: Callable[[LoadedTable, Seat, float], LoadedTable], *, now: float
) -> LoadedTable:
    """Run this change of a player's on their running table. It gets the table, their seat and the present time."""

    def check(table: LoadedTable, present: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        if table.runtime.arranged is not None:
            raise NotAllowed("Only an organiser can pause or end this game.")
        return attempt(table, seat, present)

    return retry(table_id, check, now=now)
