"""Which private tables a reader may watch: by an invitation link, a challenge, or an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from games.accounts import access_tokens
from games.accounts.session import invited_tables
from games.models import AccessToken
from games.play import permissions
from games.play.seats import challenges
from games.play.storage.table import LoadedTable


def enter(table: LoadedTable, player_id: int | None, session: SessionBase | Mapping[str, Any]) -> frozenset[str]:
    """Ids of the tables that this reader may watch, checked for a request to watch this one.

    session: empty for a program with a key. On a database thread. Raises NotAllowed if this one is not among them and
    not for everybody.
    """
    invited = invited_tables(session)
    if not permissions.can_watch(table, player_id, invited) and (
        permissions.is_allowed_by_owner(table, player_id, session) or challenges.is_invited(table.id, player_id)
    ):
        invited |= {table.id}
    permissions.require_watch(table, player_id, invited)
    return invited


def enter_by_token(table: LoadedTable, token: AccessToken) -> frozenset[str]:
    """As `enter`, for a program. Tables of a club's events that are not public need the scope `club`, or a seat."""
    player_id = token.player_id
    if permissions.can_watch(table, player_id, ()):
        return frozenset()
    is_allowed = challenges.is_invited(table.id, player_id) or (
        access_tokens.CLUB in access_tokens.list_scopes(token) and permissions.is_allowed_by_owner(table, player_id, {})
    )
    invited = frozenset({table.id} if is_allowed else ())
    permissions.require_watch(table, player_id, invited)
    return invited
