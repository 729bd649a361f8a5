"""Career entries: what each deal of a climbing game made of everybody who played it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Entry(NamedTuple):
    """What one deal made of one seat.

    rank: 1 = top, won in this deal; of: how many there were; before: the rank won in the deal before, None in the
    first; spell: for how many deals in a row, this one included, the seat has won this rank; climb: deals since
    the seat was last at the bottom, 0 there, None if it never was; demoted_by: the seat that won the rank which
    this one fell from, None without a fall.
    """

    deal: int
    seat: int
    rank: int
    of: int
    before: int | None
    spell: int
    climb: int | None
    demoted_by: int | None


def follow(ranks_by_deal: Sequence[tuple[int, Sequence[int]]]) -> list[Entry]:
    """All entries of a table, from its finished deals in order: (number of the deal, ranks won, by seat)."""
    entries: list[Entry] = []
    last: dict[int, Entry] = {}
    for deal, ranks in ranks_by_deal:
        now = {seat: _next(deal, seat, ranks, last.get(seat)) for seat in range(len(ranks))}
        entries += now.values()
        last = now
    return entries


def _next(deal: int, seat: int, ranks: Sequence[int], last: Entry | None) -> Entry:
    rank, of = ranks[seat], len(ranks)
    before = None if last is None else last.rank
    spell = last.spell + 1 if last is not None and before == rank else 1
    climbed = None if last is None or last.climb is None else last.climb + 1
    climb = 0 if rank == of else climbed
    fell = before is not None and rank > before
    return Entry(deal, seat, rank, of, before, spell, climb, _holder(ranks, before) if fell else None)


def _holder(ranks: Sequence[int], rank: int | None) -> int | None:
    return next((seat for seat, won in enumerate(ranks) if won == rank), None)


class Record(NamedTuple):
    """The records of a career in one game. All count deals; None: it has not happened.

    reign, bottom: most deals in a row at the top, at the bottom; climb: fewest from the bottom to the top;
    promotions, falls: how often the rank got better, worse, from one deal to the next.
    """

    deals: int
    average: float | None
    reign: int | None
    bottom: int | None
    climb: int | None
    promotions: int
    falls: int


def sum_up(entries: Sequence[Entry]) -> Record:
    """The records of these entries of one person."""
    at_top = [entry for entry in entries if entry.rank == 1]
    moves = [entry.rank - entry.before for entry in entries if entry.before is not None]
    return Record(
        deals=len(entries),
        average=sum(entry.rank for entry in entries) / len(entries) if entries else None,
        reign=max((entry.spell for entry in at_top), default=None),
        bottom=max((entry.spell for entry in entries if entry.rank == entry.of), default=None),
        climb=min((entry.climb for entry in at_top if entry.climb is not None), default=None),
        promotions=sum(move < 0 for move in moves),
        falls=sum(move > 0 for move in moves),
    )


def share_ranks(counts: Mapping[str, int]) -> dict[str, float]:
    """The share of each job, 0 to 1, in the order given."""
    total = sum(counts.values())
    return {job: count / total for job, count in counts.items()} if total else {}
