"""What every person's results and deals come to, kept up to date with each of them: profiles read nothing else.

The ledger is locked by whoever adds, so that nothing is added twice. What is taken away has the totals of its people
derived again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeAlias

from django.db import transaction

from games.play import codec
from tournaments.careers.totals import Deal, Played, Total
from tournaments.flow import ledger
from tournaments.flow.rows import write_again
from tournaments.models import CareerEntry, PersonResult, PersonTotal

COLUMNS = tuple(field.name for field in fields(Total))
TEXTS = ("jobs", "rivals")
AT_ONCE = 500
"""People whose totals are derived at a time."""

Key: TypeAlias = tuple[int, str, int]
"""Person, game, season (0: ever)."""


def add_results(results: Sequence[PersonResult]) -> None:
    """Count new results. The ledger is locked."""
    _add(
        (key, Total.add_result, _played(result))
        for result in results
        for key in keys_of(result.player_id, result.game, result.ended_at)
    )


def add_entries(entries: Sequence[CareerEntry]) -> None:
    """Count new career entries. The ledger is locked."""
    _add(
        (key, Total.add_deal, _deal(entry))
        for entry in entries
        for key in keys_of(entry.player_id, entry.game, entry.at)
    )


def keys_of(player_id: int, game: str, at: float) -> tuple[Key, Key]:
    """Ever, and the season of this moment."""
    return (player_id, game, 0), (player_id, game, datetime.fromtimestamp(at, tz=UTC).year)


def _add(counted: Iterable[tuple[Key, Callable[[Total, Any], None], Any]]) -> None:
    wanted = list(counted)
    players = {key[0] for key, _, _ in wanted}
    rows = {
        (row.player_id, row.game, row.season): row
        for row in PersonTotal.objects.filter(player__in=players, game__in={key[1] for key, _, _ in wanted})
    }
    totals: dict[Key, Total] = {}
    for key, add, what in wanted:
        if key not in totals:
            totals[key] = read(rows[key]) if key in rows else Total()
        add(totals[key], what)
    _write(totals, rows)


def read(row: PersonTotal) -> Total:
    """The totals of a row."""
    values = {column: getattr(row, column) for column in COLUMNS}
    return Total(**values | {column: codec.read(values[column]) for column in TEXTS})


def values_of(total: Total) -> dict[str, Any]:
    """The totals as a row has them: by column."""
    values = {column: getattr(total, column) for column in COLUMNS}
    return values | {column: codec.write(dict(sorted(values[column].items()))) for column in TEXTS}


def _write(totals: dict[Key, Total], rows: dict[Key, PersonTotal]) -> int:
    """Write what differs; how many rows."""
    new, wrong = [], []
    for key, total in totals.items():
        values = values_of(total)
        row = rows.get(key)
        if row is None:
            new.append(PersonTotal(player_id=key[0], game=key[1], season=key[2], **values))
        elif any(getattr(row, column) != value for column, value in values.items()):
            for column, value in values.items():
                setattr(row, column, value)
            wrong.append(row)
    PersonTotal.objects.bulk_create(new)
    write_again(wrong, COLUMNS)
    return len(new) + len(wrong)


def refresh(player_ids: Iterable[int]) -> int:
    """Derive the totals of these people again from what is stored; how many rows were wrong."""
    ids = sorted(set(player_ids))
    return sum(_refresh(ids[start : start + AT_ONCE]) for start in range(0, len(ids), AT_ONCE))


def _refresh(ids: Sequence[int]) -> int:
    """Only where something is wrong anybody waits for it."""
    if not _differs(ids):
        return 0
    with transaction.atomic():
        ledger.lock()
        totals = derive(ids)
        rows = _rows(ids)
        excess = [row.pk for key, row in rows.items() if key not in totals]
        PersonTotal.objects.filter(pk__in=excess).delete()
        return _write(totals, rows) + len(excess)


def _rows(ids: Sequence[int]) -> dict[Key, PersonTotal]:
    return {(row.player_id, row.game, row.season): row for row in PersonTotal.objects.filter(player__in=ids)}


def _differs(ids: Sequence[int]) -> bool:
    stored = {
        key: {column: getattr(row, column) for column in COLUMNS}
        for key, row in _rows(ids).items()
    }  # fmt: skip
    return stored != {key: values_of(total) for key, total in derive(ids).items()}


def derive(ids: Sequence[int]) -> dict[Key, Total]:
    """The totals of these people, from their results and career entries."""
    totals: dict[Key, Total] = defaultdict(Total)
    for player_id, game, played in _read_results(ids):
        for key in keys_of(player_id, game, played.at):
            totals[key].add_result(played)
    for player_id, game, deal in _read_entries(ids):
        for key in keys_of(player_id, game, deal.at):
            totals[key].add_deal(deal)
    return totals


def _read_results(ids: Sequence[int]) -> Iterator[tuple[int, str, Played]]:
    columns = "player_id", "game", "place", "people", "beaten", "score", "feat", "ended_at"
    for player_id, game, *values in PersonResult.objects.filter(player__in=ids).values_list(*columns):
        yield player_id, game, Played(*values)


def _read_entries(ids: Sequence[int]) -> Iterator[tuple[int, str, Deal]]:
    columns = "player_id", "game", "rank", "of", "before", "spell", "climb", "job", "demoted_by_id", "at"
    for player_id, game, *values in CareerEntry.objects.filter(player__in=ids).values_list(*columns):
        yield player_id, game, Deal(*values)


def _played(result: PersonResult) -> Played:
    return Played(result.place, result.people, result.beaten, result.score, result.feat, result.ended_at)


def _deal(entry: CareerEntry) -> Deal:
    return Deal(
        entry.rank, entry.of, entry.before, entry.spell, entry.climb, entry.job, entry.demoted_by_id, entry.at
    )  # fmt: skip
