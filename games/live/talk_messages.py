"""What was said, in the reader's language: for pages, for sockets, for browsers that ask again and again."""

from __future__ import annotations

from games.live import messages
from games.play import permissions
from games.play.storage.table import Loaded
from games.play.talk import table_talk
from games.play.talk.remarks import Heard, Said
from games.presenters.names import PHRASES


def read(table: Loaded, player_id: int | None, *, after: int = 0) -> messages.Talk:
    """What this person hears now, in the active language; of remarks those after this number."""
    if table.talk == permissions.NO_TALK:
        return messages.Talk(0, ())
    heard = table_talk.hear(table, player_id)
    return write(heard, after=after)


def write(heard: Heard, *, after: int = 0) -> messages.Talk:
    """What was heard, in the active language; of remarks those after this number."""
    return messages.Talk(heard.since, tuple(_write(said) for said in heard.remarks if said.number > after))


def _write(said: Said) -> messages.Remark:
    words = str(PHRASES[said.phrase]) if said.phrase in PHRASES else said.words
    return messages.Remark(said.number, said.author, said.seat, said.name, words, round(said.at * 1000))
