"""What people say to each other, wherever that is: checked, added as a row, read back, complained about.

A place where people talk (a table, a club) has rows of its own: `Rows` says which. Rows are only ever added.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import Max

from games.models import Player
from games.models.talk import Complaint, Utterance
from games.play.errors import BadInput, Busy, NotAllowed, NotFound

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
"""Slugs of what can be said at one press; the words are in `games.presenters.names`."""
MOST_WORDS = 200
HEARD = 60
"""Remarks that a page shows."""
TRIES = 5


class Rows(NamedTuple):
    """Where the remarks of one place are stored. place: the columns that name it; tell: called after each change."""

    model: type[Utterance]
    place: Mapping[str, Any]
    tell: Callable[[], Any]

    def query(self) -> models.QuerySet[Any]:
        """All of them."""
        return self.model._default_manager.filter(**self.place)


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


def check(phrase: str, words: str) -> None:
    """Raises BadInput if this can be said nowhere: a phrase that is none of the list, or such words."""
    if phrase:
        if phrase not in PHRASES:
            raise BadInput("There is no such phrase. Choose one of the list.")
        return
    words = tidy(words)
    if not words:
        raise BadInput("Say something, or choose a phrase.")
    if len(words) > MOST_WORDS:
        raise BadInput("Say it in at most %(most)s characters.", most=MOST_WORDS)
    if not words.isprintable():
        raise BadInput("That cannot be printed. Use letters, digits and signs.")


def tidy(words: str) -> str:
    """The words as they are stored: one blank between two."""
    return " ".join(words.split())


def append(
    rows: Rows,
    player: Player | None,
    *,
    phrase: str = "",
    words: str = "",
    is_clearing: bool = False,
    now: float,
    **columns: Any,
) -> Any:
    """Add a row with the next number, and tell who listens once it is durable. Raises Busy."""
    for _ in range(TRIES):
        try:
            last = rows.query().aggregate(last=Max("number"))["last"] or 0
            with transaction.atomic():
                row = rows.model._default_manager.create(
                    **rows.place, **columns, number=last + 1, player=player, name=player.name if player else "",
                    phrase=phrase, words="" if phrase else tidy(words), is_clearing=is_clearing, at=now,
                )  # fmt: skip
        except IntegrityError:  # somebody spoke at the same moment
            time.sleep(0.01)
            continue
        except DatabaseError as error:
            raise Busy(
                "The club's database could not save this. Nothing was changed; try again in a moment."
            ) from error
        transaction.on_commit(rows.tell)
        return row
    raise Busy("Too much is going on here at once. Try again in a moment.")


def hear(rows: Rows, may_hear: Callable[[Any], bool]) -> Heard:
    """Those of the last 60 remarks since they were last cleared that somebody may hear. Raises Busy."""
    try:
        last = list(rows.query().order_by("-number")[:HEARD])
    except DatabaseError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    heard: list[Said] = []
    for row in last:
        if row.is_clearing:
            return Heard(row.number + 1, tuple(heard[::-1]))
        if may_hear(row):
            heard.append(read(row))
    return Heard(last[-1].number if last else 0, tuple(heard[::-1]))


def complain(
    rows: Rows, complaints: type[Complaint], number: int, player: Player, may_hear: Callable[[Any], bool], *, now: float
) -> None:
    """Tell the staff about a remark; twice is once. Raises NotFound, NotAllowed (one's own), Busy."""
    remark = rows.query().filter(number=number, is_clearing=False).first()
    if remark is None or not may_hear(remark):
        raise NotFound("There is no such remark.")
    if remark.player_id == player.pk:
        raise NotAllowed("That is what you have said yourself.")
    try:
        complaints._default_manager.get_or_create(remark=remark, player=player, defaults={"at": now})
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


def read(row: Any) -> Said:
    """A row as it may be shown."""
    author = "" if row.player_id is None else str(row.player_id)
    return Said(row.number, author, getattr(row, "seat", None), row.name, row.phrase, row.words, row.at)
