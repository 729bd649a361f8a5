"""Void a game: it was played but does not count."""

from __future__ import annotations

from games import models
from games.play import signals
from games.play.errors import BadInput
from games.play.moves.submission import retry
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, LoadedTable

MAX_REASON = 200
"""Characters of the reason."""


def void(table_id: str, *, reason: str, now: float) -> LoadedTable:
    """End a game under way without a result, or stop counting a finished one. Idempotent.

    What was played stays stored, and can be looked at. Raises BadInput without a reason of 1 to 200 printable
    characters; Busy.
    """
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON or not reason.isprintable():
        raise BadInput("Enter why this game is void, in 1 to %(most)s characters.", most=MAX_REASON)

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        rows = models.Table.objects.filter(pk=table_id, voided_at=None)

        def write() -> None:
            rows.update(voided_at=now, void_reason=reason)

        after = table.changed(void_reason=reason)
        if table.status == PLAYING:
            after = after._replace(status=OVER, ended_at=now)
        return store.commit(table, after, also=write) if rows.exists() else table

    voided = retry(table_id, attempt, now=now)
    signals.table_voided.send_robust(sender=LoadedTable, table_id=table_id)
    return voided
