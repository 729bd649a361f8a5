"""Who can be chosen for a table of an evening: the members of its club who sit at none of its tables that goes on."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from django.db.models import Count, Max, Q, QuerySet

from games.models import Player, Seat
from games.play.seats import player_names
from games.play.storage.table import PLAYING, WAITING
from tournaments.models import Membership, TimedSession

MOST_SHOWN = 120
"""People from whom one chooses at a time; the others are found by their names."""


Mark: TypeAlias = tuple[object, ...]
"""Another one says that others can be chosen."""


class Free(NamedTuple):
    """A member who can be chosen."""

    pk: int
    name: str
    avatar: str


class Choice(NamedTuple):
    """From whom one chooses. chosen: who is chosen already; others: who can be besides; is_more: there may be more than
    these."""

    chosen: list[Free]
    others: list[Free]
    is_more: bool


def _free(evening: TimedSession) -> QuerySet[Player]:
    tables = Seat.objects.filter(
        table__session_table__timed_session=evening, table__status__in=[WAITING, PLAYING]
    ).exclude(player=None)
    return Player.objects.filter(memberships__club=evening.club).exclude(pk__in=tables.values("player"))


def _list(people: QuerySet[Player]) -> list[Free]:
    rows = people.order_by("name", "pk").values_list("pk", "name", "avatar")
    return [Free(*row) for row in rows[:MOST_SHOWN]]


def list_free(evening: TimedSession) -> list[Free]:
    """The first of them, by name."""
    return _list(_free(evening))


def read_mark(evening: TimedSession) -> Mark:
    """Changes when others can be chosen: who is named first, and who belongs to the club at all."""
    if evening.has_rung or evening.club_id is None:
        return ()
    members = Membership.objects.filter(club=evening.club_id).aggregate(count=Count("pk"), last=Max("pk"))
    return (*members.values(), *list_free(evening))


def pick(evening: TimedSession, player_ids: Collection[int]) -> list[Free]:
    """Those of these people (at most `MOST_SHOWN`) who can be chosen."""
    return _list(_free(evening).filter(pk__in=player_ids)) if player_ids else []


def search(evening: TimedSession, wanted: str) -> list[Free]:
    """The first with these beginnings of words in their names, the best match first."""
    ids = player_names.search_ids(wanted, most=MOST_SHOWN, among=Q(player__in=_free(evening)))
    found = {one.pk: one for one in pick(evening, ids)}
    return [found[one] for one in ids if one in found]


def choose(evening: TimedSession, wanted: str, player_ids: Collection[int]) -> Choice:
    """Those who are chosen already, and from whom one chooses now. wanted: beginnings of words in names; "" for all."""
    found, chosen = search(evening, wanted) if wanted else list_free(evening), pick(evening, player_ids)
    return Choice(chosen, [one for one in found if one not in chosen], len(found) == MOST_SHOWN)
