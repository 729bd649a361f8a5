"""What a player keeps at a table for themselves: a note that nobody else sees, and up to where they know the game."""

from __future__ import annotations

from games.models import TableMark
from games.play.errors import BadInput, NotAllowed
from games.play.storage.table import LoadedTable, LogLine

MAX_NOTE = 2000
"""Characters of a note."""


def read_mark(table_id: str, player_id: int) -> TableMark:
    """This player's mark; an unsaved, empty one if they have none."""
    found = TableMark.objects.filter(table=table_id, player=player_id).first()
    return found or TableMark(table_id=table_id, player_id=player_id)


def save_note(table: LoadedTable, player_id: int | None, text: str) -> None:
    """Keep this note. Raises NotAllowed (no seat), BadInput (too long)."""
    owner = _require_seat(table, player_id)
    text = text.replace("\r\n", "\n").strip()
    if len(text) > MAX_NOTE:
        raise BadInput("A note can have up to %(most)s characters.", most=MAX_NOTE)
    TableMark.objects.update_or_create(table_id=table.id, player_id=owner, defaults={"note": text})


def note_seen(table: LoadedTable, player_id: int | None, ply: int) -> None:
    """This player knows the game up to this ply. Raises NotAllowed (no seat)."""
    owner = _require_seat(table, player_id)
    seen = min(ply, table.ply)
    mark, is_new = TableMark.objects.get_or_create(table_id=table.id, player_id=owner, defaults={"seen_ply": seen})
    if not is_new:
        TableMark.objects.filter(pk=mark.pk, seen_ply__lt=seen).update(seen_ply=seen)


def list_news(table: LoadedTable, seen_ply: int) -> tuple[LogLine, ...]:
    """The lines of the log that came after this ply, as far as the table has them in memory."""
    return tuple(line for line in table.log if line.ply > seen_ply)


def _require_seat(table: LoadedTable, player_id: int | None) -> int:
    if player_id is None or table.seat_of(player_id) is None:
        raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
    return player_id
