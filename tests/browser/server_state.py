"""Change the database of the running server: create objects, and restart a game from a given set-up."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from django.db import connection
from django.db.models import F

from games import memo, models
from games.play.errors import Busy
from games.play.moves.submission import schedule_bots
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.base import Config
from games.rules.chance import Chance
from games.rules.clock import update_clocks

MAX_TRIES = 40
WAIT_SECONDS = 0.25
"""Attempts to restart a game, and seconds between them while it has not begun. More waits for slower machines."""


T = TypeVar("T")


class OnServer(Protocol):
    """Run a function as another process of the running installation would."""

    def __call__(self, work: Callable[[], T]) -> T: ...


class SetUpGame(Protocol):
    """Restart the game of a table from this set-up, with everybody in their seat of the waiting room.

    Pages show it after a reload.
    """

    def __call__(self, table: str, setup: dict[str, Any]) -> None: ...


def run_with_database(file: Path, work: Callable[[], T]) -> T:
    """Run `work` with this SQLite file as the database; returns its result."""
    with ThreadPoolExecutor(1) as thread:  # the calling thread runs the event loop of the browser's driver
        return thread.submit(_run_with_database, file, work).result()


def _run_with_database(file: Path, work: Callable[[], T]) -> T:
    usual = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(file)
    memo.forget_all()
    try:
        return work()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        memo.forget_all()


def set_up_game(table: str, setup: dict[str, Any]) -> None:
    """Restart the game of a table, again if a bot has just moved or it has not begun. Raises AssertionError."""
    for _ in range(MAX_TRIES):
        if _try_restart(table, setup):
            return
    raise AssertionError(f"table {table} was changed by others at each attempt to restart its game")


def _try_restart(table_id: str, setup: dict[str, Any]) -> bool:
    memo.forget_all()
    table = store.fetch(table_id)
    if table.status != PLAYING:  # the browsers still contribute to the deal
        time.sleep(WAIT_SECONDS)
        return False
    start = table.rules.start(Config(table.seat_count, table.options, setup), Chance(bytes(32)))
    state = table.rules.settle(start)
    now = time.time()
    clocks = update_clocks((), table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=now)
    # Bots asked before the restart must not be waited for: they may have nothing to answer now.
    desk = table.runtime._replace(clocks=clocks, bots=(), bot_due=None)
    by_chair = sorted(table.places, key=lambda place: place.seat if place.chair is None else place.chair)
    places = tuple(place._replace(seat=seat, chair=None) for seat, place in enumerate(by_chair))
    after = table.changed(state=state, runtime=desk, places=places)
    try:
        store.commit(table, schedule_bots(after, now=now), also=partial(_write_seats, after))
    except (store.Conflict, Busy):
        time.sleep(WAIT_SECONDS)
        return False
    return True


def _write_seats(table: LoadedTable) -> None:
    """Put everybody back in their seat of the waiting room, as the set-up gives cards by seat."""
    rows = models.Seat.objects.filter(table_id=table.id)
    rows.update(index=F("index") + table.seat_count)
    for place in table.places:
        rows.filter(name=place.name, avatar=place.avatar).update(index=place.seat, chair=None)
