"""Lists of the admin that stay fast with millions of rows: no total counts, searches by the start of a name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.labels import Display, LabelFilter, Labels, display_label
from games.play.seats import player_names
from games.presenters.names import GAMES, name_game
from games.rules import registry

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _Paginator = Paginator[Any]
else:
    _Admin = admin.ModelAdmin
    _Paginator = Paginator

MAX_ROWS: Final = 5000
MAX_PEOPLE: Final = 50
MAX_TABLES: Final = 2000
"""Most people that a search by name finds, and most tables of these people."""

GAME_NAMES: Final[Labels] = {slug: texts.name for slug, texts in GAMES.items()}


class FirstRows(_Paginator):
    """Pages of the first rows; to count or to skip a million takes longer than to read a page."""

    @cached_property
    def count(self) -> int:
        """The number of rows on all pages."""
        rows: Any = self.object_list
        return int(rows.order_by()[:MAX_ROWS].count())


class OfferedList(_Admin):
    """A list that can be filtered only by what it offers: its filters and dates.

    The framework takes any column: how a secret begins could be asked for, letter by letter, until all of it is known.
    """

    labels: ClassVar[Mapping[str, Labels]] = {}
    """What the values of some columns are called, by column; with `__` for the column of another table in a filter."""

    @cached_property
    def _displays(self) -> dict[str, Display]:
        """The columns that show labels. One each: the framework compares them by identity."""
        columns = {field.name: field for field in self.model._meta.fields}
        return {name: display_label(columns[name], labels) for name, labels in self.labels.items() if name in columns}

    def _show_label(self, name: Any) -> Any:
        return self._displays.get(name, name) if isinstance(name, str) else name

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns of the list, with labels for values."""
        return [self._show_label(name) for name in super().get_list_display(request)]

    def get_list_filter(self, request: HttpRequest) -> Any:
        """The filters of the list, with labels for values."""
        return [(name, LabelFilter) if name in self.labels else name for name in super().get_list_filter(request)]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields of a row; those that cannot be changed show labels."""
        names, fixed = super().get_fields(request, obj), super().get_readonly_fields(request, obj)
        can_change = self.has_change_permission(request, obj)
        return [name if can_change and name not in fixed else self._show_label(name) for name in names]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields that nobody can change, with labels for values."""
        return [self._show_label(name) for name in super().get_readonly_fields(request, obj)]

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A choice among labels."""
        labels = self.labels.get(db_field.name)
        choices = {"choices": list(labels.items())} if labels else {}
        return super().formfield_for_choice_field(db_field, request, **choices, **kwargs)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether the list may be filtered by this lookup."""
        offered = [entry[0] if isinstance(entry, tuple) else entry for entry in self.list_filter]
        names = [self.date_hierarchy, *(getattr(entry, "parameter_name", entry) for entry in offered)]
        is_offered = any(f"{lookup}__".startswith(f"{name}__") for name in names)
        return is_offered and super().lookup_allowed(lookup, value, request)


class QuickList(OfferedList):
    """A list whose rows are searched by the beginning of a person's name, or by the whole of what names them.

    person: the column that names a person; whole: the one of which the whole is typed, if there is one.
    """

    person = "player"
    whole = ""
    search_fields = ("pk",)
    search_help_text = _("Enter the start of a word in a name, or a full table ID. At most 5,000 rows are shown.")
    show_full_result_count = False
    list_per_page = 30
    paginator = FirstRows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Rows with exactly this name, else rows of people whose names begin like this."""
        term = search_term.strip()
        if not term:
            return queryset, False
        exact = queryset.filter(**{self.whole: term}) if self.whole else queryset.none()
        if exact.exists():
            return exact, False
        return queryset.filter(self.of_people(self.find_people(term))), False

    def find_people(self, term: str) -> list[int]:
        """The first people whose names begin like this."""
        return player_names.search_ids(term, most=MAX_PEOPLE)

    def of_people(self, ids: list[int]) -> Q:
        """The rows of these people."""
        return Q(**{f"{self.person}__in": ids})


class GameFilter(admin.SimpleListFilter):
    """A filter by game, which lists the installed games without a query."""

    title = _("Game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """All games."""
        return [(slug, str(name_game(slug))) for slug in registry.slugs()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the game that was chosen."""
        return queryset if self.value() is None else queryset.filter(game=self.value())
