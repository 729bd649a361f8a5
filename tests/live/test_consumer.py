"""One socket: who is let in, what it shows, what it answers."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from games import models
from games.live.messages import MAX_FRAME
from games.play import seats, store, talk, trips
from games.play.table import Loaded
from tests.cast import (
    as_other_process,
    browser,
    finish,
    legal,
    move_seat,
    open_table,
    person,
    start_table,
    version_of,
    wait_for,
    wait_for_choice,
)
from tests.live.windows import SECONDS, Window, connect, window

pytestmark = pytest.mark.django_db(transaction=True)


def game_of(ana: models.Player, *others: models.Player, **wishes: Any) -> Loaded:
    """A running game in which it is Ana's turn."""
    now = time.time()
    return wait_for_choice(start_table(ana, *others, now=now, **wishes), ana, now=now)


# --- coming in -------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("language", ["", "xx", "*", "d" * 5000, ",,;q=", "de;q=nan"])
async def test_strange_languages_are_english(transactional_db: None, ana: models.Player, language: str) -> None:
    async with window(game_of(ana), language=language) as mine:
        assert (await mine.fragment()).is_full


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
    table = seats.leave(game_of(ana).id, ana.pk, now=time.time())
    async with window(table, browser(ana)) as mine:
        assert (await mine.fragment()).version == table.version + 1
    assert store.reload(table.id).desk.stand_ins == frozenset()


# --- moves -----------------------------------------------------------------------------------------


async def test_a_move_is_answered(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        answer = await mine.move(legal(table, 0)[0], ply=table.ply, key="k1")
    assert answer == {"type": "answer", "key": "k1", "status": 200, "ply": table.ply + 1, "sentence": ""}
    assert store.reload(table.id).ply == table.ply + 1


async def test_a_move_sent_twice_is_one_move(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        first = await mine.move(legal(table, 0)[0], ply=table.ply, key="same")
        second = await mine.move(legal(table, 0)[0], ply=table.ply, key="same")
    assert (first["status"], second["status"]) == (200, 200)
    assert store.reload(table.id).ply == table.ply + 1


async def test_a_stale_move_is_answered_with_the_present(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        await mine.fragment()
        answer = await mine.move(legal(table, 0)[0], ply=table.ply - 1)
        assert (answer["status"], answer["ply"]) == (409, table.ply)
        assert "Look again" in answer["sentence"]
        shown = await mine.fragment()
    assert (shown.is_full, shown.ply) == (True, table.ply)


async def test_an_illegal_move_is_answered_with_a_sentence(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        answer = await mine.move({"play": ["99"]}, ply=table.ply)
    assert (answer["status"], answer["sentence"]) == (422, "“99” is no card of this game.")
    assert version_of(table.id) == table.version


async def test_sentences_are_in_the_readers_language(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, language="de") as theirs:
        answer = await theirs.move({"pass": True}, ply=table.ply)
    with translation.override("de"):
        sentence = gettext("You have no seat at this table. You can watch, or open a table of your own.")
    assert (answer["status"], answer["sentence"]) == (403, sentence)


async def test_a_watcher_cannot_move(transactional_db: None, ana: models.Player, eva: models.Player) -> None:
    table = game_of(ana)
    for client in (browser(eva), None):
        async with window(table, client) as theirs:
            answer = await theirs.move(legal(table, 0)[0], ply=table.ply)
            assert answer["status"] == 403
            assert "no seat" in answer["sentence"]
    assert version_of(table.id) == table.version


async def test_a_bad_key_is_answered(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        answer = await mine.move(legal(table, 0)[0], ply=table.ply, key="k" * 100)
    assert (answer["status"], answer["key"]) == (400, "k" * 100)


async def test_too_fast_is_answered(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        statuses = {(await mine.move({"play": ["99"]}, ply=table.ply))["status"] for _ in range(38)}
    assert statuses == {422, 429}


async def test_a_flood_closes(transactional_db: None, ana: models.Player) -> None:
    async with window(game_of(ana)) as theirs:
        for _ in range(200):
            await theirs.say(type="ping", version=5)
        assert await theirs.closing() == 1008


# --- commands and heartbeat --------------------------------------------------------------------------


async def test_a_standing_pass_is_ordered_and_taken_back(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ben)) as his:
        await his.say(type="command", name="auto_pass", on=True)
        assert (await his.message("answer"))["status"] == 200
        assert store.reload(table.id).desk.standing_passes == {1}
        await his.say(type="command", name="auto_pass", on=False)
        assert (await his.message("answer"))["key"] == "auto_pass"
    assert store.reload(table.id).desk.standing_passes == frozenset()


async def test_here_gives_the_chair_back(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        away = seats.leave(table.id, ana.pk, now=time.time())
        assert (await mine.fragment_of(away.version)).version == away.version
        await mine.say(type="command", name="here")
        assert (await mine.message("answer"))["status"] == 200
    assert store.reload(table.id).desk.stand_ins == frozenset()


async def test_a_watchers_command_is_refused(transactional_db: None, ana: models.Player) -> None:
    async with window(game_of(ana)) as theirs:
        await theirs.say(type="command", name="auto_pass", on=True)
        assert (await theirs.message("answer"))["status"] == 403


async def test_a_heartbeat_is_answered_with_version_and_time(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        first = await mine.fragment()
        pong = await mine.ping(first.version)
        assert (pong["version"], abs(pong["now"] / 1000 - time.time()) < 10) == (table.version, True)
        await mine.message("presence")
        assert await mine.is_quiet()


async def test_the_way_to_a_player_is_measured_by_the_echo_of_a_token(
    transactional_db: None, ana: models.Player
) -> None:
    cache.clear()
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        first = await mine.fragment()
        token = (await mine.ping(first.version))["token"]
        await mine.say(type="echo", token=token + 1)
        await asyncio.sleep(0.2)
        assert trips.measured(table.id, (0,)) == 0
        await mine.say(type="echo", token=token)
        await asyncio.sleep(0.2)
        await mine.say(type="echo", token=token)
        await mine.ping(first.version)
        assert 0.1 <= trips.measured(table.id, (0,)) < 0.2
        again = (await mine.ping(first.version))["token"]
        await mine.say(type="echo", token=again)
        await mine.ping(first.version)
        assert trips.measured(table.id, (0,)) < 0.1


async def test_who_only_watches_is_not_measured(transactional_db: None, ana: models.Player) -> None:
    cache.clear()
    table = game_of(ana)
    async with window(table) as theirs:
        first = await theirs.fragment()
        token = (await theirs.ping(first.version))["token"]
        await theirs.say(type="echo", token=token)
        await theirs.ping(first.version)
        assert trips.measured(table.id, tuple(range(8))) == 0


async def test_after_a_gap_the_present_state_in_full(transactional_db: None, ana: models.Player) -> None:
    """The browser says it shows an older version than it was sent."""
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        await mine.fragment()
        await mine.ping(0)
        caught_up = await mine.fragment()
    assert (caught_up.is_full, caught_up.version) == (True, table.version)


@pytest.mark.parametrize(
    "frame",
    [
        "",
        " ",
        "hello",
        "[]",
        "null",
        "7",
        "{}",
        '{"type":"chat","text":"hi"}',
        '{"type":"move"}',
        '{"type":"move","ply":"1","key":"k","move":{}}',
        '{"type":"move","ply":true,"key":"k","move":{}}',
        '{"type":"move","ply":1.5,"key":"k","move":{}}',
        '{"type":"move","ply":1,"key":7,"move":{}}',
        '{"type":"move","ply":1,"key":"k","move":[]}',
        '{"type":"move","ply":1,"key":"k","move":"pass"}',
        '{"type":"move","ply":1,"key":"k","move":null}',
        '{"type":"command","name":"sudo"}',
        '{"type":"command","name":"auto_pass","on":"yes"}',
        '{"type":"ping","version":null}',
        '{"type":"pong","version":1,"now":1}',
        '{"type":"move","ply":1,"key":"\\ud800","move":{}}',
        '{"type":"move","ply":1,"key":"k","move":{"play":' + "[" * 9000 + "]" * 9000 + "}}",
        '{"type":"move","ply":1,"key":"k","move":{"play":["' + "7" * MAX_FRAME + '"]}}',
        '{"type":"move","ply":1' + "0" * 5000 + ',"key":"k","move":{}}',
    ],
)
async def test_what_is_no_message_closes(transactional_db: None, ana: models.Player, frame: str) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        await mine.wire.send_input({"type": "websocket.receive", "text": frame})
        assert await mine.closing() == 4400
    assert version_of(table.id) == table.version


async def test_bytes_are_no_message(transactional_db: None, ana: models.Player) -> None:
    async with window(game_of(ana), browser(ana)) as mine:
        await mine.wire.send_to(bytes_data=b'{"type":"ping"}')
        assert await mine.closing() == 4400


@pytest.mark.parametrize(
    "move", [{}, {"play": [[[["7"]]]]}, {"play": ["7"] * 3000}, {"play": ["J"], "as": 10**18}, {"a": {"b": {}}}]
)
async def test_a_strange_move_is_illegal_and_the_socket_stays(
    transactional_db: None, ana: models.Player, move: dict[str, Any]
) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        assert (await mine.move(move, ply=table.ply))["status"] == 422
        assert (await mine.ping(table.version))["version"] == table.version


# --- other times -------------------------------------------------------------------------------------


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


# --- too many at once ------------------------------------------------------------------------------


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


# --- talk ------------------------------------------------------------------------------------------


async def test_what_is_said_is_heard_at_once_and_by_whom_it_may(
    transactional_db: None, ana: models.Player, ben: models.Player, eva: models.Player
) -> None:
    table = game_of(ana, ben)
    talk.say(table.id, ben, phrase="good-luck", now=1.0)
    async with window(table, browser(ana), language="de") as mine, window(table, browser(eva)) as hers:
        assert [remark["words"] for remark in (await mine.message("talk"))["remarks"]] == ["Viel Glück allerseits"]
        assert len((await hers.message("talk"))["remarks"]) == 1
        await sync_to_async(talk.say)(table.id, eva, phrase="ouch", now=2.0)
        said = {"number": 2, "author": str(eva.pk), "seat": None, "name": "Eva", "words": "Ouch!", "at": 2000}
        assert (await hers.message("talk"))["remarks"] == [said]
        await sync_to_async(talk.clear)(table.id, ana, is_staff=False, now=3.0)
        assert await mine.message("talk") == {"type": "talk", "since": 4, "remarks": []}
