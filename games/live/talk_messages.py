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
        heard.since, tuple(_write(said) for said in heard.remarks if said.number > after), heard.hidden
    )


def write_all(said: Iterable[ShownRemark]) -> list[messages.Remark]:
    """These remarks, in the active language."""
    return [_write(one) for one in said]


def _write(said: ShownRemark) -> messages.Remark:
    words = str(PHRASES[said.phrase]) if said.phrase in PHRASES else said.words
    role = str(TALK_ROLES.get(said.role, ""))
    at = round(said.at * 1000)
    return messages.Remark(said.number, said.author, said.seat, said.name, words, at, role, said.has_account)
