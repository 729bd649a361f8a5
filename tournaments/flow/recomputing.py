"""Ratings and boards again from all results: the same ones, or the right ones after a change.

Results are taken in the order in which their tables ended, so that the stored games alone decide.

While it runs, no table is counted (`Ledger.busy_since`); what ends meanwhile is counted afterwards. Rows are
compared and only what differs is written, a few hundred at a time, so that nobody's move waits for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import QuerySet

from games.models import Table
from tournaments.flow import boards, counting, ledger, real_tables, spots, totals
from tournaments.flow.careers import record_all
from tournaments.flow.real_tables import COMPARED
from tournaments.flow.rows import write_again
from tournaments.models import BoardRow, CareerEntry, CountedTable, Ledger, PersonResult, PersonTotal
from tournaments.ratings.placement import Rating

BATCH = 500
AT_ONCE = 2000
"""Tables read at a time."""
RATED = ("mu", "sigma", "total_mu", "total_sigma")

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many tables are done, of how many."""


class Changed(NamedTuple):
    """What a computation had to write: zeros where everything was right."""

    tables: int
    ratings: int
    rows: int
    totals: int = 0
    counts: int = 0


def is_wanted() -> bool:
    """Whether somebody has asked for it."""
    return Ledger.objects.filter(pk=1, is_stale=True).exists()


def strike(table_id: str) -> None:
    """A voided table leaves careers and results at once, ratings and boards once all is computed again."""
    entries, results = CareerEntry.objects.filter(table=table_id), PersonResult.objects.filter(counted__table=table_id)
    people = {*entries.values_list("player", flat=True), *results.values_list("player", flat=True)}
    entries.delete()
    results.delete()
    totals.refresh(people)
    if CountedTable.objects.filter(table=table_id).update(is_void=True):
        ledger.ask_again()


def merge(guest_id: int, player_id: int, tables: list[str]) -> None:
    """What a guest did at these tables was done by this person."""
    PersonResult.objects.filter(player=guest_id, counted__table__in=tables).update(player=player_id)
    CareerEntry.objects.filter(player=guest_id, table__in=tables).update(player=player_id)
    CareerEntry.objects.filter(demoted_by=guest_id, table__in=tables).update(demoted_by=player_id)
    rivals = CareerEntry.objects.filter(demoted_by=player_id, table__in=tables).values_list("player", flat=True)
    totals.refresh({guest_id, player_id, *rivals})
    real_tables.follow_again(player_id)
    ledger.ask_again()


def recompute(*, now: float, progress: Progress = lambda done, of: None) -> Changed | None:
    """Ratings and boards again from all results, in the order in which their tables ended.

    None if another computation is under way.
    """
    with transaction.atomic():
        if not ledger.take(now=now):
            return None
        Ledger.objects.filter(pk=1).update(busy_since=now, is_stale=False)
    try:
        return _recompute(progress)
    except BaseException:
        ledger.ask_again()
        raise
    finally:
        Ledger.objects.filter(pk=1).update(busy_since=None)


def _recompute(progress: Progress) -> Changed:
    tables, ratings = _rate_again(progress)
    rows, sums = _refresh_people(progress)
    return Changed(tables, ratings, rows, sums, spots.count_again())


def _rate_again(progress: Progress) -> tuple[int, int]:
    """All ratings in the order of time; how many tables there are, and how many ratings were wrong."""
    total = CountedTable.objects.filter(is_void=False).count()
    ratings: boards.Ratings = {}
    wrong: list[PersonResult] = []
    done = changed = 0
    for is_rated, results in _read_results():
        before = [tuple(getattr(result, column) for column in RATED) for result in results]
        for result in results:
            result.mu = result.sigma = result.total_mu = result.total_sigma = None
        counting.rate_table(results, ratings, is_rated=is_rated)
        _remember(results, ratings)
        for result, old in zip(results, before, strict=True):
            if tuple(getattr(result, column) for column in RATED) != old:
                wrong.append(result)
        if len(wrong) >= BATCH:
            changed += _save(wrong)
        done += 1
        progress(done, total)
    return done, changed + _save(wrong)


def _read_results() -> Iterator[tuple[bool, list[PersonResult]]]:
    """Whether it is rated, and the results by seat, of every counted table in the order in which they ended."""
    counted = CountedTable.objects.filter(is_void=False).order_by("ended_at", "number")
    order = list(counted.values_list("number", "is_rated"))
    for start in range(0, len(order), AT_ONCE):
        part = dict(order[start : start + AT_ONCE])
        rows = PersonResult.objects.filter(counted__in=list(part)).order_by("counted", "seat")
        by_table = {number: list(group) for number, group in groupby(rows, key=attrgetter("counted_id"))}
        yield from ((is_rated, by_table.get(number, [])) for number, is_rated in part.items())


def _remember(results: list[PersonResult], ratings: boards.Ratings) -> None:
    for result in results:
        if result.mu is not None and result.sigma is not None:
            ratings[result.game, result.player_id] = Rating(result.mu, result.sigma)
        if result.total_mu is not None and result.total_sigma is not None:
            ratings["", result.player_id] = Rating(result.total_mu, result.total_sigma)


def _save(wrong: list[PersonResult]) -> int:
    count = len(wrong)
    if wrong:
        write_again(wrong, RATED)
        wrong.clear()
    return count


def _refresh_people(progress: Progress) -> tuple[int, int]:
    """Everybody's rows on boards and totals, a few hundred people at a time; how many rows and totals were wrong."""
    models = PersonResult, CareerEntry, PersonTotal, BoardRow
    ids = sorted({one for model in models for one in model.objects.values_list("player", flat=True).distinct()})
    rows = sums = 0
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        rows += boards.refresh(part)
        sums += totals.refresh(part)
        progress(min(start + BATCH, len(ids)), len(ids))
    return rows, sums


def derive_again(*, now: float, progress: Progress = lambda done, of: None) -> int:
    """Careers and results of all tables again, from the stored games; how many rows were not as they should be.

    Afterwards ratings and boards have to be computed again.
    """
    ids = list(Table.objects.exclude(seed="").exclude(status="waiting").order_by("pk").values_list("pk", flat=True))
    wrong = 0
    for start in range(0, len(ids), BATCH):
        with transaction.atomic():
            if not ledger.take(now=now):
                return wrong
            tables = Table.objects.filter(pk__in=ids[start : start + BATCH]).defer("state", "desk")
            wrong += record_all(list(tables)) + _derive(tables)
        progress(min(start + BATCH, len(ids)), len(ids))
    return wrong


def _derive(tables: QuerySet[Table]) -> int:
    """Results of counted tables of these that are not what their games say, replaced; how many tables."""
    counted = list(CountedTable.objects.filter(table__in=tables).select_related("table").defer("table__state"))
    read = counting.read_games([one.table for one in counted if one.table is not None])
    stored: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in PersonResult.objects.filter(counted__in=counted).order_by("seat").values_list("counted", *COMPARED):
        stored[row[0]].append(row[1:])
    wrong = []
    new: list[PersonResult] = []
    for one in counted:
        wanted = [] if one.is_void or one.table is None else counting.results_of(one.table, one, read)
        if stored[one.number] != [tuple(getattr(result, column) for column in COMPARED) for result in wanted]:
            wrong.append(one)
            new += wanted
    old = PersonResult.objects.filter(counted__in=wrong)
    people = {*old.values_list("player", flat=True), *(result.player_id for result in new)}
    old.delete()
    PersonResult.objects.bulk_create(new)
    totals.refresh(people)
    return len(wrong)
