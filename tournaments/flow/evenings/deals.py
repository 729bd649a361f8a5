"""The finished deals of tables, as their plies tell: read on from the last one that this process knows.

Plies only ever come on top, so nobody reads those again that he knows. What is asked for every second, for a whole
evening, is then a look at the rows of its tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Q

from games import models as played
from tournaments.flow.counting.careers import Deal, read_deals_of
from tournaments.flow.recent import Recent


class Known(NamedTuple):
    """What a table's plies up to this one tell. seed: of which game they are."""

    seed: str
    ply: int
    deals: tuple[Deal, ...]


_kept: Recent[str, Known] = Recent(1024)


def forget_all() -> None:
    """Keep nothing (between tests)."""
    _kept.clear()


def deals_of(tables: Sequence[played.Table]) -> dict[str, tuple[Deal, ...]]:
    """The finished deals of each of these tables, in order; in one query, or none if nothing has been played since.

    Of a table may be told more than its row says, never less.
    """
    known = {table.pk: _known(table) for table in tables}
    behind = [table for table in tables if known[table.pk].ply < table.ply]
    if behind:
        new = Q()
        for table in behind:
            new |= Q(table=table.pk, number__gt=known[table.pk].ply, number__lte=table.ply)
        found = read_deals_of(played.Ply.objects.filter(new))
        for table in behind:
            deals = known[table.pk].deals + tuple(found.get(table.pk, ()))
            known[table.pk] = Known(table.seed, table.ply, deals)
            _kept.put(table.pk, known[table.pk])
    return {table_id: one.deals for table_id, one in known.items()}


def _known(table: played.Table) -> Known:
    known = _kept.get(table.pk)
    return known if known is not None and known.seed == table.seed else Known(table.seed, 0, ())
