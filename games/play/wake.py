"""Which tables need something done that nobody does."""

from __future__ import annotations

from typing import NamedTuple

from django.db import OperationalError

from games import models
from games.play import codec
from games.play.errors import Busy
from games.play.table import BOT_GRACE

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
    """Everything that is due by then, the longest overdue first. Raises Busy."""
    try:
        rows = list(
            models.Table.objects.filter(wake_at__lte=until)
            .order_by("wake_at")
            .values_list("pk", "ply", "wake_at", "desk")[:MOST]
        )
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    return [Due(pk, ply, at, codec.read_desk(desk).bot_due == at) for pk, ply, at, desk in rows if at is not None]
