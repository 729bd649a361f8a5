"""Remarks that people write to each other: checked, added, listed, reported.

A table or a club has remarks of its own: `RemarkStore` says in which rows. Rows are only added, never changed.
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
"""Slugs of the ready-made phrases; their texts are in `games.presenters.names`."""
MAX_WORDS = 200
"""Characters of a remark."""
MAX_SHOWN = 60
"""Remarks that a page shows: those since the last clearing, the newest so many."""
MAX_ATTEMPTS = 5
"""Attempts to get the next number when others write at the same moment."""


class RemarkStore(NamedTuple):
    """Where the remarks of one table or club are. place: column values that name it; on_change: runs after a change."""

    model: type[Utterance]
    place: Mapping[str, Any]
    on_change: Callable[[], Any]

    def query(self) -> models.QuerySet[Any]:
        """All its rows."""
        return self.model._default_manager.filter(**self.place)


class ShownRemark(NamedTuple):
    """One remark as it is shown. author: an id for muting; seat: None for a spectator; at: seconds since 1970; role:
    what the author does here, a slug, empty for most; has_account: the author is no guest."""

    number: int
    author: str
    seat: int | None
    name: str
    phrase: str
    words: str
    at: float
    role: str = ""
    has_account: bool = False


class RemarkList(NamedTuple):
    """The remarks that a reader may see, oldest first; those with a number below `since` were cleared.

    hidden: the numbers of those that were removed since.
    """

    since: int
    remarks: tuple[ShownRemark, ...]
    hidden: tuple[int, ...] = ()


def check(phrase: str, words: str) -> None:
    """Raises BadInput for an unknown phrase, and for empty, too long or unprintable words."""
    if phrase:
        if phrase not in PHRASES:
            raise BadInput("There is no such phrase. Choose one from the list.")
        return
    words = tidy(words)
    if not words:
        raise BadInput("Write a message or choose a phrase.")
    if len(words) > MAX_WORDS:
        raise BadInput("Shorten your message to at most %(most)s characters.", most=MAX_WORDS)
    if not words.isprintable():
        raise BadInput("This message contains characters that cannot be shown. Type it again without them.")


def tidy(words: str) -> str:
    """The words as they are stored, separated by single spaces."""
    return " ".join(words.split())


def append(
    rows: RemarkStore,
    player: Player | None,
    *,
    name: str = "",
    phrase: str = "",
    words: str = "",
    is_clearing: bool = False,
    now: float,
    **columns: Any,
) -> Any:
    """Add a row with the next number, and notify once it is durable. name: if the place calls this person otherwise.

    Raises Busy.
    """
    for _ in range(MAX_ATTEMPTS):
        try:
            last = rows.query().aggregate(last=Max("number"))["last"] or 0
            with transaction.atomic():
                row = rows.model._default_manager.create(
                    **rows.place, **columns, number=last + 1, player=player,
                    name=name or (player.name if player else ""),
                    phrase=phrase, words="" if phrase else tidy(words), is_clearing=is_clearing, at=now,
                )  # fmt: skip
        except IntegrityError:  # another remark got this number at the same moment
            time.sleep(0.01)
            continue
        except DatabaseError as error:
            raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
        transaction.on_commit(rows.on_change)
        return row
    raise Busy("Too many messages at once. Try again in a moment.")


def list_remarks(rows: RemarkStore, can_read: Callable[[Any], bool]) -> RemarkList:
    """The last `MAX_SHOWN` remarks since the last clearing, as far as a reader may see them. Raises Busy."""
    try:
        last = list(rows.query().select_related("player").order_by("-number")[:MAX_SHOWN])
    except DatabaseError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    shown: list[ShownRemark] = []
    hidden: list[int] = []
    for row in last:
        if row.hidden_at is not None:
            hidden.append(row.number)
        elif row.is_clearing:
            return RemarkList(row.number + 1, tuple(shown[::-1]), tuple(hidden[::-1]))
        elif can_read(row):
            shown.append(read(row))
    return RemarkList(last[-1].number if last else 0, tuple(shown[::-1]), tuple(hidden[::-1]))


def report_remark(
    rows: RemarkStore,
    complaints: type[Complaint],
    number: int,
    player: Player,
    can_read: Callable[[Any], bool],
    *,
    now: float,
) -> None:
    """Report a remark to those in charge; idempotent. Raises NotFound, NotAllowed (one's own), Busy."""
    remark = rows.query().filter(number=number, is_clearing=False, hidden_at=None).first()
    if remark is None or not can_read(remark):
        raise NotFound("This message was not found. Reload the page.")
    if remark.player_id == player.pk:
        raise NotAllowed("You cannot report your own message.")
    try:
        complaints._default_manager.get_or_create(remark=remark, player=player, defaults={"at": now})
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


def read(row: Any) -> ShownRemark:
    """A row as it may be shown."""
    author = "" if row.player_id is None else str(row.player_id)
    has_account = row.player is not None and row.player.user_id is not None
    return ShownRemark(
        row.number, author, getattr(row, "seat", None), row.name, row.phrase, row.words, row.at, has_account=has_account
    )


def give_roles(heard: RemarkList, roles: Mapping[str, str]) -> RemarkList:
    """The same with roles. roles: slugs by author."""
    return heard._replace(remarks=tuple(remark._replace(role=roles.get(remark.author, "")) for remark in heard.remarks))
