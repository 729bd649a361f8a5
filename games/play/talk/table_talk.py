"""Talk at a table: said, heard, reported and cleared."""

from __future__ import annotations

from games import models
from games.play import permissions, signals
from games.play.errors import NotAllowed
from games.play.storage import store
from games.play.storage.table import Loaded
from games.play.talk import remarks
from games.play.talk.remarks import Heard, Rows, Said


def say(table_id: str, player: models.Player, *, phrase: str = "", words: str = "", now: float) -> Said:
    """Say a phrase of the list, or words of one's own where the table allows them.

    Raises NotAllowed (talk is off, or only phrases), BadInput (unknown phrase, nothing, too much), Busy.
    """
    table = store.fetch(table_id)
    check(table, phrase, words)
    seat = table.seat_of(player.pk)
    return remarks.read(remarks.append(_rows(table), player, phrase=phrase, words=words, seat=seat, now=now))


def check(table: Loaded, phrase: str, words: str) -> None:
    """Raises NotAllowed or BadInput if this cannot be said at this table."""
    if table.talk == permissions.NO_TALK:
        raise NotAllowed("At this table nobody talks.")
    if not phrase and table.talk != permissions.FREE_TALK:
        raise NotAllowed("At this table only the phrases of the list are said.")
    remarks.check(phrase, words)


def clear(table_id: str, player: models.Player | None, *, is_staff: bool, now: float) -> None:
    """Hide all that was said so far: by the host, an organiser of its club, or staff. Raises NotAllowed, Busy."""
    table = store.fetch(table_id)
    if not permissions.can_clear_talk(table, player.pk if player else None, is_staff=is_staff):
        raise NotAllowed("Only the host of this table, an organiser of its club or the staff can clear what was said.")
    seat = table.seat_of(player.pk if player else None)
    remarks.append(_rows(table), player, is_clearing=True, seat=seat, now=now)


def report(table_id: str, number: int, player: models.Player, *, now: float) -> None:
    """Tell the staff about a remark; twice is once. Raises NotFound, NotAllowed (one's own), Busy."""
    table = store.fetch(table_id)
    remarks.complain(_rows(table), models.Report, number, player, lambda row: _may_hear(table, player.pk, row), now=now)


def hear(table: Loaded, player_id: int | None) -> Heard:
    """What this person may hear of the last 60 remarks since they were last cleared. Raises Busy."""
    return remarks.hear(_rows(table), lambda row: _may_hear(table, player_id, row))


def _may_hear(table: Loaded, player_id: int | None, row: models.Remark) -> bool:
    return permissions.can_hear(table, listener=table.seat_of(player_id), speaker=row.seat)


def _rows(table: Loaded) -> Rows:
    return Rows(models.Remark, {"table_id": table.id}, lambda: _tell(table.id))


def _tell(table_id: str) -> None:
    signals.remark_made.send_robust(sender=Said, table_id=table_id)
