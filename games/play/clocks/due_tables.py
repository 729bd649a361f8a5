"""Tables on which a bot's turn, a clock or a start is due."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.db import OperationalError

from games import models
from games.play.errors import Busy
from games.play.storage import codec
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import BOT_GRACE, WAITING, TableRuntime
from games.rules.clock import find_next_due

__all__ = ["BOT_GRACE", "DueAction", "list_due"]

MAX_PER_SWEEP = 5000
"""Tables read in one sweep, which bounds its memory; the next sweep reads the rest."""


class DueAction(NamedTuple):
    """A table at a ply where a bot's turn or a clock is due at this time (seconds since 1970)."""

    table_id: str
    ply: int
    at: float
    is_bot: bool


def list_due(*, until: float) -> list[DueAction]:
    """Everything that is due by then, the longest waiting tables first. Raises Busy.

    Clocks are listed even where a bot is overdue: a failing bot must not stop the game.
    """
    return _read(until, MAX_PER_SWEEP)


def list_late(since: float, *, most: int) -> list[str]:
    """Tables whose clock was due at `since` or earlier, of the `most` that wait longest. Raises Busy."""
    return [due.table_id for due in _read(since, most) if not due.is_bot]


def _read(until: float, most: int) -> list[DueAction]:
    waiting = models.Table.objects.filter(wake_at__lte=until).order_by("wake_at")
    try:
        rows = list(waiting.values_list("pk", "status", "wake_at", "ply", "desk")[:most])
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    found: list[DueAction] = []
    for table_id, status, wake_at, ply, runtime in rows:
        if status == WAITING:  # the game is to begin
            found.append(DueAction(table_id, ply, wake_at or 0.0, is_bot=False))
            continue
        with isolate_errors(f"table {table_id}"):
            found += [due for due in _list_actions(table_id, ply, codec.read_runtime(runtime)) if due.at <= until]
    return found


def _list_actions(table_id: str, ply: int, runtime: TableRuntime) -> Iterator[DueAction]:
    if runtime.bot_due is not None:
        yield DueAction(table_id, ply, runtime.bot_due, is_bot=True)
    if runtime.interlude is not None:
        yield DueAction(table_id, ply, runtime.interlude.until, is_bot=False)
    clock = find_next_due(runtime.clocks)
    if clock is not None:
        yield DueAction(table_id, ply, clock, is_bot=False)
