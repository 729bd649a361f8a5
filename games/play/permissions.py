"""Who may see and do what at a table: the one place that says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import ceil
from typing import Any

from games.models import Player
from games.models.skeletons import MAX_SEAT_NAME, collect_skeletons, number_name
from games.play.errors import NotAllowed
from games.play.storage.table import OVER, PLAYING, LoadedTable


def can_watch(table: LoadedTable, player_id: int | None, invited: Collection[str]) -> bool:
    """Whether this person may look at the table. invited: ids of tables whose link the person has opened."""
    return table.is_public or table.id in invited or table.seat_of(player_id) is not None


def require_watch(table: LoadedTable, player_id: int | None, invited: Collection[str]) -> None:
    """Raises NotAllowed unless this person may look at the table."""
    if not can_watch(table, player_id, invited):
        raise NotAllowed("This table is by invitation only. Ask somebody who sits at it for the link.")


ViewingCheck = Callable[[str, int | None, Mapping[str, Any]], bool]
VIEWING_CHECKS: list[ViewingCheck] = []
"""Checks that let a person watch a table that is not public. Called with (table id, player id, session).

Apps built on tables register here: a person who may see a tournament may watch its tables.
"""


def is_allowed_by_owner(table: LoadedTable, player_id: int | None, session: Mapping[str, Any]) -> bool:
    """Whether what the table belongs to (a tournament, an evening) lets this person watch it. Queries the database.

    Never while others still play the same deals: the cards on this table are the ones they will hold.
    """
    if table.runtime.arranged is not None and table.runtime.arranged.is_sealed:
        return False
    return any(check(table.id, player_id, session) for check in VIEWING_CHECKS)


NO_TALK, PHRASES_ONLY, FREE_TALK = "off", "phrases", "free"
TALK_LEVELS = (PHRASES_ONLY, FREE_TALK, NO_TALK)
"""What may be said at a table."""


def can_read_remark(table: LoadedTable, *, reader: int | None, author: int | None) -> bool:
    """Whether a reader at this seat may read this author; None is a spectator. Players at a running game read none."""
    return author is not None or reader is None or table.status != PLAYING


OrganiserCheck = Callable[[str, int], bool]
ORGANISER_CHECKS: list[OrganiserCheck] = []
"""Checks for people in charge of a table. Called with (table id, player id). Apps built on tables register here."""


ORGANISER_LISTS: list[Callable[[str], Collection[int]]] = []
"""Who is in charge of a table, by its id: the ids of these people. Apps built on tables register here."""


def list_roles(table: LoadedTable) -> dict[int, str]:
    """Who does something at this table: "organiser" of what it belongs to, else its "host". Queries the database where
    it was arranged."""
    hosts = {} if table.host_id is None else {table.host_id: "host"}
    if table.runtime.arranged is None:
        return hosts
    return hosts | {player_id: "organiser" for listed in ORGANISER_LISTS for player_id in listed(table.id)}


SPEAKER_NAMES: list[Callable[[str, Player], str]] = []
"""What somebody who watches a table is called in its chat. Called with (table id, player). Apps built on tables
register here."""


def name_speaker(table: LoadedTable, player: Player) -> str:
    """What somebody is called in the chat of a table: as on their seat; who watches has a name unlike those of the
    seats. Queries the database where the table was arranged."""
    seat = table.seat_of(player.pk)
    place = None if seat is None else table.place(seat)
    if place is not None:
        return place.name
    names = SPEAKER_NAMES if table.runtime.arranged is not None else ()
    name = next((find(table.id, player) for find in names), player.name)
    return number_name(name, collect_skeletons(seated.name for seated in table.places), most=MAX_SEAT_NAME)


SILENCE_CHECKS: list[Callable[[str, int, float], float]] = []
"""For how many more seconds a person cannot write at a table. Called with (table id, player id, now). Apps built on
tables register here."""


def require_voice(table: LoadedTable, player_id: int, *, now: float) -> None:
    """Raises NotAllowed for somebody whom an organiser has silenced where this table belongs. Queries the database."""
    if table.runtime.arranged is not None:
        for check in SILENCE_CHECKS:
            refuse_silenced(check(table.id, player_id, now))


def refuse_silenced(seconds: float) -> None:
    """Raises NotAllowed if somebody cannot write for so many more seconds."""
    if seconds > 0:
        raise NotAllowed(
            "An organiser has silenced you in this club. You can write again in %(minutes)s min.",
            minutes=ceil(seconds / 60),
        )


def can_clear_talk(table: LoadedTable, player_id: int | None, *, is_staff: bool) -> bool:
    """Whether this person may clear what was said at the table: its host, staff and its organisers."""
    is_host = player_id is not None and player_id == table.host_id
    return is_host or is_in_charge(table, player_id, is_staff=is_staff)


def is_in_charge(table: LoadedTable, player_id: int | None, *, is_staff: bool) -> bool:
    """Whether this person is in charge of the table, regardless of its host: staff, and organisers of its event."""
    return is_staff or (player_id is not None and any(check(table.id, player_id) for check in ORGANISER_CHECKS))


REOPEN_CHECKS: list[Callable[[LoadedTable], bool]] = []
"""Checks whether an arranged table that was closed before its game can be opened again. Apps built on tables register
here."""


def is_published(table: LoadedTable) -> bool:
    """Whether secret and seed of a table are for everybody: its game is over, or can never begin or go on."""
    if table.status != OVER or (table.runtime.arranged is not None and table.runtime.arranged.is_sealed):
        return False
    was_closed = table.started_at is None and table.runtime.arranged is not None
    return not (was_closed and any(may_reopen(table) for may_reopen in REOPEN_CHECKS))


def require_finished(table: LoadedTable) -> None:
    """Raises NotAllowed while anything of the game must stay hidden: its record, seed and secret."""
    if table.status != OVER or table.outcome is None:
        raise NotAllowed("The record, the seed and the secret are published after the game.")
    if table.runtime.arranged is not None and table.runtime.arranged.is_sealed:
        raise NotAllowed("Others are still playing the same deals. The record is published when their round is over.")
