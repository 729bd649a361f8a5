"""Checks once, without the pool's retries, whether the database can be reached."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

from django.db import DatabaseError, connection


def find_database_fault() -> str:
    """Why the database cannot be used, in a sentence; empty if it can. Takes a few seconds at most."""
    database = cast(Any, connection)
    try:
        if connection.vendor == "postgresql":
            # The pool would try again and again for its whole time, and then only say that it has tried.
            database.Database.connect(**database.get_connection_params()).close()
        else:
            connection.ensure_connection()
    except Exception as error:
        if not isinstance(error, (DatabaseError, database.Database.Error)):
            raise
        why = str(error).strip().partition("\n")[0]
        if connection.vendor == "postgresql":
            return f"PostgreSQL cannot be reached: {why}. Check that it runs, and check DATABASE_URL."
        file = connection.settings_dict["NAME"]
        return _find_closed(Path(file)) or f"The database cannot be used: {why}. Check the file {file}."
    return _find_closed(Path(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else ""


def _find_closed(file: Path) -> str:
    """SQLite makes its file, and no folder for it; it reads a file that it may not write, and writes beside it."""
    if not file.parent.exists():
        return f"The folder {file.parent} for the database does not exist. Create it, or set DATA_DIR to another one."
    closed = next((path for path in (file, file.parent) if path.exists() and not os.access(path, os.W_OK)), None)
    if closed is None:
        return ""
    return (
        f"The database cannot be written: this user may not write {closed}. "
        "Perhaps a command was run as another user. Give the folder to the user of the server (chown -R)."
    )
