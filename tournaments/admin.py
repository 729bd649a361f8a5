"""Django's admin for what was counted: to look at, never to change."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import BoardRow, CareerEntry, CountedTable, PersonResult

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
else:
    _Admin = admin.ModelAdmin


class ReadOnly(_Admin):
    """Derived from stored games: `manage.py recompute_ratings` puts right what is wrong."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False


@admin.register(CountedTable)
class CountedTableAdmin(ReadOnly):
    """Finished tables in the order in which they were counted."""

    list_display = ("number", "table", "game", "is_rated", "is_void", "ended")
    list_filter = ("game", "is_rated", "is_void")
    search_fields = ("table__pk",)
    ordering = ("-number",)

    def ended(self, counted: CountedTable) -> datetime:
        """When the game was over."""
        return datetime.fromtimestamp(counted.ended_at, UTC)


@admin.register(PersonResult)
class PersonResultAdmin(ReadOnly):
    """Results by person."""

    list_display = ("counted", "player", "game", "place", "of", "score", "mu", "sigma")
    list_filter = ("game",)
    search_fields = ("player__name__istartswith", "counted__table__pk")
    list_select_related = ("player", "counted")
    ordering = ("-pk",)


@admin.register(CareerEntry)
class CareerEntryAdmin(ReadOnly):
    """Careers, deal by deal."""

    list_display = ("table", "deal", "player", "job", "rank", "of", "demoted_by")
    list_filter = ("game",)
    search_fields = ("player__name__istartswith", "table__pk")
    list_select_related = ("player", "demoted_by", "table")
    ordering = ("-pk",)


@admin.register(BoardRow)
class BoardRowAdmin(ReadOnly):
    """Rows of leaderboards."""

    list_display = ("board", "player", "games", "wins", "tops", "rated", "by_rating", "is_listed")
    list_filter = ("board__game", "board__season", "is_listed")
    search_fields = ("player__name__istartswith",)
    list_select_related = ("board", "player")
    ordering = ("-pk",)
