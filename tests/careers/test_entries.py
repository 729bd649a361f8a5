"""Career entries: reigns, falls, climbs, and who took whose chair."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.careers.entries import Entry, list_entries

Deal: TypeAlias = tuple[int, Sequence[int], Collection[int]]
DEALS = st.lists(st.permutations([1, 2, 3, 4]), max_size=12)


def by_all(deals: Sequence[Sequence[int]]) -> list[Deal]:
    """These deals, each the ranks by seat, in all of which everybody decided something."""
    return [(number, ranks, range(len(ranks))) for number, ranks in enumerate(deals, start=1)]


def list_own_entries(*ranks: tuple[int, ...]) -> list[Entry]:
    """The entries of seat 0 in these deals, each the ranks by seat."""
    return [entry for entry in list_entries(by_all(ranks)) if entry.seat == 0]


def test_a_first_deal_has_nothing_before_it() -> None:
    assert list_own_entries((1, 2, 3)) == [Entry(1, 0, 1, 3, None, 1, None, None)]


def test_a_career_from_the_sink_to_the_throne_and_down() -> None:
    career = list_own_entries((3, 1, 2), (3, 1, 2), (2, 1, 3), (1, 2, 3), (1, 2, 3), (2, 1, 3))
    assert [entry.spell for entry in career] == [1, 2, 1, 1, 2, 1]
    assert [entry.climb for entry in career] == [0, 0, 1, 2, 3, 4]
    assert [entry.demoted_by for entry in career] == [None, None, None, None, None, 1]


@settings(max_examples=60, deadline=None)
@given(DEALS)
def test_every_deal_has_one_of_each_rank_and_falls_have_a_reason(deals: list[list[int]]) -> None:
    entries = list_entries(by_all(deals))
    assert len(entries) == 4 * len(deals)
    for entry in entries:
        now = {other.seat: other for other in entries if other.deal == entry.deal}
        assert sorted(other.rank for other in now.values()) == [1, 2, 3, 4]
        if entry.demoted_by is not None:
            assert now[entry.demoted_by].rank == entry.before
        assert (entry.demoted_by is not None) == (entry.before is not None and entry.rank > entry.before)
        assert entry.climb != 0 or entry.rank == 4
        assert 1 <= entry.spell <= entry.deal


def test_a_deal_that_a_stand_in_played_is_in_nobodys_career_and_nothing_is_counted_across_it() -> None:
    entries = list_entries([(1, (1, 2, 3), {0, 1}), (2, (1, 3, 2), {1}), (3, (1, 2, 3), {0, 1})])
    assert [entry for entry in entries if entry.seat == 0] == [
        Entry(1, 0, 1, 3, None, 1, None, None),
        Entry(3, 0, 1, 3, None, 1, None, None),
    ]
    assert [entry.before for entry in entries if entry.seat == 1] == [None, 2, 3]


def test_a_stand_in_demotes_nobody() -> None:
    entries = list_entries([(1, (1, 2, 3), {0, 1}), (2, (2, 1, 3), {0})])
    assert (entries[-1].seat, entries[-1].rank, entries[-1].before, entries[-1].demoted_by) == (0, 2, 1, None)
