"""What people at a table do besides playing: its host, and organisers of the event it belongs to.

Tables are drawn where nobody can query the database, so organisers are read beforehand: by the pages and the sockets
that let somebody see the table.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from games.memo import Memo
from games.play import permissions
from games.play.storage.table import LoadedTable
from games.rules.base import Seat

KEPT_TABLES = 1024
"""Tables with known organisers that a process remembers."""
MAX_AGE = 60.0
"""Seconds after which the organisers are read again: they change seldom."""


class _Organisers(NamedTuple):
    """read_at: seconds since 1970; people: the ids of the organisers."""

    read_at: float
    people: frozenset[int]


_organisers: Memo[str, _Organisers] = Memo("organisers_of_tables", KEPT_TABLES)
"""Organisers of tables, by table id."""


def read_organisers(table: LoadedTable) -> None:
    """Read the organisers of an arranged table, unless they are known and not old. Queries the database."""
    if table.runtime.arranged is None:
        return
    remembered, now = _organisers.get(table.id), time.time()
    if remembered is None or now - remembered.read_at > MAX_AGE:
        people = frozenset(player_id for listed in permissions.ORGANISER_LISTS for player_id in listed(table.id))
        _organisers.put(table.id, _Organisers(now, people))


def list_seat_roles(table: LoadedTable) -> dict[Seat, str]:
    """The seats of organisers and of the host: "organiser" or "host" by seat. Queries nothing."""
    organisers = _organisers.get(table.id) if table.runtime.arranged is not None else None
    people = frozenset() if organisers is None else organisers.people
    roles = {}
    for place in table.places:
        if place.player_id is None:
            continue
        if place.player_id in people:
            roles[place.seat] = "organiser"
        elif place.player_id == table.host_id:
            roles[place.seat] = "host"
    return roles
