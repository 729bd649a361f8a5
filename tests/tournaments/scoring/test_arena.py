"""When an arena seats which players."""

from __future__ import annotations

import pytest

from tournaments.scoring.arena import (
    BREAK_SECONDS,
    MAX_WAIT_SECONDS,
    NextSeating,
    Sizes,
    WaitingPlayer,
    choose,
    predict_seating,
)

FOURS = Sizes(wanted=4, least=4, most=4)
MIXED = Sizes(wanted=4, least=3, most=5)


def pool(*since: float) -> list[WaitingPlayer]:
    return [WaitingPlayer(f"p{number:02}", at, score=100 * number) for number, at in enumerate(since)]


@pytest.mark.parametrize(
    ("waiting", "playing", "expected"),
    [
        (pool(), 8, NextSeating(None, 4)),
        (pool(0, 1, 2), 0, NextSeating(None, 1)),
        (pool(0, 1, 2, 3), 0, NextSeating(3 + BREAK_SECONDS, 0)),  # nobody else can come from a table
        (pool(0, 1, 2, 3), 4, NextSeating(MAX_WAIT_SECONDS, 0)),  # somebody else may: worth waiting for
        (pool(0, 1, 2, 28), 4, NextSeating(28 + BREAK_SECONDS, 0)),  # without the last one there is no table
        (pool(0, 1, 2, 3, 4, 5, 6, 7), 4, NextSeating(7 + BREAK_SECONDS, 0)),  # choice enough
        (pool(0, 0, 0, 0, 0, 0, 0, 25), 4, NextSeating(MAX_WAIT_SECONDS, 0)),  # nobody waits longer than that
    ],
)
def test_what_can_be_expected(waiting: list[WaitingPlayer], playing: int, expected: NextSeating) -> None:
    assert predict_seating(waiting, FOURS, playing=playing) == expected


def test_who_came_last_waits_on_where_the_sizes_do_not_fit() -> None:
    (group,) = choose(pool(0, 1, 2, 3, 4), FOURS, now=100)
    assert [one.entrant for one in group] == ["p03", "p02", "p01", "p00"]


def test_nobody_is_taken_out_of_breath() -> None:
    assert choose(pool(0, 1, 2, 95), FOURS, now=100) == ()
    (group,) = choose(pool(0, 1, 2, 95), MIXED, now=100)
    assert sorted(one.entrant for one in group) == ["p00", "p01", "p02"]


def test_a_large_pool_is_cut_by_score_into_groups_that_fit() -> None:
    groups = choose(pool(*[0.0] * 61), MIXED, now=100)
    assert [len(group) for group in groups] == [24, 24, 13]
    assert [one.score for group in groups for one in group] == sorted((100 * n for n in range(61)), reverse=True)


def test_bots_are_company_and_play_with_nobody_else() -> None:
    bots = [WaitingPlayer(f"b{number}", 0.0, is_bot=True) for number in range(4)]
    fours = Sizes(4, 4, 4)
    assert predict_seating(bots, fours, playing=0) == (None, 1)
    assert choose(bots, fours, now=100.0) == ()
    pool = [*bots, WaitingPlayer("ada", 50.0), WaitingPlayer("bea", 60.0)]
    assert predict_seating(pool, fours, playing=0) == (70.0, 0)
    assert predict_seating(pool, fours, playing=4) == (80.0, 0)
    assert choose(pool, fours, now=59.0) == ()
    assert [sorted(one.entrant for one in group) for group in choose(pool, fours, now=70.0)] == [
        ["ada", "b0", "b1", "bea"]
    ]
