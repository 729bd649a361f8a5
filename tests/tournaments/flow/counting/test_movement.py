"""Rows keep what they were ordered by seven days ago, whenever that is asked, counted or computed again."""

from __future__ import annotations

import pytest
from django.db.models import F

from games.models import Player
from tests.tournaments.flow.counting.test_finished_tables import everything
from tests.tournaments.flow.counting.test_rebuilding import play
from tournaments.flow.counting import leaderboard_rows, movement, recomputing
from tournaments.flow.profiles.leaderboards import Query, list_page
from tournaments.models import BoardRow, Ledger

DAY = 86_400
MONDAY = 1_699_833_600.0
"""A Monday, 13 November 2023, at the start of the day (UTC)."""


def moved(by: str = "wins") -> dict[str, int | None]:
    """How far everybody's place in Animal Poker has changed."""
    return {one.name: one.moved for one in list_page(Query("animal-poker", by=by), None).lines}


def follow(at: float) -> None:
    """What the sweeper does then."""
    movement.follow_days(now=at)
    if recomputing.is_wanted():
        recomputing.catch_up(now=at)


def test_seven_days_are_compared_today_included() -> None:
    assert movement.find_moment(MONDAY + 5) == MONDAY - 6 * DAY
    assert movement.find_moment(MONDAY - 5) == MONDAY - 7 * DAY


def test_an_evening_is_news_for_seven_days(ana: Player, ben: Player, eva: Player) -> None:
    play(ana, ben, game="animal-poker", at=MONDAY, sessions=1)
    follow(MONDAY + DAY)
    assert moved() == {"Ana": None, "Ben": None}
    play(ana, ben, eva, game="animal-poker", at=MONDAY + 3 * DAY, sessions=1)
    follow(MONDAY + 6 * DAY)
    assert set(moved().values()) == {None}
    follow(MONDAY + 7 * DAY)
    assert [one for one in moved() if moved()[one] is None] == ["Eva"]
    follow(MONDAY + 10 * DAY)
    assert moved() == {"Ana": 0, "Ben": 0, "Eva": 0}


def test_what_follows_day_by_day_is_what_is_computed_again(ana: Player, ben: Player, eva: Player) -> None:
    for day in range(12):
        people = [(ana, ben), (ben, eva), (ana, eva, ben)][day % 3]
        at = MONDAY + day * DAY + 900
        if day % 2:
            play(*people, game="karriere-poker", at=at, deals=1)
        else:
            play(*people, game="animal-poker", at=at, sessions=1)
        if day % 4 != 2:
            follow(MONDAY + day * DAY + 1800)
    kept = everything()
    again = recomputing.recompute(now=MONDAY + 12 * DAY)
    assert again is not None
    assert (again.rows, again.counts) == (0, 0)
    assert everything() == kept
    assert BoardRow.objects.filter(board__season=0, was_games__lt=F("games")).exists()
    BoardRow.objects.update(was_rating=None, was_wins=7)
    recomputing.recompute(now=MONDAY + 13 * DAY)
    assert everything() == kept


def test_a_table_that_is_counted_late_is_put_where_it_belongs(ana: Player, ben: Player) -> None:
    play(ana, ben, game="animal-poker", at=MONDAY + DAY, sessions=1)
    follow(MONDAY + 20 * DAY)
    play(ana, ben, game="animal-poker", at=MONDAY, sessions=1)
    assert set(BoardRow.objects.values_list("was_games", flat=True)) == {2}


def test_who_was_interrupted_is_followed_up(ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    play(ana, ben, game="animal-poker", at=MONDAY, sessions=1)
    follow(MONDAY)

    def fail(people: object) -> int:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(leaderboard_rows, "refresh", fail)
        with pytest.raises(ConnectionError):
            follow(MONDAY + 8 * DAY)
    assert set(BoardRow.objects.values_list("was_games", flat=True)) == {None}
    follow(MONDAY + 8 * DAY)
    assert set(BoardRow.objects.values_list("was_games", flat=True)) == {1}
    assert Ledger.objects.get().compared_to == MONDAY + 2 * DAY
