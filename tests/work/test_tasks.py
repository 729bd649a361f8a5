"""Messages may come twice, late or never: what is due happens, once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.core.cache import cache
from django.db import connection

from config.celery import app
from games import memo, models
from games.play.clocks import downtime, due_tables
from games.play.seats import sitting
from games.play.storage import codec, store
from games.play.storage.table import LoadedTable, TableRuntime
from games.work import tasks
from games.work.queue_lag import QueueLag
from tests.cast import finish, move_seat, open_table, start_table, to_move, version_of, wait_for


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    """The sweeper remembers there what it has sent."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long messages waited in another test."""
    monkeypatch.setattr(tasks, "_lag", QueueLag())


def bots_turn(ana: models.Player) -> LoadedTable:
    """A table where a bot is to move."""
    table = start_table(ana, now=time.time())
    return table if to_move(table) != 0 else move_seat(table, now=time.time())


def make_overdue(table: LoadedTable, seconds: float) -> None:
    """As if all of this table's waits had begun earlier."""
    desk = codec.write_runtime(
        TableRuntime(
            clocks=tuple(clock._replace(due=clock.due - seconds) for clock in table.runtime.clocks),
            bot_due=None if table.runtime.bot_due is None else table.runtime.bot_due - seconds,
            timeouts=table.runtime.timeouts,
            stand_ins=table.runtime.stand_ins,
        )
    )
    assert table.wake_at is not None
    models.Table.objects.filter(pk=table.id).update(desk=desk, wake_at=table.wake_at - seconds)
    memo.forget_all()


def sweep_and_work() -> None:
    """One sweep, and a worker that does at once what it was sent."""
    app.conf.task_always_eager = True
    try:
        tasks.sweep()
    finally:
        app.conf.task_always_eager = False


def test_a_bots_turn_is_taken_once(ana: models.Player) -> None:
    table = bots_turn(ana)
    for _ in range(3):
        tasks.bot_turn(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply + 1


def test_a_message_about_an_old_or_a_later_ply_does_nothing(ana: models.Player) -> None:
    table = bots_turn(ana)
    for ply in (table.ply - 1, table.ply + 1, 10**9):
        tasks.bot_turn(table.id, ply)
    assert version_of(table.id) == table.version


def test_a_bots_message_does_not_move_a_person(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    tasks.bot_turn(table.id, table.ply)
    assert version_of(table.id) == table.version


def test_messages_about_tables_that_are_gone_waiting_or_over(ana: models.Player) -> None:
    waiting = open_table(ana)
    over = finish(start_table(ana, options={"deals": 1}))
    for task in (tasks.bot_turn, tasks.clock_due):
        for table_id, ply in (("nowhere", 0), (waiting.id, 0), (over.id, over.ply)):
            task(table_id, ply)
    assert (version_of(waiting.id), version_of(over.id)) == (waiting.version, over.version)


def test_a_clock_that_is_due_runs_once(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    make_overdue(table, 60)
    for _ in range(3):
        tasks.clock_due(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply + 1


def test_a_clock_that_is_not_due_does_not_run(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    tasks.clock_due(table.id, table.ply)
    assert version_of(table.id) == table.version


def test_the_sweeper_runs_out_a_turn_whose_message_was_lost(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    make_overdue(table, 60)
    sweep_and_work()
    after = store.reload(table.id)
    assert (after.ply, after.runtime.timeouts[0]) == (table.ply + 1, 1)


def test_the_sweeper_moves_a_bot_whose_message_was_lost(ana: models.Player) -> None:
    table = bots_turn(ana)
    make_overdue(table, due_tables.BOT_GRACE + 1)
    sweep_and_work()
    assert store.reload(table.id).ply > table.ply


def test_the_sweeper_leaves_a_fresh_bot_to_its_message(ana: models.Player) -> None:
    table = bots_turn(ana)
    sweep_and_work()
    assert version_of(table.id) == table.version


def test_a_bot_that_fails_does_not_stop_the_game(ana: models.Player) -> None:
    """No bot of this level exists any more: its turn runs out like anybody's."""
    table = bots_turn(ana)
    models.Seat.objects.filter(table_id=table.id).exclude(bot="").update(bot="retired")
    make_overdue(table, 60)
    with pytest.raises(KeyError):
        tasks.bot_turn(table.id, table.ply)
    dues = [(due.is_bot, due.ply) for due in due_tables.list_due(until=time.time())]
    assert dues == [(True, table.ply), (False, table.ply)]
    tasks.clock_due(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply + 1


def test_the_sweeper_sends_a_message_once_until_it_counts_as_lost(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    make_overdue(table, 60)
    due = due_tables.list_due(until=time.time())
    assert [(entry.table_id, entry.ply, entry.is_bot) for entry in due] == [(table.id, table.ply, False)]
    tasks.sweep()
    names = [f"due:{table.id}:{table.ply}:{due[0].at}:2.0:{time.time() // 2 - ago}" for ago in (0, 1)]
    assert [cache.add(name, 1) for name in names].count(False) == 1


def late_bots_turn(ana: models.Player) -> LoadedTable:
    """A table whose bot should have moved a minute ago, and where no clock is due."""
    table = bots_turn(ana)
    assert table.runtime.bot_due is not None
    due = table.runtime.bot_due - 60
    models.Table.objects.filter(pk=table.id).update(
        desk=codec.write_runtime(table.runtime._replace(bot_due=due)), wake_at=due
    )
    assert [one.is_bot for one in due_tables.list_due(until=time.time()) if one.table_id == table.id] == [True]
    return table


def be_told(table: LoadedTable, *, now: float, waited: float) -> None:
    """Do a bot's message that has waited so many seconds, as a worker does."""
    over = datetime.fromtimestamp(now + tasks.EXPIRES_SECONDS - waited, tz=UTC)
    tasks.bot_turn.push_request(expires=over.isoformat())
    try:
        tasks.bot_turn(table.id, table.ply)
    finally:
        tasks.bot_turn.pop_request()


@pytest.mark.parametrize(
    ("waited", "most_sweeps", "most_sent"), [(0.0, 64, 17), (3.0, 17, 5), (9.0, 17, 2), (50.0, 17, 2)]
)
def test_what_is_late_is_not_lost_where_messages_wait(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch, waited: float, most_sweeps: int, most_sent: int
) -> None:
    """Waiting messages are not sent again, which would only add load to an overloaded worker."""
    table, now = bots_turn(ana), 1600.0 * 10**6
    begun = now
    swept: list[float] = []
    sent: list[float] = []

    def list_due(**_: Any) -> list[due_tables.DueAction]:
        swept.append(now)
        return [due_tables.DueAction(table.id, 99, begun - 60, is_bot=True)]

    monkeypatch.setattr(tasks, "time", SimpleNamespace(time=lambda: now, monotonic=lambda: now))
    monkeypatch.setattr(tasks, "_last_sweep", 0.0)
    monkeypatch.setattr(downtime, "compensate_downtime", lambda **_: None)
    monkeypatch.setattr(due_tables, "list_due", list_due)
    monkeypatch.setattr(tasks.bot_turn, "apply_async", lambda *_, **how: sent.append(how["expires"]))
    for _ in range(64):  # half a minute
        be_told(table._replace(ply=0), now=now, waited=waited)
        tasks.sweep()
        now += 0.5
    assert most_sweeps - 1 <= len(swept) <= most_sweeps
    assert most_sent - 1 <= len(sent) <= most_sent
    assert set(sent) == {tasks.EXPIRES_SECONDS}


def test_how_long_messages_wait_is_forgotten() -> None:
    lag = QueueLag()
    assert lag.read(at=5.0) == 0
    lag.note(4.0, at=100.0)
    assert [lag.read(at=at) for at in (100.0, 110.0, 110.5)] == [4.0, 4.0, 0.0]
    lag.note(-3.0, at=101.0)  # by the clock of another machine
    assert lag.read(at=102.0) == 0


def test_clocks_look_at_no_table_whose_bot_is_late(ana: models.Player) -> None:
    late_bots_turn(ana)
    assert due_tables.list_late(time.time(), most=20) == []


def test_a_message_that_has_waited_too_long_does_nothing(ana: models.Player, django_assert_num_queries: Any) -> None:
    table = late_bots_turn(ana)
    be_told(table, now=time.time(), waited=tasks.EXPIRES_SECONDS + 1)
    assert version_of(table.id) == table.version
    be_told(table, now=time.time(), waited=tasks.EXPIRES_SECONDS - 1)
    assert version_of(table.id) > table.version
    with django_assert_num_queries(0):
        tasks.bot_turn(table.id, table.ply)


def test_where_messages_wait_bots_move_together(ana: models.Player, django_assert_num_queries: Any) -> None:
    """One transaction for several late bots: a disk write for each would be too slow with many tables."""
    tables = [late_bots_turn(ana) for _ in range(3)]
    be_told(tables[0], now=time.time(), waited=0.1)
    assert [version_of(one.id) > one.version for one in tables] == [True, False, False]
    be_told(tables[1], now=time.time(), waited=1.0)
    assert [version_of(one.id) for one in tables[1:]] == [one.version + 1 for one in tables[1:]]
    with django_assert_num_queries(0):  # their own message comes all the same
        be_told(tables[2], now=time.time(), waited=1.0)


def test_who_moves_waits_for_no_others_that_think_for_long(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "BATCH_BOT_SECONDS", 0.0)
    first, second = late_bots_turn(ana), late_bots_turn(ana)
    be_told(first, now=time.time(), waited=1.0)
    assert [version_of(one.id) > one.version for one in (first, second)] == [True, False]


def test_a_clock_does_not_wait_for_bots_where_messages_wait(ana: models.Player) -> None:
    bot, person = late_bots_turn(ana), wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    make_overdue(person, 60)
    be_told(bot, now=time.time(), waited=0.1)
    assert version_of(person.id) == person.version
    be_told(late_bots_turn(ana), now=time.time(), waited=1.0)
    after = store.reload(person.id)
    assert (after.ply, after.runtime.timeouts[0]) == (person.ply + 1, 1)


def test_a_bot_that_fails_stops_none_that_moves_together_with_it(ana: models.Player) -> None:
    broken, sound = late_bots_turn(ana), late_bots_turn(ana)
    models.Seat.objects.filter(table_id=broken.id).exclude(bot="").update(bot="retired")
    memo.forget_all()
    be_told(sound, now=time.time(), waited=1.0)
    assert version_of(sound.id) > sound.version
    with pytest.raises(KeyError):  # their own message says so
        be_told(broken, now=time.time(), waited=1.0)


def test_nothing_is_due_at_tables_that_wait_or_are_over(ana: models.Player) -> None:
    open_table(ana)
    finish(start_table(ana, options={"deals": 1}))
    assert due_tables.list_due(until=time.time() + 10**9) == []


def test_the_longest_overdue_table_comes_first(ana: models.Player) -> None:
    tables = [start_table(ana, now=time.time()) for _ in range(3)]
    for table, seconds in zip(tables, (100, 300, 200), strict=True):
        make_overdue(table, seconds)
    order = list(dict.fromkeys(due.table_id for due in due_tables.list_due(until=time.time())))
    assert order == [tables[1].id, tables[2].id, tables[0].id]


def test_after_an_interruption_the_sweeper_takes_nobodys_turn(ana: models.Player) -> None:
    """The server was away for two minutes of a turn of 45 seconds."""
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    downtime.compensate_downtime(now=time.time() - 120)
    make_overdue(table, 120)
    sweep_and_work()
    after = store.reload(table.id)
    assert (after.ply, after.runtime.timeouts) == (table.ply, (0, 0, 0, 0))
    assert 40 < after.runtime.clocks[0].due - time.time() <= 45


def test_nor_does_a_timer_that_wakes_before_the_sweeper(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time()), ana, now=time.time())
    downtime.compensate_downtime(now=time.time() - 120)
    make_overdue(table, 120)
    tasks.clock_due(table.id, table.ply)
    assert store.reload(table.id).ply == table.ply


def test_a_bot_who_the_database_did_not_let_move_tries_again(ana: models.Player, transactional_db: None) -> None:
    table = bots_turn(ana)
    app.control.purge()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=1")
        tasks.bot_turn(table.id, table.ply)
        cursor.execute("PRAGMA query_only=0")
    assert store.reload(table.id).ply == table.ply
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=10):
        last = time.monotonic() + 60
        while store.reload(table.id).ply == table.ply and time.monotonic() < last:
            time.sleep(0.02)
    assert store.reload(table.id).ply > table.ply


def test_a_worker_plays_the_bots_of_a_whole_table(ana: models.Player, transactional_db: None) -> None:
    """Messages as they are really sent: a stand-in and three bots finish the game alone."""
    table = start_table(ana, options={"deals": 1}, now=time.time())
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=10):
        sitting.leave(table.id, ana.pk, now=time.time())
        last = time.monotonic() + 60
        while store.reload(table.id).outcome is None and time.monotonic() < last:
            time.sleep(0.02)
    assert store.reload(table.id).outcome is not None


def test_a_message_names_its_table_and_ply_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        app.amqp, "send_task_message", lambda _producer, name, message, **how: sent.append((message, how))
    )
    tasks.send_message(tasks.bot_turn, "abc", 7, wait=2.0)
    ((message, how),) = sent
    assert message.body[0] == ("abc", 7)
    assert message.headers["argsrepr"] == ""
    assert how["retry"] is False
