"""Screens of a process show changes of which it got no message."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from django.db import OperationalError

from games import models
from games.live import database_threads, staleness_check
from games.live.hub import Hub
from games.notifications import attention
from games.play.seats import sitting
from games.play.storage import store, table_reads
from games.play.storage.table import LoadedTable
from tests.cast import as_other_process, move_seat, start_table
from tests.live.page import Page
from tests.notifications.push_service import PushService

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(transactional_db: None, ana: models.Player) -> LoadedTable:
    """A game between Ana and bots."""
    return start_table(ana, now=time.time())


async def run_pending(hub: Hub) -> None:
    """Until everything that the hub does is done."""
    await asyncio.gather(*hub._tasks)


async def test_a_change_that_nobody_told_of_is_found(table: LoadedTable, ana: models.Player) -> None:
    hub, page = Hub(), Page(table, ana.pk)
    await hub.join(page, table)
    moved = as_other_process(lambda: move_seat(table, now=time.time()))
    assert hub.list_shown_versions() == {table.id: table.version}
    await hub.staleness_check.check()
    await run_pending(hub)
    assert f'data-version="{moved.version}"' in page.frames[-1]
    assert hub.list_shown_versions() == {table.id: moved.version}
    shown = len(page.frames)
    await hub.staleness_check.check()
    await run_pending(hub)
    assert len(page.frames) == shown
    await hub.close()


async def test_it_looks_again_and_again_as_long_as_somebody_is_there(
    table: LoadedTable, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staleness_check, "CHECK_SECONDS", 0.01)
    hub, page = Hub(), Page(table, ana.pk)
    await hub.join(page, table)
    moved = as_other_process(lambda: move_seat(table, now=time.time()))
    last = time.monotonic() + 60
    while page.shown is None or page.shown.screen.version < moved.version:
        assert time.monotonic() < last
        await asyncio.sleep(0.01)
    looking = hub.staleness_check._looking
    assert looking is not None
    await hub.leave(page)
    await asyncio.wait_for(looking, 60)
    await hub.close()


async def test_a_database_that_does_not_answer_is_asked_again(
    table: LoadedTable, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, page = Hub(), Page(table, ana.pk)
    await hub.join(page, table)
    moved = as_other_process(lambda: move_seat(table, now=time.time()))

    def fail(*_names: Any, **_wanted: Any) -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(models.Table.objects, "filter", fail)
        broken.setattr(table_reads, "read_row", fail)
        await hub.staleness_check.check()
        hub.notice(table.id, moved.version)  # told, and yet it cannot be read
        await run_pending(hub)
    assert hub.list_shown_versions() == {table.id: table.version}
    await hub.staleness_check.check()
    await run_pending(hub)
    assert hub.list_shown_versions() == {table.id: moved.version}
    await hub.close()


def test_the_versions_of_many_tables_are_asked_for_in_parts(
    table: LoadedTable, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_PER_QUERY", 1)
    other = start_table(ben, now=time.time())
    assert store.read_versions([table.id, other.id, "nowhere"]) == {
        table.id: table.version,
        other.id: other.version,
    }


async def test_people_who_are_there_are_noted_and_spectators_are_not(table: LoadedTable, ana: models.Player) -> None:
    hub, theirs, ana_page = Hub(), Page(table), Page(table, ana.pk)
    row = models.Table.objects.filter(pk=table.id)
    await hub.join(theirs, table)
    await hub.staleness_check.record_players()
    assert await database_threads.run(row.values_list("seen_at", flat=True).get) is None
    await hub.join(ana_page, table)
    began = time.time()
    await hub.staleness_check.record_players()
    seen = await database_threads.run(row.values_list("seen_at", flat=True).get)
    assert seen is not None
    assert seen >= began
    gone = await database_threads.run(sitting.leave, table.id, ana.pk, now=time.time())
    assert gone.runtime.stand_ins == {0}
    assert hub.list_attended_tables() == []
    await hub.close()


async def test_people_with_a_device_are_noted_at_the_tables_that_they_look_at(
    table: LoadedTable, ana: models.Player
) -> None:
    """They see for themselves that it is their turn."""
    hub, theirs, hers = Hub(), Page(table), Page(table, ana.pk)
    await database_threads.run(PushService().subscribe, ana)
    await hub.join(theirs, table)
    await hub.join(hers, table)
    assert hub.list_present_players() == {ana.pk: [table.id]}
    await hub.staleness_check.record_players()
    now = time.time()
    assert await database_threads.run(attention.find_open_pages, [table.id], now=now) == {(ana.pk, table.id)}
    await hub.leave(hers)
    assert hub.list_present_players() == {}
    await hub.close()
