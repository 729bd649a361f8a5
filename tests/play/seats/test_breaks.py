"""Players pause and resume their table, and end its game if all who are there agree."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.clocks import timers
from games.play.errors import NotAllowed, Stale
from games.play.records import retention
from games.play.seats import arranged_tables, breaks, sitting, table_limits
from games.play.storage import store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import OVER, PLAYING, LoadedTable
from tests.cast import NOW, browser, move_seat, open_table, start_table, wait_for

SENTENCE = "Only an organiser can pause or end this game."


def arranged(*people: models.Player) -> LoadedTable:
    guests = [arranged_tables.SeatAssignment(one.name, one.avatar, one.pk) for one in people]
    bots = [arranged_tables.SeatAssignment("Bo", "cat", bot="steady")] * (4 - len(guests))
    with store.save_together():
        table = arranged_tables.arrange(arranged_tables.TablePlan("karriere-poker", (*guests, *bots)), now=NOW)
    return arranged_tables.start_without_absent(table.id, now=NOW)


def test_a_paused_table_stands_still_for_everybody(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben, turn_seconds=30), ben)
    paused = breaks.pause(table.id, ana.pk, now=NOW + 10)
    assert (paused.wake_at, paused.runtime.bots) == (None, ())
    assert timers.run_clock(table.id, now=NOW + 3600).ply == table.ply
    with pytest.raises(Stale, match="This table is paused"):
        move_seat(paused, now=NOW + 11)


def test_any_of_its_players_resumes_it_with_as_much_time_as_before(ana: models.Player, ben: models.Player) -> None:
    table = wait_for(start_table(ana, ben, turn_seconds=30), ben)
    breaks.pause(table.id, ana.pk, now=NOW + 10)
    resumed = breaks.resume(table.id, ben.pk, now=NOW + 1000)
    assert (resumed.runtime.paused_at, resumed.runtime.is_held) == (None, False)
    assert resumed.runtime.clocks[0].due == NOW + 1020


def test_a_pause_survives_the_database_and_a_look_at_the_table(ana: models.Player) -> None:
    table = breaks.pause(start_table(ana).id, ana.pk, now=NOW)
    assert read_runtime(write_runtime(table.runtime)) == table.runtime
    assert sitting.return_to_table(table.id, ana.pk, now=NOW + 5).runtime.is_held


def test_pausing_and_resuming_twice_is_once(ana: models.Player) -> None:
    table = breaks.pause(start_table(ana).id, ana.pk, now=NOW)
    assert breaks.pause(table.id, ana.pk, now=NOW + 5).version == table.version
    resumed = breaks.resume(table.id, ana.pk, now=NOW + 9)
    assert breaks.resume(table.id, ana.pk, now=NOW + 10).version == resumed.version


def test_what_an_organiser_has_paused_no_player_resumes(ana: models.Player) -> None:
    table = breaks.pause(start_table(ana).id, ana.pk, now=NOW)
    arranged_tables.pause(table.id, now=NOW + 5)
    for change in (breaks.pause, breaks.resume):
        with pytest.raises(Stale, match="An organiser has paused this table"):
            change(table.id, ana.pk, now=NOW + 9)
    assert arranged_tables.resume(table.id, now=NOW + 10).runtime.paused_at is None


def test_alone_against_bots_a_game_ends_at_once_and_without_a_result(ana: models.Player) -> None:
    table = breaks.agree_to_end(start_table(ana).id, ana.pk, on=True, now=NOW + 5)
    assert (table.status, table.outcome, table.ended_at, table.wake_at) == (OVER, None, NOW + 5, None)
    page = browser(ana).get(reverse("table", args=[table.id])).content.decode()
    assert "The players have ended this game without a result." in page


def test_among_people_it_ends_once_all_of_them_agree(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    asked = breaks.agree_to_end(table.id, ana.pk, on=True, now=NOW)
    assert (asked.status, asked.runtime.ending) == (PLAYING, frozenset({0}))
    assert read_runtime(write_runtime(asked.runtime)) == asked.runtime
    assert breaks.agree_to_end(table.id, ben.pk, on=True, now=NOW).status == OVER


def test_agreement_can_be_taken_back(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    breaks.agree_to_end(table.id, ana.pk, on=True, now=NOW)
    breaks.agree_to_end(table.id, ana.pk, on=False, now=NOW)
    assert breaks.agree_to_end(table.id, ben.pk, on=True, now=NOW).status == PLAYING


def test_who_is_away_is_not_asked(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    breaks.agree_to_end(table.id, ana.pk, on=True, now=NOW)
    assert sitting.leave(table.id, ben.pk, now=NOW).status == OVER


@pytest.mark.parametrize("name", ["pause", "end"])
def test_an_arranged_table_is_its_organisers(ana: models.Player, ben: models.Player, name: str) -> None:
    answer = browser(ana).post(reverse(name, args=[arranged(ana, ben).id]), HTTP_ACCEPT="application/json")
    assert (answer.status_code, answer.json()["sentence"]) == (403, SENTENCE)


@pytest.mark.parametrize("change", [breaks.pause, breaks.resume])
def test_only_who_plays_there_pauses_and_resumes(ana: models.Player, eva: models.Player, change: Any) -> None:
    table = start_table(ana)
    with pytest.raises(NotAllowed, match="You have no seat at this table"):
        change(table.id, eva.pk, now=NOW)


def test_before_the_game_there_is_nothing_to_pause(ana: models.Player) -> None:
    with pytest.raises(Stale, match="No game is under way"):
        breaks.pause(open_table(ana).id, ana.pk, now=NOW)


def test_the_pages_buttons_pause_resume_and_end(ana: models.Player) -> None:
    table, reader = start_table(ana), browser(ana)
    collected = []
    for name, on in (("pause", "1"), ("pause", "0"), ("end", "1")):
        answer = reader.post(reverse(name, args=[table.id]), {"on": on})
        after = store.reload(table.id)
        collected.append((answer.status_code, after.runtime.is_held, after.status))
    assert collected == [(302, True, PLAYING), (302, False, PLAYING), (302, False, OVER)]


def test_a_table_that_was_paused_long_ago_is_closed_and_counts_for_no_limit(ana: models.Player, settings: Any) -> None:
    settings.CLOSE_STANDING_DAYS, settings.TABLES_PER_GUEST = 30, 1
    table = breaks.pause(start_table(ana).id, ana.pk, now=NOW)
    table_limits.require_below_limits(ana, "10.0.0.1")
    assert retention.list_abandoned(now=NOW + 29 * 86_400, most=9) == []
    assert retention.list_abandoned(now=NOW + 31 * 86_400, most=9) == [table.id]
    assert retention.close(table.id, now=NOW + 31 * 86_400)
