"""The site's database, read from outside, without any of the program's own code."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any, NamedTuple

import psycopg

Row = tuple[Any, ...]

SQL_PLAYING = "SELECT id, ply, wake_at, desk FROM games_table WHERE status = 'playing'"


class Waiting(NamedTuple):
    """A game under way. wake_at: when something is due; seats: whose clocks run; has_bots: a bot's move is due.

    may_rest: nobody has to answer before the time is over (a window for reactions).
    """

    table: str
    ply: int
    wake_at: float | None
    seats: frozenset[int]
    has_bots: bool
    may_rest: bool = False


def connect(database: str) -> Any:
    """A read-only connection, each statement by itself. Raises the driver's own errors."""
    if database.startswith("postgres"):
        options = "-c statement_timeout=3000"
        return psycopg.connect(database, connect_timeout=2, options=options, autocommit=True)
    return sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=2, check_same_thread=False)


def read(database: str, query: str) -> list[Row]:
    """The rows of a query. Raises OSError where the database cannot be reached."""
    try:
        with closing(connect(database)) as connection:
            return list(connection.execute(query).fetchall())
    except (psycopg.Error, sqlite3.Error) as error:
        raise OSError(str(error)) from error


class TableReader:
    """Reads the games under way again and again, over one connection for as long as the database answers."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._connection: Any = None

    def list_waiting(self) -> list[Waiting]:
        """All games under way. Raises OSError."""
        try:
            if self._connection is None:
                self._connection = connect(self._database)
            rows = self._connection.execute(SQL_PLAYING).fetchall()
        except (psycopg.Error, sqlite3.Error) as error:
            self.close()
            raise OSError(str(error)) from error
        return [_read_waiting(table, ply, wake_at, json.loads(desk)) for table, ply, wake_at, desk in rows]

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _read_waiting(table: str, ply: int, wake_at: float | None, desk: dict[str, Any]) -> Waiting:
    stand_ins = set(desk.get("stand_ins", ()))
    running = [clock for clock in desk.get("clocks", ()) if len(clock) < 5 or clock[4] is None]
    seats = frozenset(seat for clock in running for seat in clock[1]) - stand_ins
    has_window = any(clock[0].get("clock") not in ("turn", "time-up") for clock in running)
    return Waiting(table, ply, wake_at, seats, desk.get("bot_due") is not None, has_window)
