"""Derives careers and results of tables again from their stored games.

What is right is only read, and nobody waits for that; what is wrong is written a few tables at a time. After a version
of the program that keeps more of a game than the one before, the sweeper does it by and by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import Q

from games.models import Table
from tournaments.flow.counting import (
    careers,
    finished_tables,
    leaderboard_rows,
    ledger,
    player_totals,
    stand_in_records,
)
from tournaments.flow.counting.real_tables import COMPARED
from tournaments.models import CountedTable, Ledger, PersonResult

VERSION: Final = 2
"""Of what results and careers tell of a game: one more when older games have to be looked at again. 2: a seat whose
person decided nothing counts as a bot's."""
AT_ONCE: Final = 500
"""Tables looked at together."""
ROWS_PER_WRITE: Final = 25
"""Tables written together, while nobody else can write."""
RATED: Final = ("mu", "sigma", "total_mu", "total_sigma")

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many are done, of how many; between two transactions."""


class WrongTable(NamedTuple):
    """A counted table whose results are not what its game says. wanted: those they should be, unsaved."""

    counted: CountedTable
    wanted: list[PersonResult]


def derive_again(*, now: float, progress: Progress = lambda done, total: None) -> int:
    """Careers and results of all tables again; how many rows were not as they should be. Stops if others compute.

    If any were, ratings, boards and totals have to be computed again; that is asked for.
    """
    total = _played().count()
    done, wrong, last = 0, 0, ""
    while tables := _read(last, AT_ONCE):
        stand_in_records.correct_rows(tables)
        found = _correct_tables(tables, now=now, is_followed=False)
        if found is None:
            return wrong
        wrong += found
        done, last = done + len(tables), tables[-1].pk
        progress(done, total)
    _note_progress(last="", is_done=True)
    return wrong


def derive_on(*, now: float, most: int = AT_ONCE) -> int:
    """Derive the next tables again if an older version of the program derived them; returns how many it looked at."""
    row = Ledger.objects.filter(pk=1).first()
    if row is not None and row.derived_by >= VERSION:
        return 0
    tables = _read(row.derived_to if row else "", most)
    stand_in_records.correct_rows(tables)
    if not tables:
        _note_progress(last="", is_done=True)
    elif _correct_tables(tables, now=now, is_followed=True) is not None:
        _note_progress(last=tables[-1].pk, is_done=False)
    return len(tables)


def _note_progress(*, last: str, is_done: bool) -> None:
    with transaction.atomic():
        ledger.lock()
        Ledger.objects.filter(pk=1).update(derived_to=last, **({"derived_by": VERSION} if is_done else {}))


def _played() -> Any:
    return Table.objects.exclude(Q(seed="") | Q(status="waiting"))


def _read(after: str, most: int) -> list[Table]:
    return list(_played().filter(pk__gt=after).order_by("pk").defer("state")[:most])


def _correct_tables(tables: Sequence[Table], *, now: float, is_followed: bool) -> int | None:
    """How many rows of these were wrong; None if everything is being computed by somebody else."""
    suspects = careers.find_wrong(tables) | {wrong.counted.table_id for wrong in _compare(tables)}
    doubtful = [table for table in tables if table.pk in suspects]
    count = 0
    for start in range(0, len(doubtful), ROWS_PER_WRITE):
        part = doubtful[start : start + ROWS_PER_WRITE]
        with transaction.atomic():
            if not ledger.take(now=now):
                return None
            count += careers.record_all(part, is_followed=is_followed) + _replace(_compare(part), is_followed)
            if not is_followed:
                ledger.request_recount()
    return count


def _compare(tables: Sequence[Table]) -> list[WrongTable]:
    table_of = {table.pk: table for table in tables}
    counted = list(CountedTable.objects.filter(table__in=table_of))
    stored: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in PersonResult.objects.filter(counted__in=counted).order_by("seat").values_list("counted", *COMPARED):
        stored[row[0]].append(row[1:])
    games = finished_tables.read_games([table_of[table.table_id] for table in counted if table.table_id])
    wrong = []
    for counted_table in counted:
        wanted = (
            []
            if counted_table.is_void
            else finished_tables.results_of(table_of[counted_table.table_id or ""], counted_table, games)
        )
        if stored[counted_table.number] != [tuple(getattr(result, column) for column in COMPARED) for result in wanted]:
            wrong.append(WrongTable(counted_table, wanted))
    return wrong


def _replace(wrong: Sequence[WrongTable], is_followed: bool) -> int:
    """Write what should be; ratings stay where nobody's place has changed. The ledger is locked."""
    people: set[int] = set()
    for row in wrong:
        old = list(PersonResult.objects.filter(counted=row.counted).order_by("seat"))
        people |= {result.player_id for result in (*old, *row.wanted)}
        if _is_rated_alike(old, row.wanted):
            for before, after in zip(old, row.wanted, strict=True):
                for column in RATED:
                    setattr(after, column, getattr(before, column))
        elif is_followed:
            ledger.request_recount(since=row.counted.ended_at)
        PersonResult.objects.filter(counted=row.counted).delete()
        PersonResult.objects.bulk_create(row.wanted)
    if people and is_followed:
        leaderboard_rows.refresh(sorted(people))
        player_totals.refresh(people)
    return len(wrong)


def _is_rated_alike(old: Sequence[PersonResult], new: Sequence[PersonResult]) -> bool:
    return [(result.player_id, result.rank, result.ended_at) for result in old] == [
        (result.player_id, result.rank, result.ended_at) for result in new
    ]
