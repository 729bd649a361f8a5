"""One socket: who is let in, how many, and what it shows of other times."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.live import messages, session_sockets
from games.live.tables.consumer import TableConsumer
from games.play.seats import sitting
from games.play.storage import store
from tests.cast import (
    as_other_process,
    browser,
    finish,
    legal,
    move_seat,
    open_table,
    person,
    start_table,
    wait_for,
)
from tests.live.windows import SECONDS, Window, connect, game_of, window

pytestmark = pytest.mark.django_db(transaction=True)


# --- coming in ---


async def test_on_connect_the_present_state_in_full(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        first = await mine.fragment()
    assert (first.ply, first.version, first.is_full) == (table.ply, table.version, True)
    assert 'id="board"' in first.html
    assert abs(first.now / 1000 - time.time()) < 10


async def test_then_who_is_here(transactional_db: None, ana: models.Player) -> None:
    async with window(game_of(ana), browser(ana)) as mine:
        assert await mine.message("presence") == {"type": "presence", "seats": [0], "watchers": 0}


@pytest.mark.parametrize("language", ["de", "pl"])
async def test_frames_are_in_the_readers_language(transactional_db: None, ana: models.Player, language: str) -> None:
    table = game_of(ana)
    async with window(table) as english, window(table, language=language) as other:
        assert (await english.fragment()).html != (await other.fragment()).html


async def test_the_language_chosen_on_the_page_wins(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    client = browser(ana)
    client.cookies["django_language"] = "de"
    german = browser(ana)
    async with window(table, client) as chosen, window(table, german, language="de") as preferred:
        one, two = await chosen.fragment(), await preferred.fragment()
    assert one.html[one.html.index(">") :].replace(str(one.now), "") == two.html[two.html.index(">") :].replace(
        str(two.now), ""
    )


@pytest.mark.parametrize(
    ("query", "spoken"),
    [
        ("?language=pl", "pl"),
        ("?language=xx", "de"),
        ("?language=", "de"),
        ("?language=xx&language=pl", "pl"),
        ("?%ff=&", "de"),
    ],
)
async def test_the_language_of_the_page_wins_over_all_others(
    transactional_db: None, ana: models.Player, query: str, spoken: str
) -> None:
    """A browser may send its page and its sockets different ones."""
    client = browser(ana)
    client.cookies["django_language"] = "de"
    async with window(game_of(ana), client, language="en", query=query) as mine:
        board = (await mine.fragment()).html
    words = {"de": "Deine Hand", "pl": "Twoje karty"}
    assert [code for code, said in words.items() if said in board] == [spoken]


@pytest.mark.parametrize("language", ["", "xx", "*", "d" * 5000, ",,;q=", "de;q=nan"])
async def test_strange_languages_are_english(transactional_db: None, ana: models.Player, language: str) -> None:
    async with window(game_of(ana), language=language) as mine:
        assert (await mine.fragment()).is_full


async def test_who_signs_out_in_another_window_plays_here_no_more(
    transactional_db: None, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_sockets, "CHECK_SECONDS", 0.01)
    client = browser(ana)
    async with window(game_of(ana), client) as mine:
        assert (await mine.fragment()).is_full
        client.logout()
        assert await mine.closing() == 4403


async def test_signing_out_closes_every_window_of_that_browser_at_once(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    for player in (ana, ben):
        player.user = models.User.objects.create_user(player.name)
        player.save()
    table, ana_browser, ben_browser = game_of(ana, ben), browser(ana), browser(ben)
    async with (
        window(table, ana_browser) as one,
        window(table, ana_browser) as two,
        window(table, ben_browser) as other,
    ):
        for each in (one, two, other):
            assert (await each.fragment()).is_full
        answer = await asyncio.to_thread(ana_browser.post, reverse("account_logout"))
        assert answer.status_code == 302
        for each in (one, two):
            assert await asyncio.wait_for(each.closing(), session_sockets.CHECK_SECONDS / 2) == 4403
        await other.say(type="ping", version=table.version)
        assert (await other.message("pong"))["version"] == table.version


async def test_a_table_that_is_not_there(transactional_db: None) -> None:
    wire = connect("nowhere")
    assert (await wire.connect(SECONDS))[0]
    assert await Window(wire).closing() == 4404


async def test_an_address_that_is_no_table(transactional_db: None) -> None:
    wire = connect("no/such")
    assert (await wire.connect(SECONDS))[0]
    assert await Window(wire).closing() == 4404


async def test_a_table_by_invitation_shows_itself_to_its_people(
    transactional_db: None, ana: models.Player, eva: models.Player
) -> None:
    table = game_of(ana, is_public=False)
    for client in (None, browser(eva)):
        wire = connect(table.id, client)
        assert (await wire.connect(SECONDS))[0]
        assert await Window(wire).closing() == 4403
    for client in (browser(ana), browser(eva, invited=table), browser(invited=table)):
        async with window(table, client) as let_in:
            assert (await let_in.fragment()).is_full


@pytest.mark.parametrize("origin", [None, "http://evil.example", "https://localhost.evil.example", "null", "garbage"])
async def test_other_sites_do_not_come_in(transactional_db: None, ana: models.Player, origin: str | None) -> None:
    wire = connect(game_of(ana).id, browser(ana), origin=origin)
    assert not (await wire.connect(SECONDS))[0]


async def test_a_forged_session_is_a_stranger(transactional_db: None, ana: models.Player) -> None:
    client = Client()
    client.cookies["sessionid"] = "f" * 32
    async with window(game_of(ana), client) as theirs:
        assert (await theirs.message("presence"))["seats"] == []


async def test_a_player_who_was_away_is_back_by_connecting(transactional_db: None, ana: models.Player) -> None:
    table = sitting.leave(game_of(ana).id, ana.pk, now=time.time())
    async with window(table, browser(ana)) as mine:
        assert (await mine.fragment()).version == table.version + 1
    assert store.reload(table.id).runtime.stand_ins == frozenset()


# --- other times ---


async def test_a_waiting_table_and_a_finished_one_can_be_watched(transactional_db: None, ana: models.Player) -> None:
    for table in (open_table(ana), finish(start_table(ana, options={"deals": 1}))):
        async with window(table) as theirs:
            assert (await theirs.fragment()).version == table.version


async def test_what_happened_in_another_process_shows_at_the_next_refused_move(
    transactional_db: None, ana: models.Player
) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        await mine.fragment()
        as_other_process(lambda: move_seat(table, now=time.time()))
        assert (await mine.move(legal(table, 0)[1], ply=table.ply, key="late"))["status"] == 409
        assert (await mine.fragment_of(table.version + 1)).ply == table.ply + 1


async def test_a_person_in_two_windows_sees_the_same(transactional_db: None, ana: models.Player) -> None:
    now = time.time()
    table = wait_for(start_table(ana, person("Dora"), now=now), ana, now=now)
    async with window(table, browser(ana)) as one, window(table, browser(ana)) as two:
        first, second = await one.fragment(), await two.fragment()
        assert first.html.replace(str(first.now), "") == second.html.replace(str(second.now), "")
        await one.move(legal(table, 0)[0], ply=table.ply)
        assert (await two.fragment_of(table.version + 1)).ply == table.ply + 1


# --- too many at once ---


async def test_a_person_has_only_so_many_open_sockets(
    transactional_db: None, ana: models.Player, ben: models.Player, settings: Any
) -> None:
    settings.SOCKETS_PER_PLAYER = 1
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as first:
        await first.fragment()
        async with window(table, browser(ana)) as second:
            assert await second.closing() == 4430
        async with window(table, browser(ben)) as other:
            assert (await other.fragment()).is_full
    async with window(table, browser(ana)) as again:
        assert (await again.fragment()).is_full


async def test_a_network_has_only_so_many_open_sockets(
    transactional_db: None, ana: models.Player, ben: models.Player, settings: Any
) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as first:
        await first.fragment()
        async with window(table, browser(ben)) as second:
            assert await second.closing() == 4429
    async with window(table, browser(ben)) as again:
        assert (await again.fragment()).is_full


def test_a_move_that_had_to_wait_for_the_database_takes_nothing_of_the_next_turn(ana: models.Player) -> None:
    table = wait_for(start_table(ana, now=time.time(), turn_seconds=30), ana, now=time.time())
    consumer = TableConsumer()
    consumer.table_id, consumer.player_id = table.id, ana.pk
    began = time.time()
    after = consumer._move(messages.Move(table.ply, "k", legal(table, 0)[0]), began - 20)
    assert after.ply == table.ply + 1
    assert all(clock.due >= began + 30 for clock in after.runtime.clocks)
