"""Corrects names that were stored before the rules for names (`spelling`) existed.

Combining marks beyond what may stand on a letter go, and signs that cannot be seen. Wide letters stay: pages break
names at any letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from django.db import models

from games.models import spelling

NAMES: Final = ("name", "actor_name", "substitute_name", "club_name")
"""Columns that hold a name."""
TEXTS: Final = ("details", "changes", "reason")
"""Columns of JSON text with names in it."""
APPS: Final = ("games", "tournaments")
NAMELESS: Final = "Player"
"""What stands for a name in which nothing can be seen."""
ROWS_PER_BATCH: Final = 2000
"""Rows that are read and written at once."""
Registry: TypeAlias = Any
"""The models of today, or those of a migration."""


def repair_names(registry: Registry, alias: str) -> int:
    """All names in a database; may be interrupted and run again. Returns how many were wrong."""
    columns = [(model, field) for model in _list_models(registry) for field in model._meta.concrete_fields]
    repaired = 0
    for model, field in columns:
        if isinstance(field, models.CharField) and field.name in NAMES:
            repaired += _repair_column(model, field, alias)
        elif isinstance(field, models.TextField) and field.name in TEXTS:
            repaired += _repair_texts(model, field.name, alias)
    return repaired


def repair(name: str, most: int) -> str:
    """The name, corrected to follow the rules and cut to this many characters; an empty name stays empty."""
    if not name or spelling.find_flaw(name) is None:
        return name
    return spelling.collapse_spaces(spelling.clean_foreign_name(name))[:most].rstrip() or NAMELESS


def _list_models(registry: Registry) -> Iterator[Any]:
    for app in APPS:
        yield from registry.get_app_config(app).get_models()


def _repair_column(model: Any, field: Any, alias: str) -> int:
    rows = model._base_manager.using(alias)
    repaired = 0
    for key, name in rows.values_list("pk", field.name).iterator(ROWS_PER_BATCH):
        new = repair(name or "", field.max_length)
        if name and new != name:
            new = _find_free(rows, key, field, new)
            repaired += rows.filter(pk=key, **{field.name: name}).update(**{field.name: new})
    return repaired


def _find_free(rows: Any, key: object, field: Any, name: str) -> str:
    """This name, with a number behind it if another row has it in a column that must be unique."""
    rules = rows.model._meta.constraints
    shared = [rule.fields for rule in rules if isinstance(rule, models.UniqueConstraint) and field.name in rule.fields]
    for fields in shared:
        beside = rows.filter(pk=key).values(*[other for other in fields if other != field.name]).get()
        others = rows.filter(**beside).exclude(pk=key)
        tries = (name, *(f"{name[: field.max_length - 4]} {number}" for number in range(2, 1000)))
        name = next(candidate for candidate in tries if not others.filter(**{field.name: candidate}).exists())
    return name


def _repair_texts(model: Any, column: str, alias: str) -> int:
    """Repair the names in columns of JSON. All characters of JSON itself are visible, so only names change."""
    rows = model._base_manager.using(alias)
    repaired = 0
    for key, text in rows.values_list("pk", column).iterator(ROWS_PER_BATCH):
        if text and not text.isascii() and (new := spelling.clean_foreign_name(text)) != text:
            repaired += rows.filter(pk=key, **{column: text}).update(**{column: new})
    return repaired
