"""One person against bots has all the time in the world, unless they wish for a clock."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.live.tables.screens import build_screen
from games.play.clocks import downtime, idle_tables, timers
from games.play.seats import breaks
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from games.rules import registry
from tests.cast import NOW, browser, contribute, open_table, start_table, wait_for

DAY = 86_400.0


def alone(ana: models.Player, **wishes: Any) -> LoadedTable:
    return start_table(ana, is_timed=False, **wishes)


def test_a_turn_against_bots_does_not_run_out(ana: models.Player) -> None:
    table = wait_for(alone(ana), ana)
    after = timers.run_clock(table.id, now=NOW + 30 * DAY)
    assert (after.ply, after.status) == (table.ply, PLAYING)


@pytest.mark.parametrize("game", registry.slugs())
def test_nothing_counts_down_on_the_screen(ana: models.Player, game: str) -> None:
    seats = registry.find(game).seat_counts[0]
    table = alone(ana, game=game, seats_wished=seats)
    assert (build_screen(table).due, build_screen(table).is_untimed) == (None, True)


def test_programs_are_told_that_the_turn_has_no_limit(ana: models.Player) -> None:
    table = wait_for(alone(ana), ana)
    (deadline,) = browser(ana).get(reverse("view_json", args=[table.id])).json()["deadlines"]
    assert (deadline["due"], deadline["held"]) == (None, False)


def test_who_wishes_for_a_clock_has_one(ana: models.Player) -> None:
    table = wait_for(start_table(ana, is_timed=True, turn_seconds=30), ana)
    assert build_screen(table).due == (NOW + 30) * 1000


def test_two_people_have_a_clock(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben, is_timed=False, turn_seconds=30), ana)
    assert build_screen(table).due == (NOW + 30) * 1000


def test_the_room_says_so_once_it_is_certain(ana: models.Player) -> None:
    open_for_friends, full = open_table(ana, is_timed=False), open_table(ana, is_timed=False, bots=3)
    assert (build_screen(open_for_friends).is_untimed, build_screen(full).is_untimed) == (False, True)


def test_an_agreed_time_for_the_whole_game_still_ends_it(ana: models.Player) -> None:
    table = wait_for(alone(ana, options={"minutes": 1}), ana)
    after = timers.run_clock(table.id, now=NOW + 61)
    assert after.ply == table.ply + 1


def test_it_has_no_limit_after_a_pause_and_an_outage_either(ana: models.Player) -> None:
    table = wait_for(alone(ana), ana)
    breaks.pause(table.id, ana.pk, now=NOW + 1)
    breaks.resume(table.id, ana.pk, now=NOW + DAY)
    downtime.compensate_downtime(now=NOW + DAY)
    downtime.compensate_downtime(now=NOW + 2 * DAY)
    after = timers.run_clock(table.id, now=NOW + 40 * DAY)
    assert (after.ply, build_screen(after).due) == (table.ply, None)


def test_it_stands_still_when_its_person_has_gone(ana: models.Player) -> None:
    table = wait_for(alone(ana), ana)
    models.Table.objects.filter(pk=table.id).update(seen_at=NOW)
    assert idle_tables.pause_idle_tables(now=NOW + 601) == 1
    assert store.reload(table.id).runtime.is_standing


@pytest.mark.parametrize("game", registry.slugs())
def test_who_begins_is_drawn(ana: models.Player, game: str) -> None:
    seats, begins = registry.find(game).seat_counts[0], set()
    for number in range(16):
        table = open_table(ana, game=game, seats_wished=seats, bots=seats - 1, is_called=True)
        table = contribute(table, ana.pk, f"try {number}")
        begins.add(table.seat_of(ana.pk) == table.rules.to_act(table.state)[0])
    assert begins == {True, False}
