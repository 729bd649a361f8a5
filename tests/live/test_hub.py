"""The sockets of several processes: each hub is one process, Redis is what they say to each other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games import memo, models
from games.live import channel_layer, process_channel
from games.live.hub import Hub
from games.live.process_channel import RENEW_SECONDS, SESSIONS, ProcessPresence, name_group
from games.live.session_sockets import get_session_sockets
from games.play.storage.table import LoadedTable
from tests import programs
from tests.cast import as_other_process, move_seat, start_table
from tests.live.page import Page

pytestmark = pytest.mark.django_db(transaction=True)


async def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for what the other process brings about."""
    last = time.monotonic() + 60
    while not holds() and time.monotonic() < last:
        await asyncio.sleep(0.01)
    assert holds()


@pytest.fixture
def two_seats(transactional_db: None, ana: models.Player, ben: models.Player) -> LoadedTable:
    """A game between Ana, Ben and bots."""
    return start_table(ana, ben, now=time.time())


@pytest.fixture
async def hubs(settings: Any, redis: str) -> AsyncIterator[tuple[Hub, Hub]]:
    """Two processes of one installation."""
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [redis]}}
    }
    one, other = Hub(), Hub()
    yield one, other
    for hub in (one, other):
        await hub.close()
    layer: Any = get_channel_layer()
    await layer.flush()


@pytest.mark.redis
async def test_presence_is_of_all_processes(
    hubs: tuple[Hub, Hub], two_seats: LoadedTable, ana: models.Player, ben: models.Player
) -> None:
    one, other = hubs
    ana_page, ben_page, theirs = Page(two_seats, ana.pk), Page(two_seats, ben.pk), Page(two_seats)
    await one.join(ana_page, two_seats)
    await other.join(ben_page, two_seats)
    await other.join(theirs, two_seats)
    await wait_until(lambda: ana_page.presence == ([0, 1], 1) and ben_page.presence == ([0, 1], 1))
    await other.leave(ben_page)
    await wait_until(lambda: ana_page.presence == ([0], 1) and theirs.presence == ([0], 1))
    await other.leave(theirs)
    await one.leave(ana_page)
    for others in (one.other_processes, other.other_processes):
        await wait_until(
            lambda others=others: (  # type: ignore[misc]
                (others.subscribed, others.announced, others.presences) == (set(), {}, {})
            )
        )
    assert (one._sockets_by_table, other._sockets_by_table) == ({}, {})


async def join_apart(
    hubs: tuple[Hub, Hub], table: LoadedTable, ana: models.Player, ben: models.Player
) -> tuple[Page, Page]:
    """Each of two is at the table through a process of their own, and the first knows of the second."""
    ana_page, ben_page = Page(table, ana.pk), Page(table, ben.pk)
    await hubs[0].join(ana_page, table)
    await hubs[1].join(ben_page, table)
    await wait_until(lambda: ana_page.presence == ([0, 1], 0))
    return ana_page, ben_page


@pytest.mark.redis
async def test_who_leaves_with_a_process_that_ends_is_gone_for_the_others(
    hubs: tuple[Hub, Hub],
    two_seats: LoadedTable,
    ana: models.Player,
    ben: models.Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process_channel, "FLUSH_SECONDS", 60.0)  # however slowly this machine says them
    _one, other = hubs
    ana_page, ben_page = await join_apart(hubs, two_seats, ana, ben)
    for number in range(200):  # so many other tables are left at the same moment
        other.other_processes.announce(f"table {number}")
    await other.leave(ben_page)
    await other.close()
    await wait_until(lambda: ana_page.presence == ([0], 0))


@pytest.mark.redis
async def test_a_change_in_one_process_shows_in_the_other(
    hubs: tuple[Hub, Hub], two_seats: LoadedTable, ana: models.Player
) -> None:
    page = Page(two_seats, ana.pk)
    await hubs[0].join(page, two_seats)
    await wait_until(lambda: two_seats.id in hubs[0].other_processes.subscribed)
    moved = as_other_process(lambda: move_seat(two_seats, now=time.time()))
    layer: Any = get_channel_layer()
    await layer.group_send(
        name_group(two_seats.id), {"type": "changed", "table": two_seats.id, "version": moved.version}
    )
    await wait_until(lambda: any(f'data-version="{moved.version}"' in frame for frame in page.frames))


@pytest.mark.redis
async def test_who_signs_out_at_another_process_is_sent_away_here(
    hubs: tuple[Hub, Hub], two_seats: LoadedTable, ana: models.Player
) -> None:
    here, elsewhere = Page(two_seats, ana.pk, "this session"), Page(two_seats, ana.pk, "the phone's")
    for page in (here, elsewhere):
        get_session_sockets().add(page)
        await hubs[0].join(page, two_seats)
    await wait_until(lambda: two_seats.id in hubs[0].other_processes.subscribed)
    layer: Any = get_channel_layer()
    await layer.group_send(SESSIONS, {"type": "signed_out", "session": "this session"})
    await wait_until(lambda: here.frames[-1] == "dismissed")
    assert "dismissed" not in elsewhere.frames
    for page in (here, elsewhere):
        get_session_sockets().remove(page)


@pytest.mark.redis
async def test_a_word_that_has_run_out_is_renewed(
    hubs: tuple[Hub, Hub], two_seats: LoadedTable, ana: models.Player, ben: models.Player
) -> None:
    one, other = hubs
    await join_apart(hubs, two_seats, ana, ben)
    one.other_processes.presences[two_seats.id] = {
        other.other_processes.name: ProcessPresence(frozenset({1}), 0, time.monotonic() - 1000)
    }
    assert one.find_presence(two_seats.id).seats == (0,)
    other.other_processes.announced[two_seats.id] = ProcessPresence(
        frozenset({1}), 0, time.monotonic() - RENEW_SECONDS - 1
    )
    other.other_processes.renew(two_seats.id)
    await wait_until(lambda: one.find_presence(two_seats.id).seats == (0, 1))


async def test_without_redis_the_sockets_of_one_process_are_served(
    settings: Any, two_seats: LoadedTable, ana: models.Player
) -> None:
    nowhere = f"redis://127.0.0.1:{programs.free_port()}"
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [nowhere]}}
    }
    hub, page = Hub(), Page(two_seats, ana.pk)
    await hub.join(page, two_seats)
    assert page.frames[0].startswith("<")
    assert page.presence == ([0], 0)
    moved = move_seat(two_seats, now=time.time())
    hub.notice(two_seats.id, moved.version)
    await wait_until(lambda: f'data-version="{moved.version}"' in page.frames[-1])
    await hub.leave(page)
    assert (hub.sockets(), hub._sockets_by_table) == (0, {})
    await hub.close()


class Hanging:
    """A channel layer whose Redis takes every word and says nothing."""

    def __init__(self) -> None:
        self.asked = 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[None]]:
        return self._wait

    async def _wait(self, *_args: object) -> None:
        self.asked += 1
        await asyncio.Event().wait()


async def test_nobody_waits_for_a_redis_that_hangs(
    two_seats: LoadedTable, ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer = Hanging()
    for place in (process_channel, channel_layer):
        monkeypatch.setattr(place, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(channel_layer, "ANSWER_SECONDS", 0.05)
    hub, pages = Hub(), [Page(two_seats, ana.pk), Page(two_seats, ben.pk)]
    for page in pages:
        await asyncio.wait_for(hub.join(page, two_seats), 10)
        assert page.frames[0].startswith("<")
    await wait_until(lambda: not hub._tasks)
    for page in pages:
        hub.other_processes.announced.clear()
        hub.other_processes.renew(page.table_id)
        await asyncio.wait_for(hub.leave(page), 10)
    await wait_until(lambda: not hub._tasks)
    assert 1 <= layer.asked <= 2  # those who came while the first was still waiting; nobody after that
    await hub.close()


async def test_whatever_has_changed_before_the_loop_looks_is_shown(
    two_seats: LoadedTable, ana: models.Player, ben: models.Player
) -> None:
    other = start_table(ben, now=time.time())
    hub, ana_page, ben_page = Hub(), Page(two_seats, ana.pk), Page(other, ben.pk)
    await hub.join(ana_page, two_seats)
    await hub.join(ben_page, other)
    moved = [move_seat(table, now=time.time()) for table in (two_seats, other)]
    for table in moved:
        hub.notify(table.id, table.version)
    await wait_until(lambda: f'data-version="{moved[0].version}"' in ana_page.frames[-1])
    await wait_until(lambda: f'data-version="{moved[1].version}"' in ben_page.frames[-1])
    await hub.close()


async def test_an_older_version_is_not_shown_again(two_seats: LoadedTable, ana: models.Player) -> None:
    hub, page = Hub(), Page(two_seats, ana.pk)
    await hub.join(page, two_seats)
    shown = len(page.frames)
    await hub.show(page, two_seats)
    assert len(page.frames) == shown
    await hub.show(page, two_seats, whole=True)
    assert 'data-full="1"' in page.frames[-1]
    await hub.leave(page)


async def test_a_table_that_is_gone_is_no_trouble(two_seats: LoadedTable, ana: models.Player) -> None:
    hub, page = Hub(), Page(two_seats, ana.pk)
    await hub.join(page, two_seats)
    shown = len(page.frames)
    models.Table.objects.all().delete()
    memo.forget_all()
    hub.notice(two_seats.id, two_seats.version + 1)
    await asyncio.gather(*hub._tasks)
    assert len(page.frames) == shown
    await hub.leave(page)


async def test_who_comes_when_the_last_have_left_is_shown_what_happens(
    two_seats: LoadedTable, ana: models.Player, ben: models.Player
) -> None:
    hub, ana_page, ben_page, late = Hub(), Page(two_seats, ana.pk), Page(two_seats, ben.pk), Page(two_seats)
    await hub.join(ana_page, two_seats)
    await hub.join(ben_page, two_seats)
    await hub.leave(ana_page)
    await hub.leave(ben_page)
    assert hub._sockets_by_table == {}
    await hub.join(late, two_seats)
    moved = move_seat(two_seats, now=time.time())
    hub.notify(two_seats.id, moved.version)
    await wait_until(lambda: f'data-version="{moved.version}"' in late.frames[-1])
    await hub.close()


class Broken(Page):
    """A browser for which nothing can be drawn."""

    def may_watch(self, table: LoadedTable) -> bool:
        if self.shown is not None:
            raise RuntimeError("no")
        return True


async def test_what_is_wrong_with_one_table_keeps_no_other_waiting(
    two_seats: LoadedTable, ana: models.Player, ben: models.Player
) -> None:
    other = start_table(ben, now=time.time())
    hub, ana_page, ben_page = Hub(), Broken(two_seats, ana.pk), Page(other, ben.pk)
    await hub.join(ana_page, two_seats)
    await hub.join(ben_page, other)
    moved = [move_seat(table, now=time.time()) for table in (two_seats, other)]
    for table in moved:
        hub.notify(table.id, table.version)
    await wait_until(lambda: f'data-version="{moved[1].version}"' in ben_page.frames[-1])
    await hub.close()
