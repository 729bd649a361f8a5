"""Finding people, clubs and tournaments by the beginnings of words in their names.

People are found in the index of name keys, however many there are. Clubs and tournaments are few: their names are
read, and compared in the same way. Private profiles, clubs and tournaments that the reader may not see are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

from django.db.models import Q, QuerySet

from games.memo import Memo
from games.models import Player, spelling
from games.play.seats import player_names
from tournaments.models import Club, Entrant, Membership, Tournament

MAX_LETTERS: Final = 40
"""Characters of a search; more are not looked at."""
SUGGESTED: Final = 5
"""People, clubs and tournaments each, as somebody types."""
SHOWN: Final = 30
"""Each on the page of results."""
LATEST: Final = 2000
"""Tournaments whose names are looked at, the latest."""
_keys: Memo[str, tuple[str, ...]] = Memo("name keys of clubs and tournaments", 8192)
T = TypeVar("T", Club, Tournament)
Row = TypeVar("Row")


class SearchResults(NamedTuple):
    """What a search finds."""

    people: list[Player]
    clubs: list[Club]
    tournaments: list[Tournament]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.people or self.clubs or self.tournaments)


def find(wanted: str, reader_id: int | None, *, most: int) -> SearchResults:
    """At most so many people, clubs and tournaments each. reader_id: who asks; None is a stranger."""
    wanted = wanted.strip()[:MAX_LETTERS]
    if not spelling.parse_name_query(wanted):
        return SearchResults([], [], [])
    mine = Membership.objects.filter(player=reader_id or 0).values("club")
    clubs = Club.objects.filter(Q(is_public=True) | Q(pk__in=mine)).order_by("name", "pk")
    entered = Entrant.objects.filter(player=reader_id or 0).values("tournament")
    seen = Q(is_public=True) | Q(club__in=mine) | Q(pk__in=entered)
    tournaments = Tournament.objects.filter(seen).order_by("-created_at", "pk")
    return SearchResults(
        player_names.search_listed(wanted, most=most, besides=0),
        choose_by_name(clubs, wanted, most=most),
        choose_by_name(tournaments, wanted, most=most),
    )


def choose_by_name(rows: QuerySet[T], wanted: str, *, most: int) -> list[T]:
    """Those of the first `LATEST` whose names match, in their order, at most so many."""
    names = rows.values_list("pk", "name")[:LATEST]
    ids = [pk for pk, _name in filter_by_name(names, wanted, lambda row: row[1])][:most]
    found = rows.in_bulk(ids)
    return [found[pk] for pk in ids if pk in found]


def filter_by_name(rows: Iterable[Row], wanted: str, name_of: Callable[[Row], str]) -> list[Row]:
    """Those whose names have words that begin like the searched ones."""
    queries = spelling.parse_name_query(wanted)
    return [row for row in rows if _matches(queries, name_of(row))]


def _matches(queries: list[spelling.NameQuery], name: str) -> bool:
    keys = _keys.get_or_make(name, lambda: tuple(spelling.list_keys(name)))
    return any(
        key.startswith(query.start) and all(f" {word}" in key for word in query.words)
        for query in queries
        for key in keys
    )
