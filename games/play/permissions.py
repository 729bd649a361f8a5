"""Who may see and do what at a table: the one place that says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from games.play.errors import NotAllowed
from games.play.storage.table import OVER, PLAYING, Loaded


def can_watch(table: Loaded, player_id: int | None, invited: Collection[str]) -> bool:
    """Whether this person may look at the table. invited: ids of tables whose link the person has opened."""
    return table.is_public or table.id in invited or table.seat_of(player_id) is not None


def require_watch(table: Loaded, player_id: int | None, invited: Collection[str]) -> None:
    """Raises NotAllowed unless this person may look at the table."""
    if not can_watch(table, player_id, invited):
        raise NotAllowed("This table is by invitation. Ask somebody who sits at it for the link.")


Usher = Callable[[str, int | None, Mapping[str, Any]], bool]
USHERS: list[Usher] = []
"""Who shows people to a table that is not for everybody: asked with its id, a person's, and the session that asks.
What is built on tables adds itself here: whoever may see a tournament may watch its tables."""


def is_shown(table: Loaded, player_id: int | None, session: Mapping[str, Any]) -> bool:
    """Whether somebody is shown to a table by what it belongs to. Asks the database.

    Not while others play the same deals: what lies on this table they will hold in their hands.
    """
    if table.desk.arranged is not None and table.desk.arranged.is_sealed:
        return False
    return any(usher(table.id, player_id, session) for usher in USHERS)


NO_TALK, PHRASES_ONLY, FREE_TALK = "off", "phrases", "free"
TALKS = (PHRASES_ONLY, FREE_TALK, NO_TALK)
"""What may be said at a table."""


def can_hear(table: Loaded, *, listener: int | None, speaker: int | None) -> bool:
    """Whether somebody on this seat hears this speaker. None is a watcher: during a game no player hears one."""
    return speaker is not None or listener is None or table.status != PLAYING


Warden = Callable[[str, int], bool]
WARDENS: list[Warden] = []
"""Who else looks after a table: asked with its id and a person's. What is built on tables adds itself here."""


def can_clear_talk(table: Loaded, player_id: int | None, *, is_staff: bool) -> bool:
    """Whether this person may clear what was said at the table: its host, staff, and whoever looks after it."""
    is_host = player_id is not None and player_id == table.host_id
    return is_host or looks_after(table, player_id, is_staff=is_staff)


def looks_after(table: Loaded, player_id: int | None, *, is_staff: bool) -> bool:
    """Whether this person is in charge of the table, whoever hosts it: staff, and organisers of its event."""
    return is_staff or (player_id is not None and any(warden(table.id, player_id) for warden in WARDENS))


REOPENERS: list[Callable[[Loaded], bool]] = []
"""Asked with an arranged table that was closed before its game: whether it can be opened again. What is built on tables
adds itself here."""


def is_published(table: Loaded) -> bool:
    """Whether secret and seed of a table are for everybody: its game is over, or can never begin or go on."""
    if table.status != OVER or (table.desk.arranged is not None and table.desk.arranged.is_sealed):
        return False
    was_closed = table.started_at is None and table.desk.arranged is not None
    return not (was_closed and any(may_reopen(table) for may_reopen in REOPENERS))


def require_finished(table: Loaded) -> None:
    """Raises NotAllowed while anything of the game must stay hidden: its record, seed and secret."""
    if table.status != OVER or table.outcome is None:
        raise NotAllowed("The record, the seed and the secret are published when the game is over.")
    if table.desk.arranged is not None and table.desk.arranged.is_sealed:
        raise NotAllowed("Others still play the same deals. The record is published when their round is over.")
