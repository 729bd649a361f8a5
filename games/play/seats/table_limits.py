"""How many tables one person, and one network address, may have under way at a time.

Arranged tables do not count, nor do those that stand still: they cost nothing until somebody comes back. Of an address
the table bears a keyed hash, which is taken away when it is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from games import models
from games.play.errors import TooFast
from games.play.moves.advance import ABSENT_AFTER
from games.play.storage import codec
from games.play.storage.table import OVER, PLAYING, WAITING

MOST_CLEARED = 5000
"""Rows from which the hash is taken in one go."""


def require_room(player: models.Player, network: str) -> None:
    """Raises TooFast, with what to do, if this person or this network has too many tables under way already."""
    most = settings.TABLES_PER_GUEST if player.user_id is None else settings.TABLES_PER_ACCOUNT
    if sum(_list_held(player)) >= most:
        raise TooFast(
            "You have %(most)s tables under way. Play one of them to its end, or leave one, and then open another.",
            most=most,
        )
    if _list_under_way().filter(opener=_hash(network)).count() >= settings.TABLES_PER_ADDRESS:
        raise TooFast(
            "%(most)s tables opened from your network are under way. Play at one of them, or wait until one has ended.",
            most=settings.TABLES_PER_ADDRESS,
        )


def note_opener(table_id: str, network: str) -> None:
    """This table was opened from this network."""
    models.Table.objects.filter(pk=table_id).update(opener=_hash(network))


def forget_openers() -> int:
    """Tables that are over need not say from where they were opened; returns of how many it is taken away."""
    over = models.Table.objects.filter(status=OVER).exclude(opener="")
    found = list(over.values_list("pk", flat=True)[:MOST_CLEARED])
    return models.Table.objects.filter(pk__in=found).update(opener="") if found else 0


def _list_under_way() -> QuerySet[models.Table]:
    tables = models.Table.objects.filter(status__in=[WAITING, PLAYING])
    return tables.exclude(desk__contains=codec.ARRANGED).exclude(desk__contains=codec.STANDING)


def _list_held(player: models.Player) -> Iterator[bool]:
    """Of each table of this host, whether they have not left it: who only lets their turns run out has not."""
    seats = models.Seat.objects.filter(table__in=_list_under_way().filter(host=player), player=player)
    for index, text in seats.values_list("index", "table__desk"):
        desk = codec.read_desk(text)
        yield index not in desk.stand_ins or desk.timeouts[index] >= ABSENT_AFTER


def _hash(network: str) -> str:
    return salted_hmac("games.play.seats.table_limits", network).hexdigest()[:16]
