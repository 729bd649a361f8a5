"""The journal of a merge of two people: all changed rows, so that it can be undone.

Rows that are derived from games (results, careers, leaderboards) are not in it: they are derived again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec
from django.apps import apps
from django.db import models
from django.db.models import Q

from games.models import NameKey, Notice, Player, Seat, SignedInDevice, Table
from games.play.signals import SeatChanges
from games.records import strict_json
from tournaments.flow.people.merge_rows import list_steps
from tournaments.models import BoardRow, CareerEntry, PersonMerge, PersonResult, PersonTotal, Step

ELSEWHERE: Final = (
    PersonResult, CareerEntry, PersonTotal, BoardRow, NameKey, Seat, Table, SignedInDevice, Notice, PersonMerge,
)  # fmt: skip
"""Models that point at people and are followed in another way, or not worth it (what somebody was told)."""
Row: TypeAlias = dict[str, Any]
Snapshot: TypeAlias = dict[str, dict[str, Row]]
"""Label of the model → id of the row → its columns, as JSON."""


class ChangedRow(msgspec.Struct):
    """A row before and after; null where there was none."""

    model: str
    pk: str
    before: Row | None
    after: Row | None


class Journal(msgspec.Struct):
    """What undoing needs. places: where the dissolved person has sat; devices: what tells their browsers
    (`signed_in_devices.digest`)."""

    places: SeatChanges
    devices: list[str]
    changes: list[ChangedRow]


JOURNALS = msgspec.json.Decoder(Journal)
"""Reads a stored journal."""


def take(guest_id: int, player_id: int) -> Snapshot:
    """A snapshot of all rows that refer to either of the two."""
    both = (guest_id, player_id)
    found: Snapshot = {}
    for model, columns in _list_models():
        about = Q(pk__in=both) if model is Player else Q()
        for column in columns:
            about |= Q(**{f"{column}__in": both})
        found[model._meta.label] = {str(row["pk"]): row for row in _read(model, about)}
    steps = list_steps(guest_id, player_id, is_about_both=True).values_list("pk", flat=True)
    found[Step._meta.label] |= {str(row["pk"]): row for row in _read(Step, Q(pk__in=list(steps)))}
    return found


def compare(before: Snapshot, after: Snapshot) -> list[ChangedRow]:
    """The rows that differ between two snapshots. Rows that are missing in the second are read again."""
    changes = []
    for label, rows in before.items():
        gone = [pk for pk in rows if pk not in after[label]]
        model = apps.get_model(label)
        now = after[label] | {str(row["pk"]): row for row in _read(model, Q(pk__in=gone))}
        for pk in {**rows, **after[label]}:
            if rows.get(pk) != now.get(pk):
                changes.append(ChangedRow(label, pk, rows.get(pk), now.get(pk)))
    return changes


def restore(changes: list[ChangedRow]) -> None:
    """Give every row its columns back that are still as the merge has left them."""
    for changed in sorted(changes, key=lambda change: (change.before is not None, change.after is None)):
        model = apps.get_model(changed.model)
        rows = (
            model._base_manager.filter(pk=changed.pk) if model is not Player else Player.objects.filter(pk=changed.pk)
        )
        if changed.before is None:
            rows.delete()
        elif changed.after is None:
            if not rows.exists():
                model._base_manager.create(**_parse(model, changed.before))
        else:
            now = next(iter(_read(model, Q(pk=changed.pk))), {})
            kept = {
                column: value
                for column, value in changed.before.items()
                if changed.after[column] != value and now.get(column) == changed.after[column]
            }
            if kept:
                rows.update(**_parse(model, kept))


def write(journal: Journal) -> str:
    """As text."""
    return msgspec.json.encode(journal).decode()


def read(text: str) -> Journal:
    """The inverse of `write`."""
    return JOURNALS.decode(text)


def _list_models() -> Iterator[tuple[type[models.Model], list[str]]]:
    """Models that point at people, with the columns that do."""
    for model in apps.get_models():
        columns = [field.attname for field in model._meta.concrete_fields if field.related_model is Player]
        if columns and model not in ELSEWHERE:
            yield model, columns


def _read(model: type[models.Model], about: Q) -> Iterator[Row]:
    names = [field.attname for field in model._meta.concrete_fields]
    for values in model._base_manager.filter(about).values(*names):
        row: Row = msgspec.json.decode(strict_json.write(values, default=datetime.isoformat))
        yield row | {"pk": row[model._meta.pk.attname]}


def _parse(model: type[models.Model], row: Row) -> Row:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {
        column: field.target_field.to_python(value) if isinstance(field, models.ForeignKey) else field.to_python(value)
        for column, value in row.items()
        if (field := fields.get(column)) is not None
    }
