"""What people have come to: derived from stored games, and read-only."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import admin
from django.db.models import Q

from games.quick_lists import MOST_TABLES, QuickList
from tournaments.admin.base import ReadOnly
from tournaments.models import BoardRow, CareerEntry, CountedTable, PersonResult, PersonTotal


@admin.register(CountedTable)
class CountedTableAdmin(QuickList, ReadOnly):
    """Finished tables in the order in which they were counted."""

    list_display = ("number", "table_id", "game", "is_rated", "is_void", "ended")
    whole = "table"
    ordering = ("-number",)

    def of_people(self, ids: list[int]) -> Q:
        """The tables where they sat."""
        tables = PersonResult.objects.filter(player__in=ids).values_list("counted", flat=True)
        return Q(pk__in=list(tables[:MOST_TABLES]))

    def ended(self, counted: CountedTable) -> datetime:
        """When the game was over."""
        return datetime.fromtimestamp(counted.ended_at, UTC)


@admin.register(PersonResult)
class PersonResultAdmin(QuickList, ReadOnly):
    """Results by person."""

    list_display = ("counted", "player", "game", "place", "of", "score", "mu", "sigma")
    whole = "counted__table"
    list_select_related = ("player", "counted")
    ordering = ("-pk",)


@admin.register(CareerEntry)
class CareerEntryAdmin(QuickList, ReadOnly):
    """Careers, deal by deal."""

    list_display = ("table_id", "deal", "player", "job", "rank", "of", "demoted_by")
    whole = "table"
    list_select_related = ("player", "demoted_by")
    ordering = ("-pk",)


@admin.register(BoardRow)
class BoardRowAdmin(QuickList, ReadOnly):
    """Rows of leaderboards."""

    list_display = ("board", "player", "games", "wins", "tops", "rated", "by_rating", "is_listed")
    list_filter = ("board__game", "board__season")
    list_select_related = ("board", "player")
    ordering = ("-pk",)


@admin.register(PersonTotal)
class PersonTotalAdmin(QuickList, ReadOnly):
    """What profiles show, by person, game and season."""

    list_display = ("player", "game", "season", "games", "wins", "deals", "reign", "bottom", "climb", "feat")
    list_select_related = ("player",)
    ordering = ("-pk",)
