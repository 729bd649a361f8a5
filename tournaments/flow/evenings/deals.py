"""The finished deals of tables, as their plies tell: read on from the last ply that this process remembers.

Plies only ever come on top, so those that are remembered are not read again. What is asked for every second, for a
whole evening, is then a look at the rows of its tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Q

from games import models as played
from games.memo import Memo
from tournaments.flow.counting.careers import Deal, read_deals_of


class _Read(NamedTuple):
    """What a table's plies up to this one tell. seed: of which game they are."""

    seed: str
    ply: int
    deals: tuple[Deal, ...]


_deals: Memo[str, _Read] = Memo("finished deals", 1024)
"""Table → what its plies tell."""


def deals_of(tables: Sequence[played.Table]) -> dict[str, tuple[Deal, ...]]:
    """The finished deals of each of these tables, in order; in one query, or none if nothing has been played since.

    Of a table may be told more than its row says, never less.
    """
    read = {table.pk: _recall(table) for table in tables}
    behind = [table for table in tables if read[table.pk].ply < table.ply]
    if behind:
        new = Q()
        for table in behind:
            new |= Q(table=table.pk, number__gt=read[table.pk].ply, number__lte=table.ply)
        found = read_deals_of(played.Ply.objects.filter(new))
        for table in behind:
            deals = read[table.pk].deals + tuple(found.get(table.pk, ()))
            read[table.pk] = _deals.put(table.pk, _Read(table.seed, table.ply, deals))
    return {table_id: one.deals for table_id, one in read.items()}


def _recall(table: played.Table) -> _Read:
    """What is remembered of this game of the table; of another one nothing."""
    cached = _deals.get(table.pk)
    return cached if cached is not None and cached.seed == table.seed else _Read(table.seed, 0, ())
