"""A cache of the finished deals of tables, read from their plies.

Plies are only appended, so only those after the last cached one are read. The pages of an evening ask every second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Q

from games import models as played
from games.memo import Memo
from tournaments.flow.counting.careers import Deal, read_deals_of


class _ReadDeals(NamedTuple):
    """The finished deals of a table up to a ply. seed: of the game; another one means that the table was restarted."""

    seed: str
    ply: int
    deals: tuple[Deal, ...]


_deals: Memo[str, _ReadDeals] = Memo("finished deals", 1024)
"""Table id → its deals. At most 1,024 tables."""


def deals_of(tables: Sequence[played.Table]) -> dict[str, tuple[Deal, ...]]:
    """The finished deals of each of these tables, in order; one query, or none if nothing was played since.

    The deals may be newer than the given row of their table, never older.
    """
    read = {table.pk: _read_cached(table) for table in tables}
    behind = [table for table in tables if read[table.pk].ply < table.ply]
    if behind:
        new = Q()
        for table in behind:
            new |= Q(table=table.pk, number__gt=read[table.pk].ply, number__lte=table.ply)
        found = read_deals_of(played.Ply.objects.filter(new))
        for table in behind:
            deals = read[table.pk].deals + tuple(found.get(table.pk, ()))
            read[table.pk] = _deals.put(table.pk, _ReadDeals(table.seed, table.ply, deals))
    return {table_id: one.deals for table_id, one in read.items()}


def _read_cached(table: played.Table) -> _ReadDeals:
    """The cached deals of the present game of a table; empty if there are none."""
    cached = _deals.get(table.pk)
    return cached if cached is not None and cached.seed == table.seed else _ReadDeals(table.seed, 0, ())
