"""Who holds which job at the tables of an evening, and who held it: from what everybody at a table may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from games import models as played
from games.play.storage import codec
from games.play.storage.game_start import first_state
from games.records.stand_ins import DecisionLog, StandIn
from games.rules import registry
from tournaments.flow.counting.careers import Deal, name_ranks
from tournaments.flow.evenings import candidates
from tournaments.flow.evenings.candidates import Mark
from tournaments.flow.evenings.deals import deals_of
from tournaments.models import SessionTable, TimedSession

COLUMNS = (
    "game", "options", "status", "is_public", "seat_count", "host_id", "started_at", "ended_at", "ply", "desk", "seed",
    "voided_at",
)  # fmt: skip
"""Of a table, what its story shows: not its state, which is long."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken chair of a table. bot: its level, or nothing."""

    index: int
    name: str
    bot: str
    player_id: int | None


@dataclass(frozen=True, slots=True)
class Story:
    """One table of an evening. seats: by index; jobs: slugs of the ranks, from the top; deals: those that are over.

    first: the rank that each seat held in the first deal, by lot; None where nobody did. held: the one that it holds
    now, None as long as nobody holds one. stand_ins: what bots have played for people, by seat; idle: the deals, (seat,
    number), in which they alone played for a seat.
    """

    number: int
    table: played.Table
    seats: tuple[Chair, ...]
    jobs: tuple[str, ...]
    deals: tuple[Deal, ...]
    first: tuple[int, ...] | None
    held: tuple[int, ...] | None
    stand_ins: Mapping[int, StandIn]
    idle: frozenset[tuple[int, int]]


def tell(evening: TimedSession) -> list[Story]:
    """Every table of the evening, in a number of queries that does not grow with tables, people or deals."""
    rows = SessionTable.objects.filter(timed_session=evening).order_by("number")
    return tell_tables(rows.values_list("number", "table_id"))


def tell_tables(numbered: Iterable[tuple[int, str | None]]) -> list[Story]:
    """The stories of these tables, numbers as given, in as many queries for many as for one; None has none."""
    rows = [(number, table_id) for number, table_id in numbered if table_id is not None]
    tables = played.Table.objects.only(*COLUMNS).in_bulk([table_id for _, table_id in rows])
    seats = _list_chairs(list(tables))
    deals = deals_of([one for one in tables.values() if one.voided_at is None])
    return [
        _tell(number, tables[table_id], tuple(seats[table_id]), deals.get(table_id, ())) for number, table_id in rows
    ]


def _list_chairs(table_ids: Sequence[str]) -> dict[str, list[Chair]]:
    """By table, those that are taken."""
    seats: dict[str, list[Chair]] = defaultdict(list)
    taken = played.Seat.objects.filter(table__in=table_ids).order_by("index")
    for table_id, index, name, bot, player_id in taken.values_list("table_id", "index", "name", "bot", "player_id"):
        seats[table_id].append(Chair(index, name, bot, player_id))
    return seats


def _tell(number: int, table: played.Table, seats: tuple[Chair, ...], deals: tuple[Deal, ...]) -> Story:
    jobs = _jobs(table.game, table.seat_count, table.options)
    first = first_jobs(table.game, table.seat_count, table.options, table.seed) if table.seed else None
    played, held = codec.read_decisions(table.desk), deals[-1].ranks if deals else first
    return Story(number, table, seats, jobs, deals, first, held, played.list_stand_ins(), _list_idle(played, deals))


def _list_idle(played: DecisionLog, deals: Sequence[Deal]) -> frozenset[tuple[int, int]]:
    seats = {one.seat for one in played.stretches}
    if not seats:
        return frozenset()
    begins = [1, *(deal.ply + 1 for deal in deals)]
    return frozenset(
        (seat, deal.number)
        for begin, deal in zip(begins, deals, strict=False)
        for seat in seats
        if played.find_idle(seat, begin, deal.ply)
    )


@lru_cache(maxsize=64)
def _jobs(game: str, seats: int, options: str) -> tuple[str, ...]:
    return name_ranks(game, seats, codec.read(options))


@lru_cache(maxsize=512)
def first_jobs(game: str, seats: int, options: str, seed: str) -> tuple[int, ...] | None:
    """The jobs of the first deal, which Animal Poker draws by lot: what everybody at the table sees. seed: hex digits.

    They follow from the seed and are no ply, so they are worked out again.
    """
    rules = registry.find(game)
    state = first_state(rules, seats, codec.read(options), bytes.fromhex(seed))
    ranks: Sequence[int] | None = rules.view(state, None).get("ranks")
    return None if ranks is None else tuple(ranks)


def version_of(evening: TimedSession, *, now: float) -> str:
    """Changes whenever the evening's page would show something else; in five queries at most."""
    others = candidates.read_mark(evening)
    rows = played.Table.objects.filter(session_table__timed_session=evening).order_by("session_table__number")
    tables = list(rows.only("seed", "ply", "status", "voided_at"))
    deals = deals_of([one for one in tables if one.voided_at is None])
    chairs = _list_chairs([one.pk for one in tables])
    people = ([chairs[one.pk] for one in tables], others)
    return _say_version(evening, tables, sum(map(len, deals.values())), people, now=now)


def version_told(evening: TimedSession, stories: Sequence[Story], others: Mark, *, now: float) -> str:
    """The version of what these stories, all of the evening, tell: what the page says must be what it shows.

    others: who may be chosen besides, read before them.
    """
    deals, chairs = sum(len(one.deals) for one in stories), [one.seats for one in stories]
    return _say_version(evening, [one.table for one in stories], deals, (chairs, others), now=now)


def _say_version(
    evening: TimedSession,
    tables: Iterable[played.Table],
    deals: int,
    people: tuple[Iterable[Iterable[Chair]], Mark],
    *,
    now: float,
) -> str:
    """What steps, deals and games change; whether it has begun, which nobody does; who sits there by which name, or may
    be chosen; and whose evening it is."""
    marks = ("v" if one.voided_at is not None else one.status[0] for one in tables)
    chairs, others = people
    whose = [one.name for one in (evening.club, evening.owner) if one is not None]
    seen = sha256(repr(([tuple(seats) for seats in chairs], others, whose)).encode()).hexdigest()[:12]
    return "-".join([str(evening.version), str(deals), *marks, "on" if evening.starts_at <= now else "to-come", seen])
