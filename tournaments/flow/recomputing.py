"""Everything again from stored games: the same results, ratings, boards and careers, or the right ones after a change.

While it runs, no table is counted (`Ledger.busy_since`); what ends meanwhile is counted afterwards. Rows are
compared and only what differs is written, a few hundred at a time, so that nobody's move waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from django.db import transaction

from games.models import Player
from tournaments.flow import boards, counting
from tournaments.flow.careers import entries_of
from tournaments.models import BoardRow, CareerEntry, CountedTable, Ledger, PersonResult
from tournaments.ratings.placement import Rating

BATCH = 500
AT_ONCE = 2000
"""Tables read at a time."""
RATED = ("mu", "sigma", "total_mu", "total_sigma")

Rows: TypeAlias = dict[tuple[boards.Key, int], boards.Tally]
"""By board and player."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many tables are done, of how many."""


class Changed(NamedTuple):
    """What a computation had to write: zeros where everything was right."""

    tables: int
    ratings: int
    rows: int


def ask() -> None:
    """Have everything computed again soon."""
    Ledger.objects.get_or_create(pk=1)
    Ledger.objects.filter(pk=1).update(is_stale=True)


def is_wanted() -> bool:
    """Whether somebody has asked for it."""
    return Ledger.objects.filter(pk=1, is_stale=True).exists()


def strike(table_id: str) -> None:
    """A voided table leaves careers and results at once, ratings and boards once all is computed again."""
    CareerEntry.objects.filter(table=table_id).delete()
    PersonResult.objects.filter(counted__table=table_id).delete()
    if CountedTable.objects.filter(table=table_id).update(is_void=True):
        ask()


def merge(guest_id: int, player_id: int, tables: list[str]) -> None:
    """What a guest did at these tables was done by this person."""
    PersonResult.objects.filter(player=guest_id, counted__table__in=tables).update(player=player_id)
    CareerEntry.objects.filter(player=guest_id, table__in=tables).update(player=player_id)
    CareerEntry.objects.filter(demoted_by=guest_id, table__in=tables).update(demoted_by=player_id)
    ask()


def recompute(*, now: float, progress: Progress = lambda done, of: None) -> Changed | None:
    """Ratings and boards again from all results, in the order in which they were counted.

    None if another computation is under way.
    """
    with transaction.atomic():
        if not counting.take_ledger(now=now):
            return None
        Ledger.objects.filter(pk=1).update(busy_since=now, is_stale=False)
    try:
        return _recompute(progress)
    except BaseException:
        ask()
        raise
    finally:
        Ledger.objects.filter(pk=1).update(busy_since=None)


def _recompute(progress: Progress) -> Changed:
    total = CountedTable.objects.count()
    ratings: boards.Ratings = {}
    rows: Rows = {}
    wrong: list[PersonResult] = []
    done = changed = 0
    for counted, results in _read_results():
        before = [tuple(getattr(result, column) for column in RATED) for result in results]
        for result in results:
            result.mu = result.sigma = result.total_mu = result.total_sigma = None
        counting.rate_table(results, ratings, is_rated=counted.is_rated)
        _remember(results, ratings, rows)
        for result, old in zip(results, before, strict=True):
            if tuple(getattr(result, column) for column in RATED) != old:
                wrong.append(result)
        if len(wrong) >= BATCH:
            changed += _save(wrong)
        done += 1
        progress(done, total)
    changed += _save(wrong)
    return Changed(done, changed, _save_rows(rows))


def _read_results() -> Iterator[tuple[CountedTable, list[PersonResult]]]:
    """Counted tables with their results, by seat, in the order in which they were counted."""
    last = CountedTable.objects.order_by("-number").values_list("number", flat=True).first() or 0
    for start in range(0, last, AT_ONCE):
        part = PersonResult.objects.filter(counted_id__gt=start, counted_id__lte=start + AT_ONCE)
        for _, group in groupby(
            part.select_related("counted").order_by("counted_id", "seat"), key=attrgetter("counted_id")
        ):
            results = list(group)
            yield results[0].counted, results


def _remember(results: list[PersonResult], ratings: boards.Ratings, rows: Rows) -> None:
    for result in results:
        if result.mu is not None and result.sigma is not None:
            ratings[result.game, result.player_id] = Rating(result.mu, result.sigma)
        if result.total_mu is not None and result.total_sigma is not None:
            ratings["", result.player_id] = Rating(result.total_mu, result.total_sigma)
        for key in boards.keys_of(result):
            row = rows.setdefault((key, result.player_id), boards.Tally())
            boards.credit(row, result, game=key[0])


def _save(wrong: list[PersonResult]) -> int:
    count = len(wrong)
    if wrong:
        boards.write_again(wrong, RATED)
        wrong.clear()
    return count


def _save_rows(rows: Rows) -> int:
    """Write the rows that differ from those that are stored, and delete those that should not be; how many."""
    found = {key: boards.find_board(key).pk for key in {key for key, _ in rows}}
    missing = {(found[key], player): row for (key, player), row in rows.items()}
    wrong: list[BoardRow] = []
    excess: list[int] = []
    for pk, board, player, *values in BoardRow.objects.values_list("pk", "board_id", "player_id", *boards.COLUMNS):
        row = missing.pop((board, player), None)
        if row is None:
            excess.append(pk)
        elif _values(row) != values:
            wrong.append(BoardRow(pk=pk, **dict(zip(boards.COLUMNS, _values(row), strict=True))))
    hidden = set(Player.objects.filter(is_listed=False).values_list("pk", flat=True))
    new = [
        BoardRow(board_id=board, player_id=player, is_listed=player not in hidden, **asdict(row))
        for (board, player), row in missing.items()
    ]
    for start in range(0, len(wrong), BATCH):
        boards.write_again(wrong[start : start + BATCH], boards.COLUMNS)
    BoardRow.objects.bulk_create(new, batch_size=BATCH)
    for start in range(0, len(excess), BATCH):
        BoardRow.objects.filter(pk__in=excess[start : start + BATCH]).delete()
    return len(wrong) + len(new) + len(excess)


def _values(row: boards.Tally) -> list[int | float | None]:
    return [getattr(row, column) for column in boards.COLUMNS]


def check_careers(counted: CountedTable) -> bool:
    """Whether the stored entries of a table are those that its plies give."""
    columns = [field.attname for field in CareerEntry._meta.concrete_fields if not field.primary_key]
    stored = CareerEntry.objects.filter(table=counted.table_id).order_by("deal", "seat").values_list(*columns)
    derived = sorted(entries_of(counted.table), key=attrgetter("deal", "seat"))
    return list(stored) == [tuple(getattr(entry, column) for column in columns) for entry in derived]
