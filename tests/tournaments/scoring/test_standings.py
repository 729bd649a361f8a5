"""Standings and tie-breaks, from raw results."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.scoring.knockout import rank_knockout
from tournaments.scoring.points import TIE_BREAKS, Scheme
from tournaments.scoring.results import NO_SHOW, PLAYS, PodResult, RoundResult
from tournaments.scoring.standings import Standing, compute_lot, find_deciders, rank, rank_sums
from tournaments.scoring.tally import add_up

NONE = Scheme(tie_breaks=())
WITHOUT_LOT = Scheme(tie_breaks=TIE_BREAKS[:-1])


def played(*pods: PodResult, **rests: object) -> RoundResult:
    return RoundResult(pods, **rests)  # type: ignore[arg-type]


def placed(names: str, places: str, scores: tuple[int, ...] | None = None) -> PodResult:
    return PodResult(tuple(names), tuple(int(place) for place in places), scores)


def order(rounds: tuple[RoundResult, ...], scheme: Scheme, names: str = "abcd") -> list[tuple[str, int]]:
    return [(line.entrant, line.place) for line in rank(tuple(names), rounds, scheme)]


def test_points_decide_and_ties_stand_as_ties() -> None:
    rounds = (played(placed("abcd", "1134")),)
    assert order(rounds, NONE) == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]


def test_byes_absences_and_penalties_count_as_agreed() -> None:
    rounds = (played(placed("abc", "123"), byes=("d",), absent=("e",), penalties={"a": 420}),)
    lines = rank(tuple("abcde"), rounds, Scheme(tie_breaks=(), bye=420, absent=84))
    assert [(line.entrant, line.points) for line in lines] == [("a", 420), ("b", 420), ("d", 420), ("e", 84), ("c", 0)]


def test_the_average_of_the_opponents() -> None:
    rounds = (played(placed("ab", "12"), placed("cd", "12")), played(placed("ac", "12"), placed("bd", "12")))
    lines = rank(tuple("abcd"), rounds, Scheme(tie_breaks=("opponents",)))
    assert [(line.entrant, line.place, line.values) for line in lines] == [
        ("a", 1, (Fraction(840),)),
        ("b", 2, (Fraction(840),)),
        ("c", 2, (Fraction(840),)),
        ("d", 4, (Fraction(840),)),
    ]


def test_equals_stand_as_they_are_listed() -> None:
    """The ninth before the tenth, in a table of points as behind a final."""
    people = tuple(map(str, range(12, 0, -1)))
    lines = rank(people, (), NONE)
    assert [line.entrant for line in lines] == list(reversed(people))
    final = RoundResult((PodResult(("10", "2", "9"), (1, 2, 2)),))
    assert [line.entrant for line in rank_knockout(lines, (final,))][:5] == ["10", "2", "9", "1", "3"]


def test_who_is_not_ranked_was_an_opponent_and_no_more() -> None:
    rounds = (played(placed("abx", "123")), played(placed("ay", "21"), byes=("z",), absent=("x",), penalties={"y": 84}))
    assert [(line.entrant, line.points, line.values) for line in rank(("a", "b"), rounds, WITHOUT_LOT)] == [
        ("a", 840, (420, 1, None, 840, None)),
        ("b", 420, (840, 0, None, 420, None)),
    ]


def test_wins_part_those_with_equal_points() -> None:
    rounds = (played(placed("abc", "123"), placed("def", "222")), played(placed("abc", "321"), placed("def", "222")))
    lines = rank(tuple("abcdef"), rounds, Scheme(tie_breaks=("wins",)))
    # Everybody has one round's worth; a and c won one each, who shares all first places has won both.
    assert {line.points for line in lines} == {840}
    assert [(line.entrant, line.place, line.wins) for line in lines] == [
        ("d", 1, 2),
        ("e", 1, 2),
        ("f", 1, 2),
        ("a", 4, 1),
        ("c", 4, 1),
        ("b", 6, 0),
    ]


def test_tie_breaks_come_in_the_order_of_the_organiser() -> None:
    rounds = (played(placed("abc", "123"), placed("def", "222")), played(placed("abc", "321"), placed("def", "222")))
    assert order(rounds, Scheme(tie_breaks=("best", "wins")), "abcdef")[:2] == [("a", 1), ("c", 1)]
    assert order(rounds, Scheme(tie_breaks=("wins", "best")), "abcdef")[:3] == [("d", 1), ("e", 1), ("f", 1)]


def test_head_to_head_counts_where_all_tied_have_met() -> None:
    rounds = (played(placed("abc", "123"), byes=("d",)), played(placed("acd", "312"), byes=("b",)))
    # a: 840 + 0, c: 0 + 840; each has beaten the other once. b: 420 + 840 by their bye, d: 840 + 420.
    lines = rank(tuple("abcd"), rounds, Scheme(tie_breaks=("head-to-head",)))
    assert [(line.entrant, line.place, line.points, line.values) for line in lines] == [
        ("b", 1, 1260, (None,)),
        ("d", 1, 1260, (None,)),
        ("a", 3, 840, (840,)),
        ("c", 3, 840, (840,)),
    ]


def test_head_to_head_parts_two_who_have_met() -> None:
    rounds = (played(placed("abcd", "1234")), played(placed("ab", "12"), placed("cd", "12"), penalties={"a": 280}))
    lines = rank(
        tuple("abcd"), (*rounds, played(placed("ac", "21"), byes=("b",))), Scheme(tie_breaks=("head-to-head",))
    )
    assert [(line.entrant, line.place, line.points, line.values) for line in lines] == [
        ("c", 1, 1960, (None,)),
        ("a", 2, 1400, (1680,)),
        ("b", 3, 1400, (0,)),
        ("d", 4, 0, (None,)),
    ]


def test_head_to_head_says_nothing_where_two_of_the_tied_have_not_met() -> None:
    lines = rank(tuple("abcd"), (played(placed("ab", "12"), placed("cd", "12")),), Scheme(tie_breaks=("head-to-head",)))
    assert [(line.entrant, line.place, line.values) for line in lines] == [
        ("a", 1, (None,)),
        ("c", 1, (None,)),
        ("b", 3, (None,)),
        ("d", 3, (None,)),
    ]


def test_the_share_of_game_scores() -> None:
    rounds = (played(placed("ab", "11", (30, 10)), placed("cd", "11", (0, 0))),)
    lines = rank(tuple("abcd"), rounds, Scheme(tie_breaks=("ratio",)))
    assert [(line.entrant, line.place, line.values) for line in lines] == [
        ("a", 1, (Fraction(3, 4),)),
        ("b", 2, (Fraction(1, 4),)),
        ("c", 3, (Fraction(0),)),
        ("d", 3, (Fraction(0),)),
    ]


def test_the_share_of_scores_is_skipped_where_somebody_played_without_scores() -> None:
    """At a real table nobody wrote scores down: as many points, and no reason to stand behind."""
    screen, room = placed("ab", "12", (30, 10)), placed("cd", "12")
    lines = rank(tuple("abcd"), (played(screen, room),), Scheme(tie_breaks=("ratio",)))
    assert [(line.entrant, line.place, line.values) for line in lines] == [
        ("a", 1, (Fraction(3, 4),)),
        ("c", 1, (None,)),
        ("b", 3, (Fraction(1, 4),)),
        ("d", 3, (None,)),
    ]


def test_one_game_without_scores_is_enough_for_a_whole_group_of_equals() -> None:
    rounds = (
        played(placed("ab", "12", (30, 10)), placed("cd", "12", (20, 10)), placed("ef", "12", (9, 1))),
        played(placed("ab", "12", (30, 10)), placed("cd", "12", (20, 10)), placed("ef", "12")),
    )
    scheme = Scheme(tie_breaks=("ratio", "lot"), lot_seed="5eed")
    lots = sorted("ace", key=lambda name: -compute_lot("5eed", name))
    assert [name for name, _ in order(rounds, scheme, "abcdef")][:3] == lots
    assert [name for name, _ in order(rounds[:1], scheme, "abcdef")][:3] == ["e", "a", "c"]


def test_a_bye_has_no_score_and_takes_nobody_out_of_the_comparison() -> None:
    rounds = (played(placed("ab", "12", (30, 10)), byes=("c",)), played(placed("ca", "12", (90, 10)), byes=("b",)))
    lines = rank(tuple("abc"), rounds, Scheme(tie_breaks=("ratio",), bye=0))
    assert [(line.entrant, line.place, line.values) for line in lines] == [
        ("c", 1, (Fraction(9, 10),)),
        ("a", 2, (Fraction(40, 140),)),
        ("b", 3, (Fraction(1, 4),)),
    ]


def test_a_bye_is_no_best_result_and_no_opponent() -> None:
    rounds = (played(placed("abc", "123"), byes=("d",)), played(placed("bcd", "123"), byes=("a",)))
    lines = rank(tuple("abcd"), rounds, Scheme(tie_breaks=("opponents", "best")))
    # d has lost their only game, against 1260 and 420; their bye brought a point, and nothing else.
    assert [(line.entrant, line.points, line.values) for line in lines] == [
        ("a", 1680, (840, 840)),
        ("b", 1260, (Fraction(1680 + 420 + 420 + 840, 4), 840)),
        ("d", 840, (840, 0)),
        ("c", 420, (Fraction(1680 + 1260 + 1260 + 840, 4), 420)),
    ]


def test_who_has_not_played_stands_behind_equals_who_have() -> None:
    """And does not keep the tie-breaks from these."""
    rounds = (played(placed("abcd", "1234"), placed("ef", "12"), byes=("x",), absent=("y",)),)
    lines = rank(tuple("abcdefxy"), rounds, Scheme(tie_breaks=("opponents",)))
    assert [(line.entrant, line.place) for line in lines] == [
        ("a", 1), ("e", 2), ("x", 3), ("b", 4), ("c", 5), ("f", 6), ("d", 7), ("y", 8),
    ]  # fmt: skip


def test_a_best_result_below_nothing_is_not_taken_for_nothing() -> None:
    rounds = (played(placed("ab", "12"), placed("cd", "12"), penalties={"d": -840}),)
    lines = rank(tuple("bd"), rounds, Scheme(points="table", table=(0, -1), tie_breaks=("best",)))
    assert [(line.entrant, line.points, line.values) for line in lines] == [("d", 0, (-840,)), ("b", -840, (-840,))]


def test_standings_as_archives_once_had_them_count_a_missing_score_as_none() -> None:
    """An archive of before is compared with this, and not refused."""
    rounds = (played(placed("ab", "12", (30, 10)), placed("cd", "12")),)
    scheme = Scheme(tie_breaks=("ratio",))
    lines = rank_sums(add_up(tuple("abcd"), rounds, scheme), rounds, scheme, is_former=True)
    assert [(line.entrant, line.place) for line in lines] == [("a", 1), ("c", 2), ("b", 3), ("d", 4)]


def test_the_lot_is_drawn_by_the_published_seed() -> None:
    rounds = (played(placed("abcd", "1111")),)
    lines = rank(tuple("abcd"), rounds, Scheme(tie_breaks=("lot",), lot_seed="5eed"))
    assert [line.place for line in lines] == [1, 2, 3, 4]
    assert [line.entrant for line in lines] == sorted("abcd", key=lambda name: -compute_lot("5eed", name))
    assert compute_lot("5eed", "a") == 0xE08E6EB4BE9B


def test_a_past_round_is_computed_from_its_rounds() -> None:
    first, second = played(placed("ab", "12")), played(placed("ab", "21"))
    assert order((first,), NONE, "ab") == [("a", 1), ("b", 2)]
    assert order((first, second), NONE, "ab") == [("a", 1), ("b", 1)]
    assert [line.rounds for line in rank(("a", "b", "c"), (first, second), NONE)] == [(840, 0), (0, 840), (None, None)]


NAMES = tuple("abcdefgh")


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[RoundResult, ...]:
    """Up to four rounds of two pods, with no-shows, byes and voids."""
    rounds = []
    for _ in range(draw(st.integers(0, 4))):
        names = draw(st.permutations(NAMES))
        pods = []
        for part in (names[:4], names[4:7]):
            places = tuple(draw(st.lists(st.integers(1, 4), min_size=len(part), max_size=len(part))))
            fates = tuple(draw(st.sampled_from((PLAYS, PLAYS, PLAYS, NO_SHOW))) for _ in part)
            pods.append(PodResult(tuple(part), places, fates=fates, is_void=draw(st.integers(0, 9)) == 0))
        rounds.append(RoundResult(tuple(pods), byes=(names[7],)))
    return tuple(rounds)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rounds=tournaments())
def test_standings_are_an_order_that_adds_up(rounds: tuple[RoundResult, ...]) -> None:
    lines = rank(NAMES, rounds, Scheme(lot_seed="5eed"))
    assert sorted(line.entrant for line in lines) == sorted(NAMES)
    assert [line.place for line in lines] == list(range(1, 9))  # the lot parts everybody
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert all(line.points == sum(points or 0 for points in line.rounds) for line in lines)
    assert all(len(line.rounds) == len(rounds) for line in lines)


@settings(max_examples=40, deadline=None)
@given(rounds=tournaments(), order=st.permutations(NAMES))
def test_neither_the_order_of_entrants_nor_that_of_pods_changes_anything(
    rounds: tuple[RoundResult, ...], order: list[str]
) -> None:
    turned = tuple(RoundResult(tuple(reversed(played.pods)), played.byes) for played in rounds)
    assert rank(tuple(order), turned, WITHOUT_LOT) == rank(NAMES, rounds, WITHOUT_LOT)


def test_what_parts_equals_is_told_of_each_of_them() -> None:
    """Ana has most points; Ben and Cem are parted by the first tie-break, Cem, Dan and Eva were; Dan and Eva by the
    second."""
    lines = [
        Standing("1", 1, 900, (Fraction(5), 2), (), 0, 3),
        Standing("2", 2, 800, (Fraction(4), 1), (), 0, 3),
        Standing("3", 3, 800, (Fraction(3), 2), (), 0, 3),
        Standing("4", 4, 800, (Fraction(3), 1), (), 0, 3),
        Standing("5", 5, 700, (None, 1), (), 0, 3),
        Standing("6", 6, 700, (Fraction(9), 0), (), 0, 3),
        Standing("7", 7, 600, (Fraction(1), 0), (), 0, 3),
        Standing("8", 7, 600, (Fraction(1), 0), (), 0, 3),
    ]
    assert {entrant: sorted(found) for entrant, found in find_deciders(lines).items()} == {
        "1": [], "2": [0], "3": [0, 1], "4": [0, 1], "5": [1], "6": [1], "7": [], "8": [],
    }  # fmt: skip
