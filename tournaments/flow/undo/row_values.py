"""Rows put back to where a step found them, if they still are as that step left them and nothing rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from django.db import models

from games.models import Player
from games.play.errors import Stale
from tournaments.flow.steps.recorder import KINDS, Change, Changing, Values, values_of

COMES = {"Entrant": "player_id", "PodSeat": "substitute_id"}
"""What says of a row who comes with it, by its kind."""


def put_back(taking: Changing, changes: Sequence[Change]) -> None:
    """Undo noted changes in this order, those that are alike at one go. Raises Stale if a row is not as it was left, or
    whoever came with it has gone for good."""
    _require_there(changes)
    for (kind, before, after), group in groupby(changes, key=_likeness):
        alike = list(group)
        model = KINDS[kind]
        if after is None:
            taking.create_all([model(pk=pk, **_read(model, values or {})) for _, pk, values, _ in alike])
            continue
        known = model._base_manager.in_bulk([pk for _, pk, _, _ in alike])
        rows = [known.get(pk) for _, pk, _, _ in alike]
        left = [
            row for row, change in zip(rows, alike, strict=True) if row is not None and is_as_left(row, change[3] or {})
        ]
        if len(left) < len(alike) or (before is None and _is_any_used(left)):
            raise Stale("Something later rests on this. Take that back first.")
        if before is None:
            taking.delete_all(left)
        else:
            taking.change_all(left, **_read(model, before))


def _require_there(changes: Iterable[Change]) -> None:
    """Nobody is brought back, and waited for, who will not come."""
    wanted = set[int]()
    for kind, _, before, after in changes:
        who = (before or {}).get(COMES.get(kind, ""))
        wanted |= {who} if who is not None and who != (after or {}).get(COMES[kind]) else set()
    if wanted and Player.objects.filter(pk__in=wanted).exclude(left_at=None).exists():
        raise Stale("This would bring somebody back who has gone for good: nobody would come.")


def _likeness(change: Change) -> tuple[str, Values | None, Values | None]:
    """What changes have in common that can be undone together: all that make rows, all that take some away, all that
    change the same in the same way."""
    kind, _, before, after = change
    if before is None or after is None:
        return kind, None if before is None else {}, None if after is None else {}
    return kind, before, after


def is_as_left(row: models.Model, after: Values) -> bool:
    """Whether a row has the values that a step has noted of it as those after."""
    known = values_of(row)
    return all(known[name] == value for name, value in _read(type(row), after).items())


def _read(model: type[models.Model], values: Values) -> Values:
    """Values as the model has them: JSON writes times as text."""
    named = {column.attname: column for column in model._meta.concrete_fields}
    return {
        name: named[name].to_python(value) if isinstance(value, str) and _is_time(named[name]) else value
        for name, value in values.items()
    }


def _is_time(column: models.Field[Any, Any]) -> bool:
    return isinstance(column, models.DateTimeField)


def _is_any_used(made: Sequence[models.Model]) -> bool:
    """Whether other rows refer to one of these that would go with it, or hold it."""
    fields = made[0]._meta.get_fields(include_hidden=True)
    relations = [one for one in fields if isinstance(one, models.ForeignObjectRel) and one.on_delete != models.SET_NULL]
    others = [(one.field.model, one.field.name) for one in relations]
    ids = [row.pk for row in made]
    return any(other._base_manager.filter(**{f"{name}__in": ids}).exists() for other, name in others)
