"""Stores who has which table's page open. They see that it is their turn, so they get no notification.

Each process of sockets writes it every few seconds, only for people with a device for push messages.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from django.db import OperationalError

from games.models import Attention, PushDevice

logger = logging.getLogger(__name__)

WRITE_SECONDS = 6.0
"""Seconds between two writes of a process."""
HOLDS_SECONDS = 15.0
"""Seconds after which a page that was open counts as closed: two writes and a little."""


def record(present: Mapping[int, Iterable[str]], *, now: float) -> None:
    """Store at which tables these people are (player id → table ids). A failed write is only logged."""
    try:
        owners = PushDevice.objects.filter(player__in=list(present)).values_list("player", flat=True).distinct()
        rows = [Attention(player_id=owner, table=table, at=now) for owner in owners for table in present[owner]]
        if rows:
            Attention.objects.bulk_create(
                rows, update_conflicts=True, update_fields=["at"], unique_fields=["player", "table"]
            )
    except OperationalError as error:
        logger.info("who looks at a table cannot be noted now: %s", error)


def find_open_pages(table_ids: Iterable[str], *, now: float) -> set[tuple[int, str]]:
    """Pairs of person and table, where the person has this table's page open."""
    rows = Attention.objects.filter(table__in=list(table_ids), at__gt=now - HOLDS_SECONDS)
    return set(rows.values_list("player", "table"))
