"""Who may see and do what at a table: the one place that says so."""

from __future__ import annotations

from collections.abc import Collection

from games.play.errors import NotAllowed
from games.play.table import OVER, Loaded


def can_watch(table: Loaded, player_id: int | None, invited: Collection[str]) -> bool:
    """Whether this person may look at the table. invited: ids of tables whose link the person has opened."""
    return table.is_public or table.id in invited or table.seat_of(player_id) is not None


def require_watch(table: Loaded, player_id: int | None, invited: Collection[str]) -> None:
    """Raises NotAllowed unless this person may look at the table."""
    if not can_watch(table, player_id, invited):
        raise NotAllowed("This table is by invitation. Ask somebody who sits at it for the link.")


def require_finished(table: Loaded) -> None:
    """Raises NotAllowed while anything of the game must stay hidden: its record, seed and secret."""
    if table.status != OVER or table.outcome is None:
        raise NotAllowed("The record, the seed and the secret are published when the game is over.")
    if table.desk.arranged is not None and table.desk.arranged.is_sealed:
        raise NotAllowed("Others still play the same deals. The record is published when their round is over.")
