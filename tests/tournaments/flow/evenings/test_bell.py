"""The bell of an evening: moved, paused, rung early, heard by twenty tables."""

from __future__ import annotations

import pytest

from games.models import Player
from games.play.clocks import downtime, idle_tables
from games.play.clocks.timers import run_clock
from games.play.errors import BadInput, Stale
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.cast import NOW, person, start_table
from tests.tournaments.cast import found
from tests.tournaments.flow.evenings.test_sessions import MINUTE, add, begin, bell_of, evening, has_rung
from tournaments.flow.evenings import evening_sweeper, jobs, sessions
from tournaments.models import Membership, TimedSession

__all__ = ["evening"]


def test_the_bell_of_a_table_moves_with_the_evening(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    sessions.extend(sessions.find(evening.pk), ana, 15, version=1, now=NOW)
    assert bell_of(table_id) == [NOW + 45 * MINUTE]
    sessions.extend(sessions.find(evening.pk), ana, -20, version=2, now=NOW)
    assert bell_of(table_id) == [NOW + 25 * MINUTE]
    with pytest.raises(BadInput):
        sessions.extend(sessions.find(evening.pk), ana, -30, version=3, now=NOW)


def test_a_pause_costs_no_time(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    for _ in range(2):
        sessions.pause(evening, ana, now=NOW + 60)
    assert store.reload(table_id).runtime.paused_at == NOW + 60
    evening_sweeper.sweep_evenings(now=NOW + 31 * MINUTE)
    assert not sessions.find(evening.pk).has_rung
    for _ in range(2):
        sessions.resume(evening, ana, now=NOW + 60 + 600)
    assert store.reload(table_id).runtime.paused_at is None
    assert (sessions.find(evening.pk).ends_at, bell_of(table_id)) == (NOW + 40 * MINUTE, [NOW + 40 * MINUTE])


def test_it_ends_early_once_and_nothing_follows(evening: TimedSession, ana: Player, ben: Player) -> None:
    playing, waiting = add(evening, ana, ana), add(evening, ana, ben)
    begin(playing, ana)
    sessions.pause(evening, ana, now=NOW + 1)
    for moment in (2, 3):
        sessions.end(evening, ana, now=NOW + moment)
    after = sessions.find(evening.pk)
    assert (after.ends_at, after.paused_at, after.has_rung) == (NOW + 2, None, True)
    assert has_rung(playing)
    assert store.reload(playing).runtime.paused_at is None
    assert store.reload(waiting).status == OVER
    assert store.reload(waiting).outcome is None
    with pytest.raises(Stale):
        sessions.add_table(after, ana, [ben.pk], version=after.version, now=NOW + 4)
    with pytest.raises(Stale):
        sessions.extend(after, ana, 15, version=after.version, now=NOW + 4)


def test_a_bell_that_the_tables_may_have_heard_is_not_moved(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    bell = NOW + 30 * MINUTE
    run_clock(table_id, now=bell + 0.5)
    assert has_rung(table_id)
    for act in (
        lambda: sessions.extend(evening, ana, 15, version=1, now=bell + 0.6),
        lambda: sessions.pause(evening, ana, now=bell + 0.6),
        lambda: sessions.add_table(evening, ana, [ana.pk], version=1, now=bell + 0.6),
    ):
        with pytest.raises((Stale, BadInput)):
            act()
    after = sessions.find(evening.pk)
    assert (after.has_rung, after.paused_at, after.ends_at) == (True, None, bell)


def test_minutes_given_in_a_pause_are_those_that_are_left(evening: TimedSession, ana: Player) -> None:
    sessions.pause(evening, ana, now=NOW + 20 * MINUTE)
    sessions.extend(evening, ana, 15, version=1, now=NOW + 60 * MINUTE)
    with pytest.raises(BadInput):
        sessions.extend(evening, ana, -25, version=2, now=NOW + 60 * MINUTE)
    sessions.resume(evening, ana, now=NOW + 60 * MINUTE)
    assert sessions.find(evening.pk).ends_at == NOW + 85 * MINUTE


def test_a_pause_before_the_start_takes_no_minute_of_the_evening(ana: Player) -> None:
    plan = sessions.EveningPlan("Friday", "animal-poker", 30, NOW + 3600)
    evening = sessions.open_evening(found(ana), ana, plan, now=NOW)
    sessions.pause(evening, ana, now=NOW)
    sessions.resume(evening, ana, now=NOW + 1800)
    assert sessions.find(evening.pk).ends_at == NOW + 90 * MINUTE
    sessions.pause(evening, ana, now=NOW + 1800)
    sessions.resume(evening, ana, now=NOW + 3660)
    assert sessions.find(evening.pk).ends_at == NOW + 91 * MINUTE


def test_nobody_is_late_while_everything_stands_still(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana, ben)
    sessions.pause(evening, ana, now=NOW + 60)
    sessions.resume(evening, ana, now=NOW + 660)
    evening_sweeper.sweep_evenings(now=NOW + 600 + evening_sweeper.GRACE_SECONDS - 1)
    assert store.reload(table_id).status == WAITING
    evening_sweeper.sweep_evenings(now=NOW + 600 + evening_sweeper.GRACE_SECONDS)
    assert store.reload(table_id).status == PLAYING


def test_nobody_is_late_while_the_server_is_away(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana, ben)
    downtime.compensate_downtime(now=NOW)
    downtime.compensate_downtime(now=NOW + 600)
    evening_sweeper.sweep_evenings(now=NOW + 600 + evening_sweeper.GRACE_SECONDS - 1)
    assert store.reload(table_id).status == WAITING
    evening_sweeper.sweep_evenings(now=NOW + 600 + evening_sweeper.GRACE_SECONDS)
    assert store.reload(table_id).status == PLAYING


def test_twenty_tables_hear_one_bell(evening: TimedSession, ana: Player) -> None:
    assert evening.club is not None
    tables = []
    for number in range(20):
        guest = person(f"Guest {number}")
        Membership.objects.create(club=evening.club, player=guest)
        tables.append(add(evening, ana, guest))
        begin(tables[-1], guest)
    evening_sweeper.sweep_evenings(now=NOW + 30 * MINUTE)
    assert [has_rung(table_id) for table_id in tables] == [True] * 20
    assert [one.number for one in jobs.list_stories(evening)] == list(range(1, 21))


def test_its_tables_do_not_stand_still_before_the_bell(evening: TimedSession, ben: Player) -> None:
    table = start_table(ben, game="animal-poker", options={"minutes": 60})
    sessions.bring_table(evening, ben, table.id, version=0, now=NOW)
    assert idle_tables.pause_idle_tables(now=NOW + 3000) == 0
    TimedSession.objects.update(ended_at=NOW)
    assert idle_tables.pause_idle_tables(now=NOW + 3000) == 1
