"""Counts finished tables: results, ratings, leaderboards; each table once, one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from games import models as played
from games.play.moves import deciders as deciding
from games.play.storage import codec
from games.records.stand_ins import find_deciders
from games.rules.base import Outcome
from tournaments.careers.feats import DUEL_EVENTS, find_feats, find_source
from tournaments.flow.counting import leaderboard_rows, ledger, player_totals, stand_in_records
from tournaments.flow.counting.careers import record_deals
from tournaments.flow.steps import happenings
from tournaments.models import CareerEntry, CountedTable, PersonResult, Pod
from tournaments.ratings.placement import NEWCOMER, Rating, rate
from tournaments.scoring.points import share_beaten


class Chair(NamedTuple):
    """The seat of a person who played at a finished table. player_id: None while they have no account here."""

    seat: int
    player_id: int | None
    place: int
    score: int | None
    tops: int
    feat: int | None


def count_table(table_id: str, *, now: float) -> bool:
    """Count a finished table, unless it was counted before; whether it was counted now.

    False, too, while everything is computed again: the sweeper comes back to it.
    """
    table = _count_table(table_id, now=now)
    if table is None:
        return False
    stand_in_records.correct_rows([table])
    return True


def _count_table(table_id: str, *, now: float) -> played.Table | None:
    with transaction.atomic():
        if not ledger.take(now=now):
            return None
        table = played.Table.objects.select_related(None).filter(pk=table_id, status="over").exclude(result="").first()
        if table is None or table.voided_at is not None or CountedTable.objects.filter(table=table).exists():
            return None
        record_deals(table)
        counted = CountedTable(
            number=ledger.next_number(),
            table=table,
            game=table.game,
            is_rated=_is_rated(table),
            ended_at=table.ended_at or now,
        )
        enter(counted, results_of(table, counted))
        happenings.tell_game_over(table, now=now)
        return table


def enter(counted: CountedTable, results: Sequence[PersonResult]) -> None:
    """Write a counted table with its results, their ratings, and the leaderboards that follow. The ledger is locked.

    Where one of its people has a later result already, what is written is put right by the sweeper.
    """
    counted.save(force_insert=True)
    rate_table(results, leaderboard_rows.ratings_before(results), is_rated=counted.is_rated)
    PersonResult.objects.bulk_create(results)
    leaderboard_rows.add(results)
    player_totals.add_results(results)
    people = [result.player_id for result in results if result.mu is not None]
    if PersonResult.objects.filter(player__in=people, ended_at__gt=counted.ended_at).exists():
        ledger.request_recount(since=counted.ended_at)


def _is_rated(table: played.Table) -> bool:
    """A tournament decides for its tables, no matter who opens a table for the others."""
    of_tournament = Pod.objects.filter(table=table).values_list("round__tournament__is_rated", flat=True).first()
    return table.is_rated if of_tournament is None else of_tournament


class Games(NamedTuple):
    """What the results of some tables are made of, by table: (seat, person) of the people who decided something, in the
    order of seats; the seats that won the top rank of a deal, what its duels decided."""

    people: Mapping[str, Sequence[tuple[int, int]]]
    tops: Mapping[str, Sequence[int]]
    duels: Mapping[str, Sequence[tuple[str, int | None]]]


def read_games(tables: Sequence[played.Table]) -> Games:
    """Everything of these tables, in a number of queries that does not grow with them.

    A seat whose person decided nothing counts as a bot's.
    """
    ids = [table.pk for table in tables]
    deciders = {table_id: find_deciders(done) for table_id, done in deciding.read_decided_moves(ids).items()}
    people: dict[str, list[tuple[int, int]]] = defaultdict(list)
    rows = played.Seat.objects.filter(table__in=ids, player__isnull=False).order_by("index")
    for table_id, seat, player_id in rows.values_list("table_id", "index", "player_id"):
        if player_id is not None and seat in deciders.get(table_id, ()):
            people[table_id].append((seat, player_id))
    tops: dict[str, list[int]] = defaultdict(list)
    for table_id, seat in CareerEntry.objects.filter(table__in=ids, rank=1).values_list("table_id", "seat"):
        tops[table_id].append(seat)
    return Games(people, tops, _read_duels([table.pk for table in tables if find_source(table.game) == "duel"]))


def results_of(table: played.Table, counted: CountedTable, games: Games | None = None) -> list[PersonResult]:
    """The unsaved results of a table's people, without ratings, in the order of seats. games: if it is read already."""
    games = games or read_games([table])
    outcome = codec.read_outcome(table.result) or Outcome((0,) * table.seat_count, None)
    tops = Counter(games.tops.get(table.pk, ()))
    feats = find_feats(table.game, table.seat_count, outcome.scores, games.duels.get(table.pk, ()))
    chairs = [
        Chair(seat, player_id, outcome.places[seat], outcome.scores[seat] if outcome.scores else None, tops[seat],
              feats[seat])
        for seat, player_id in games.people.get(table.pk, ())
    ]  # fmt: skip
    return compare(chairs, counted, seat_count=table.seat_count)


def _read_duels(table_ids: Sequence[str]) -> dict[str, list[tuple[str, int | None]]]:
    duels: dict[str, list[tuple[str, int | None]]] = defaultdict(list)
    if table_ids:
        is_duel = Q()
        for kind in DUEL_EVENTS:
            is_duel |= Q(events__contains=f'"{kind}"')
        plies = played.Ply.objects.filter(is_duel, table__in=table_ids).order_by("number")
        for table_id, number, events in plies.values_list("table_id", "number", "events"):
            lines = codec.read_lines(number, events)
            duels[table_id] += [(line.kind, line.seat) for line in lines if line.kind in DUEL_EVENTS]
    return duels


def compare(chairs: Sequence[Chair], counted: CountedTable, *, seat_count: int) -> list[PersonResult]:
    """The unsaved results of people with an account at a table of `seat_count` seats; all people are compared."""
    places = tuple(chair.place for chair in chairs)
    return [
        PersonResult(
            counted_id=counted.number, player_id=chair.player_id, game=counted.game, ended_at=counted.ended_at,
            seat=chair.seat, place=chair.place, of=seat_count,
            rank=1 + sum(place < chair.place for place in places), people=len(chairs),
            beaten=share_beaten(places, index) if len(chairs) > 1 else 0,
            score=chair.score, tops=chair.tops, feat=chair.feat,
        )
        for index, chair in enumerate(chairs)
        if chair.player_id is not None
    ]  # fmt: skip


def rate_table(results: Sequence[PersonResult], before: leaderboard_rows.Ratings, *, is_rated: bool) -> None:
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


def _rate(
    results: Sequence[PersonResult], before: leaderboard_rows.Ratings, game: str, ranks: list[int]
) -> tuple[Rating, ...]:
    return rate([before.get((game, result.player_id), NEWCOMER) for result in results], ranks)


def list_uncounted(*, since: float = 0.0) -> Iterable[str]:
    """Finished tables that have not been counted, the earliest first. Found by when they ended, which those alone have:
    asked for their status SQLite would read all that are over."""
    rows = played.Table.objects.filter(ended_at__gte=since, voided_at=None, counted=None)
    return rows.exclude(result="").order_by("ended_at", "pk").values_list("pk", flat=True)
