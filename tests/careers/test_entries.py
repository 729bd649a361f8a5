"""Career entries: reigns, falls, climbs, and who took whose chair."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.careers.entries import Entry, follow

DEALS = st.lists(st.permutations([1, 2, 3, 4]), max_size=12)


def mine(*ranks: tuple[int, ...]) -> list[Entry]:
    """The entries of seat 0 in these deals, each the ranks by seat."""
    return [entry for entry in follow(list(enumerate(ranks, start=1))) if entry.seat == 0]


def test_a_first_deal_has_nothing_before_it() -> None:
    assert mine((1, 2, 3)) == [Entry(1, 0, 1, 3, None, 1, None, None)]


def test_a_career_from_the_sink_to_the_throne_and_down() -> None:
    career = mine((3, 1, 2), (3, 1, 2), (2, 1, 3), (1, 2, 3), (1, 2, 3), (2, 1, 3))
    assert [entry.spell for entry in career] == [1, 2, 1, 1, 2, 1]
    assert [entry.climb for entry in career] == [0, 0, 1, 2, 3, 4]
    assert [entry.demoted_by for entry in career] == [None, None, None, None, None, 1]


@settings(max_examples=60, deadline=None)
@given(DEALS)
def test_every_deal_has_one_of_each_rank_and_falls_have_a_reason(deals: list[list[int]]) -> None:
    entries = follow(list(enumerate(deals, start=1)))
    assert len(entries) == 4 * len(deals)
    for entry in entries:
        now = {other.seat: other for other in entries if other.deal == entry.deal}
        assert sorted(other.rank for other in now.values()) == [1, 2, 3, 4]
        if entry.demoted_by is not None:
            assert now[entry.demoted_by].rank == entry.before
        assert (entry.demoted_by is not None) == (entry.before is not None and entry.rank > entry.before)
        assert entry.climb != 0 or entry.rank == 4
        assert 1 <= entry.spell <= entry.deal
