"""What a line of the log belongs to: the request, the table, the ply. Set at the edges, read by the log only."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeAlias

request_id: ContextVar[str] = ContextVar("request_id", default="")
table_id: ContextVar[str] = ContextVar("table_id", default="")

FindPly: TypeAlias = Callable[[str], int | None]
find_ply: FindPly | None = None
"""Tells the ply at which this process knows a table; the app puts it here."""


def new_id() -> str:
    """A name for one request or one socket."""
    return secrets.token_hex(8)


class Belonging(logging.Filter):
    """Adds request, table and ply to every record of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the record through."""
        table, request = table_id.get(), request_id.get()
        ply = find_ply(table) if table and find_ply is not None else None
        known = {"request": request, "table": table, "ply": ply}
        belongs = "".join(f" [{name}={value}]" for name, value in known.items() if value not in ("", None))
        vars(record).update(known, belongs=belongs)
        return True
