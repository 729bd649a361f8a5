"""All tables of a person, a page at a time, in one game or with somebody."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q

from games.models import Player
from games.play.seats import player_names
from tournaments.flow.profiles import head_to_head
from tournaments.flow.profiles.queries import LATEST
from tournaments.models import PersonResult

TABLES_A_PAGE: Final = 50
MAX_COMPANIONS: Final = 100
"""People with matching names whose tables a search shows."""


class Companions(NamedTuple):
    """Who else sat at a table, by their places. named: (id, name, animal) of people with public profiles; others: how
    many people besides."""

    named: tuple[tuple[int, str, str], ...]
    others: int


class HistoryPage(NamedTuple):
    """A page of a history, the latest table first. number: from 1; total: tables on all pages."""

    results: list[PersonResult]
    number: int
    pages: int
    total: int


def list_tables(player: Player, *, game: str, wanted: str, number: int) -> HistoryPage:
    """This page of a person's tables; beyond an end is that end.

    game: a slug, or "" for all games; wanted: only tables with somebody whose name has words that begin like these.
    """
    rows = head_to_head.results_of(player)
    if game:
        rows = rows.filter(game=game)
    if wanted:
        listed = Q(player__is_listed=True, player__left_at=None) & ~Q(player=player)
        people = player_names.search_ids(wanted, most=MAX_COMPANIONS, among=listed)
        rows = rows.filter(Exists(PersonResult.objects.filter(counted=OuterRef("counted"), player__in=people)))
    total = rows.count()
    pages = max(1, -(-total // TABLES_A_PAGE))
    number = max(1, min(number, pages))
    start = (number - 1) * TABLES_A_PAGE
    whole = rows.select_related("counted__table", "counted__pod__round__tournament").only(*LATEST)
    results = list(whole.order_by("-ended_at", "-counted")[start : start + TABLES_A_PAGE])
    return HistoryPage(results, number, pages, total)


def find_companions(player: Player, results: Sequence[PersonResult]) -> dict[int, Companions]:
    """The other people at the tables of these results, by the numbers of the counted tables."""
    others = PersonResult.objects.filter(counted__in=[result.counted_id for result in results]).exclude(player=player)
    columns = ("counted", "player", "player__name", "player__avatar", "player__is_listed", "player__left_at")
    named: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    hidden: dict[int, int] = defaultdict(int)
    for counted, person, name, avatar, is_listed, left_at in others.order_by("place", "seat").values_list(*columns):
        if is_listed and left_at is None:
            named[counted].append((person, name, avatar))
        else:
            hidden[counted] += 1
    return {
        result.counted_id: Companions(tuple(named[result.counted_id]), hidden[result.counted_id]) for result in results
    }
