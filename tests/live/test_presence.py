"""Presence with hundreds of browsers that connect at once: how often it is sent, and that moves are served first."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from games import models
from games.accounts.middleware import SessionReader, find_readers
from games.accounts.session import PLAYER
from games.live import database_threads, socket_admission
from games.live.hub import Hub
from games.play.storage import table_reads
from games.play.storage.table import LoadedTable
from tests.cast import browser, move_seat, start_table
from tests.live.page import Page
from tests.live.windows import SECONDS, connect

pytestmark = pytest.mark.django_db(transaction=True)

SPECTATORS = 300


@pytest.fixture
def table(transactional_db: None, ana: models.Player) -> LoadedTable:
    """A game between Ana and bots."""
    return start_table(ana, now=time.time())


class Timed(Page):
    """A browser that notes in which second it is told who is here."""

    def __init__(self, table: LoadedTable, player_id: int | None = None) -> None:
        super().__init__(table, player_id)
        self.began = time.monotonic()
        self.seconds: Counter[int] = Counter()

    async def deliver(self, frame: str) -> None:
        await super().deliver(frame)
        if frame.startswith("{"):
            assert json.loads(frame)["type"] == "presence"
            self.seconds[int(time.monotonic() - self.began)] += 1


async def until_told(page: Page, presence: tuple[list[int], int]) -> None:
    """Until this browser has been told that these are here."""
    last = time.monotonic() + 30
    while page.presence != presence:
        assert time.monotonic() < last, page.presence
        await asyncio.sleep(0.01)


async def test_hundreds_who_come_and_go_are_told_of_twice_a_second_at_most(
    table: LoadedTable, ana: models.Player
) -> None:
    hub, ana_page = Hub(), Timed(table, ana.pk)
    pages = [Timed(table) for _ in range(SPECTATORS)]
    await hub.join(ana_page, table)
    for number, page in enumerate(pages):
        await hub.join(page, table)
        if number % 100 == 0:
            await asyncio.sleep(0.3)
    await until_told(ana_page, ([0], SPECTATORS))
    for page in pages[:200]:
        await hub.leave(page)
    await until_told(ana_page, ([0], SPECTATORS - 200))
    await until_told(pages[-1], ([0], SPECTATORS - 200))
    assert max(max(page.seconds.values()) for page in (ana_page, *pages)) <= 2
    assert sum(page.seconds.total() for page in pages) <= 5 * SPECTATORS
    await hub.close()


async def test_two_people_who_meet_are_told_at_once(table: LoadedTable, ana: models.Player) -> None:
    hub, ana_page, theirs = Hub(), Page(table, ana.pk), Page(table)
    await hub.join(ana_page, table)
    await asyncio.sleep(1.1)  # what was told of this person's coming is long past
    began = time.monotonic()
    await hub.join(theirs, table)
    await until_told(ana_page, ([0], 1))
    assert time.monotonic() - began < 0.9
    await hub.close()


async def test_nobody_is_told_twice_what_is_the_same(table: LoadedTable, ana: models.Player) -> None:
    hub, ana_page, again = Hub(), Page(table, ana.pk), Page(table, ana.pk)
    await hub.join(ana_page, table)
    await hub.join(again, table)
    await asyncio.sleep(1.2)
    assert [len([frame for frame in page.frames if frame.startswith("{")]) for page in (ana_page, again)] == [1, 1]
    await hub.close()


async def test_players_are_shown_a_move_before_spectators_and_others_get_a_turn(
    table: LoadedTable, ana: models.Player
) -> None:
    hub, ana_page = Hub(), Timed(table, ana.pk)
    pages = [Timed(table) for _ in range(150)]
    for page in (*pages, ana_page):  # Ana comes last
        await hub.join(page, table)
    moved = move_seat(table, now=time.time())
    hub.notice(table.id, moved.version)

    def behind() -> list[Timed]:
        return [page for page in (ana_page, *pages) if f'data-version="{moved.version}"' not in page.frames[-1]]

    seen: list[tuple[bool, int]] = []
    while not seen or seen[-1][1]:
        await asyncio.sleep(0)
        seen.append((ana_page not in behind(), len(behind())))
    assert all(is_shown for is_shown, left in seen if left < len(pages))  # as soon as anybody is
    assert len({left for _, left in seen if 0 < left <= len(pages)}) > 1  # the loop did something else in between
    await hub.close()


async def test_the_first_board_of_all_spectators_is_drawn_once(
    table: LoadedTable, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, first = Hub(), Page(table)
    await hub.join(first, table)
    assert first.shown is not None
    presenter, drawn = first.shown.presenter, []
    render = presenter.board

    def count(screen: Any, view: Any, seat: int | None, page: Any) -> str:
        drawn.append(seat)
        return render(screen, view, seat, page)

    monkeypatch.setattr(presenter, "board", count)
    pages = [Page(table) for _ in range(5)]
    for page in pages:
        await hub.join(page, table)
    assert drawn == []
    ana_page = Page(table, ana.pk)
    await hub.join(ana_page, table)
    assert drawn == [0]
    moment = re.compile(r'(?<=\sdata-now=")\d+')
    assert {moment.sub("", page.frames[0]) for page in pages} == {moment.sub("", first.frames[0])}
    assert all(len(set(moment.findall(page.frames[0]))) == 1 for page in pages)  # of the moment at which each came
    await hub.close()


async def test_a_change_goes_before_looks_that_wait(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_threads, "_THREADS", {connection.vendor: (1, 0)})
    database_threads.close()
    gate, done = threading.Event(), list[str]()
    busy = asyncio.create_task(database_threads.run(gate.wait, 30))
    looks = [asyncio.create_task(database_threads.run(done.append, "look")) for _ in range(20)]
    await asyncio.sleep(0.05)
    change = asyncio.create_task(database_threads.run_change(done.append, "change"))
    await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(busy, change, *looks)
    assert done == ["change", *["look"] * 20]
    database_threads.close()


async def test_sessions_of_all_who_come_at_once_are_read_together(
    transactional_db: None, ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def count(keys: Sequence[str]) -> dict[str, SessionReader]:
        asked.append(len(keys))
        return find_readers(keys)

    monkeypatch.setattr(socket_admission, "find_readers", count)
    people = [ana, ben] * 20
    sessions = [SessionStore(browser(one).session.session_key) for one in people]
    found = await asyncio.gather(*map(socket_admission.get_admission().identify, [*sessions, SessionStore("x" * 32)]))
    assert found == [*people, None]
    assert sum(asked) == 41
    assert len(asked) <= 2
    assert [session[PLAYER] for session in sessions] == [one.pk for one in people]


async def test_the_table_is_looked_at_once_for_each_who_comes_to_watch(
    table: LoadedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    read_version = table_reads.read_version

    def count(table_id: str) -> int | None:
        asked.append(table_id)
        return read_version(table_id)

    monkeypatch.setattr(table_reads, "read_version", count)
    wires = [connect(table.id) for _ in range(20)]
    await asyncio.gather(*[wire.connect(SECONDS) for wire in wires])
    assert len(asked) == 20
    await asyncio.gather(*[wire.disconnect(timeout=SECONDS) for wire in wires])


async def test_a_move_does_not_wait_for_all_who_come(
    transactional_db: None, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table(ana, now=time.time())
    under_way: list[int] = []
    run = database_threads.run

    async def count(work: Any, *args: Any, **kwargs: Any) -> Any:
        under_way.append(1)
        try:
            return await run(work, *args, **kwargs)
        finally:
            most.append(sum(under_way))
            under_way.pop()

    most: list[int] = []
    monkeypatch.setattr(database_threads, "run", count)
    wires = [connect(table.id) for _ in range(60)]
    await asyncio.gather(*[wire.connect(SECONDS) for wire in wires])
    assert max(most) <= 12  # what is read for all together comes besides
    await asyncio.gather(*[wire.disconnect(timeout=SECONDS) for wire in wires])
