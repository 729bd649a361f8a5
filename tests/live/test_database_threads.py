"""Changes that wait for the disk are written together, and each is answered for itself."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from django.db import connection

from games import models
from games.live import database_threads
from games.play import signals
from games.play.errors import Busy, Illegal, Stale
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, as_other_process, legal, open_table, start_table, to_move, wait_for_choice

pytestmark = pytest.mark.django_db(transaction=True)


def game_of(ana: models.Player) -> LoadedTable:
    """A running game in which it is Ana's turn."""
    return wait_for_choice(start_table(ana), ana)


async def test_a_change_does_not_wait_for_looks_where_it_has_threads_of_its_own(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = game_of(ana)
    database_threads.close()
    monkeypatch.setattr(database_threads, "_THREADS", {connection.vendor: (1, 1)})
    gate = threading.Event()
    look = asyncio.create_task(database_threads.run(gate.wait, 10))
    try:
        made = await asyncio.wait_for(database_threads.run_change(sitting.leave, table.id, ana.pk, now=NOW), 5)
        assert made.runtime.stand_ins == {0}
        assert not look.done()
    finally:
        gate.set()
        await look
        database_threads.close()


@pytest.fixture
async def at_once() -> AsyncIterator[Callable[..., Any]]:
    """Has changes wait for the database's thread, and lets it do them at one go; gives values and errors."""

    async def run(*changes: Callable[[], Any]) -> list[Any]:
        gate = threading.Event()
        busy = asyncio.create_task(database_threads.run(gate.wait))
        await asyncio.sleep(0.05)
        waiting = [asyncio.create_task(database_threads.run_change(change)) for change in changes]
        await asyncio.sleep(0.05)
        gate.set()
        await busy
        return await asyncio.gather(*waiting, return_exceptions=True)

    yield run
    database_threads.close()


def play(table: LoadedTable, move: dict[str, Any] | None = None, *, key: str = "k") -> Callable[[], int]:
    """A move of the seat to act, seen at this version; gives the ply after it."""
    seat = to_move(table)
    place = table.place(seat)
    assert place is not None

    def change() -> int:
        chosen = move or legal(table, seat)[0]
        return submission.submit_move(table.id, place.player_id, chosen, ply=table.ply, key=key, now=NOW).table.ply

    return change


async def test_tables_are_saved_together_and_refused_one_by_one(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    tables = [game_of(ana) for _ in range(3)]
    results = await at_once(play(tables[0]), play(tables[1], {"play": ["99"]}), play(tables[2]))
    assert (results[0], type(results[1]), results[2]) == (tables[0].ply + 1, Illegal, tables[2].ply + 1)
    plies = [store.reload(table.id).ply for table in tables]
    assert plies == [tables[0].ply + 1, tables[1].ply, tables[2].ply + 1]


async def test_of_two_moves_at_one_table_the_first_counts(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    results = await at_once(play(table, key="first"), play(table, key="second"))
    assert (results[0], type(results[1])) == (table.ply + 1, Stale)
    assert models.Ply.objects.filter(table_id=table.id, number=table.ply + 1).get().key == "0:first"


def break_down() -> None:
    """From now on this thread's database takes nothing, as if its disk were full."""
    run_sql("PRAGMA query_only=ON")


def mend() -> None:
    """Undo `break_down`."""
    run_sql("PRAGMA query_only=OFF")


def run_sql(statement: str) -> None:
    """On the connection of this thread."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


async def test_nobody_sees_or_is_told_of_what_could_not_be_saved(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    results = await at_once(play(table), break_down)
    assert [type(answer) for answer in results] == [Busy, type(None)]
    assert store.fetch(table.id).ply == table.ply
    assert await at_once(mend, play(table)) == [None, table.ply + 1]


async def test_only_what_is_durable_is_read_on_the_way(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    results = await at_once(play(table), lambda: store.reload(table.id).ply, lambda: store.fetch(table.id).ply)
    assert results == [table.ply + 1, table.ply, table.ply]
    assert store.fetch(table.id).ply == table.ply + 1


async def test_who_decided_on_an_old_memory_decides_again(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    old, other = game_of(ana), game_of(ana)
    as_other_process(lambda: sitting.leave(old.id, ana.pk, now=NOW))
    assert await at_once(play(old), play(other)) == [old.ply + 1, other.ply + 1]
    assert store.reload(old.id).version == old.version + 2


async def test_the_same_move_again_is_the_same_answer(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table, other = game_of(ana), game_of(ana)
    await at_once(play(table))
    results = await at_once(play(table), play(other), play(table))
    assert results == [table.ply + 1, other.ply + 1, table.ply + 1]
    assert models.Ply.objects.filter(table_id=table.id, key="0:k").count() == 1


async def test_what_writes_more_than_a_table_is_done_by_itself(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    waiting, table = open_table(ana), game_of(ana)
    results = await at_once(lambda: sitting.sit(waiting.id, ben, now=time.time()).seat_of(ben.pk), play(table))
    assert results == [1, table.ply + 1]
    assert models.Seat.objects.filter(table_id=waiting.id, player=ben).count() == 1


async def test_three_moves_are_four_statements(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    tables = [game_of(ana) for _ in range(3)]

    collected: list[str] = []

    def listen() -> None:
        connection.ensure_connection()
        connection.connection.set_trace_callback(collected.append)

    assert await at_once(listen) == [None]
    await at_once(*map(play, tables))
    assert [statement.split()[0] for statement in collected] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]


async def test_what_breaks_a_batch_keeps_nobody_waiting(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table, other = game_of(ana), game_of(ana)
    results = await asyncio.wait_for(at_once(play(table), lambda: store.commit(other, other.changed(runtime=None))), 20)
    assert [type(error) for error in results] == [AttributeError, AttributeError]
    assert await at_once(play(table)) == [table.ply + 1]


def test_what_another_thread_has_taken_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Emptied(deque[Any]):
        """Another thread takes the last one just now."""

        def __len__(self) -> int:
            return super().__len__() + 1

    waiting = Emptied(["first", "second"])
    monkeypatch.setattr(database_threads, "_waiting", waiting)
    assert list[Any](database_threads._take_jobs()) == ["first", "second"]
    assert list(waiting) == []


async def test_what_a_batch_has_changed_is_told_after_its_answers(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    tables = [game_of(ana) for _ in range(2)]
    heard: list[str] = []
    loop = asyncio.get_running_loop()

    def tell(table: LoadedTable, **_kwargs: Any) -> None:
        assert database_threads.call_after_batch(lambda: loop.call_soon(heard.append, "told"))

    async def answer(work: Callable[[], Any]) -> None:
        await database_threads.run_change(work)
        heard.append("answered")

    signals.table_changed.connect(tell)
    gate = threading.Event()
    busy = asyncio.create_task(database_threads.run(gate.wait))
    await asyncio.sleep(0.05)
    answers = [asyncio.create_task(answer(play(table))) for table in tables]
    await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(busy, *answers)
    await asyncio.sleep(0)
    signals.table_changed.disconnect(tell)
    assert heard == ["answered", "answered", "told", "told"]
    assert not database_threads.call_after_batch(lambda: None)
