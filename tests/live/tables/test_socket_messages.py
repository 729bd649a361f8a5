"""One socket: commands, the heartbeat, what is no message, and what is said."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache

from games import memo, models
from games.live import database_threads
from games.live.messages import MAX_FRAME
from games.live.tables import consumer
from games.play.clocks import idle_tables
from games.play.seats import sitting
from games.play.storage import round_trips, store
from games.play.talk import table_talk
from tests.cast import (
    browser,
    start_table,
    version_of,
)
from tests.live.windows import game_of, window

pytestmark = pytest.mark.django_db(transaction=True)


# --- commands and heartbeat ---


async def test_a_standing_pass_is_ordered_and_taken_back(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ben)) as ben_window:
        await ben_window.say(type="command", name="auto_pass", on=True)
        assert (await ben_window.message("answer"))["status"] == 200
        assert store.reload(table.id).runtime.standing_passes == {1}
        await ben_window.say(type="command", name="auto_pass", on=False)
        assert (await ben_window.message("answer"))["key"] == "auto_pass"
        await ben_window.say(type="command", name="auto_pass", on=False, key="of its own")
        assert (await ben_window.message("answer"))["key"] == "of its own"
    assert store.reload(table.id).runtime.standing_passes == frozenset()


async def test_here_gives_the_chair_back(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        away = sitting.leave(table.id, ana.pk, now=time.time())
        assert (await mine.fragment_of(away.version)).version == away.version
        await mine.say(type="command", name="here")
        assert (await mine.message("answer"))["status"] == 200
    assert store.reload(table.id).runtime.stand_ins == frozenset()


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
    transactional_db: None, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    table, now = game_of(ana), [1000.0]
    monkeypatch.setattr(consumer, "time", SimpleNamespace(time=time.time, monotonic=lambda: now[0]))
    async with window(table, browser(ana)) as mine:
        first = await mine.fragment()
        token = (await mine.ping(first.version))["token"]
        await mine.say(type="echo", token=token + 1)
        await mine.message("presence")
        assert await mine.is_quiet()
        assert round_trips.find_longest_delay(table.id, (0,)) == 0
        now[0] += 0.25
        await mine.say(type="echo", token=token)
        assert await mine.is_quiet()
        now[0] += 0.25
        await mine.say(type="echo", token=token)
        await mine.ping(first.version)
        assert round_trips.find_longest_delay(table.id, (0,)) == 0.125
        again = (await mine.ping(first.version))["token"]
        await mine.say(type="echo", token=again)
        await mine.ping(first.version)
        assert round_trips.find_longest_delay(table.id, (0,)) == 0


async def test_who_only_watches_is_not_measured(transactional_db: None, ana: models.Player) -> None:
    cache.clear()
    table = game_of(ana)
    async with window(table) as theirs:
        first = await theirs.fragment()
        token = (await theirs.ping(first.version))["token"]
        await theirs.say(type="echo", token=token)
        await theirs.ping(first.version)
        assert round_trips.find_longest_delay(table.id, tuple(range(8))) == 0


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


# --- talk ---


async def test_what_is_said_is_heard_at_once_and_only_where_it_may_be(
    transactional_db: None, ana: models.Player, ben: models.Player, eva: models.Player
) -> None:
    table = game_of(ana, ben)
    table_talk.say(table.id, ben, phrase="good-luck", now=1.0)
    async with window(table, browser(ana), language="de") as mine, window(table, browser(eva)) as eva_window:
        assert [remark["words"] for remark in (await mine.message("talk"))["remarks"]] == ["Viel Glück allerseits"]
        assert len((await eva_window.message("talk"))["remarks"]) == 1
        await sync_to_async(table_talk.say)(table.id, eva, phrase="ouch", now=2.0)
        sentence = {
            "number": 2, "author": str(eva.pk), "seat": None, "name": "Eva", "words": "Ouch!", "at": 2000, "role": "",
            "has_account": False,
        }  # fmt: skip
        assert (await eva_window.message("talk"))["remarks"] == [sentence]
        await sync_to_async(table_talk.clear)(table.id, ana, is_staff=False, now=3.0)
        assert await mine.message("talk") == {"type": "talk", "since": 4, "remarks": [], "hidden": []}


async def test_a_heartbeat_of_somebody_at_a_standing_table_lets_it_go_on(
    transactional_db: None, ana: models.Player
) -> None:
    table = start_table(ana, now=time.time() - 1000, turn_seconds=3600)
    async with window(table, browser(ana)) as ana_window, window(table) as theirs:
        memo.forget_all()
        await database_threads.run(models.Table.objects.update, seen_at=None)
        assert await database_threads.run(idle_tables.pause_idle_tables, now=time.time() + 2000) == 1
        await theirs.say(type="ping", version=1)
        await theirs.message("pong")
        assert store.fetch(table.id).runtime.is_standing
        await ana_window.say(type="ping", version=1)
        await ana_window.message("pong")
        assert not store.fetch(table.id).runtime.is_standing
