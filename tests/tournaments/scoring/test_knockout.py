"""Knockout stages, and the order at the end."""

from __future__ import annotations

import pytest

from tournaments.scoring.knockout import fill_up, find_winners, is_final, mix_sizes, rank_knockout, seed_stage
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import rank

NAMES = tuple("abcdefghijklm")


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(13, (5, 4, 4)), (12, (4, 4, 4)), (11, (4, 4, 3)), (6, (3, 3)), (5, (5,)), (2, ())],
)
def test_sizes_nearest_to_the_wanted_one(count: int, sizes: tuple[int, ...]) -> None:
    assert mix_sizes(count, wanted=4, least=3, most=5) == sizes


def test_the_best_are_spread_over_the_tables() -> None:
    assert seed_stage(NAMES[:8], wanted=4, least=4, most=4) == ((tuple("adeh"), tuple("bcfg")), ())


def test_one_final_table_as_soon_as_everybody_fits() -> None:
    assert seed_stage(NAMES[:4], wanted=4, least=4, most=4) == ((tuple("abcd"),), ())
    assert seed_stage(NAMES[:4], wanted=2, least=2, most=4) == ((tuple("abcd"),), ())


def test_the_best_go_on_without_playing_where_no_mix_fits() -> None:
    pods, byes = seed_stage(NAMES[:6], wanted=4, least=4, most=4)
    assert (pods, byes) == ((tuple("cdef"),), tuple("ab"))


def test_the_best_of_each_pod_go_on_in_the_order_of_their_seeding() -> None:
    stage = RoundResult((PodResult(tuple("adeh"), (4, 3, 2, 1)), PodResult(tuple("bcfg"), (1, 2, 2, 4))), byes=("z",))
    assert find_winners(stage, advance=2, ranked=(*"abcdefgh", "z")) == ("b", "c", "e", "h", "z")
    assert not is_final(stage)


def test_who_sits_among_fillers_alone_goes_on() -> None:
    stage = RoundResult((PodResult(("a", "bot", "bot2"), (3, 1, 2)), PodResult(tuple("bcd"), (1, 2, 3))))
    assert find_winners(stage, advance=2, ranked=(*"abcd", "bot", "bot2"), fillers=("bot", "bot2")) == ("a", "b", "c")


def test_the_final_order_is_how_far_one_came() -> None:
    before = rank(tuple("abcdefgh"), (), Scheme(tie_breaks=()))
    semi = RoundResult((PodResult(tuple("adeh"), (4, 3, 2, 1)), PodResult(tuple("bcfg"), (1, 2, 3, 4))))
    final = RoundResult((PodResult(tuple("bche"), (2, 1, 3, 4)),))
    assert is_final(final)
    places = [(line.entrant, line.place) for line in rank_knockout(before, (semi, final))]
    assert places == [("c", 1), ("b", 2), ("h", 3), ("e", 4), ("d", 5), ("f", 5), ("a", 7), ("g", 7)]


VOID = RoundResult((PodResult(tuple("adeh"), (4, 3, 2, 1), is_void=True), PodResult(tuple("bcfg"), (1, 2, 2, 4))))


def test_who_goes_on_stands_before_who_is_out_when_the_stage_has_ended() -> None:
    """In a void pod those who advance share the first place, and the others the next."""
    before = rank(tuple("abcdefgh"), (), Scheme(tie_breaks=()))
    on = find_winners(VOID, advance=2, ranked="abcdefgh")
    assert on == ("a", "b", "c", "d")
    places = [(line.entrant, line.place) for line in rank_knockout(before, (VOID,), through=[on])]
    assert places == [("a", 1), ("b", 1), ("d", 1), ("c", 4), ("f", 5), ("e", 6), ("h", 6), ("g", 8)]
    final = RoundResult((PodResult(tuple("abcd"), (4, 3, 2, 1), is_void=True),))
    places = [(line.entrant, line.place) for line in rank_knockout(before, (VOID, final), through=[on, ()])]
    assert places == [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("f", 5), ("e", 6), ("h", 6), ("g", 8)]


def test_a_last_table_is_filled_from_all_tables_alike() -> None:
    """Everybody of a table that counted for nobody came before the second of a table that was played."""
    assert fill_up("ab", VOID, least=3, present="abcdefgh", ranked="bcfgadeh") == ("b", "c", "a")
    assert fill_up("ab", VOID, least=3, present="abcdefgh", ranked="abdcefgh") == ("a", "b", "d")


def test_who_still_plays_stands_between_who_goes_on_and_who_is_out() -> None:
    before = rank(tuple("abcdefgh"), (), Scheme(tie_breaks=()))
    semi = RoundResult((PodResult(tuple("adeh"), (4, 3, 2, 1)),))
    lines = rank_knockout(before, (semi,), through=["eh"], playing="bcfg")
    places = [(line.entrant, line.place) for line in lines]
    assert places == [("h", 1), ("e", 2), ("b", 3), ("c", 3), ("f", 3), ("g", 3), ("d", 7), ("a", 8)]
