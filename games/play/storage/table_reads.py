"""Reads a table with one SQL statement: its row, its players and the new lines of its log, as of one moment.

Every process that shows or plays a table does this with every move. Through Django's models it takes three statements
and twenty times as long. Raises DatabaseError.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from django.db import connection

from games.play.storage import codec
from games.play.storage.table import LogLine, SeatedPlayer


class Row(NamedTuple):
    """A table as it is stored; its columns by their names."""

    game: str
    options: str
    status: str
    is_public: bool
    is_rated: bool
    talk: str
    invite: str
    host_id: int | None
    seat_count: int
    turn_seconds: int
    version: int
    ply: int
    state: str
    desk: str
    created_at: float
    started_at: float | None
    ended_at: float | None
    secret: str
    commitment: str
    seed: str
    result: str
    rematch_id: str | None
    void_reason: str
    procedure: int
    places: tuple[SeatedPlayer, ...]
    """The players, by ascending seat."""
    lines: tuple[LogLine, ...]
    """The log of the plies that were asked for."""


_COLUMNS = Row._fields[:-2]
_VERSION = "SELECT version FROM games_table WHERE id = %s"


def read_row(table_id: str, *, after: int, most: int) -> Row | None:
    """The table, with the log of the plies after `after`, at most the last `most` plies; None if there is no table."""
    found = _query(_build(connection.vendor), after, most, table_id)
    if not found:
        return None
    *values, places, lines = found[0]
    chairs = tuple(SeatedPlayer._make([*place[:-1], bool(place[-1])]) for place in codec.read(places or "[]"))
    row = Row._make([*values, chairs, _read_lines(lines or "[]")])
    return row._replace(is_public=bool(row.is_public), is_rated=bool(row.is_rated))


def read_version(table_id: str) -> int | None:
    """The version alone."""
    found = _query(_VERSION, table_id)
    return found[0][0] if found else None


def _read_lines(text: str) -> tuple[LogLine, ...]:
    return tuple(line for number, events in codec.read(text) for line in codec.read_lines(number, events))


@cache
def _build(vendor: str) -> str:
    """The statement in this database's dialect. Its parameters: after, most, id."""
    pack, gather = ("json_build_array", "json_agg") if vendor == "postgresql" else ("json_array", "json_group_array")
    as_text = "::text" if vendor == "postgresql" else ""
    return f"""
SELECT {", ".join(_COLUMNS)},
    (SELECT {gather}({pack}(place."index", player_id, bot, name, avatar, entropy, chair, has_account)){as_text}
        FROM (SELECT games_seat.*, games_player.user_id IS NOT NULL AS has_account
            FROM games_seat LEFT JOIN games_player ON games_player.id = player_id
            WHERE table_id = found.id ORDER BY "index") AS place),
    (SELECT {gather}({pack}(number, events)){as_text}
        FROM (SELECT number, events FROM games_ply
            WHERE table_id = found.id AND number > %s AND number > found.ply - %s ORDER BY number) AS line)
FROM games_table AS found WHERE id = %s
"""  # noqa: S608 - of constants


def _query(statement: str, *values: int | str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
