"""Changes that wait for the disk are written together, and each is answered for itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from django.db import transaction

from games import models
from games.live import database
from games.play import moves, store
from games.play.errors import Busy, Illegal, Stale
from games.play.table import Loaded
from tests.cast import NOW, legal, start_table, to_move, wait_for_choice

pytestmark = pytest.mark.django_db(transaction=True)


def game_of(ana: models.Player) -> Loaded:
    """A running game in which it is Ana's turn."""
    return wait_for_choice(start_table(ana), ana)


@pytest.fixture
async def at_once() -> AsyncIterator[Callable[..., Any]]:
    """Has changes wait for the database's thread, and lets it do them at one go; gives values and errors."""

    async def run(*changes: Callable[[], Any]) -> list[Any]:
        gate = threading.Event()
        busy = asyncio.create_task(database.run(gate.wait))
        await asyncio.sleep(0.05)
        waiting = [asyncio.create_task(database.change(change)) for change in changes]
        await asyncio.sleep(0.05)
        gate.set()
        await busy
        return await asyncio.gather(*waiting, return_exceptions=True)

    yield run
    database.close()


def play(table: Loaded, move: dict[str, Any] | None = None, *, key: str = "k") -> Callable[[], int]:
    """A move of whoever is to act, seen at this version; gives the ply after it."""
    seat = to_move(table)
    place = table.place(seat)
    assert place is not None

    def change() -> int:
        chosen = move or legal(table, seat)[0]
        return moves.submit_move(table.id, place.player_id, chosen, ply=table.ply, key=key, now=NOW).table.ply

    return change


async def test_tables_are_saved_together_and_refused_one_by_one(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    tables = [game_of(ana) for _ in range(3)]
    said = await at_once(play(tables[0]), play(tables[1], {"play": ["99"]}), play(tables[2]))
    assert (said[0], type(said[1]), said[2]) == (tables[0].ply + 1, Illegal, tables[2].ply + 1)
    plies = [store.reload(table.id).ply for table in tables]
    assert plies == [tables[0].ply + 1, tables[1].ply, tables[2].ply + 1]


async def test_of_two_moves_at_one_table_the_first_counts(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    said = await at_once(play(table, key="first"), play(table, key="second"))
    assert (said[0], type(said[1])) == (table.ply + 1, Stale)
    assert models.Ply.objects.filter(table_id=table.id, number=table.ply + 1).get().key == "0:first"


def break_down() -> None:
    """What a full disk does to a transaction."""
    transaction.set_rollback(True)


def change_nothing() -> None:
    """A change of nothing."""


async def test_nobody_sees_or_is_told_of_what_could_not_be_saved(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    said = await at_once(play(table), break_down)
    assert [type(answer) for answer in said] == [Busy, Busy]
    assert store.fetch(table.id).ply == table.ply
    assert await at_once(play(table), change_nothing) == [table.ply + 1, None]


async def test_what_is_read_again_on_the_way_is_not_seen_if_it_could_not_be_saved(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    said = await at_once(play(table, key="first"), lambda: store.reload(table.id).ply, break_down)
    assert [type(answer) for answer in said] == [Busy, Busy, Busy]
    assert store.fetch(table.id).ply == table.ply


async def test_a_reading_on_the_way_leaves_nothing_behind(
    at_once: Callable[..., Any], transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    seen_outside: list[int] = []

    def look() -> int:
        ply = store.reload(table.id).ply
        outside = threading.Thread(target=lambda: seen_outside.append(store.fetch(table.id).ply))
        outside.start()
        outside.join()
        return ply

    assert await at_once(play(table), look) == [table.ply + 1, table.ply + 1]
    assert seen_outside == [table.ply]
