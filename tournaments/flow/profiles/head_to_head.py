"""Head-to-head results of two people, and the frequent opponents of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.models import Player
from games.play.seats import player_names
from tournaments.models import CareerEntry, PersonResult

SHOWN_TABLES = 10
RIVALS = 3
FOUND = 20
"""People that a search shows, at most."""
SEARCHED_TABLES = 100
"""The latest tables of a person that are searched for the people they met."""
LISTING_CANDIDATES = 12
"""People that are looked up to list some: not everybody wants to be named."""


class Rival(NamedTuple):
    """Somebody, and how often."""

    player_id: int
    name: str
    avatar: str
    times: int


class Duel(NamedTuple):
    """Two people at the same tables. ahead, level, behind: from the first one's side; latest: (game, when it
    ended, their place, the other's)."""

    tables: int
    ahead: int
    level: int
    behind: int
    demotions: int
    demoted: int
    latest: tuple[tuple[str, float, int, int], ...]


def results_of(player: Player) -> QuerySet[PersonResult]:
    """The results of a person; voided tables have none."""
    return PersonResult.objects.filter(player=player)


def compare(player: Player, other: Player) -> Duel:
    """The head-to-head results of two people."""
    both = results_of(player).filter(counted__results__player=other).annotate(rival=F("counted__results__place"))
    sums = both.aggregate(
        tables=Count("pk"),
        ahead=Count("pk", filter=Q(place__lt=F("counted__results__place"))),
        behind=Count("pk", filter=Q(place__gt=F("counted__results__place"))),
    )
    level = sums["tables"] - sums["ahead"] - sums["behind"]
    latest = both.order_by("-ended_at", "-counted").values_list("game", "ended_at", "place", "rival")[:SHOWN_TABLES]
    return Duel(
        **sums,
        level=level,
        demotions=CareerEntry.objects.filter(player=other, demoted_by=player).count(),
        demoted=CareerEntry.objects.filter(player=player, demoted_by=other).count(),
        latest=tuple(latest),
    )


def search_rivals(player: Player, wanted: str) -> tuple[Rival, ...]:
    """People with these beginnings of words in their names, and how often they sat at a table with this one.

    Only those with profiles that everybody may see; most frequent first, at most `FOUND`.
    """
    people = player_names.search_listed(wanted, most=FOUND, besides=player.pk)
    met = PersonResult.objects.filter(Exists(results_of(player).filter(counted=OuterRef("counted"))), player__in=people)
    times = dict(met.values_list("player").annotate(times=Count("*")).order_by())
    found = [Rival(person.pk, person.name, person.avatar, times.get(person.pk, 0)) for person in people]
    return tuple(sorted(found, key=lambda rival: -rival.times))


def list_met(player: Player) -> tuple[Rival, ...]:
    """The people somebody met most at their latest tables."""
    latest = results_of(player).order_by("-ended_at", "-counted").values_list("counted", flat=True)[:SEARCHED_TABLES]
    return find_frequent_opponents(player, list(latest), most=LISTING_CANDIDATES)


def find_frequent_opponents(player: Player, tables: Any, *, most: int = RIVALS) -> tuple[Rival, ...]:
    """The people somebody met most at these tables: counted first, named afterwards."""
    met = PersonResult.objects.filter(counted__in=tables).exclude(player=player)
    times = met.values_list("player").annotate(times=Count("*")).order_by("-times", "player")[:LISTING_CANDIDATES]
    return list_rivals(list(times), name_listed({one for one, _ in times}), most=most)


def name_listed(ids: Collection[int]) -> dict[int, Player]:
    """Those of these people who may be named on the pages of others."""
    return Player.objects.filter(is_listed=True, left_at=None).in_bulk(list(ids)) if ids else {}


def list_rivals(
    times: Sequence[tuple[int, int]], people: Mapping[int, Player], *, most: int = RIVALS
) -> tuple[Rival, ...]:
    named = [Rival(one, people[one].name, people[one].avatar, count) for one, count in times if one in people]
    return tuple(named[:most])
