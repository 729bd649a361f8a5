"""Team standings, computed by hand."""

from __future__ import annotations

from fractions import Fraction

from tournaments.scoring.points import TABLE, Scheme
from tournaments.scoring.results import NO_SHOW, PLAYS, PodResult, RoundResult
from tournaments.scoring.teams import TeamLineup, TeamPlayer, TeamRound, list_team_tie_breaks, rank_teams

BY_PLACE = Scheme(points=TABLE, table=(5, 3, 2, 1), tie_breaks=())
"""Five rounds won for the first place of a table, three for the second, then two and one: in 840ths."""
ONE = 840


def team(key: str, names: str) -> TeamLineup:
    return TeamLineup(key, tuple(TeamPlayer(name) for name in names))


def placed(names: str, places: str, **more: object) -> PodResult:
    return PodResult(tuple(names), tuple(int(place) for place in places), **more)  # type: ignore[arg-type]


def played(*pods: PodResult, **rests: object) -> RoundResult:
    return RoundResult(pods, **rests)  # type: ignore[arg-type]


ABC, DEF = team("1", "abc"), team("2", "def")
SPLIT = played(placed("adb", "123"), placed("efc", "123"))
"""a 5, d 3, b 2; e 5, f 3, c 2."""


def test_the_best_scores_of_each_round_count() -> None:
    lines = rank_teams([ABC, DEF], {1: SPLIT}, BY_PLACE, best=2)
    assert [(line.team, line.place, line.points) for line in lines] == [("2", 1, 8 * ONE), ("1", 2, 7 * ONE)]
    assert lines[0].rounds == (TeamRound(8 * ONE, ("e", "d")),)
    assert lines[1].rounds == (TeamRound(7 * ONE, ("a", "b")),)


def test_all_scores_count_where_fewer_people_came_than_could_count() -> None:
    lines = rank_teams([ABC, DEF], {1: SPLIT}, BY_PLACE, best=8)
    assert [(line.team, line.points) for line in lines] == [("2", 11 * ONE), ("1", 9 * ONE)]


def test_rounds_add_up() -> None:
    turned = played(placed("abc", "123"), placed("def", "123"))
    lines = rank_teams([ABC, DEF], {1: SPLIT, 2: turned}, BY_PLACE, best=2)
    assert [(line.team, line.points, [one.points for one in line.rounds]) for line in lines] == [
        ("2", 16 * ONE, [8 * ONE, 8 * ONE]),
        ("1", 15 * ONE, [7 * ONE, 8 * ONE]),
    ]


def test_a_substitute_counts_from_their_first_round_and_not_before() -> None:
    alone = TeamLineup("1", (TeamPlayer("a"), TeamPlayer("b"), TeamPlayer("s", first=2)))
    first, second = played(placed("sab", "123")), played(placed("sab", "123"))
    [line] = rank_teams([alone], {1: first, 2: second}, BY_PLACE, best=2)
    assert line.rounds == (TeamRound(5 * ONE, ("a", "b")), TeamRound(8 * ONE, ("s", "a")))
    assert line.points == 13 * ONE


def test_what_somebody_scored_stays_with_the_team_they_played_for() -> None:
    left = TeamLineup("1", (TeamPlayer("a"), TeamPlayer("b", last=1)))
    right = TeamLineup("2", (TeamPlayer("c"), TeamPlayer("b", first=2)))
    rounds = {1: played(placed("bac", "123")), 2: played(placed("bac", "123"))}
    lines = rank_teams([left, right], rounds, BY_PLACE, best=2)
    assert [(line.team, [one.points for one in line.rounds]) for line in lines] == [
        ("1", [8 * ONE, 3 * ONE]),
        ("2", [2 * ONE, 7 * ONE]),
    ]


def test_byes_absences_and_no_shows_are_worth_what_they_are_to_the_person() -> None:
    scheme = Scheme(points=TABLE, table=(5, 3, 2, 1), tie_breaks=(), bye=ONE, absent=84, no_show=-420)
    pod = placed("adb", "123", fates=(PLAYS, PLAYS, NO_SHOW))
    lines = rank_teams([ABC, DEF], {1: played(pod, byes=("c", "e"), absent=("f",))}, scheme, best=3)
    assert {line.team: line.rounds for line in lines} == {
        "1": (TeamRound(5 * ONE + ONE - 420, ("a", "c", "b")),),
        "2": (TeamRound(3 * ONE + ONE + 84, ("d", "e", "f")),),
    }


def test_a_penalty_counts_in_full_even_where_the_score_of_the_person_does_not() -> None:
    hit = played(*SPLIT.pods, penalties={"c": 420})
    lines = rank_teams([ABC, DEF], {1: hit}, BY_PLACE, best=2)
    assert [(line.team, line.points, line.penalties) for line in lines] == [
        ("2", 8 * ONE, 0),
        ("1", 7 * ONE - 420, 420),
    ]
    assert lines[1].rounds[0].counted == ("a", "b")


def test_a_team_nobody_of_which_was_in_a_round_has_none() -> None:
    lines = rank_teams([ABC, team("3", "xy")], {1: SPLIT}, BY_PLACE, best=2)
    assert [(line.team, line.points, line.rounds[0].points) for line in lines] == [
        ("1", 7 * ONE, 7 * ONE),
        ("3", 0, None),
    ]


def test_tied_teams_share_a_place_and_the_next_one_is_passed_over() -> None:
    rounds = {1: played(placed("adx", "113"))}
    lines = rank_teams([team("3", "x"), team("1", "a"), team("2", "d")], rounds, BY_PLACE, best=1)
    assert [(line.team, line.place) for line in lines] == [("1", 1), ("2", 1), ("3", 3)]


def test_first_places_decide_between_equal_points() -> None:
    scheme = Scheme(points=TABLE, table=(5, 3, 2, 0), tie_breaks=("head-to-head", "wins"))
    rounds = {1: played(placed("axyb", "1234"), placed("cdzw", "2314"))}
    lines = rank_teams([team("2", "cd"), team("1", "ab")], rounds, scheme, best=2)
    assert list_team_tie_breaks(scheme) == ("wins",)
    assert [(line.team, line.place, line.points, line.values) for line in lines] == [
        ("1", 1, 5 * ONE, (1,)),
        ("2", 2, 5 * ONE, (0,)),
    ]


def test_the_average_of_opponents_leaves_team_mates_out() -> None:
    scheme = Scheme(points=TABLE, table=(5, 3, 2, 1), tie_breaks=("opponents",))
    [line] = rank_teams([team("1", "ab")], {1: played(placed("abcd", "1234"))}, scheme, best=2)
    assert line.values == (Fraction(2 * (2 + 1) * ONE, 4),)


def test_the_best_round_and_the_share_of_scores_decide() -> None:
    scheme = Scheme(tie_breaks=("best", "ratio"))
    rounds = {
        1: played(placed("ab", "12", scores=(30, 10))),
        2: played(placed("ba", "12", scores=(20, 5))),
    }
    lines = rank_teams([team("2", "b"), team("1", "a")], rounds, scheme, best=1)
    assert [(line.team, line.place, line.values) for line in lines] == [
        ("1", 1, (ONE, Fraction(35, 65))),
        ("2", 2, (ONE, Fraction(30, 65))),
    ]


def test_a_tie_break_that_one_team_lacks_is_skipped_among_them() -> None:
    scheme = Scheme(tie_breaks=("ratio",))
    rounds = {1: played(placed("ax", "12", scores=(3, 1)), placed("by", "12"))}
    lines = rank_teams([team("2", "b"), team("1", "a")], rounds, scheme, best=1)
    assert [(line.team, line.place) for line in lines] == [("2", 1), ("1", 1)]


def test_the_lot_separates_whatever_is_left() -> None:
    scheme = Scheme(tie_breaks=("lot",), lot_seed="5")
    lines = rank_teams([team(str(key), "") for key in range(1, 9)], {}, scheme, best=2)
    assert [line.place for line in lines] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [line.points for line in lines] == [0] * 8
    assert len({line.values for line in lines}) == 8
