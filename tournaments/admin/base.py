"""What the admin's pages of clubs and tournaments have in common."""

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
"""What columns are called that hold one, in seconds."""


def _find_moments(model: type[Model]) -> dict[str, str]:
    """Columns that hold moments, and what they are called in the reader's language."""
    columns = [one for one in model._meta.fields if isinstance(one, FloatField) and MOMENT_COLUMN.fullmatch(one.name)]
    return {one.name: str(one.verbose_name) for one in columns}


def _display_moment(name: str, title: str) -> Callable[[Any], datetime | None]:
    @admin.display(description=title)
    def tell(row: Any) -> datetime | None:
        seconds = getattr(row, name)
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    return tell


class ReadOnly(OfferedList):
    """Derived from stored games: `manage.py recompute_ratings` puts right what is wrong."""

    show_full_result_count = False
    list_per_page = 50

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All that is not left out; moments, which are kept as seconds, as such."""
        moments = _find_moments(self.model)
        told = [str(name) for name in super().get_fields(request, obj)]
        return [_display_moment(name, moments[name]) if name in moments else name for name in told]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False
