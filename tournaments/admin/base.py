"""Base classes of the admin's pages of clubs and tournaments."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import FloatField, Model
from django.http import HttpRequest

from games.admin.quick_lists import OfferedList

if TYPE_CHECKING:
    Inline = admin.TabularInline[Any, Any]
else:
    Inline = admin.TabularInline


MOMENT_COLUMN = re.compile(r"(.+_)?(at|since)")
"""Names of columns that hold a time in seconds since 1970."""


def _find_moments(model: type[Model]) -> dict[str, str]:
    """Columns that hold times in seconds, with their labels in the reader's language."""
    columns = [one for one in model._meta.fields if isinstance(one, FloatField) and MOMENT_COLUMN.fullmatch(one.name)]
    return {one.name: str(one.verbose_name) for one in columns}


def _display_moment(name: str, title: str) -> Callable[[Any], datetime | None]:
    @admin.display(description=title)
    def display(row: Any) -> datetime | None:
        seconds = getattr(row, name)
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    return display


class ReadOnly(OfferedList):
    """A read-only list. What is derived from stored games is corrected by `manage.py recompute_ratings`."""

    show_full_result_count = False
    list_per_page = 50

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields that are not excluded; times in seconds are shown as date and time."""
        moments = _find_moments(self.model)
        fields = [str(name) for name in super().get_fields(request, obj)]
        return [_display_moment(name, moments[name]) if name in moments else name for name in fields]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False
