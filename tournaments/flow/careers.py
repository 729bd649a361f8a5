"""Career entries from stored plies: the same ones, whenever they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games import models as played
from games.play import codec
from games.rules import registry
from tournaments.careers.entries import Entry, follow
from tournaments.models import CareerEntry

DEAL_OVER = "deal_over"


class Deal(NamedTuple):
    """A finished deal. ranks: won in it, by seat, 1 = top; at: seconds since the start of the game."""

    number: int
    ranks: tuple[int, ...]
    at: float


def record_deals(table: played.Table) -> int:
    """Write an entry for every person and finished deal that has none yet; how many were new.

    Safe to run at any time and twice: an entry exists once. A voided table has none.
    """
    wanted = entries_of(table)
    known = set(CareerEntry.objects.filter(table=table).values_list("deal", "seat"))
    new = [entry for entry in wanted if (entry.deal, entry.seat) not in known]
    CareerEntry.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def entries_of(table: played.Table) -> list[CareerEntry]:
    """The unsaved entries of a table's people, from its plies alone."""
    if table.voided_at is not None or table.seed == "":
        return []
    deals = read_deals([table.pk])[table.pk]
    people = dict(table.seats.filter(player__isnull=False).values_list("index", "player_id"))
    jobs = name_ranks(table.game, table.seat_count, codec.read(table.options))
    at = {deal: when for deal, _, when in deals}
    return [
        _write(table, entry, people, jobs[entry.rank - 1], (table.started_at or table.created_at) + at[entry.deal])
        for entry in follow([(deal, ranks) for deal, ranks, _ in deals])
        if entry.seat in people
    ]


def read_deals(table_ids: Iterable[str]) -> dict[str, list[Deal]]:
    """The finished deals of these tables, in order."""
    plies = played.Ply.objects.filter(table__in=list(table_ids), events__contains=f'"{DEAL_OVER}"').order_by("number")
    deals: dict[str, list[Deal]] = defaultdict(list)
    for table_id, number, events, at in plies.values_list("table_id", "number", "events", "at"):
        for line in codec.read_lines(number, events):
            if line.kind == DEAL_OVER and "ranks" in line.data:
                deals[table_id].append(Deal(line.data["deal"], tuple(line.data["ranks"]), at))
    return deals


def name_ranks(game: str, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The slugs of the ranks of a table, from the top; of a game without ranks, none."""
    agree = getattr(registry.find(game), "agree", None)
    return tuple(getattr(agree(seats, options), "names", ())) if agree is not None else ()


def _write(table: played.Table, entry: Entry, people: Mapping[int, int], job: str, at: float) -> CareerEntry:
    demoted_by = None if entry.demoted_by is None else people.get(entry.demoted_by)
    return CareerEntry(
        table=table,
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
