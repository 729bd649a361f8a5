"""Standing answers: what a seat's player orders for the windows to come. Only they are shown it."""

from __future__ import annotations

from games.play.errors import Illegal, NotAllowed, Stale
from games.play.moves import advance
from games.play.moves.submission import commit, retry, run_overdue
from games.play.storage.table import PLAYING, LoadedTable


def set_standing_answer(table_id: str, player_id: int | None, *, standing: str, now: float) -> LoadedTable:
    """Order this standing answer of the game in place of an earlier one; an empty one takes the order back. Idempotent.

    Raises NotAllowed (no seat), Illegal (this game does not have it), Stale (no game, or paused), Busy.
    """

    def attempt(table: LoadedTable, present: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if standing and standing not in table.rules.standing_answers:
            raise Illegal("This game does not have this standing answer.")
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        if table.runtime.is_standing:
            table = advance.resume_clocks(table, now=present)
        advance.require_running(table)
        orders = dict(table.runtime.standing_answers)
        orders.pop(seat, None)
        if standing != table.usual_standing_answer:  # else it holds without an order
            orders[seat] = standing
        after = advance.note_presence(table, seat)
        after = after._replace(runtime=after.runtime._replace(standing_answers=tuple(sorted(orders.items()))))
        if after.runtime == table.runtime:
            return table
        return commit(table, after, now=present)

    return retry(table_id, attempt, now=now)
