"""Permission to watch the tables of a tournament or evening: people who may see the event may watch them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.flow import permissions
from tournaments.flow.evenings import sessions
from tournaments.models import SessionTable, Tournament


def club_of(table_id: str) -> int | None:
    """The club at whose tournament or evening this table is played, or None."""
    of_tournament = Tournament.objects.filter(rounds__pods__table=table_id).values_list("club", flat=True).first()
    if of_tournament is not None:
        return of_tournament
    return SessionTable.objects.filter(table=table_id).values_list("timed_session__club", flat=True).first()


def shows_table(table_id: str, player_id: int | None, session: Mapping[str, Any]) -> bool:
    """Whether this person may watch a table that is not public. session: their browser session."""
    tournament = Tournament.objects.select_related("club").filter(rounds__pods__table=table_id).first()
    if tournament is not None:
        role = permissions.role_of(tournament.club, player_id)
        return tournament.pk in session.get(permissions.OPENED, ()) or permissions.can_see(tournament, player_id, role)
    rows = SessionTable.objects.filter(table=table_id).select_related("timed_session__club")
    return any(sessions.is_participant(row.timed_session, player_id) for row in rows)
