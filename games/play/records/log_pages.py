"""Pages of a game's log: deal by deal, a bounded number of plies at a time."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import Q

from games import models
from games.play.records import game_record
from games.play.signals import RESULT_KINDS
from games.play.storage import codec
from games.play.storage.game_start import opening_lines
from games.play.storage.table import LoadedTable, LogLine

PAGE_PLIES: Final = 60
"""Plies on one page: about what a phone scrolls through at once."""


class LogPage(NamedTuple):
    """One page of a game's log, including lines that only some seats may see. deal, page: counted from 1."""

    deal: int
    deals: int
    page: int
    pages: int
    lines: tuple[LogLine, ...]


def read_log_page(table: LoadedTable, *, deal: int | None = None, page: int = 1) -> LogPage:
    """A page of a deal up to the present ply. deal: None for the last one; numbers out of range mean the nearest."""
    filed = game_record.read_whole_log(table) if game_record.is_filed(table.id) else None
    ends = _find_ends(table) if filed is None else sorted({line.ply for line in filed if line.kind in RESULT_KINDS})
    starts = [0, *(end for end in ends if end < table.ply)]
    deal = len(starts) if deal is None else min(len(starts), max(1, deal))
    first = starts[deal - 1]
    last = ends[deal - 1] if deal <= len(ends) else table.ply
    pages = (last - first) // PAGE_PLIES + 1
    page = min(pages, max(1, page))
    begin = first + (page - 1) * PAGE_PLIES
    end = min(last, begin + PAGE_PLIES - 1)
    lines = _read(table, begin, end) if filed is None else tuple(line for line in filed if begin <= line.ply <= end)
    return LogPage(deal, len(starts), page, pages, _select_plies(lines, after=first if deal > 1 else None, until=last))


def _find_ends(table: LoadedTable) -> list[int]:
    """The plies at which a deal was over, ascending."""
    if table.state is None:
        return []
    is_result = Q(*((("events__contains", f'"{kind}"')) for kind in sorted(RESULT_KINDS)), _connector=Q.OR)
    plies = models.Ply.objects.filter(is_result, table_id=table.id, number__lte=table.ply)
    return list(plies.order_by("number").values_list("number", flat=True))


def _read(table: LoadedTable, begin: int, end: int) -> tuple[LogLine, ...]:
    if table.state is None:
        return ()
    plies = models.Ply.objects.filter(table_id=table.id, number__gte=begin, number__lte=end).order_by("number")
    lines = (
        line for number, events in plies.values_list("number", "events") for line in codec.read_lines(number, events)
    )
    opening = opening_lines(table.rules, table.seat_count, table.options, table.seed) if begin == 0 else ()
    return (*opening, *lines)


def _select_plies(lines: tuple[LogLine, ...], *, after: int | None, until: int) -> tuple[LogLine, ...]:
    """The lines after the result in ply `after` (None: all), up to and including the result in ply `until`."""
    results = {line.ply: at for at, line in enumerate(lines) if line.kind in RESULT_KINDS}
    begin = results[after] + 1 if after in results else 0
    end = results[until] + 1 if until in results else len(lines)
    return lines[begin:end]
