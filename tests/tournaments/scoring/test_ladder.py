"""The ladder moves: one up, one down, everybody else stays."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.scoring.ladder import cut, move, order_by_place, preview, rank_ladder
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import rank

RUNGS = tuple("abcdefghij")


def pod(names: str, places: tuple[int, ...], *, is_void: bool = False) -> PodResult:
    return PodResult(tuple(names), places, is_void=is_void)


def test_the_best_go_up_and_the_last_go_down() -> None:
    played = RoundResult((pod("abcd", (2, 1, 4, 3)), pod("efg", (3, 1, 2)), pod("hij", (1, 2, 3))))
    assert "".join(order_by_place(RUNGS, played)) == "badcfgehij"
    assert "".join(move(RUNGS, played)) == "badf" + "cgh" + "eij"


def test_a_table_that_tells_nothing_keeps_its_people() -> None:
    void = RoundResult((pod("abcd", (1, 2, 3, 4)), pod("efg", (1, 2, 3), is_void=True), pod("hij", (1, 2, 3))))
    assert move(RUNGS, void) == RUNGS
    shared = RoundResult((pod("abcd", (1, 1, 1, 1)), pod("efg", (3, 2, 1)), pod("hij", (2, 1, 3))))
    assert "".join(move(RUNGS, shared)) == "abcd" + "gfi" + "ehj"


def test_who_shares_a_place_stays_in_order() -> None:
    played = RoundResult((pod("abcd", (1, 1, 3, 3)), pod("efg", (2, 2, 1))))
    assert "".join(move(tuple("abcdefg"), played)) == "abcg" + "def"
    assert "".join(move(tuple("badcfeg"), played)) == "badg" + "cfe"


def test_before_a_neighbour_is_through_nobody_is_told_where_they_go_to_or_from() -> None:
    top, middle, bottom = pod("abc", (1, 2, 3)), pod("def", (1, 2, 3)), pod("ghi", (1, 2, 3))
    assert preview(RUNGS[:9], (top, None, bottom)) == {"a": 0, "b": 0, "h": 0, "i": 0}
    assert preview(RUNGS[:9], (None, middle, None)) == {"e": 0}
    assert preview(RUNGS[:9], (top, middle, None)) == {"a": 0, "b": 0, "c": -1, "d": 1, "e": 0}


def test_the_standing_of_a_ladder_is_where_people_sat_at_the_end() -> None:
    first = RoundResult((pod("abc", (1, 2, 3)), pod("def", (3, 2, 1))))
    last = RoundResult((pod("abf", (2, 1, 3)), pod("ced", (1, 2, 3))))
    ranked = rank_ladder(rank(RUNGS[:6], (), Scheme(tie_breaks=())), RUNGS[:6], (first, last))
    assert [(line.entrant, line.place) for line in ranked] == list(zip("bafced", range(1, 7), strict=True))


def test_who_did_not_come_is_last() -> None:
    played = RoundResult((PodResult(tuple("abc"), (1, 2, 3), fates=("no-show", "plays", "plays")), pod("de", (1, 2))))
    assert "".join(move(tuple("abcde"), played)) == "bcdae"


def test_who_rests_keeps_their_rung_and_newcomers_begin_below() -> None:
    played = RoundResult((pod("acd", (3, 1, 2)), pod("fge", (1, 2, 3))), absent=("b",))
    assert "".join(move(tuple("abcdef"), played)) == "cbdfage"


def test_tables_are_cut_from_the_top_and_rests_go_round() -> None:
    assert cut(RUNGS[:9], (5, 4)) == ((tuple("abcde"), tuple("fghi")), ())
    assert cut(RUNGS[:9], (4, 4)) == ((tuple("abcd"), tuple("efgh")), ("i",))
    assert cut(RUNGS[:9], (4, 4), rested="i") == ((tuple("abcd"), tuple("efgi")), ("h",))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(2, 5), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_one_up_one_down_whatever_the_places(sizes: list[int], rng: Random) -> None:
    rungs = tuple(str(index) for index in range(sum(sizes)))
    tables, byes = cut(rungs, sizes)
    pods = tuple(PodResult(table, tuple(rng.sample(range(1, len(table) + 1), len(table)))) for table in tables)
    after, _ = cut(move(rungs, RoundResult(pods)), sizes)
    assert byes == ()
    assert sorted(name for table in after for name in table) == sorted(rungs)
    for number, played in enumerate(pods):
        best, last = played.entrants[played.places.index(1)], played.entrants[played.places.index(len(played.places))]
        assert best in after[max(0, number - 1)]
        assert last in after[min(len(pods) - 1, number + 1)]
        stay = set(played.entrants) - {best, last}
        assert stay <= set(after[number])
