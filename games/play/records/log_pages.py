"""The log of a game read back: deal by deal, a bounded number of plies at a time, however long ago it was."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import Q

from games import models
from games.play.records import game_record
from games.play.signals import RESULTS
from games.play.storage import codec
from games.play.storage.game_start import opening_lines
from games.play.storage.table import Line, Loaded

PAGE: Final = 60
"""Plies on one page."""


class Stretch(NamedTuple):
    """Some lines of a game's log, those that only some seats may know among them. deal, page: from 1."""

    deal: int
    deals: int
    page: int
    pages: int
    lines: tuple[Line, ...]


def read_back(table: Loaded, *, deal: int | None = None, page: int = 1) -> Stretch:
    """A page of a deal up to the present ply. deal: None for the last one; numbers out of range mean the nearest."""
    filed = game_record.whole_log(table) if game_record.is_filed(table.id) else None
    ends = _find_ends(table) if filed is None else sorted({line.ply for line in filed if line.kind in RESULTS})
    starts = [0, *(end for end in ends if end < table.ply)]
    deal = len(starts) if deal is None else min(len(starts), max(1, deal))
    first = starts[deal - 1]
    last = ends[deal - 1] if deal <= len(ends) else table.ply
    pages = (last - first) // PAGE + 1
    page = min(pages, max(1, page))
    begin = first + (page - 1) * PAGE
    end = min(last, begin + PAGE - 1)
    lines = _read(table, begin, end) if filed is None else tuple(one for one in filed if begin <= one.ply <= end)
    return Stretch(deal, len(starts), page, pages, _cut(lines, after=first if deal > 1 else None, until=last))


def _find_ends(table: Loaded) -> list[int]:
    """The plies at which a deal was over, rising."""
    if table.state is None:
        return []
    is_result = Q(*((("events__contains", f'"{kind}"')) for kind in sorted(RESULTS)), _connector=Q.OR)
    plies = models.Ply.objects.filter(is_result, table_id=table.id, number__lte=table.ply)
    return list(plies.order_by("number").values_list("number", flat=True))


def _read(table: Loaded, begin: int, end: int) -> tuple[Line, ...]:
    if table.state is None:
        return ()
    plies = models.Ply.objects.filter(table_id=table.id, number__gte=begin, number__lte=end).order_by("number")
    told = (
        line for number, events in plies.values_list("number", "events") for line in codec.read_lines(number, events)
    )
    opening = opening_lines(table.rules, table.seat_count, table.options, table.seed) if begin == 0 else ()
    return (*opening, *told)


def _cut(lines: tuple[Line, ...], *, after: int | None, until: int) -> tuple[Line, ...]:
    """Of the ply that ended the deal before only what follows its result, of the last ply nothing behind the result."""
    results = {line.ply: at for at, line in enumerate(lines) if line.kind in RESULTS}
    begin = results[after] + 1 if after in results else 0
    end = results[until] + 1 if until in results else len(lines)
    return lines[begin:end]
