"""Who holds which job at the tables of an evening, and who held it: from what everybody at a table may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from games import models as played
from games.play import codec, store
from games.play.table import PLAYING
from tournaments.flow.careers import Deal, name_ranks, read_deals
from tournaments.models import CareerEntry, SessionTable, TimedSession


@dataclass(frozen=True, slots=True)
class Story:
    """One table of an evening. seats: by index; jobs: slugs of the ranks, from the top; deals: those that are over.

    held: the rank that each seat holds now, None as long as nobody holds one.
    """

    number: int
    table: played.Table
    seats: tuple[played.Seat, ...]
    jobs: tuple[str, ...]
    deals: tuple[Deal, ...]
    held: tuple[int, ...] | None


def tell(evening: TimedSession) -> list[Story]:
    """Every table of the evening, in a number of queries that does not grow with tables, people or deals."""
    rows = list(SessionTable.objects.filter(timed_session=evening).select_related("table").order_by("number"))
    seats: dict[str, list[played.Seat]] = defaultdict(list)
    for seat in played.Seat.objects.filter(table__in=[one.table_id for one in rows]).order_by("index"):
        seats[seat.table_id].append(seat)
    deals = read_deals(one.table_id for one in rows if one.table.voided_at is None)
    return [_tell(one, tuple(seats[one.table_id]), tuple(deals.get(one.table_id, ()))) for one in rows]


def _tell(row: SessionTable, seats: tuple[played.Seat, ...], deals: tuple[Deal, ...]) -> Story:
    table = row.table
    jobs = name_ranks(table.game, table.seat_count, codec.read(table.options))
    held = deals[-1].ranks if deals else _first_jobs(table)
    return Story(row.number, table, seats, jobs, deals, held)


def _first_jobs(table: played.Table) -> tuple[int, ...] | None:
    """The jobs of the first deal, which Animal Poker draws by lot: what a spectator sees."""
    if table.status != PLAYING:
        return None
    loaded = store.fetch(table.pk)
    ranks: Sequence[int] | None = loaded.rules.view(loaded.state, None)["ranks"] if loaded.state is not None else None
    return None if ranks is None else tuple(ranks)


def version_of(evening: TimedSession) -> str:
    """Changes whenever the evening's page would show something else: two queries, both by index."""
    tables = list(
        SessionTable.objects.filter(timed_session=evening).order_by("pk").values_list("table_id", "table__status")
    )
    entries = CareerEntry.objects.filter(table__in=[table_id for table_id, _ in tables]).count()
    return "-".join([str(evening.version), str(entries), *(status[0] for _, status in tables)])
