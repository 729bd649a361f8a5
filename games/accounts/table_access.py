"""Which tables by invitation are open to a session: those whose link it has opened, and those it is shown to."""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from games.accounts.session import invited_tables
from games.play import permissions
from games.play.storage.table import LoadedTable


def enter(table: LoadedTable, player_id: int | None, session: SessionBase) -> frozenset[str]:
    """Ids of the tables that this session may watch, checked for a request to watch this one.

    On a database thread. Raises NotAllowed if this one is not among them and not for everybody.
    """
    invited = invited_tables(session)
    if not permissions.can_watch(table, player_id, invited) and permissions.is_allowed_by_owner(
        table, player_id, session
    ):
        invited |= {table.id}
    permissions.require_watch(table, player_id, invited)
    return invited
