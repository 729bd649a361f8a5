"""While the server was away nobody's time ran."""

from __future__ import annotations

import itertools
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from games import memo, models
from games.play.clocks import downtime, due_tables, timers
from games.play.errors import Unreadable
from games.play.moves import batch, bot_pace, submission
from games.play.seats import opening
from games.play.storage import heartbeat, store
from games.play.storage.table import BotDue, LoadedTable
from games.rules.clock import postpone_clocks
from tests.cast import (
    NOW,
    as_other_process,
    at_once,
    browser,
    finish,
    move_seat,
    open_table,
    start_table,
    version_of,
    wait_for,
)


def test_the_first_beat_forgives_nothing(ana: models.Player) -> None:
    table = start_table(ana)
    assert downtime.compensate_downtime(now=NOW) == 0
    assert models.Pulse.objects.get().at == NOW
    assert version_of(table.id) == table.version


def test_after_an_interruption_clocks_go_on_where_they_stood(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30, options={"minutes": 10}), ana)
    downtime.compensate_downtime(now=NOW + 20)
    memo.forget_all()
    assert downtime.compensate_downtime(now=NOW + 20 + 3600) == 1
    after = store.fetch(table.id)
    dues = {clock.event["clock"]: clock.due for clock in after.runtime.clocks}
    assert dues == {"turn": NOW + 3630, "time-up": NOW + 4200}
    assert timers.run_clock(table.id, now=NOW + 3625).ply == table.ply
    assert models.Table.objects.get(pk=table.id).wake_at == NOW + 3630


def test_it_is_forgiven_once(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.compensate_downtime(now=NOW)
    assert [downtime.compensate_downtime(now=NOW + 3600), downtime.compensate_downtime(now=NOW + 3600)] == [1, 0]
    assert store.reload(table.id).runtime.clocks[0].due == NOW + 3630


def test_a_slow_moment_is_no_interruption(ana: models.Player) -> None:
    table = start_table(ana)
    downtime.compensate_downtime(now=NOW)
    assert downtime.compensate_downtime(now=NOW + 5.9) == 0
    assert models.Pulse.objects.get().at == NOW + 5.9
    assert version_of(table.id) == table.version


def test_the_pulse_is_not_written_at_every_look(ana: models.Player) -> None:
    downtime.compensate_downtime(now=NOW)
    downtime.compensate_downtime(now=NOW + 1.9)
    assert models.Pulse.objects.get().at == NOW


def test_the_pulse_is_not_read_at_every_look(ana: models.Player, django_assert_num_queries: Any) -> None:
    downtime.compensate_downtime(now=NOW)
    memo.forget_all()
    with django_assert_num_queries(1):
        assert [heartbeat.is_interrupted(NOW + later) for later in (1, 2)] == [False, False]


def test_a_turn_that_began_meanwhile_gets_no_more_than_its_time(ana: models.Player) -> None:
    """Only the sweeper was away: the tables played on."""
    downtime.compensate_downtime(now=NOW)
    table = wait_for(start_table(ana, turn_seconds=30, now=NOW + 590), ana, now=NOW + 595)
    downtime.compensate_downtime(now=NOW + 600)
    assert store.reload(table.id).runtime.clocks[0].due <= NOW + 630


def test_a_computer_clock_that_was_set_back(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.compensate_downtime(now=NOW)
    assert downtime.compensate_downtime(now=NOW - 3600) == 1
    assert store.reload(table.id).runtime.clocks[0].due == NOW - 3570


def with_bot(table: LoadedTable, due: float) -> LoadedTable:
    """The table with a bot that is to move then."""
    desk = table.runtime._replace(bots=(BotDue(1, 1, due),), bot_due=due)
    return store.commit(table, table.changed(runtime=desk))


@pytest.mark.parametrize("jump", [-3600, 3600])
def test_a_bots_moment_goes_with_the_clock(ana: models.Player, settings: Any, jump: int) -> None:
    settings.BOT_DELAY = 1.0
    table = with_bot(start_table(ana), NOW + 1)
    downtime.compensate_downtime(now=NOW)
    downtime.compensate_downtime(now=NOW + jump)
    after = store.reload(table.id)
    assert (after.runtime.bot_due, after.runtime.bots[0].due) == (NOW + jump + 1, NOW + jump + 1)
    assert models.Table.objects.get(pk=table.id).wake_at == NOW + jump + 1


@pytest.mark.parametrize("jump", [37, 3600])
def test_a_bot_that_came_to_its_turn_since_the_jump_is_not_put_off(
    ana: models.Player, settings: Any, jump: int
) -> None:
    settings.BOT_DELAY = 1.0
    downtime.compensate_downtime(now=NOW)
    table = with_bot(start_table(ana), NOW + jump + 0.5)
    downtime.compensate_downtime(now=NOW + jump + 1)
    after = store.reload(table.id)
    latest = NOW + jump + 1 + bot_pace.find_longest_pause("normal", 1.0)
    assert (after.runtime.bot_due, after.runtime.bots[0].due) == (latest, latest)


def test_a_game_goes_on_in_its_own_time_when_the_clock_was_set_back(ana: models.Player) -> None:
    table = wait_for(start_table(ana, turn_seconds=5), ana)
    downtime.compensate_downtime(now=NOW + 2)
    downtime.compensate_downtime(now=NOW + 2 - 3600)
    after = timers.run_clock(table.id, now=NOW + 6 - 3600)
    assert (after.ply, after.started_at) == (table.ply + 1, NOW - 3600)
    assert models.Ply.objects.get(table=table.id, number=after.ply).at == 6


def test_no_ply_is_earlier_than_the_start(ana: models.Player) -> None:
    """Between the jump and the sweeper's next look."""
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    move = table.rules.legal_moves(table.state, 0)[0]  # type: ignore[index]
    after = submission.submit_move(table.id, ana.pk, dict(move), ply=table.ply, key="k", now=NOW - 3600).table
    assert models.Ply.objects.get(table=table.id, number=after.ply).at == 0


@pytest.mark.parametrize("jump", [-3600, -6, 6, 3600])
def test_no_time_runs_out_before_the_sweeper_has_seen_the_jump(ana: models.Player, jump: int) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.compensate_downtime(now=NOW)
    desk = table.runtime._replace(clocks=tuple(clock._replace(due=NOW + jump - 1) for clock in table.runtime.clocks))
    table = store.commit(table, table.changed(runtime=desk))
    assert heartbeat.is_interrupted(NOW + jump)
    assert timers.run_clock(table.id, now=NOW + jump).ply == table.ply
    assert not heartbeat.is_interrupted(NOW + 5.9)


def test_time_is_given_back_to_all_tables_or_to_none(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies in the middle of it leaves everything to the next one."""
    first, second = sorted((start_table(ana, turn_seconds=30) for _ in range(2)), key=lambda table: table.id)
    downtime.compensate_downtime(now=NOW)

    def die_at_the_second(clocks: Any, *args: Any, **kwargs: Any) -> Any:
        if clocks is second.runtime.clocks:
            raise KeyboardInterrupt
        return postpone_clocks(clocks, *args, **kwargs)

    monkeypatch.setattr(downtime, "postpone_clocks", die_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        downtime.compensate_downtime(now=NOW + 3600)
    monkeypatch.setattr(downtime, "postpone_clocks", postpone_clocks)
    assert version_of(first.id) == first.version
    assert downtime.compensate_downtime(now=NOW + 3600) == 2


def test_a_table_that_cannot_be_read_stops_no_other(ana: models.Player, caplog: pytest.LogCaptureFixture) -> None:
    """As after a step back to a version that does not know what this one has written."""
    first, second, third = sorted((start_table(ana, turn_seconds=30) for _ in range(3)), key=lambda table: table.id)
    downtime.compensate_downtime(now=NOW)
    models.Table.objects.filter(pk=first.id).update(state="broken")
    models.Table.objects.filter(pk=second.id).update(desk="broken")
    memo.forget_all()
    assert downtime.compensate_downtime(now=NOW + 3600) == 1
    assert version_of(third.id) == third.version + 1
    dues = due_tables.list_due(until=NOW + 7200)
    assert {due.table_id for due in dues} == {first.id, third.id}
    run = [batch.run_batch([partial(timers.run_clock_timed, table.id, now=NOW + 7200)])[0] for table in (first, third)]
    assert [type(done.error) for done in run] == [Unreadable, type(None)]
    with pytest.raises(Unreadable):
        store.fetch(first.id)
    assert [record.message for record in caplog.records if record.exc_info] == [
        f"table {first.id} cannot be read",
        f"table {second.id} cannot be read",
        f"table {second.id}",
    ]
    lobby = browser(ana).get("/")
    assert (lobby.status_code, browser(ana).get(f"/tables/{first.id}/").status_code) == (200, 500)


def test_tables_that_wait_or_are_over_stay_as_they_are(ana: models.Player) -> None:
    tables = [open_table(ana), finish(start_table(ana, options={"deals": 1}))]
    downtime.compensate_downtime(now=NOW)
    assert downtime.compensate_downtime(now=NOW + 3600) == 1
    waiting, over = (store.reload(table.id) for table in tables)
    assert waiting == tables[0]._replace(version=waiting.version, runtime=waiting.runtime)
    assert waiting.runtime == tables[0].runtime._replace(waits=((0, NOW + 3600 + opening.ARRIVAL_SECONDS),))
    assert over.version == tables[1].version


def test_a_late_sweep_is_no_interruption_while_a_server_beats(ana: models.Player) -> None:
    """The worker had other things to do for twenty seconds; the server noted meanwhile that it was there."""
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    for second in range(0, 20, 2):
        assert downtime.compensate_downtime(now=NOW + second) == 0
    assert downtime.compensate_downtime(now=NOW + 20) == 0
    assert version_of(table.id) == table.version


def test_who_comes_second_waits_until_the_clocks_are_set(ana: models.Player, transactional_db: None) -> None:
    """Else a timer could take a turn whose time is just being given back."""
    tables = [wait_for(start_table(ana, turn_seconds=30), ana) for _ in range(5)]
    downtime.compensate_downtime(now=NOW)
    seen: list[list[float]] = []

    def look() -> None:
        downtime.compensate_downtime(now=NOW + 3600)
        seen.append([store.reload(table.id).runtime.clocks[0].due for table in tables])

    at_once(look, look, look)
    assert seen == [[NOW + 3630] * 5] * 3


@pytest.mark.parametrize("jump", [3600, -3600, 5 * 60])
def test_a_move_that_is_decided_again_after_the_clock_was_set_belongs_to_the_present(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    table = wait_for(start_table(ana, turn_seconds=30), ana)
    downtime.compensate_downtime(now=NOW)
    as_other_process(lambda: downtime.compensate_downtime(now=NOW + jump))  # this process does not know of it
    walls = itertools.chain([0.0, 0.0], itertools.repeat(jump))
    monkeypatch.setattr(submission, "time", SimpleNamespace(time=lambda: next(walls), monotonic=lambda: 0.0))
    after = move_seat(table, now=NOW)
    assert [clock.due for clock in after.runtime.clocks] == [NOW + jump + 30]
    assert after.runtime.bot_due is not None
    assert NOW + jump <= after.runtime.bot_due <= NOW + jump + 30


@pytest.mark.parametrize("together", [False, True])
def test_who_comes_after_a_move_that_waited_for_the_database_has_their_whole_time(
    ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    tables = [wait_for(start_table(player, turn_seconds=30), player) for player in (ana, ben)]
    ticks = itertools.count(0.0, 20.0)
    slow = SimpleNamespace(time=lambda: 0.0, monotonic=lambda: next(ticks))
    monkeypatch.setattr(batch if together else submission, "time", slow)
    works = [partial(move_seat, table, now=NOW) for table in tables]
    for result in batch.run_batch(works) if together else [batch.run_batch([work])[0] for work in works]:
        assert result.error is None
    for table in tables:
        after = store.reload(table.id)
        assert after.ply == table.ply + 1
        assert [clock.due for clock in after.runtime.clocks] == [NOW + 20 + 30]
