"""Remarks as messages in the reader's language, for pages, sockets and polling browsers."""

from __future__ import annotations

from collections.abc import Iterable

from games.live import messages
from games.play import permissions
from games.play.storage.table import LoadedTable
from games.play.talk import table_talk
from games.play.talk.remarks import RemarkList, ShownRemark
from games.presenters.names import PHRASES, TALK_ROLES


def read_talk(table: LoadedTable, player_id: int | None, *, after: int = 0) -> messages.Talk:
    """The remarks that this person may see, in the active language, with numbers above `after`."""
    if table.talk == permissions.NO_TALK:
        return messages.Talk(0, ())
    heard = table_talk.list_remarks(table, player_id)
    return write(heard, after=after)


def write(heard: RemarkList, *, after: int = 0) -> messages.Talk:
    """The message of these remarks, in the active language, with numbers above `after`."""
    return messages.Talk(
        heard.since, tuple(_write(remark) for remark in heard.remarks if remark.number > after), heard.hidden
    )


def write_all(remarks: Iterable[ShownRemark]) -> list[messages.Remark]:
    """These remarks, in the active language."""
    return [_write(remark) for remark in remarks]


def _write(remark: ShownRemark) -> messages.Remark:
    words = str(PHRASES[remark.phrase]) if remark.phrase in PHRASES else remark.words
    role = str(TALK_ROLES.get(remark.role, ""))
    at = round(remark.at * 1000)
    return messages.Remark(remark.number, remark.author, remark.seat, remark.name, words, at, role, remark.has_account)
