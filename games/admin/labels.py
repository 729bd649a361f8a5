"""Labels for stored values in the admin: in lists, filters and the pages of rows, in the reader's language.

The database stores words of the code ("no-show"). An admin class says by column what they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.templatetags import admin_list
from django.contrib.admin.utils import display_for_value
from django.db.models import Field, Model
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _

Labels = Mapping[str, str | Promise]
"""Stored value → what it is called."""
Display = Callable[[Any], str]

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
else:
    _Admin = admin.ModelAdmin


class LabelFilter(admin.ChoicesFieldListFilter):
    """A filter of a list whose choices are the labels of its column."""

    def __init__(
        self,
        field: Field[Any, Any],
        request: HttpRequest,
        params: dict[str, Any],
        model: type[Model],
        model_admin: _Admin,
        field_path: str,
    ) -> None:
        labels: Labels = getattr(model_admin, "labels")[field_path]  # noqa: B009  no attribute of the framework's class
        named = copy(field)
        named.choices = list(labels.items())
        super().__init__(named, request, params, model, model_admin, field_path)


def show_moment(at: float | None) -> str:
    """A time (seconds since 1970) as lists and pages show it, in the reader's language; a dash for none.

    The framework formats times in its lists only.
    """
    return str(display_for_value(None if at is None else datetime.fromtimestamp(at, UTC), "–"))


def show_boolean(value: bool | None) -> str:
    """The framework's picture for yes, no and unknown. It names them "True", "False" and "None" in every language."""
    name = {True: "yes", False: "no", None: "unknown"}[value]
    text = {True: _("Yes"), False: _("No"), None: _("Unknown")}[value]
    return format_html('<img src="{}" alt="{}">', static(f"admin/img/icon-{name}.svg"), text)


admin_list._boolean_icon = show_boolean  # type: ignore[attr-defined]


def display_label(column: Field[Any, Any], labels: Labels) -> Display:
    """A column of a list or page that shows the label of its value, or the value if it has none."""

    @admin.display(description=column.verbose_name, ordering=column.name)
    def display(row: Any) -> str:
        value = getattr(row, column.name)
        return str(labels.get(value, value))

    return display
