"""Holidays: clocks stand still in all of a person's games over days, within a limit, and others see it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from games import models
from games.live.tables.regions import render_table
from games.live.tables.screens import build_screen
from games.play.clocks import timers
from games.play.days import holidays
from games.play.errors import BadInput, NotFound
from games.play.seats import breaks, player_changes
from games.play.storage import store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import LoadedTable
from tests.cast import NOW, move_seat, start_table, wait_for

DAY = 86_400.0
TODAY = datetime.fromtimestamp(NOW, tz=UTC).date()


def game(*people: models.Player) -> LoadedTable:
    """A game over days in which the first person is to act."""
    return wait_for(start_table(*people, turn_seconds=86_400, options={"deals": 1}), people[0])


def take_off(player: models.Player, first: int, last: int, *, now: float = NOW) -> models.Holiday:
    """These days, counted from today."""
    days = (TODAY + timedelta(days=first), TODAY + timedelta(days=last))
    return holidays.plan_holiday(player.pk, *days, zone=UTC, now=now)


def due_of(table: LoadedTable) -> float:
    return store.fetch(table.id).runtime.clocks[0].due


def test_a_clock_under_way_and_the_next_one_wait(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben)
    before = due_of(table)
    holiday = take_off(ana, 0, 2)
    off = holiday.until - NOW
    assert due_of(table) == pytest.approx(before + off)
    assert timers.run_clock(table.id, now=NOW + 2 * DAY).ply == table.ply
    table = wait_for(move_seat(store.fetch(table.id), now=NOW + 60), ana, now=NOW + 120)
    assert due_of(table) == pytest.approx(holiday.until + DAY)
    assert read_runtime(write_runtime(table.runtime)) == table.runtime


def test_others_do_not_get_more_time(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben)
    before = due_of(table)
    take_off(ben, 0, 2)
    assert due_of(table) == before


def test_a_game_that_begins_later_knows_of_it(ana: models.Player, ben: models.Player) -> None:
    holiday = take_off(ana, 0, 1)
    table = game(ana, ben)
    assert due_of(table) == pytest.approx(holiday.until + DAY)


def test_one_that_is_cancelled_or_ended_leaves_the_time_that_was_left(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben)
    before = due_of(table)
    later = take_off(ana, 1, 2)
    assert due_of(table) != before
    holidays.end_holiday(ana.pk, later.pk, zone=UTC, now=NOW + 60)
    assert due_of(table) == pytest.approx(before)
    now = take_off(ana, 0, 4, now=NOW + 60)
    holidays.end_holiday(ana.pk, now.pk, zone=UTC, now=NOW + 2 * DAY)
    assert due_of(table) == pytest.approx(before + 2 * DAY - 60)
    assert models.Holiday.objects.get().last == TODAY + timedelta(days=2)
    with pytest.raises(NotFound):
        holidays.end_holiday(ana.pk, now.pk, zone=UTC, now=NOW + 3 * DAY)


def test_a_pause_and_a_holiday_add_up(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben)
    left = due_of(table) - NOW - 60
    breaks.pause(table.id, ben.pk, now=NOW + 60)
    holiday = take_off(ana, 0, 2, now=NOW + 120)
    breaks.resume(table.id, ben.pk, now=NOW + DAY)
    assert due_of(table) == pytest.approx(holiday.until + left - 60)  # the minute between pause and holiday counts not
    assert store.fetch(table.id).runtime.paused_at is None


def test_there_is_a_limit_for_each_year(ana: models.Player) -> None:
    most, now = holidays.DAYS_PER_YEAR, datetime(2054, 12, 20, tzinfo=UTC).timestamp()

    def plan(first: date, days: int) -> None:
        holidays.plan_holiday(ana.pk, first, first + timedelta(days=days - 1), zone=UTC, now=now)

    plan(date(2054, 12, 30), 2 + most - 5)  # two of them are in the old year
    with pytest.raises(BadInput, match="holiday days left"):
        plan(date(2055, 3, 1), 6)
    plan(date(2055, 3, 1), 5)
    planned = list(models.Holiday.objects.all())
    assert [holidays.count_days(planned, year) for year in (2054, 2055)] == [2, most]
    with pytest.raises(BadInput, match="already have"):
        plan(date(2054, 12, 31), 1)


@pytest.mark.parametrize(("first", "last"), [(-1, 2), (3, 2), (300, 400)])
def test_days_must_make_sense(ana: models.Player, first: int, last: int) -> None:
    with pytest.raises(BadInput):
        take_off(ana, first, last)


def test_the_others_see_it_and_it_goes_with_its_person(ana: models.Player, ben: models.Player) -> None:
    table = game(ana, ben)
    take_off(ana, 3, 4)
    shown = build_screen(store.fetch(table.id)).holidays
    assert [(one.seat, one.first, one.last, one.is_on) for one in shown] == [
        (table.seat_of(ana.pk), TODAY + timedelta(days=3), TODAY + timedelta(days=4), False)
    ]
    assert "Ana is on holiday from" in render_table(store.fetch(table.id), "en").render_below()
    player_changes.anonymise_tables(ana.pk, now=NOW + 60)
    assert not models.Holiday.objects.exists()
