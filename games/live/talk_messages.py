"""Remarks as messages in the reader's language, for pages, sockets and polling browsers."""

from __future__ import annotations

from games.live import messages
from games.play import permissions
from games.play.storage.table import LoadedTable
from games.play.talk import table_talk
from games.play.talk.remarks import RemarkList, ShownRemark
from games.presenters.names import PHRASES


def read_talk(table: LoadedTable, player_id: int | None, *, after: int = 0) -> messages.Talk:
    """The remarks that this person may see, in the active language, with numbers above `after`."""
    if table.talk == permissions.NO_TALK:
        return messages.Talk(0, ())
    heard = table_talk.list_remarks(table, player_id)
    return write(heard, after=after)


def write(heard: RemarkList, *, after: int = 0) -> messages.Talk:
    """The message of these remarks, in the active language, with numbers above `after`."""
    return messages.Talk(heard.since, tuple(_write(said) for said in heard.remarks if said.number > after))


def _write(said: ShownRemark) -> messages.Remark:
    words = str(PHRASES[said.phrase]) if said.phrase in PHRASES else said.words
    return messages.Remark(said.number, said.author, said.seat, said.name, words, round(said.at * 1000))
