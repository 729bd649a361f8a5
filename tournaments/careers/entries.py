"""Career entries: the rank that each deal of a climbing game gave to everybody who played it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple


class Entry(NamedTuple):
    """The career entry of one seat in one deal.

    rank: 1 = top, won in this deal; of: number of ranks; before: the rank won in the deal before, None in the first;
    spell: for how many deals in a row, this one included, the seat has won this rank; climb: deals since the seat was
    last at the bottom, 0 there, None if it never was; demoted_by: the seat that won the rank from which this one fell,
    None without a fall or if a stand-in won it.

    A deal in which the seat's person decided nothing has no entry, and the next one is like a first: nothing is counted
    across it.
    """

    deal: int
    seat: int
    rank: int
    of: int
    before: int | None
    spell: int
    climb: int | None
    demoted_by: int | None


NO_ENTRIES: Final[Mapping[int, Entry]] = MappingProxyType({})


def list_entries(
    deals: Sequence[tuple[int, Sequence[int], Collection[int]]], last: Mapping[int, Entry] = NO_ENTRIES
) -> list[Entry]:
    """The entries of these finished deals of a table, in order.

    deals: (number of the deal, ranks won by seat, the seats whose people decided something in it); last: by seat, the
    entries of the deal before them.
    """
    entries: list[Entry] = []
    for deal, ranks, deciders in deals:
        now = {seat: _next_entry(deal, seat, ranks, deciders, last.get(seat)) for seat in sorted(deciders)}
        entries += now.values()
        last = now
    return entries


def _next_entry(deal: int, seat: int, ranks: Sequence[int], deciders: Collection[int], last: Entry | None) -> Entry:
    rank, of = ranks[seat], len(ranks)
    before = None if last is None else last.rank
    spell = last.spell + 1 if last is not None and before == rank else 1
    climbed = None if last is None or last.climb is None else last.climb + 1
    climb = 0 if rank == of else climbed
    fell = before is not None and rank > before
    holder = _find_holder(ranks, before) if fell else None
    return Entry(deal, seat, rank, of, before, spell, climb, holder if holder in deciders else None)


def _find_holder(ranks: Sequence[int], rank: int | None) -> int | None:
    return next((seat for seat, won in enumerate(ranks) if won == rank), None)
