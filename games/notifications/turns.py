"""Notifies people whose turn it is and whose page is closed. They are found in the database, so that no move
waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.urls import reverse

from games.models import Notice, Seat, Table
from games.notifications import attention, outbox
from games.notifications.kinds import Kind
from games.play.errors import Refusal
from games.play.moves.window_answers import is_awaited
from games.play.storage import store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.day_pace import DAY_SECONDS

WAIT_SECONDS = 5.0
"""Seconds before it is sent: who has just closed the page may be on the way to another one."""
SEEN_SECONDS = 3600.0
"""How long after its people were last there a table is looked at."""
OPEN_SECONDS = 24 * 3600.0
"""How long a notification may be on a screen."""

Turn = tuple[int, str]
"""A person, and a table at which it is their turn."""


def look_for_turns(*, now: float) -> None:
    """Tell people whose turn it is at a table that they do not have open; take back notifications that are outdated."""
    notices = Notice.objects.filter(kind=Kind.YOUR_TURN, closed_at=None, at__gt=now - OPEN_SECONDS)
    open_notices = {(player_id, tag.partition("/")[2]) for player_id, tag in notices.values_list("player", "tag")}
    candidates = set(_list_seats(now)) | open_notices
    if not candidates:
        return
    tables = _load({table_id for _, table_id in candidates})
    attentive = attention.find_open_pages(tables, now=now)
    turns = {
        candidate for candidate in candidates if candidate[1] in tables and _is_turn(tables[candidate[1]], candidate[0])
    }
    for player_id, table_id in open_notices - turns:
        outbox.withdraw(notices.filter(player=player_id, tag=make_tag(table_id)), now=now)
    waiting = notices.filter(due_at__isnull=False, sent_at=None)
    for player_id, table_id in attentive & turns & open_notices:
        # Not withdrawn: if they close the page again without moving, they are told after all.
        waiting.filter(player=player_id, tag=make_tag(table_id)).delete()
    for player_id, table_id in sorted(turns - attentive - open_notices):
        with isolate_errors(f"table {table_id}"):
            _write_notice(tables[table_id], player_id, now=now)


def make_tag(table_id: str) -> str:
    """The tag of a table's notifications: each replaces the one before."""
    return f"table/{table_id}"


def _list_seats(now: float) -> Iterable[Turn]:
    """People with a device, at live tables under way at which somebody was not long ago. Others: `day_turns`."""
    running = Table.objects.filter(status=PLAYING, seen_at__gt=now - SEEN_SECONDS, turn_seconds__lt=DAY_SECONDS)
    seats = Seat.objects.filter(table__in=running, player__push_devices__isnull=False)
    return [(player_id, table_id) for player_id, table_id in seats.values_list("player", "table") if player_id]


def _load(table_ids: Iterable[str]) -> Mapping[str, LoadedTable]:
    found: dict[str, LoadedTable] = {}
    for table_id in table_ids:
        try:
            found[table_id] = store.refresh(table_id)
        except Refusal:  # gone, or cannot be read now
            continue
    return found


def _is_turn(table: LoadedTable, player_id: int) -> bool:
    seat = table.seat_of(player_id)
    return seat is not None and seat not in table.runtime.stand_ins and is_awaited(table, seat)


def _write_notice(table: LoadedTable, player_id: int, *, now: float) -> None:
    names = [place.name for place in table.places if place.player_id != player_id]
    recipient = outbox.Recipient(
        player_id, {"game": table.rules.slug, "names": names}, reverse("table", args=[table.id])
    )
    key = f"turn/{table.id}/{table.ply}"
    outbox.tell(Kind.YOUR_TURN, key, [recipient], tag=make_tag(table.id), now=now, wait=WAIT_SECONDS)
