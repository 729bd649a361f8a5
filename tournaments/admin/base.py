"""Base classes of the admin's pages of clubs and tournaments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import FloatField, Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.quick_lists import OfferedList
from tournaments.words.terms import say_trouble

if TYPE_CHECKING:
    Inline = admin.TabularInline[Any, Any]
else:
    Inline = admin.TabularInline


TROUBLE = "trouble"
"""The column that stores a reason as JSON, template and values."""
HELP = {
    "advance": _("Knockout: how many advance from each table"),
    "cut_to": _("Cut: how many advance to the knockout"),
    "bots_fill": _("Fill empty seats at online tables with bots, so that nobody has a bye"),
    "wave": _("Arena: which seating made this table"),
    "real_table": _("Arena: the number of the real table, if it is another one"),
    "record": _("Key of the record that was imported with an archive"),
}
"""What columns mean that their names do not say, in place of the notes of the models."""
MOMENT_COLUMN = re.compile(r"(.+_)?(at|since)")
"""Names of columns that hold a time in seconds since 1970."""


def _find_moments(model: type[Model]) -> dict[str, str]:
    """Columns that hold times in seconds, with their labels in the reader's language."""
    columns = [
        field for field in model._meta.fields if isinstance(field, FloatField) and MOMENT_COLUMN.fullmatch(field.name)
    ]
    return {column.name: str(column.verbose_name) for column in columns}


def _display_moment(name: str, title: str) -> Callable[[Any], str]:
    @admin.display(description=title)
    def display(row: Any) -> str:
        seconds = getattr(row, name)
        return show_moment(seconds)

    return display


def _display_trouble(title: str) -> Callable[[Any], str]:
    """The column that says why something could not be done, as a sentence for the reader and not as it is stored."""

    @admin.display(description=title, ordering=TROUBLE)
    def display(row: Any) -> str:
        return say_trouble(row.trouble)

    return display


class ReadOnly(OfferedList):
    """A read-only list. What is derived from stored games is corrected by `manage.py recompute_ratings`."""

    show_full_result_count = False
    list_per_page = 50

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields that are not excluded; times in seconds are shown as date and time, reasons as sentences."""
        moments = _find_moments(self.model)
        fields = super().get_fields(request, obj)
        shown = [_display_moment(name, moments[name]) if name in moments else name for name in fields]
        return self._say_trouble(shown)

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns of the list, with reasons as sentences."""
        return self._say_trouble(super().get_list_display(request))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, which only names and explains the columns."""
        return super().get_form(request, obj, change, **kwargs, help_texts=HELP)

    def _say_trouble(self, names: Collection[Any]) -> list[Any]:
        title = str(self.model._meta.get_field(TROUBLE).verbose_name) if TROUBLE in names else ""
        return [_display_trouble(title) if name == TROUBLE else name for name in names]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False
