"""A worker of an evening is killed between any two SQL statements; in the end its work is done once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from games.models import Player, Ply, Table
from games.play.errors import Refusal
from games.play.storage import store
from tests.cast import NOW, start_table
from tests.tournaments import killing
from tests.tournaments.flow.evenings.test_sessions import MINUTE, add, begin, evening
from tournaments.flow.evenings import sessions
from tournaments.flow.rounds import sweeper
from tournaments.flow.undo import evening_undo
from tournaments.models import SessionTable, Step, TimedSession

__all__ = ["evening"]


def read_side_effects() -> dict[str, Any]:
    """What can have happened twice, or by halves."""
    bell = {"clock": "time-up"}
    tables = [store.reload(pk) for pk in Table.objects.order_by("created_at", "pk").values_list("pk", flat=True)]
    return {
        "evening": list(TimedSession.objects.values_list("starts_at", "ends_at", "has_rung", "paused_at")),
        "is_over": [at is not None for at in TimedSession.objects.values_list("ended_at", flat=True)],
        "steps": list(Step.objects.order_by("number").values_list("kind", "details")),
        "numbers": list(SessionTable.objects.order_by("number").values_list("number", flat=True)),
        "tables": sorted((one.status, one.runtime.paused_at is not None, one.host_id) for one in tables),
        "clocks": sorted(clock.due for one in tables for clock in one.runtime.clocks if clock.event == bell),
        "bells": Ply.objects.filter(event__contains="time-up").count(),
    }


def act_while_killed(act: Callable[[], object], *, now: float) -> None:
    """Act, and be killed; what is refused is pressed in vain."""

    def press() -> None:
        with suppress(Refusal):
            act()

    def sweep() -> dict[str, Any]:
        sweeper.sweep(now=now + 1)
        return read_side_effects()

    killing.act_while_killed(press, sweep, before=sweep)


@pytest.fixture
def tables(evening: TimedSession, ana: Player, ben: Player) -> tuple[str, str]:
    """One under way, of Ana and bots, and one that waits for Ben."""
    playing, waiting = add(evening, ana, ana), add(evening, ana, ben)
    begin(playing, ana)
    return playing, waiting


def test_a_table(evening: TimedSession, ana: Player) -> None:
    act_while_killed(lambda: sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW), now=NOW)


def test_a_table_brought_along(evening: TimedSession, ben: Player) -> None:
    table = start_table(ben, game="animal-poker", options={"minutes": 60})
    act_while_killed(lambda: sessions.bring_table(evening, ben, table.id, version=0, now=NOW), now=NOW)


def test_closing_a_table(evening: TimedSession, tables: tuple[str, str], ana: Player) -> None:
    act_while_killed(lambda: sessions.close_table(evening, ana, 2, now=NOW), now=NOW)


def test_an_extension(evening: TimedSession, tables: tuple[str, str], ana: Player) -> None:
    act_while_killed(lambda: sessions.extend(evening, ana, 15, version=2, now=NOW), now=NOW)


def test_a_pause_and_its_end(evening: TimedSession, tables: tuple[str, str], ana: Player) -> None:
    act_while_killed(lambda: sessions.pause(evening, ana, now=NOW), now=NOW)
    sessions.pause(evening, ana, now=NOW)
    act_while_killed(lambda: sessions.resume(evening, ana, now=NOW + 60), now=NOW + 60)


def test_an_early_end(evening: TimedSession, tables: tuple[str, str], ana: Player) -> None:
    act_while_killed(lambda: sessions.end(evening, ana, now=NOW), now=NOW)


def test_an_early_end_taken_back(evening: TimedSession, ana: Player) -> None:
    add(evening, ana, ana)
    sessions.end(evening, ana, now=NOW)
    act_while_killed(lambda: evening_undo.revert(evening, ana, 2, now=NOW), now=NOW)


def test_the_bell(evening: TimedSession, tables: tuple[str, str]) -> None:
    act_while_killed(lambda: sweeper.sweep(now=NOW + 30 * MINUTE), now=NOW + 10)
