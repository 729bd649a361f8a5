"""Talk at a table: said, heard, reported and cleared. Rows are only ever added."""

from __future__ import annotations

import time
from typing import NamedTuple

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Max

from games import models
from games.play import permissions, signals, store
from games.play.errors import BadInput, Busy, NotAllowed, NotFound
from games.play.table import Loaded

PHRASES = (
    "well-played",
    "coffee",
    "low-prices",
    "good-luck",
    "thanks",
    "ouch",
    "one-moment",
    "once-more",
)
"""Slugs of what can be said at one press; the words are in `games.names`."""
MOST_WORDS = 200
HEARD = 60
"""Remarks that a page shows."""
TRIES = 5


class Said(NamedTuple):
    """One remark as it may be shown. author: tells one speaker from the next, for muting; seat None: a watcher."""

    number: int
    author: str
    seat: int | None
    name: str
    phrase: str
    words: str
    at: float


class Heard(NamedTuple):
    """What somebody hears: remarks, oldest first; what has a number below `since` was cleared."""

    since: int
    remarks: tuple[Said, ...]


def say(table_id: str, player: models.Player, *, phrase: str = "", words: str = "", now: float) -> Said:
    """Say a phrase of the list, or words of one's own where the table allows them.

    Raises NotAllowed (talk is off, or only phrases), BadInput (unknown phrase, nothing, too much), Busy.
    """
    table = store.fetch(table_id)
    check(table, phrase, words)
    row = _append(table, player, phrase=phrase, words="" if phrase else " ".join(words.split()), now=now)
    return _said(row)


def check(table: Loaded, phrase: str, words: str) -> None:
    """Raises NotAllowed or BadInput if this cannot be said at this table."""
    words = " ".join(words.split())
    if table.talk == permissions.NO_TALK:
        raise NotAllowed("At this table nobody talks.")
    if phrase:
        if phrase not in PHRASES:
            raise BadInput("There is no such phrase. Choose one of the list.")
        return
    if table.talk != permissions.FREE_TALK:
        raise NotAllowed("At this table only the phrases of the list are said.")
    if not words:
        raise BadInput("Say something, or choose a phrase.")
    if len(words) > MOST_WORDS:
        raise BadInput("Say it in at most %(most)s characters.", most=MOST_WORDS)
    if not words.isprintable():
        raise BadInput("That cannot be printed. Use letters, digits and signs.")


def clear(table_id: str, player: models.Player | None, *, is_staff: bool, now: float) -> None:
    """Hide all that was said so far: by the host, an organiser of its club, or staff. Raises NotAllowed, Busy."""
    table = store.fetch(table_id)
    if not permissions.can_clear_talk(table, player.pk if player else None, is_staff=is_staff):
        raise NotAllowed("Only the host of this table, an organiser of its club or the staff can clear what was said.")
    _append(table, player, is_clearing=True, now=now)


def report(table_id: str, number: int, player: models.Player, *, now: float) -> None:
    """Tell the staff about a remark; twice is once. Raises NotFound, NotAllowed (one's own), Busy."""
    remark = models.Remark.objects.filter(table_id=table_id, number=number, is_clearing=False).first()
    if remark is None or not _may_hear(store.fetch(table_id), player.pk, remark.seat):
        raise NotFound("There is no such remark.")
    if remark.player_id == player.pk:
        raise NotAllowed("That is what you have said yourself.")
    try:
        models.Report.objects.get_or_create(remark=remark, player=player, defaults={"at": now})
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


def hear(table: Loaded, player_id: int | None) -> Heard:
    """What this person may hear of the last 60 remarks since they were last cleared. Raises Busy."""
    try:
        rows = list(models.Remark.objects.filter(table_id=table.id).order_by("-number")[:HEARD])
    except DatabaseError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    heard: list[Said] = []
    for row in rows:
        if row.is_clearing:
            return Heard(row.number + 1, tuple(heard[::-1]))
        if _may_hear(table, player_id, row.seat):
            heard.append(_said(row))
    return Heard(rows[-1].number if rows else 0, tuple(heard[::-1]))


def _may_hear(table: Loaded, player_id: int | None, speaker: int | None) -> bool:
    return permissions.can_hear(table, listener=table.seat_of(player_id), speaker=speaker)


def _append(
    table: Loaded,
    player: models.Player | None,
    *,
    phrase: str = "",
    words: str = "",
    is_clearing: bool = False,
    now: float,
) -> models.Remark:
    seat = table.seat_of(player.pk if player else None)
    for _ in range(TRIES):
        last = models.Remark.objects.filter(table_id=table.id).aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                row = models.Remark.objects.create(
                    table_id=table.id, number=last + 1, player=player, seat=seat,
                    name=player.name if player else "", phrase=phrase, words=words, is_clearing=is_clearing, at=now,
                )  # fmt: skip
        except IntegrityError:  # somebody spoke at the same moment
            time.sleep(0.01)
            continue
        except DatabaseError as error:
            raise Busy(
                "The club's database could not save this. Nothing was changed; try again in a moment."
            ) from error
        transaction.on_commit(lambda: _tell(table.id))
        return row
    raise Busy("Too much is going on at this table at once. Try again in a moment.")


def _tell(table_id: str) -> None:
    signals.remark_made.send_robust(sender=Said, table_id=table_id)


def _said(row: models.Remark) -> Said:
    author = "" if row.player_id is None else str(row.player_id)
    return Said(row.number, author, row.seat, row.name, row.phrase, row.words, row.at)
