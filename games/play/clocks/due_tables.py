"""Which tables need something done that nobody does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.db import OperationalError

from games import models
from games.play.errors import Busy
from games.play.storage import codec
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import BOT_GRACE, WAITING, Desk
from games.rules.clock import find_next_due

__all__ = ["BOT_GRACE", "Due", "list_due"]

MOST = 5000
"""Tables looked at in one sweep; the rest is due a moment later."""


class Due(NamedTuple):
    """A table at a ply where a bot's turn or a clock is due at this time (seconds since 1970)."""

    table_id: str
    ply: int
    at: float
    is_bot: bool


def list_due(*, until: float) -> list[Due]:
    """Everything that is due by then, the longest waiting tables first. Raises Busy.

    A clock runs also where a bot is overdue: a bot that fails must not stop the game.
    """
    return _read(until, MOST)


def list_late(since: float, *, most: int) -> list[str]:
    """Tables of which a clock has been due since then or longer, among the so many that wait longest. Raises Busy."""
    return [due.table_id for due in _read(since, most) if not due.is_bot]


def _read(until: float, most: int) -> list[Due]:
    waiting = models.Table.objects.filter(wake_at__lte=until).order_by("wake_at")
    try:
        rows = list(waiting.values_list("pk", "status", "wake_at", "ply", "desk")[:most])
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    found: list[Due] = []
    for table_id, status, wake_at, ply, desk in rows:
        if status == WAITING:  # the game is to begin
            found.append(Due(table_id, ply, wake_at or 0.0, is_bot=False))
            continue
        with isolate_errors(f"table {table_id}"):
            found += [due for due in _dues(table_id, ply, codec.read_desk(desk)) if due.at <= until]
    return found


def _dues(table_id: str, ply: int, desk: Desk) -> Iterator[Due]:
    if desk.bot_due is not None:
        yield Due(table_id, ply, desk.bot_due, is_bot=True)
    clock = find_next_due(desk.clocks)
    if clock is not None:
        yield Due(table_id, ply, clock, is_bot=False)
