"""The jobs at the tables of an evening, now and deal by deal, from what everybody at a table may see."""

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
"""The columns of a table that its story needs; not its state, which is long."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken seat of a table. bot: its level, or empty."""

    index: int
    name: str
    bot: str
    player_id: int | None


@dataclass(frozen=True, slots=True)
class TableStory:
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


def list_stories(evening: TimedSession) -> list[TableStory]:
    """The stories of all tables of the evening, in a fixed number of queries."""
    rows = SessionTable.objects.filter(timed_session=evening).order_by("number")
    return list_table_stories(rows.values_list("number", "table_id"))


def list_table_stories(numbered: Iterable[tuple[int, str | None]]) -> list[TableStory]:
    """The stories of these tables, in a fixed number of queries. numbered: table number and id; those without id are
    left out."""
    rows = [(number, table_id) for number, table_id in numbered if table_id is not None]
    tables = played.Table.objects.only(*COLUMNS).in_bulk([table_id for _, table_id in rows])
    seats = _list_chairs(list(tables))
    deals = deals_of([table for table in tables.values() if table.voided_at is None])
    return [
        _build_story(number, tables[table_id], tuple(seats[table_id]), deals.get(table_id, ()))
        for number, table_id in rows
    ]


def _list_chairs(table_ids: Sequence[str]) -> dict[str, list[Chair]]:
    """Table id → its taken seats, by index."""
    seats: dict[str, list[Chair]] = defaultdict(list)
    taken = played.Seat.objects.filter(table__in=table_ids).order_by("index")
    for table_id, index, name, bot, player_id in taken.values_list("table_id", "index", "name", "bot", "player_id"):
        seats[table_id].append(Chair(index, name, bot, player_id))
    return seats


def _build_story(number: int, table: played.Table, seats: tuple[Chair, ...], deals: tuple[Deal, ...]) -> TableStory:
    jobs = _jobs(table.game, table.seat_count, table.options)
    first = first_jobs(table.game, table.seat_count, table.options, table.seed) if table.seed else None
    played, held = codec.read_decisions(table.desk), deals[-1].ranks if deals else first
    return TableStory(
        number, table, seats, jobs, deals, first, held, played.list_stand_ins(), _list_idle(played, deals)
    )


def _list_idle(played: DecisionLog, deals: Sequence[Deal]) -> frozenset[tuple[int, int]]:
    seats = {run.seat for run in played.stretches}
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
    """The jobs of the first deal by seat, which Animal Poker assigns by lot; everybody at the table sees them.

    They follow from the seed and are not stored in a ply, so they are computed again. seed: hexadecimal.
    """
    rules = registry.find(game)
    state = first_state(rules, seats, codec.read(options), bytes.fromhex(seed))
    ranks: Sequence[int] | None = rules.view(state, None).get("ranks")
    return None if ranks is None else tuple(ranks)


def version_of(evening: TimedSession, *, now: float) -> str:
    """The version of the page of an evening: changes whenever it would show something else. At most five queries."""
    others = candidates.read_mark(evening)
    rows = played.Table.objects.filter(session_table__timed_session=evening).order_by("session_table__number")
    tables = list(rows.only("seed", "ply", "status", "voided_at"))
    deals = deals_of([table for table in tables if table.voided_at is None])
    chairs = _list_chairs([table.pk for table in tables])
    people = ([chairs[table.pk] for table in tables], others)
    return _build_version(evening, tables, sum(map(len, deals.values())), people, now=now)


def build_version(evening: TimedSession, stories: Sequence[TableStory], others: Mark, *, now: float) -> str:
    """As `version_of`, from the stories that the page is rendered from. others: read before the stories."""
    deals, chairs = sum(len(story.deals) for story in stories), [story.seats for story in stories]
    return _build_version(evening, [story.table for story in stories], deals, (chairs, others), now=now)


def _build_version(
    evening: TimedSession,
    tables: Iterable[played.Table],
    deals: int,
    people: tuple[Iterable[Iterable[Chair]], Mark],
    *,
    now: float,
) -> str:
    """Combine what a page depends on: steps, deals, tables, whether the evening has begun, names of people."""
    marks = ("v" if table.voided_at is not None else table.status[0] for table in tables)
    chairs, others = people
    whose = [subject.name for subject in (evening.club, evening.owner) if subject is not None]
    seen = sha256(repr(([tuple(seats) for seats in chairs], others, whose)).encode()).hexdigest()[:12]
    return "-".join([str(evening.version), str(deals), *marks, "on" if evening.starts_at <= now else "to-come", seen])
