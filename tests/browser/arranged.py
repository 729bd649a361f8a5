"""What the club of the running server has in it: its tests make it, and lay the cards out that they want played."""

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

MOST_TRIES = 40
WAIT_SECONDS = 0.25


T = TypeVar("T")


class InClub(Protocol):
    """Do something as another process of the running club would do it."""

    def __call__(self, work: Callable[[], T]) -> T: ...


class LayOut(Protocol):
    """The game under way at this table begins anew from this set-up, everybody on their chair of the waiting room.

    Pages show it once they are loaded again.
    """

    def __call__(self, table: str, setup: dict[str, Any]) -> None: ...


def work_at(file: Path, work: Callable[[], T]) -> T:
    """With this file as the database."""
    with ThreadPoolExecutor(1) as aside:  # in this thread runs the event loop of the browser's driver
        return aside.submit(_work_at, file, work).result()


def _work_at(file: Path, work: Callable[[], T]) -> T:
    usual = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(file)
    memo.forget_all()
    try:
        return work()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        memo.forget_all()


def lay_out(table: str, setup: dict[str, Any]) -> None:
    """Again where a bot has just moved, or the game is only about to begin."""
    for _ in range(MOST_TRIES):
        if _begins_anew(table, setup):
            return
    raise AssertionError(f"table {table} was changed whenever the cards were laid out")


def _begins_anew(table_id: str, setup: dict[str, Any]) -> bool:
    memo.forget_all()
    table = store.fetch(table_id)
    if table.status != PLAYING:  # its people's browsers contribute to the deal
        time.sleep(WAIT_SECONDS)
        return False
    start = table.rules.start(Config(table.seat_count, table.options, setup), Chance(bytes(32)))
    state = table.rules.settle(start)
    now = time.time()
    clocks = update_clocks((), table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=now)
    # No bot that was waited for before is asked here, where it may have nothing to answer.
    desk = table.runtime._replace(clocks=clocks, bots=(), bot_due=None)
    by_chair = sorted(table.places, key=lambda place: place.seat if place.chair is None else place.chair)
    places = tuple(place._replace(seat=seat, chair=None) for seat, place in enumerate(by_chair))
    after = table.changed(state=state, runtime=desk, places=places)
    try:
        store.commit(table, schedule_bots(after, now=now), also=partial(_write_seats, after))
    except (store.Conflict, Busy):
        return False
    return True


def _write_seats(table: LoadedTable) -> None:
    """Everybody is back on their chair, whatever the lot has given them: the cards are laid out by chair."""
    rows = models.Seat.objects.filter(table_id=table.id)
    rows.update(index=F("index") + table.seat_count)
    for place in table.places:
        rows.filter(name=place.name, avatar=place.avatar).update(index=place.seat, chair=None)
