"""Which tables by invitation are open to a session: those whose link it has opened, and those it is shown to."""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from games.accounts.session import invited_tables
from games.play import permissions
from games.play.storage.table import Loaded


def enter(table: Loaded, player_id: int | None, session: SessionBase) -> frozenset[str]:
    """The tables that are open to this session, for whoever wants to look at this one.

    On a database thread. Raises NotAllowed if this one is not among them and not for everybody.
    """
    invited = invited_tables(session)
    if not permissions.can_watch(table, player_id, invited) and permissions.is_shown(table, player_id, session):
        invited |= {table.id}
    permissions.require_watch(table, player_id, invited)
    return invited
