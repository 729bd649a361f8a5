"""Talk at a table: write, list, report and clear remarks."""

from __future__ import annotations

from games import models
from games.play import permissions, signals
from games.play.errors import NotAllowed
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.play.talk import remarks
from games.play.talk.remarks import RemarkList, RemarkStore, ShownRemark


def say(table_id: str, player: models.Player, *, phrase: str = "", words: str = "", now: float) -> ShownRemark:
    """Write a phrase of the list, or free text where the table allows it.

    Raises NotAllowed (talk is off, only phrases, or an organiser has silenced them), BadInput (unknown phrase, nothing,
    too much), Busy.
    """
    table = store.fetch(table_id)
    check(table, phrase, words)
    permissions.require_voice(table, player.pk, now=now)
    seat = table.seat_of(player.pk)
    name = permissions.name_speaker(table, player)
    row = remarks.append(_get_store(table), player, name=name, phrase=phrase, words=words, seat=seat, now=now)
    return remarks.read(row)


def check(table: LoadedTable, phrase: str, words: str) -> None:
    """Raises NotAllowed or BadInput if this remark is not allowed at this table."""
    if table.talk == permissions.NO_TALK:
        raise NotAllowed("Chat is off at this table.")
    if not phrase and table.talk != permissions.FREE_TALK:
        raise NotAllowed("At this table you can only use phrases from the list.")
    remarks.check(phrase, words)


def clear(table_id: str, player: models.Player | None, *, is_staff: bool, now: float) -> None:
    """Hide all remarks so far: by the host, an organiser of its club, or staff. Raises NotAllowed, Busy."""
    table = _require_clearing(table_id, player, is_staff=is_staff)
    seat = table.seat_of(player.pk if player else None)
    remarks.append(_get_store(table), player, is_clearing=True, seat=seat, now=now)


def undo_clearing(table_id: str, player: models.Player | None, *, is_staff: bool, now: float) -> None:
    """Show again what the last clearing has hidden, by the same people. Raises NotAllowed."""
    table = _require_clearing(table_id, player, is_staff=is_staff)
    cleared = models.Remark.objects.filter(table_id=table.id, is_clearing=True, hidden_at=None)
    last = cleared.order_by("-number").first()
    if last is not None:
        models.Remark.objects.filter(pk=last.pk).update(hidden_at=now)
        notify(table.id)


def _require_clearing(table_id: str, player: models.Player | None, *, is_staff: bool) -> LoadedTable:
    table = store.fetch(table_id)
    if not permissions.can_clear_talk(table, player.pk if player else None, is_staff=is_staff):
        raise NotAllowed(
            "Only the host of this table, an organiser of its club or an administrator can clear the chat."
        )
    return table


def report(table_id: str, number: int, player: models.Player, *, now: float) -> None:
    """Report a remark to the organisers of the table's club and to the staff; idempotent.

    Raises NotFound, NotAllowed (one's own), Busy.
    """
    table = store.fetch(table_id)
    remarks.report_remark(
        _get_store(table), models.Report, number, player, lambda row: _may_read(table, player.pk, row), now=now
    )


def list_remarks(table: LoadedTable, player_id: int | None) -> RemarkList:
    """The last `MAX_SHOWN` remarks since the last clearing, as far as this person may see them. Raises Busy."""
    heard = remarks.list_remarks(_get_store(table), lambda row: _may_read(table, player_id, row))
    if not heard.remarks:
        return heard
    return remarks.give_roles(heard, {str(one): role for one, role in permissions.list_roles(table).items()})


def _may_read(table: LoadedTable, player_id: int | None, row: models.Remark) -> bool:
    return permissions.can_read_remark(table, reader=table.seat_of(player_id), author=row.seat)


def _get_store(table: LoadedTable) -> RemarkStore:
    return RemarkStore(models.Remark, {"table_id": table.id}, lambda: notify(table.id))


def notify(table_id: str) -> None:
    """Tell everybody at the table that what is said there has changed."""
    signals.remark_made.send_robust(sender=ShownRemark, table_id=table_id)
