"""A season, computed from the standings of its tournaments."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.scoring.seasons import FinishedTournament, SeasonScheme, rank_season


def event(**places: int) -> FinishedTournament:
    """A tournament of these people and places; points: 840 less 100 a place."""
    return FinishedTournament(
        tuple(places.values()), {name: (place, 840 - 100 * place) for name, place in places.items()}
    )


THREE = (event(ada=1, bea=2, cem=3), event(ada=3, bea=1, dan=2), event(ada=2, cem=1, dan=2))


def points(season: SeasonScheme, count: int = 3) -> dict[str, Fraction | int]:
    return {line.person: line.points for line in rank_season(THREE[:count], season)}


@pytest.mark.parametrize(
    ("season", "expected"),
    [
        (SeasonScheme(), {"bea": 1260, "cem": 840, "ada": 1050, "dan": 630}),
        (SeasonScheme(best_of=1), {"bea": 840, "cem": 840, "ada": 840, "dan": 420}),
        (SeasonScheme(points="score"), {"ada": 1920, "bea": 1380, "cem": 1280, "dan": 1280}),
        (SeasonScheme(points="table"), {"bea": 8 * 840, "cem": 7 * 840}),
    ],
)
def test_what_counts(season: SeasonScheme, expected: dict[str, int]) -> None:
    if season.points == "table":
        expected |= {"ada": 5 * 840 + 2 * 840 + 840 * 5 // 2, "dan": 3 * 840 + 840 * 5 // 2}
    assert points(season) == expected


def test_any_moment_in_the_past() -> None:
    assert points(SeasonScheme(), 1) == {"ada": 840, "bea": 420, "cem": 0}
    assert points(SeasonScheme(), 0) == {}


def test_only_the_best_count_and_the_page_knows_which() -> None:
    ada = next(line for line in rank_season(THREE, SeasonScheme(best_of=2)) if line.person == "ada")
    assert list(ada.results) == [840, 0, 210]
    assert ada.counts == (True, False, True)
    assert [ada.points, ada.wins, ada.played] == [1050, 1, 3]


def test_equals_are_parted_in_the_order_agreed() -> None:
    tied = (event(ada=1, bea=2), event(ada=2, bea=1), event(ada=1, bea=1))
    assert [line.place for line in rank_season(tied, SeasonScheme(tie_breaks=()))] == [1, 1]
    more = (event(ada=1, bea=2), event(ada=1, bea=2), event(ada=2, bea=1), event(cem=1, dan=2))
    by_wins = rank_season(more, SeasonScheme(best_of=1, tie_breaks=("wins",)))
    assert [(line.person, line.place, line.wins) for line in by_wins] == [
        ("ada", 1, 2), ("bea", 2, 1), ("cem", 2, 1), ("dan", 4, 0)
    ]  # fmt: skip
    by_lot = [
        line.person for line in rank_season(more, SeasonScheme(best_of=1, tie_breaks=("wins", "lot"), lot_seed="x"))
    ]
    assert by_lot == ["ada", *by_lot[1:3], "dan"]
    assert [line.place for line in rank_season(more, SeasonScheme(best_of=1, tie_breaks=("lot",)))] == [1, 2, 3, 4]


def test_head_to_head_counts_where_all_who_are_equal_have_met() -> None:
    met = (event(ada=2, bea=1), event(ada=1, cem=2), event(bea=1, dan=2))
    lines = rank_season((*met[:1], event(ada=1, dan=2)), SeasonScheme(best_of=1, tie_breaks=("head-to-head",)))
    assert [(line.person, line.place) for line in lines] == [("bea", 1), ("ada", 2), ("dan", 3)]


def test_a_duel_of_a_season_that_was_won_is_one_and_a_shared_one_a_half() -> None:
    more = (event(ada=1, bea=2), event(ada=2, bea=1), event(ada=1, bea=1, cem=3), event(ada=1, bea=1, cem=3))
    lines = rank_season(more, SeasonScheme(points="table", table=(0,), tie_breaks=("head-to-head",)))
    assert [(line.person, line.values) for line in lines] == [("ada", (840 * 4,)), ("bea", (840 * 4,)), ("cem", (0,))]


def test_the_whole_field_is_beaten_bots_and_all() -> None:
    (line,) = rank_season((FinishedTournament((1, 2, 3, 4, 5), {"ada": (2, 100)}),), SeasonScheme())
    assert line.points == 840 * 3 // 4
    third = rank_season((FinishedTournament((1, 2, 3, 4), {"ada": (2, 100)}),), SeasonScheme())
    assert third[0].points == Fraction(560)
    (second,) = rank_season(
        (FinishedTournament(tuple(range(1, 13)), {"ada": (2, 100)}),), SeasonScheme(tie_breaks=("best",))
    )
    assert (second.points, second.values) == (Fraction(8400, 11), (Fraction(8400, 11),))
