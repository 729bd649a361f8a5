"""Whether what this installation stands on can be reached, asked once and without the pool's patience."""

from __future__ import annotations

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
            return f"PostgreSQL cannot be reached: {why}. Does it run, and is DATABASE_URL right?"
        file = connection.settings_dict["NAME"]
        return f"The database cannot be used: {why}. Is {file} a file that this user may write?"
    return ""
