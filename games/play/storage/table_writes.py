"""Changes of tables as SQL, several in one statement: the only hot path to the database.

A row is updated where its version is still the expected one, and only then its plies are inserted.
PostgreSQL does both in one statement, which is a transaction of its own; SQLite in two of one transaction.
Columns that a move does not change are left out: SQLite rewrites every index of a column that is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import Context
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, transaction

from games.play.storage import codec
from games.play.storage.table import LoadedTable, LogLine

Value = int | float | str | None


class NewPly(NamedTuple):
    """A ply to be written: its number, the event of the record, its log lines, key and time."""

    number: int
    event: dict[str, object]
    lines: tuple[LogLine, ...]
    key: str | None
    at: float


class Change(NamedTuple):
    """A table's next version, and the plies that led to it.

    context: in which its listeners are called if it is written together with changes of others.
    """

    before: LoadedTable
    after: LoadedTable
    plies: tuple[NewPly, ...] = ()
    context: Context | None = None


def write(changes: Sequence[Change]) -> frozenset[str]:
    """Write the changes of different tables. Returns the ids of those whose version was the expected one.

    The others are as they were. Raises DatabaseError, and then nothing was written; IntegrityError
    among them if a ply's number or key is used.
    """
    columns = (
        _ROUTINE
        if all(_get_rare_columns(change.before) == _get_rare_columns(change.after) for change in changes)
        else _ALL
    )
    rows = [value for change in changes for value in _build_row(change, columns)]
    plies = [(change.after.id, *_build_ply_row(ply)) for change in changes for ply in change.plies]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_write_update_and_insert(columns, len(changes), len(plies)), [*rows, *_flatten(plies)])
            return frozenset(table_id for (table_id,) in cursor.fetchall())
    everybody = frozenset(change.after.id for change in changes)
    try:
        with transaction.atomic():
            if _execute(_write_update(columns, len(changes)), rows).rowcount < len(changes):
                raise _OutdatedError
            if plies:
                _execute(_write_insert(len(plies)), _flatten(plies))
    except _OutdatedError:
        return frozenset() if len(changes) == 1 else _write_current(columns, changes, rows, plies)
    return everybody


class _OutdatedError(Exception):
    """Raised when at least one table was not at the expected version."""


def _write_current(
    columns: Sequence[str], changes: Sequence[Change], rows: Sequence[Value], plies: Sequence[tuple[Value, ...]]
) -> frozenset[str]:
    """Write only changes of tables at the expected version. Slower: SQLite returns the id of each."""
    with transaction.atomic():
        moved = frozenset(
            found for (found,) in _execute(_write_update(columns, len(changes)) + _RETURNING, rows).fetchall()
        )
        plies = [ply for ply in plies if ply[0] in moved]
        if plies:
            _execute(_write_insert(len(plies)), _flatten(plies))
    return moved


def _execute(statement: str, values: Sequence[Value]) -> Any:
    """Run a statement on SQLite; its cursor. Django's own cursor would search it for placeholders every time."""
    with connection.wrap_database_errors:
        return connection.connection.execute(statement, values)


_get_rare_columns = attrgetter("status", "host_id", "started_at", "ended_at", "seed", "outcome", "rematch_id")
"""The columns that only the first and the last move of a game change."""


def _build_row(change: Change, columns: Sequence[str]) -> tuple[Value, ...]:
    before, after = change.before, change.after
    state = codec.write(after.rules.to_json(after.state)) if after.state is not None else ""
    routine = (
        before.id, before.version, after.version, after.ply, state, codec.write_runtime(after.runtime), after.wake_at,
    )  # fmt: skip
    if columns is _ROUTINE:
        return routine
    return (
        *routine, after.status, after.host_id, after.started_at, after.ended_at, after.seed,
        codec.write_outcome(after.outcome), after.rematch_id,
    )  # fmt: skip


def _build_ply_row(ply: NewPly) -> tuple[Value, ...]:
    return ply.number, codec.write(ply.event), codec.write_lines(ply.lines), ply.key, ply.at


def _flatten(rows: Iterable[tuple[Value, ...]]) -> list[Value]:
    return [value for row in rows for value in row]


_ROUTINE = ("version", "ply", "state", "desk", "wake_at")
_ALL = (*_ROUTINE, "status", "host_id", "started_at", "ended_at", "seed", "result", "rematch_id")
_TYPES = {
    "was": "int", "version": "int", "ply": "int", "wake_at": "float", "host_id": "bigint", "started_at": "float",
    "ended_at": "float", "number": "int", "at": "float",
}  # fmt: skip
"""PostgreSQL types of columns that are not text; it cannot infer them from null values."""
_PLY = ("table_id", "number", "event", "events", "key", "at")


@cache
def _write_update(columns: Sequence[str], rows: int) -> str:
    """For SQLite: its driver counts changed rows only for statements that begin with UPDATE."""
    return _build_update(columns, f"(WITH {_build_values_clause(columns, rows)} SELECT * FROM new) AS new")  # noqa: S608 - of constants


@cache
def _write_insert(plies: int) -> str:
    return f"INSERT INTO games_ply ({', '.join(_PLY)}) VALUES {_write_placeholders(_PLY, plies)}"  # noqa: S608 - of constants


@cache
def _write_update_and_insert(columns: Sequence[str], rows: int, plies: int) -> str:
    """For PostgreSQL: returns the ids of the rows that had the expected version."""
    move = _build_update(columns, "new") + _RETURNING
    if not plies:
        return f"WITH {_build_values_clause(columns, rows)} {move}"
    ply, chosen = _name_rows("ply", _PLY, plies), ", ".join(f"ply.{name}" for name in _PLY)
    return f"""
WITH {_build_values_clause(columns, rows)}, moved AS ({move}), {ply},
    written AS (INSERT INTO games_ply ({", ".join(_PLY)})
        SELECT {chosen} FROM ply JOIN moved ON moved.id = ply.table_id)
SELECT id FROM moved
"""  # noqa: S608 - of constants


def _build_values_clause(columns: Sequence[str], rows: int) -> str:
    return _name_rows("new", ("id", "was", *columns), rows)


def _build_update(columns: Sequence[str], new: str) -> str:
    return (
        f"UPDATE games_table SET {', '.join(f'{name}=new.{name}' for name in columns)} FROM {new} "  # noqa: S608
        "WHERE games_table.id = new.id AND games_table.version = new.was"
    )


_RETURNING = " RETURNING games_table.id"


def _name_rows(name: str, columns: Sequence[str], rows: int) -> str:
    return f"{name}({', '.join(columns)}) AS (VALUES {_write_placeholders(columns, rows)})"


def _write_placeholders(names: Sequence[str], rows: int) -> str:
    if connection.vendor == "postgresql":
        row = ", ".join(f"%s::{_TYPES.get(name, 'text')}" for name in names)
    else:
        row = ", ".join("?" for _name in names)
    return ", ".join([f"({row})"] * rows)
