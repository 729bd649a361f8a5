"""Recomputes ratings and leaderboards from stored results; after a change they come out right.

Results are taken in the order in which their tables ended, so that the stored games alone decide. After a change only
the tables that ended then or later are looked at: what was before it stands.

While it runs, no table is counted (`ledger.Claim`); what ends meanwhile is counted afterwards. Rows are compared and
only what differs is written, a few at a time, so that nobody's move waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from games.models import Seat
from tournaments.flow.counting import (
    finished_tables,
    leaderboard_rows,
    ledger,
    place_counts,
    real_tables,
)
from tournaments.flow.counting import (
    player_totals as totals,
)
from tournaments.flow.counting.bulk_updates import update_rows
from tournaments.flow.counting.rederiving import RATED, Progress
from tournaments.models import BoardRow, CareerEntry, CountedTable, Ledger, PersonResult, PersonTotal
from tournaments.ratings.placement import Rating

BATCH = 500
"""Ratings written at a time."""
AT_ONCE = 2000
"""Tables read at a time."""
MAX_PEOPLE, MAX_ROWS = 200, 2000
"""People whose boards and totals are looked at together: so many, who have so many results and deals, or one."""
MAX_YIELD_SECONDS = 0.1
"""Seconds to pause after a write, at most; otherwise as long as the write took, so that others can write."""


class Corrections(NamedTuple):
    """How many rows a computation has corrected: zeros if everything was right."""

    tables: int
    ratings: int
    rows: int
    totals: int = 0
    counts: int = 0


def is_wanted() -> bool:
    """Whether a recomputation is requested."""
    return Ledger.objects.filter(pk=1, is_stale=True).exists()


def uncount_voided(table_id: str) -> None:
    """Remove a voided table from careers, results and leaderboards, and compute the ratings after it again."""
    with transaction.atomic():
        ledger.lock()
        _uncount_voided(table_id)


def list_voided_still_counted(*, since: float = 0.0) -> Iterable[str]:
    """Voided tables that still count, because the process that voided them has died."""
    return CountedTable.objects.filter(is_void=False, table__voided_at__gte=since).values_list("table", flat=True)


def _uncount_voided(table_id: str) -> None:
    entries, results = CareerEntry.objects.filter(table=table_id), PersonResult.objects.filter(counted__table=table_id)
    people = {*entries.values_list("player", flat=True), *results.values_list("player", flat=True)}
    entries.delete()
    results.delete()
    totals.refresh(people)
    leaderboard_rows.refresh(sorted(people))
    if CountedTable.objects.filter(table=table_id).update(is_void=True):
        ledger.request_recount(since=CountedTable.objects.values_list("ended_at", flat=True).get(table=table_id))


def merge(guest_id: int, player_id: int) -> None:
    """Transfer what a guest did at tables where they no longer have a seat. All or nothing; idempotent."""
    with transaction.atomic():
        ledger.lock()
        theirs = Seat.objects.filter(player=guest_id).values("table")
        results = PersonResult.objects.filter(player=guest_id).exclude(counted__table=None)
        counted = list(results.exclude(counted__table__in=theirs).values_list("counted", flat=True))
        PersonResult.objects.filter(player=guest_id, counted__in=counted).update(player=player_id)
        CareerEntry.objects.filter(player=guest_id).exclude(table__in=theirs).update(player=player_id)
        fallen = CareerEntry.objects.filter(demoted_by=guest_id).exclude(table__in=theirs)
        rivals = list(fallen.values_list("player", flat=True))
        fallen.update(demoted_by=player_id)
        totals.refresh({guest_id, player_id, *rivals})
        leaderboard_rows.refresh([guest_id, player_id])
        real_tables.follow_again(player_id)
        first = CountedTable.objects.filter(pk__in=counted).order_by("ended_at").first()
        if first is not None:
            ledger.request_recount(since=first.ended_at)


def recompute(*, now: float, progress: Progress = lambda done, total: None) -> Corrections | None:
    """Ratings, boards and totals again from all results. None if another computation is under way."""
    return _claimed(ledger.claim(now=now, is_whole=True), progress)


def catch_up(*, now: float) -> Corrections | None:
    """Recompute ratings and boards as far as requested. None if another computation is under way."""
    return _claimed(ledger.claim(now=now, is_whole=False), lambda done, total: None)


def _claimed(claim: ledger.RecomputeClaim | None, progress: Progress) -> Corrections | None:
    if claim is None:
        return None

    def report(done: int, total: int) -> None:
        claim.send_heartbeat()
        progress(done, total)

    try:
        return _recompute_all(report) if claim.since is None else _recompute_since(claim.since, report)
    except BaseException:
        ledger.request_recount(since=claim.since)
        raise
    finally:
        claim.release()


def _recompute_all(progress: Progress) -> Corrections:
    tables, ratings, _ = _rate_again(None, progress)
    models = PersonResult, CareerEntry, PersonTotal, BoardRow
    ids = {
        player_id
        for model in models
        for player_id in model._default_manager.values_list("player", flat=True).distinct()
    }
    rows = sums = done = 0
    for part in _split_by_rows(sorted(ids)):
        rows += _run_yielding(leaderboard_rows.correct_rows(part))
        sums += _run_yielding(totals.correct_rows(part))
        done += len(part)
        progress(done, len(ids))
    return Corrections(tables, ratings, rows, sums, place_counts.count_again(progress))


def _recompute_since(since: float, progress: Progress) -> Corrections:
    tables, ratings, people = _rate_again(since, progress)
    rows = 0
    for part in _split_by_rows(sorted(people)):
        rows += _run_yielding(leaderboard_rows.correct_rows(part))
        progress(tables, tables)
    return Corrections(tables, ratings, rows)


def _run_yielding(steps: Iterator[int]) -> int:
    """Run these steps, with a pause for other writers after each that has written; returns the number of rows."""
    written = 0
    began = time.monotonic()
    for step in steps:
        written += step
        time.sleep(min(MAX_YIELD_SECONDS, time.monotonic() - began))
        began = time.monotonic()
    return written


def _split_by_rows(ids: Sequence[int]) -> Iterator[list[int]]:
    """Split people into groups of about equal numbers of rows; somebody with many rows is a group alone."""
    part: list[int] = []
    size = 0
    for one, rows in _count_rows(ids):
        if part and (len(part) >= MAX_PEOPLE or size + rows > MAX_ROWS):
            yield part
            part, size = [], 0
        part.append(one)
        size += rows
    if part:
        yield part


def _count_rows(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        counts = [_count_tables(model, part) for model in (PersonResult, CareerEntry)]
        yield from ((person, sum(count.get(person, 0) for count in counts)) for person in part)


def _count_tables(model: type[PersonResult] | type[CareerEntry], ids: Sequence[int]) -> dict[int, int]:
    rows = model._default_manager.filter(player__in=ids).order_by().values_list("player")
    return dict(rows.annotate(rows=Count("pk")))


def _rate_again(since: float | None, progress: Progress) -> tuple[int, int, set[int]]:
    """All ratings from this moment on, in the order of time; how many tables there are, how many ratings were wrong,
    and who sat at these tables."""
    ratings = RatingSnapshot(since)
    wrong: list[PersonResult] = []
    people: set[int] = set()
    done = changed = 0
    order = _list_tables(since)
    for start in range(0, len(order), AT_ONCE):
        for is_rated, results in _read_results(order[start : start + AT_ONCE], ratings):
            wrong += _rate(results, ratings, is_rated=is_rated)
            people.update(result.player_id for result in results)
        changed += _flush_rows(wrong)
        done = min(start + AT_ONCE, len(order))
        progress(done, len(order))
    return done, changed, people


def _list_tables(since: float | None) -> list[tuple[int, bool]]:
    counted = CountedTable.objects.filter(is_void=False).order_by("ended_at", "number")
    if since is not None:
        counted = counted.filter(ended_at__gte=since)
    return list(counted.values_list("number", "is_rated"))


def _read_results(
    tables: Sequence[tuple[int, bool]], ratings: RatingSnapshot
) -> Iterator[tuple[bool, list[PersonResult]]]:
    """Whether it is rated, and the results by seat, of each of these tables."""
    rows = list(PersonResult.objects.filter(counted__in=[number for number, _ in tables]).order_by("counted", "seat"))
    ratings.look_up({row.player_id for row in rows})
    by_table = {number: list(group) for number, group in groupby(rows, key=attrgetter("counted_id"))}
    yield from ((is_rated, by_table.get(number, [])) for number, is_rated in tables)


def _rate(results: Sequence[PersonResult], ratings: RatingSnapshot, *, is_rated: bool) -> list[PersonResult]:
    """The rows among these whose stored ratings are wrong."""
    before = [_ratings_of(result) for result in results]
    for result in results:
        result.mu = result.sigma = result.total_mu = result.total_sigma = None
    finished_tables.rate_table(results, ratings.now, is_rated=is_rated)
    for result in results:
        ratings.remember(result)
    return [result for result, old in zip(results, before, strict=True) if _ratings_of(result) != old]


_ratings_of = attrgetter(*RATED)


class RatingSnapshot:
    """The ratings of people at a moment of the past. now: by game, or "", and person."""

    def __init__(self, since: float | None) -> None:
        self.now: leaderboard_rows.Ratings = {}
        self._since = since
        self._asked: set[int] = set()

    def look_up(self, people: Iterable[int]) -> None:
        """The rating of a person who occurs for the first time: that after their last table before the moment."""
        if self._since is None:
            return
        new = sorted(set(people) - self._asked)
        self._asked.update(new)
        for start in range(0, len(new), BATCH):
            for result in _list_last(new[start : start + BATCH], self._since):
                self.remember(result)

    def remember(self, result: PersonResult) -> None:
        """The ratings after this table, if it was rated."""
        if result.mu is not None and result.sigma is not None:
            self.now[result.game, result.player_id] = Rating(result.mu, result.sigma)
        if result.total_mu is not None and result.total_sigma is not None:
            self.now["", result.player_id] = Rating(result.total_mu, result.total_sigma)


def _list_last(people: Sequence[int], since: float) -> list[PersonResult]:
    """The last rated result of each of these people in each game before this moment, the earliest first."""
    rated = PersonResult.objects.filter(player__in=people, ended_at__lt=since, mu__isnull=False)
    by_time = [F("ended_at").desc(), F("counted").desc()]
    last = rated.annotate(back=Window(RowNumber(), partition_by=[F("player"), F("game")], order_by=by_time))
    return sorted(last.filter(back=1), key=attrgetter("ended_at", "counted_id"))


def _flush_rows(wrong: list[PersonResult]) -> int:
    """Write these rows and empty the list; returns how many there were."""
    for start in range(0, len(wrong), BATCH):
        update_rows(wrong[start : start + BATCH], RATED)
    count = len(wrong)
    wrong.clear()
    return count
