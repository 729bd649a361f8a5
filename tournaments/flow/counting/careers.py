"""Career entries, derived from stored plies. Deriving them again gives the same entries.

A deal stands in somebody's career if they decided something in it; what a stand-in played for them does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games import models as played
from games.memo import Memo
from games.play.moves.deciders import read_decided_moves, read_moves_after
from games.play.storage import codec
from games.records.stand_ins import DecidedMove, list_deciders_by_deal
from games.rules import registry
from tournaments.careers.entries import NO_ENTRIES, Entry, list_entries
from tournaments.flow.counting import ledger, player_totals
from tournaments.models import CareerEntry

DEAL_OVER = "deal_over"
KEY = ("table_id", "deal", "seat")
CAREER_COLUMNS = ("game", "seat_count", "options", "seed", "voided_at", "started_at", "created_at")
"""What entries take from a table's row, without the state of its game, which is larger than all of that."""
COMPARED_COLUMNS = ("player_id", "game", "rank", "of", "job", "before", "spell", "climb", "demoted_by_id", "at")
"""Columns of an entry: which one it is, and what it says."""


class Deal(NamedTuple):
    """A finished deal. ranks: won in it, by seat, 1 = top; at: seconds since the start of the game; ply: the one with
    which it was over."""

    number: int
    ranks: tuple[int, ...]
    at: float
    ply: int


Seats = tuple[tuple[int, int | None, int], ...]
"""People's seats: (seat, player, ply after which they took it)."""


class CountedDeals(NamedTuple):
    """What of a running game has been counted: all deals up to one.

    ply: the one with which the last counted deal was over; last: the entries of that deal by seat.
    """

    seats: Seats
    ply: int
    last: Mapping[int, Entry]


KEPT_GAMES = 4096
"""Running games of which a process remembers what has been counted."""
_counted: Memo[str, CountedDeals] = Memo("counted deals", KEPT_GAMES)


def record_deals(table: played.Table) -> int:
    """Write an entry for every person and finished deal that has none yet; how many were written.

    Safe to run at any time and twice: an entry exists once. A voided table has none.
    """
    return record_all([table])


def record_new_deals(table: played.Table) -> int:
    """As `record_deals`, but reads only plies since the last call in this process, if the same people play.

    What differs in earlier deals, because a person has left or by a mistake, is not noticed before the game is over.
    """
    if table.voided_at is not None or not table.seed:
        _counted.drop(table.pk)
        return record_all([table])
    seats, counted = _read_people(table), _counted.get(table.pk)
    new = None if counted is None or counted.seats != seats else _read_new_deals(table, counted)
    if new is None:
        return _record_and_remember(table, seats)
    deals, entries = new
    if not deals:
        return 0
    with transaction.atomic():
        ledger.lock()
        stored = CareerEntry.objects.filter(table=table, deal__in=[deal.number for deal in deals])
        is_first = _read_people(table) == seats and not stored.exists()  # else others have merged or counted meanwhile
        if is_first:
            rows = list(_write_all(table, deals, entries, {seat: player for seat, player, _ in seats if player}))
            CareerEntry.objects.bulk_create(rows)
            player_totals.add_entries(rows)
    if not is_first:
        return _record_and_remember(table, seats)
    _remember_counted(table, seats, deals[-1], entries)
    return len(rows)


def _read_people(table: played.Table) -> Seats:
    people = played.Seat.objects.filter(table=table, bot="").order_by("index")
    return tuple(people.values_list("index", "player_id", "since"))


def _read_new_deals(table: played.Table, counted: CountedDeals) -> tuple[list[Deal], list[Entry]] | None:
    """The deals that are over since, and their entries by seat; None if earlier plies are needed for them."""
    deals = read_deals_of(played.Ply.objects.filter(table=table, number__gt=counted.ply))[table.pk]
    if not deals:
        return [], []
    done = read_moves_after(table.pk, table.game, counted.ply, {seat: since for seat, _, since in counted.seats})
    return None if done is None else (deals, _list_entries(deals, done, counted.last))


def _record_and_remember(table: played.Table, seats: Seats) -> int:
    deals = read_deals([table.pk])[table.pk]
    written = record_all([table])
    if deals:
        done = read_decided_moves([table.pk]).get(table.pk, ())
        _remember_counted(table, seats, deals[-1], _list_entries(deals, done))
    return written


def _remember_counted(table: played.Table, seats: Seats, deal: Deal, entries: Iterable[Entry]) -> None:
    last = {entry.seat: entry for entry in entries if entry.deal == deal.number}
    _counted.put(table.pk, CountedDeals(seats, deal.ply, last))


class CareerDifference(NamedTuple):
    """Between the entries that are stored and those that should be. wrong: rows of `_stored`."""

    new: list[CareerEntry]
    wrong: list[tuple[Any, ...]]


def _compare(tables: Sequence[played.Table]) -> CareerDifference:
    stored = {row[1:4]: row for row in _stored([table.pk for table in tables])}
    wanted = {(entry.table_id, entry.deal, entry.seat): entry for entry in entries_of(tables)}
    return CareerDifference(
        [entry for key, entry in wanted.items() if key not in stored or stored[key][4:] != _compared_values(entry)],
        [row for key, row in stored.items() if key not in wanted or row[4:] != _compared_values(wanted[key])],
    )


def find_wrong(tables: Sequence[played.Table]) -> set[str]:
    """The ids of those of these tables whose stored entries differ from what their plies say. Takes no locks."""
    new, wrong = _compare(tables)
    return {entry.table_id for entry in new} | {row[1] for row in wrong}


def record_all(tables: Sequence[played.Table], *, is_followed: bool = True) -> int:
    """Bring the entries of these tables to what their plies say; how many were written or taken away.

    is_followed: the totals of their people, too; else the caller derives them afterwards.
    """
    with transaction.atomic():
        ledger.lock()
        new, wrong = _compare(tables)
        CareerEntry.objects.filter(pk__in=[row[0] for row in wrong]).delete()
        CareerEntry.objects.bulk_create(new)
        if wrong and is_followed:
            player_totals.refresh({*(row[4] for row in wrong), *(entry.player_id for entry in new)})
        elif new and is_followed:
            player_totals.add_entries(new)
        return max(len(new), len(wrong))


def _compared_values(entry: CareerEntry) -> tuple[Any, ...]:
    return tuple(getattr(entry, column) for column in COMPARED_COLUMNS)


def _stored(table_ids: Sequence[str]) -> list[tuple[Any, ...]]:
    return list(CareerEntry.objects.filter(table__in=table_ids).values_list("pk", *KEY, *COMPARED_COLUMNS))


def entries_of(tables: Sequence[played.Table]) -> list[CareerEntry]:
    """The unsaved entries of the people of these tables, from their plies alone."""
    counted = [table for table in tables if table.voided_at is None and table.seed]
    deals = read_deals([table.pk for table in counted])
    done = read_decided_moves(list(deals))
    people: dict[str, dict[int, int]] = defaultdict(dict)
    seats = played.Seat.objects.filter(table__in=list(deals), player__isnull=False)
    for table_id, seat, player_id in seats.values_list("table_id", "index", "player_id"):
        if player_id is not None:
            people[table_id][seat] = player_id
    return [
        entry
        for table in counted
        if table.pk in deals
        for entry in _follow(table, deals[table.pk], done.get(table.pk, ()), people[table.pk])
    ]


def _follow(
    table: played.Table, deals: Sequence[Deal], done: Sequence[DecidedMove], people: Mapping[int, int]
) -> Iterator[CareerEntry]:
    return _write_all(table, deals, _list_entries(deals, done), people)


def _list_entries(
    deals: Sequence[Deal], done: Sequence[DecidedMove], last: Mapping[int, Entry] = NO_ENTRIES
) -> list[Entry]:
    """The entries of these deals. done: the moves in them; last: the entries of the deal before them, by seat."""
    deciders = list_deciders_by_deal(done, [deal.ply for deal in deals])
    return list_entries([(deal.number, deal.ranks, who) for deal, who in zip(deals, deciders, strict=True)], last)


def _write_all(
    table: played.Table, deals: Sequence[Deal], entries: Iterable[Entry], people: Mapping[int, int]
) -> Iterator[CareerEntry]:
    jobs = name_ranks(table.game, table.seat_count, codec.read(table.options))
    at = {deal.number: deal.at for deal in deals}
    for entry in entries:
        if entry.seat in people:
            when = (table.started_at or table.created_at) + at[entry.deal]
            yield _write(table, entry, people, jobs[entry.rank - 1], when)


def read_deals(table_ids: Iterable[str]) -> dict[str, list[Deal]]:
    """The finished deals of these tables, in order."""
    return read_deals_of(played.Ply.objects.filter(table__in=list(table_ids)))


def read_deals_of(some: QuerySet[played.Ply]) -> dict[str, list[Deal]]:
    """The deals that were over with one of these plies, by table, in order."""
    plies = some.filter(events__contains=f'"{DEAL_OVER}"').order_by("number")
    deals: dict[str, list[Deal]] = defaultdict(list)
    for table_id, number, events, at in plies.values_list("table_id", "number", "events", "at"):
        for line in codec.read_lines(number, events):
            if line.kind == DEAL_OVER and "ranks" in line.data:
                deals[table_id].append(Deal(line.data["deal"], tuple(line.data["ranks"]), at, number))
    return deals


def name_ranks(game: str, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The slugs of the ranks of a table, from the top; of a game without ranks, none."""
    return registry.find(game).list_jobs(seats, options) if registry.is_installed(game) else ()


def _write(table: played.Table, entry: Entry, people: Mapping[int, int], job: str, at: float) -> CareerEntry:
    demoted_by = None if entry.demoted_by is None else people.get(entry.demoted_by)
    return CareerEntry(
        table_id=table.pk,
        player_id=people[entry.seat],
        game=table.game,
        deal=entry.deal,
        seat=entry.seat,
        rank=entry.rank,
        of=entry.of,
        job=job,
        before=entry.before,
        spell=entry.spell,
        climb=entry.climb,
        demoted_by_id=demoted_by,
        at=at,
    )
