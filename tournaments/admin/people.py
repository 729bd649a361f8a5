"""Results, careers and leaderboards of people: derived from stored games, read-only."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import Q
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.quick_lists import GAME_NAMES, MAX_TABLES, QuickList
from games.presenters.names import name_rank
from tournaments.admin.base import ReadOnly
from tournaments.models import BoardRow, CareerEntry, CountedTable, PersonResult, PersonTotal


@admin.register(CountedTable)
class CountedTableAdmin(QuickList, ReadOnly):
    """Finished tables in the order in which they were counted."""

    labels: ClassVar = {"game": GAME_NAMES}
    list_display = ("number", "at_table", "game", "is_rated", "is_void", "ended")
    whole = "table"
    ordering = ("-number",)

    def of_people(self, ids: list[int]) -> Q:
        """The filter for tables of these players."""
        tables = PersonResult.objects.filter(player__in=ids).values_list("counted", flat=True)
        return Q(pk__in=list(tables[:MAX_TABLES]))

    @admin.display(description=_("table"))
    def at_table(self, counted: CountedTable) -> str:
        """Its key, or nothing for a result from the room."""
        return counted.table_id or ""

    @admin.display(description=_("ended"))
    def ended(self, counted: CountedTable) -> str:
        """When the game was over."""
        return show_moment(counted.ended_at)


@admin.register(PersonResult)
class PersonResultAdmin(QuickList, ReadOnly):
    """Results by person."""

    labels: ClassVar = {"game": GAME_NAMES}
    list_display = ("counted", "player", "game", "place", "of", "score", "skill")
    whole = "counted__table"
    list_select_related = ("player", "counted__pod__round__tournament")
    ordering = ("-pk",)

    @admin.display(description=_("rating"))
    def skill(self, result: PersonResult) -> str:
        """The rating after the game, on its own scale; empty if it was not rated."""
        if result.mu is None or result.sigma is None:
            return ""
        return f"{number_format(result.mu, 2)} ± {number_format(result.sigma, 2)}"


@admin.register(CareerEntry)
class CareerEntryAdmin(QuickList, ReadOnly):
    """Careers, deal by deal."""

    labels: ClassVar = {"game": GAME_NAMES}
    list_display = ("at_table", "deal", "player", "held", "rank", "of", "demoted_by")
    exclude = ("job",)
    readonly_fields = ("held",)
    whole = "table"
    list_select_related = ("player", "demoted_by")
    ordering = ("-pk",)

    @admin.display(description=_("table"))
    def at_table(self, entry: CareerEntry) -> str:
        """Its key."""
        return str(entry.table_id)

    @admin.display(description=_("job"), ordering="job")
    def held(self, entry: CareerEntry) -> str:
        """The job of the deal, in the reader's language."""
        return name_rank(entry.game, entry.job)


@admin.register(BoardRow)
class BoardRowAdmin(QuickList, ReadOnly):
    """Rows of leaderboards."""

    exclude = ("was_rating", "was_share", "was_games", "was_wins", "was_tops")

    labels: ClassVar = {"board__game": GAME_NAMES}
    list_display = ("board", "player", "games", "wins", "tops", "rated", "by_rating", "is_listed")
    list_filter = ("board__game", "board__season")
    list_select_related = ("board", "player")
    ordering = ("-pk",)


@admin.register(PersonTotal)
class PersonTotalAdmin(QuickList, ReadOnly):
    """Totals of profiles, by person, game and season."""

    labels: ClassVar = {"game": GAME_NAMES}
    list_display = ("player", "game", "season", "games", "wins", "deals", "reign", "bottom", "climb", "feat")
    list_select_related = ("player",)
    ordering = ("-pk",)
