"""Limits of tables under way at a time, per person, bot account and network address.

Arranged tables do not count, nor do tables paused by their players or for lack of them: they cost nothing. The table
stores a keyed hash of the address, which is deleted when its game is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from games import models
from games.play.errors import NotAllowed, TooFast
from games.play.moves.advance import ABSENT_AFTER
from games.play.storage import codec
from games.play.storage.table import OVER, PLAYING, WAITING
from games.rules.day_pace import DAY_SECONDS, is_over_days

DAY_TABLES_PER_PERSON = 50
"""Games over days that one person with an account has opened and that are not over."""
DAY_TABLES_PER_ADDRESS = 500
"""The same of one network address, where many people of a club may live."""
MAX_CLEARED = 5000
"""Rows whose hash is deleted in one run, which bounds its length."""


def require_below_limits(player: models.Player, network: str, *, turn_seconds: int = 0) -> None:
    """Raises TooFast if this person or this network address has too many tables under way.

    turn_seconds: of the table that they want. Games over days are counted apart, as they ask for less of everybody.
    """
    if is_over_days(turn_seconds):
        _require_fewer_days(player, network)
        return
    most = settings.TABLES_PER_GUEST if player.user_id is None else settings.TABLES_PER_ACCOUNT
    if player.is_bot:  # it may open as many as it may play at
        most = player.games_at_once
    if sum(_list_held(player)) >= most:
        raise TooFast(
            "You already have %(most)s open tables. Finish a game or leave a table before you open another one.",
            most=most,
        )
    if _list_under_way().filter(opener=_hash(network)).count() >= settings.TABLES_PER_ADDRESS:
        raise TooFast(
            "Your network already has %(most)s open tables. Join one of them, or wait until one has ended.",
            most=settings.TABLES_PER_ADDRESS,
        )


def _require_fewer_days(player: models.Player, network: str) -> None:
    most = settings.TABLES_PER_GUEST if player.user_id is None else DAY_TABLES_PER_PERSON
    under_way = models.Table.objects.filter(status__in=[WAITING, PLAYING], turn_seconds__gte=DAY_SECONDS)
    if under_way.filter(host=player).count() >= most:
        raise TooFast(
            "You already have %(most)s open tables. Finish a game or leave a table before you open another one.",
            most=most,
        )
    if under_way.filter(opener=_hash(network)).count() >= DAY_TABLES_PER_ADDRESS:
        raise TooFast(
            "Your network already has %(most)s open tables. Join one of them, or wait until one has ended.",
            most=DAY_TABLES_PER_ADDRESS,
        )


def require_seat_for_bot(player: models.Player, *, is_rated: bool) -> None:
    """Check a bot account: NotAllowed at a rated table, TooFast at its limit of games. Others may always sit."""
    if not player.is_bot:
        return
    if is_rated:
        raise NotAllowed("Bot accounts only play at tables that do not count for ratings. Open one that does not.")
    if len(list_current(player)) >= player.games_at_once:
        raise TooFast(
            "This bot account already plays %(most)s games. Wait until one of them is over.", most=player.games_at_once
        )


def list_current(player: models.Player) -> list[str]:
    """Ids of the tables at which this player sits that are not over."""
    seats = models.Seat.objects.filter(player=player, table__status__in=[WAITING, PLAYING])
    return list(seats.values_list("table_id", flat=True))


def record_opener(table_id: str, network: str) -> None:
    """Store the hash of the network address from which this table was opened."""
    models.Table.objects.filter(pk=table_id).update(opener=_hash(network))


def query_openers() -> QuerySet[models.Table]:
    """Finished tables that still hold the hash of the address from which they were opened."""
    return models.Table.objects.filter(status=OVER).exclude(opener="")


def forget_openers() -> int:
    """Delete the hash of the opener's address from finished tables; returns how many."""
    found = list(query_openers().values_list("pk", flat=True)[:MAX_CLEARED])
    return models.Table.objects.filter(pk__in=found).update(opener="") if found else 0


def _list_under_way() -> QuerySet[models.Table]:
    tables = models.Table.objects.filter(status__in=[WAITING, PLAYING], turn_seconds__lt=DAY_SECONDS)
    for mark in (codec.ARRANGED, codec.STANDING, codec.HELD):
        tables = tables.exclude(desk__contains=mark)
    return tables


def _list_held(player: models.Player) -> Iterator[bool]:
    """For each table of this host, whether they still hold it: letting turns run out is not leaving."""
    seats = models.Seat.objects.filter(table__in=_list_under_way().filter(host=player), player=player)
    for index, text in seats.values_list("index", "table__desk"):
        runtime = codec.read_runtime(text)
        yield index not in runtime.stand_ins or runtime.timeouts[index] >= ABSENT_AFTER


def _hash(network: str) -> str:
    return salted_hmac("games.play.seats.table_limits", network).hexdigest()[:16]
