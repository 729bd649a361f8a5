"""When a table stands still, and when it waits for somebody it may wait for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from chaos.reading import Waiting
from chaos.tables import GameTimes
from chaos.watch import Watch

START = 1000.0
WALL = 1_800_000_000.0


@pytest.fixture
def watch() -> Watch:
    """Of a table at which seat 2 has gone; its parts have been there since START."""
    book = GameTimes(games={"t": "animal-poker"}, absent={"t": frozenset({2})})
    found = Watch(cast(Any, SimpleNamespace()), book)
    found._back_at = START
    return found


def observe(watch: Watch, after: float, **what: Any) -> None:
    """What the database says so many seconds after START."""
    waiting: dict[str, Any] = {"ply": 7, "wake_at": None, "seats": frozenset({0}), "has_bots": False}
    watch.judge([Waiting("t", **waiting | what)], now=START + after, wall=WALL + after)


def test_a_table_that_goes_on_is_fine(watch: Watch) -> None:
    for second in range(20):
        observe(watch, second, ply=second)
    assert (watch.findings.faults, watch.findings.stuck) == ({}, 0.0)


def test_a_table_that_stands_still_for_more_than_five_seconds(watch: Watch) -> None:
    observe(watch, 0)
    observe(watch, 4.9)
    assert watch.findings.faults == {}
    observe(watch, 5.1)
    assert list(watch.findings.faults) == ["t"]
    assert watch.findings.stuck == pytest.approx(5.1)


def test_a_table_may_wait_for_the_time_of_who_has_gone(watch: Watch) -> None:
    for second in (0, 6, 12, 16.9):
        observe(watch, second, seats=frozenset({2}), wake_at=WALL + 12)
    assert watch.findings.faults == {}
    observe(watch, 17.1, seats=frozenset({2}), wake_at=WALL + 12)
    assert list(watch.findings.faults) == ["t"]


def test_a_window_in_which_one_may_react_is_no_standing_still(watch: Watch) -> None:
    observe(watch, 0, may_rest=True, wake_at=WALL + 8)
    observe(watch, 8, may_rest=True, wake_at=WALL + 8)
    assert watch.findings.faults == {}


def test_bots_are_waited_for_by_nobody(watch: Watch) -> None:
    observe(watch, 0, seats=frozenset({2}), has_bots=True, wake_at=WALL + 60)
    observe(watch, 6, seats=frozenset({2}), has_bots=True, wake_at=WALL + 60)
    assert list(watch.findings.faults) == ["t"]


async def test_while_parts_are_missing_nothing_is_counted_and_then_from_their_return(watch: Watch) -> None:
    observe(watch, 0)
    async with watch.during("web killed"):
        observe(watch, 60)
    assert watch.findings.faults == {}
    watch._back_at = START + 60
    observe(watch, 64.9)
    assert (watch.findings.faults, list(watch.findings.after)) == ({}, ["nothing", "web killed"])
    observe(watch, 65.1)
    assert "after web killed" in watch.findings.faults["t"]
