"""Count what finished tables came to: results, ratings, leaderboards; each table once, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import F

from games import models as played
from games.play import codec
from games.rules.base import Outcome
from tournaments.flow import boards
from tournaments.flow.careers import record_deals
from tournaments.models import CareerEntry, CountedTable, Ledger, PersonResult, Pod
from tournaments.ratings.placement import NEWCOMER, Rating, rate
from tournaments.scoring.points import share_beaten

BUSY_SECONDS = 3600.0
"""After so long a computation that has not said that it is done has died."""


def count_table(table_id: str, *, now: float) -> bool:
    """Count a finished table, unless it was counted before; whether it was counted now.

    False, too, while everything is computed again: the sweeper comes back to it.
    """
    with transaction.atomic():
        if not take_ledger(now=now):
            return False
        table = played.Table.objects.select_related(None).filter(pk=table_id, status="over").exclude(result="").first()
        if table is None or table.voided_at is not None or CountedTable.objects.filter(table=table).exists():
            return False
        record_deals(table)
        counted = CountedTable.objects.create(
            number=Ledger.objects.values_list("last", flat=True).get(pk=1),
            table=table, game=table.game, is_rated=_is_rated(table), ended_at=table.ended_at or now,
        )  # fmt: skip
        results = results_of(table, counted)
        rate_table(results, boards.ratings_before(results), is_rated=counted.is_rated)
        PersonResult.objects.bulk_create(results)
        boards.add(results)
        return True


def take_ledger(*, now: float) -> bool:
    """Lock the ledger until the end of the transaction and take the next number; False while it is busy."""
    Ledger.objects.get_or_create(pk=1)
    free = Ledger.objects.filter(pk=1, busy_since=None) | Ledger.objects.filter(pk=1, busy_since__lt=now - BUSY_SECONDS)
    return free.update(last=F("last") + 1) == 1


def _is_rated(table: played.Table) -> bool:
    """A tournament decides for its tables, whoever opens a table for the others."""
    of_tournament = Pod.objects.filter(table=table).values_list("round__tournament__is_rated", flat=True).first()
    return table.is_rated if of_tournament is None else of_tournament


def results_of(table: played.Table, counted: CountedTable) -> list[PersonResult]:
    """The unsaved results of a table's people, without ratings, in the order of seats."""
    outcome = codec.read_outcome(table.result) or Outcome((0,) * table.seat_count, None)
    people = list(table.seats.filter(player__isnull=False).order_by("index").values_list("index", "player_id"))
    places = [outcome.places[seat] for seat, _ in people]
    tops = _count_tops(table)
    return [
        PersonResult(
            counted=counted, player_id=player_id, game=table.game, ended_at=counted.ended_at, seat=seat,
            place=outcome.places[seat], of=table.seat_count,
            rank=1 + sum(place < places[index] for place in places), people=len(people),
            beaten=share_beaten(tuple(places), index) if len(people) > 1 else 0,
            score=None if outcome.scores is None else outcome.scores[seat], tops=tops.get(seat, 0),
        )
        for index, (seat, player_id) in enumerate(people)
    ]  # fmt: skip


def _count_tops(table: played.Table) -> dict[int, int]:
    tops: dict[int, int] = {}
    for seat in CareerEntry.objects.filter(table=table, rank=1).values_list("seat", flat=True):
        tops[seat] = tops.get(seat, 0) + 1
    return tops


def rate_table(results: Sequence[PersonResult], before: boards.Ratings, *, is_rated: bool) -> None:
    """Write the ratings after this table on its results. before: ratings by (game or "", player)."""
    if not is_rated or len(results) < 2:
        return
    ranks = [result.rank for result in results]
    game = results[0].game
    for result, (own, total) in zip(
        results, zip(_rate(results, before, game, ranks), _rate(results, before, "", ranks), strict=True), strict=True
    ):
        result.mu, result.sigma = own
        result.total_mu, result.total_sigma = total


def _rate(results: Sequence[PersonResult], before: boards.Ratings, game: str, ranks: list[int]) -> tuple[Rating, ...]:
    return rate([before.get((game, result.player_id), NEWCOMER) for result in results], ranks)


def list_uncounted(*, since: float = 0.0) -> Iterable[str]:
    """Finished tables that have not been counted, the earliest first."""
    rows = played.Table.objects.filter(status="over", ended_at__gte=since, voided_at=None, counted=None)
    return rows.exclude(result="").order_by("ended_at", "pk").values_list("pk", flat=True)
