"""Whose turn it is in games over days: told once when the turn begins, and again when a fifth of its time is left.

Found in the rows of `games.play.days.awaited_turns`; no board is loaded.
"""

from __future__ import annotations

import time
from typing import Any

from django.dispatch import receiver
from django.urls import reverse

from games.models import AwaitedTurn, Notice, Seat
from games.notifications import attention, outbox
from games.notifications.kinds import Kind
from games.notifications.turns import make_tag
from games.play.days.awaited_turns import list_awaited
from games.play.signals import table_changed
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import LoadedTable
from games.rules.day_pace import find_warning

KINDS = (Kind.DAY_TURN, Kind.TURN_ENDS)
MAX_PER_RUN = 500
"""People told in one run, which bounds its length; the next run tells the others."""
MOVED_SECONDS = 600.0
"""Seconds by which the end of a turn must move to be told again: a holiday moves it by more, a restart by less."""
LOOK_AGAIN_SECONDS = 60.0
"""Seconds after which somebody who had the table open is looked at again."""


def tell_awaited(*, now: float) -> int:
    """Tell those whose turn has begun, or ends soon, at a table that they do not have open; returns how many."""
    rows = AwaitedTurn.objects.filter(notice_at__lte=now).order_by("notice_at").select_related("table")
    due = list(rows[:MAX_PER_RUN])
    if not due:
        return 0
    attentive = attention.find_open_pages({row.table_id for row in due}, now=now)
    count = 0
    for row in due:
        with isolate_errors(f"table {row.table_id}"):
            if (row.player_id, row.table_id) in attentive:
                AwaitedTurn.objects.filter(pk=row.pk).update(notice_at=now + LOOK_AGAIN_SECONDS)
            else:
                count += _write_notices(row, now=now)
    return count


def _write_notices(row: AwaitedTurn, *, now: float) -> int:
    """Write the notices, and when this person is told next. Safe to run twice: each notice has a key of its own."""
    warning = find_warning(row.due_at, row.table.turn_seconds)
    is_warning = now >= warning
    kind = Kind.TURN_ENDS if is_warning else Kind.DAY_TURN
    names = Seat.objects.filter(table=row.table_id).exclude(player=row.player_id).order_by("index")
    details = {
        "game": row.table.game,
        "names": list(names.values_list("name", flat=True)),
        "moment": row.due_at,
    }
    person = outbox.Recipient(row.player_id, details, reverse("table", args=[row.table_id]))
    turn = f"{kind}/{row.table_id}/{row.table.ply}/"
    notices = Notice.objects.filter(player=row.player_id, kind=kind, key__startswith=turn, closed_at=None)
    named = [float(key.removeprefix(turn)) for key in notices.values_list("key", flat=True)]
    if all(abs(due_at - row.due_at) >= MOVED_SECONDS for due_at in named):
        is_update = not is_warning and notices.filter(sent_at__isnull=False).exists()  # a screen names another time
        key = f"{turn}{row.due_at:.0f}"
        outbox.tell(kind, key, [person], tag=make_tag(row.table_id), now=now, is_update=is_update)
    next_at = None if is_warning else warning
    AwaitedTurn.objects.filter(pk=row.pk).update(notice_at=next_at, is_warned=is_warning)
    return 1


@receiver(table_changed)
def close_outdated(table: LoadedTable, **_kwargs: Any) -> None:
    """Take back what people of this table were told, as far as it no longer waits for them."""
    if not table.is_over_days:
        return
    people = {place.player_id for place in table.places if place.player_id is not None}
    gone = people - {player_id for player_id, _due in list_awaited(table)}
    notices = Notice.objects.filter(player__in=gone, kind__in=KINDS, tag=make_tag(table.id), closed_at=None)
    if gone and notices.exists():
        outbox.withdraw(notices, now=time.time())
