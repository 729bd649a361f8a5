"""Restores rows to their values before a step, if they have not changed since and nothing refers to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from django.db import models

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.steps.recorder import RECORDED_MODELS, Change, OpenStep, Values, read_columns

PERSON_COLUMNS = {"Entrant": "player_id", "PodSeat": "substitute_id"}
"""Model name → the column with the person of a row."""


def restore_rows(taking: OpenStep, changes: Sequence[Change]) -> None:
    """Undo recorded changes in this order, equal consecutive ones in one statement.

    Raises Stale if a row has changed since, or its person has deleted their account.
    """
    _require_there(changes)
    for (kind, before, after), group in groupby(changes, key=_group_key):
        alike = list(group)
        model = RECORDED_MODELS[kind]
        if after is None:
            taking.create_all([model(pk=pk, **_read(model, values or {})) for _, pk, values, _ in alike])
            continue
        stored = model._base_manager.in_bulk([pk for _, pk, _, _ in alike])
        rows = [stored.get(pk) for _, pk, _, _ in alike]
        left = [
            row for row, change in zip(rows, alike, strict=True) if row is not None and is_as_left(row, change[3] or {})
        ]
        if len(left) < len(alike) or (before is None and _is_any_used(left)):
            raise Stale("A later step depends on this one. Undo that step first.")
        if before is None:
            taking.delete_all(left)
        else:
            taking.change_all(left, **_read(model, before))


def _require_there(changes: Iterable[Change]) -> None:
    """Raises Stale if a row would be restored for a person who has deleted their account."""
    wanted = set[int]()
    for kind, _, before, after in changes:
        who = (before or {}).get(PERSON_COLUMNS.get(kind, ""))
        wanted |= {who} if who is not None and who != (after or {}).get(PERSON_COLUMNS[kind]) else set()
    if wanted and Player.objects.filter(pk__in=wanted).exclude(left_at=None).exists():
        raise Stale("This cannot be undone because the person has deleted their account.")


def _group_key(change: Change) -> tuple[str, Values | None, Values | None]:
    """Equal for changes that can be undone in one statement: creations, deletions, or the same update."""
    kind, _, before, after = change
    if before is None or after is None:
        return kind, None if before is None else {}, None if after is None else {}
    return kind, before, after


def is_as_left(row: models.Model, after: Values) -> bool:
    """Whether a row has these recorded values."""
    values = read_columns(row)
    return all(values[name] == value for name, value in _read(type(row), after).items())


def _read(model: type[models.Model], values: Values) -> Values:
    """Recorded values as the model has them: JSON stores datetimes as text."""
    named = {column.attname: column for column in model._meta.concrete_fields}
    return {
        name: named[name].to_python(value) if isinstance(value, str) and _is_time(named[name]) else value
        for name, value in values.items()
    }


def _is_time(column: models.Field[Any, Any]) -> bool:
    return isinstance(column, models.DateTimeField)


def _is_any_used(made: Sequence[models.Model]) -> bool:
    """Whether other rows refer to one of these, and would be deleted with it or forbid that."""
    fields = made[0]._meta.get_fields(include_hidden=True)
    relations = [
        field for field in fields if isinstance(field, models.ForeignObjectRel) and field.on_delete != models.SET_NULL
    ]
    others = [(relation.field.model, relation.field.name) for relation in relations]
    ids = [row.pk for row in made]
    return any(other._base_manager.filter(**{f"{name}__in": ids}).exists() for other, name in others)
