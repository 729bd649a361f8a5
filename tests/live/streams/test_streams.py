"""Streams of programs: each version once, with its events, for the seat alone, over both transports; no HTML."""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import suppress
from typing import Any

import pytest

from games.accounts import access_tokens
from games.live.hub import get_hub
from games.live.session_sockets import get_session_sockets
from games.live.streams import feed, messages
from games.models import AccessToken
from games.play.clocks import timers
from games.play.errors import Stale
from games.play.moves import submission
from games.play.records.table_description import describe, describe_log
from games.play.seats import challenges, sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.rules import registry
from tests.cast import browser, contribute_all, finish, legal, open_table, person, start_table, to_move, wait_for
from tests.live.streams.opening import account, bot_of, issue, over_http, over_socket, refusal_over_http
from tests.live.windows import SECONDS

pytestmark = pytest.mark.usefixtures("transactional_db")

SILENT_SECONDS = 10
"""Without a new version for so long, nobody is about to move."""


def start(*people: Any, **wishes: Any) -> LoadedTable:
    return start_table(*people, now=time.time(), **wishes)


def make_move(table: LoadedTable) -> LoadedTable:
    """The next move of whoever is to act."""
    place = table.place(to_move(table))
    assert place is not None
    if place.player_id is None:
        played = submission.play_bot(table.id, ply=table.ply, now=time.time())
        assert played is not None
        return played
    move = legal(table, place.seat)[0]
    return submission.submit_move(
        table.id, place.player_id, move, ply=table.ply, key=f"k{table.ply}", now=time.time()
    ).table


def strip(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key not in ("type", "events", "now")}


async def test_each_version_comes_once_with_its_events() -> None:
    ana = account("Ana")
    table = start(ana, person("Ben"))
    async with over_http(f"/tables/{table.id}/stream", issue(ana)) as mine:
        first = await mine.take()
        expected = json.loads(json.dumps(describe(table, ana.pk)))
        assert strip(first) == strip(expected)
        assert (first["seat"], first["events"]) == (0, [])
        for _ in range(5):
            table = make_move(table)
            line = await mine.take()
            assert (line["ply"], line["version"]) == (table.ply, table.version)
            assert {event["ply"] for event in line["events"]} == {table.ply}


async def test_a_stream_goes_on_where_it_was() -> None:
    ana = account("Ana")
    token, table = issue(ana), start(ana, options={"deals": 1})
    for _ in range(6):
        table = make_move(table)
    whole = describe_log(table, ana.pk)["events"]
    for after in (-1, 0, 3, table.ply):
        async with over_http(f"/tables/{table.id}/stream?after={after}", token) as mine:
            events = (await mine.take())["events"]
            assert events == [event for event in whole if event["ply"] > after]
    async with over_http(f"/stream?after={table.id}:2", token) as mine:
        assert (await mine.take())["events"] == [event for event in whole if event["ply"] > 2]


async def test_events_that_are_no_longer_in_memory_are_read() -> None:
    ana = account("Ana")
    table = start(ana, options={"deals": 9})
    while table.ply <= store.RECENT_PLIES + 5:
        table = make_move(table)
    async with over_http(f"/tables/{table.id}/stream?after=-1", issue(ana)) as mine:
        assert (await mine.take())["events"] == describe_log(table, ana.pk)["events"]


async def test_a_socket_sends_the_same_and_takes_moves() -> None:
    ana = account("Ana")
    table = wait_for(start(ana, person("Ben")), ana, now=time.time())
    path = f"/tables/{table.id}/stream"
    async with over_http(path, issue(ana)) as mine, over_socket(path, issue(ana)) as (other, wire):
        assert strip(await mine.take()) == strip(await other.take())
        move = {"type": "move", "ply": table.ply, "key": "k", "move": legal(table, 0)[0]}
        for expected in (200, 200):  # the same key is the same move
            await wire.send_json_to(move)
            answer = await other.take("answer", key="k")
            assert (answer["status"], answer["table"], answer["ply"]) == (expected, table.id, table.ply + 1)
        await wire.send_json_to(move | {"key": "l", "ply": 0})
        assert (await other.take("answer", key="l"))["status"] == 409
        await wire.send_json_to({"type": "command", "name": "here"})
        assert (await other.take("answer", key="here"))["status"] == 200
        await wire.send_json_to({"type": "command", "name": "standing", "value": "pass"})
        assert (await other.take("answer", key="standing"))[
            "sentence"
        ] == "This game does not have this standing answer."
        await wire.send_json_to({"type": "ping"})
        assert (await other.take("heartbeat"))["now"] == pytest.approx(time.time(), abs=60)
        assert (await mine.take())["ply"] == table.ply + 1


@pytest.mark.parametrize("frame", ["x", "[]", '{"type": "sudo"}', '{"type": "move"}', "[" * 100_000])
async def test_anything_else_closes_the_socket(frame: str) -> None:
    ana = account("Ana")
    table = start(ana)
    async with over_socket(f"/tables/{table.id}/stream", issue(ana)) as (mine, wire):
        await mine.take()
        await wire.send_to(text_data=frame)
        closed = await wire.receive_output(SECONDS)
        while closed["type"] == "websocket.send":
            closed = await wire.receive_output(SECONDS)
        assert (closed["type"], closed["code"]) == ("websocket.close", 4400)


async def test_an_account_hears_of_all_its_tables_and_challenges() -> None:
    ana, ben = account("Ana"), account("Ben")
    bot = bot_of(ana)
    async with over_socket("/stream", issue(ana, bot, "play")) as (mine, wire):
        await mine.take("heartbeat")
        table = open_table(ben, is_public=False, is_rated=False, seats_wished=4, now=time.time())
        sent = challenges.challenge(table.id, ben, bot.pk, now=time.time())
        challenge = await mine.take("challenge")
        assert (challenge["id"], challenge["table"], challenge["game"], challenge["name"]) == (
            sent.pk,
            table.id,
            "karriere-poker",
            "Ben",
        )
        table = challenges.accept(sent.pk, bot, now=time.time())
        line = await mine.take("table", status="waiting", table=table.id)
        assert [one["is_bot"] for one in line["players"]] == [False, True]
        add = {"type": "contribute", "table": table.id, "commitment": line["commitment"], "entropy": "5eed", "key": "e"}
        await wire.send_json_to(add)
        assert (await mine.take("answer", key="e"))["status"] == 200
        table = contribute_all(store.reload(table.id), now=time.time())
        assert (await mine.take("table", ply=0))["table"] == table.id
        sitting.leave(table.id, bot.pk, now=time.time())
        assert (await mine.take("gone"))["table"] == table.id


async def test_a_tables_stream_ends_with_the_game() -> None:
    ana = account("Ana")
    table = start(ana, options={"deals": 1})
    async with over_http(f"/tables/{table.id}/stream", issue(ana)) as mine:
        await mine.take()
        finish(table, now=time.time())
        last = await mine.take("table", status="over")
        assert last["seed"] is not None
        with pytest.raises(AssertionError):  # the body is over: an empty last piece
            await mine.take()


async def test_silence_is_broken_by_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    async with over_http("/stream", issue(account("Ana"))) as mine:
        beats = [(await mine.take("heartbeat"))["now"] for _ in range(3)]
        assert beats == sorted(set(beats))


async def test_only_a_token_with_a_scope_opens_a_stream() -> None:
    ana, ben = account("Ana"), account("Ben")
    hidden = start(ana, is_public=False)
    path = f"/tables/{hidden.id}/stream"
    assert (await refusal_over_http(path, ""))[0] == 401
    assert (await refusal_over_http(path, "mgt_x_y"))[0] == 401
    assert (await refusal_over_http(path, issue(ana, None, "results")))[0] == 403
    assert (await refusal_over_http(path, issue(ben)))[0] == 403
    assert (await refusal_over_http("/tables/nowhere/stream", issue(ben)))[0] == 404
    assert (await refusal_over_http("/stream?after=x", issue(ben)))[0] == 400
    async with over_http(path, issue(ana, None, "play")) as mine:
        assert (await mine.take())["seat"] == 0


async def test_a_token_for_reading_moves_nothing_and_is_no_presence() -> None:
    ana = account("Ana")
    table = wait_for(start(ana), ana, now=time.time())
    async with over_socket(f"/tables/{table.id}/stream", issue(ana, None, "read")) as (mine, wire):
        assert (await mine.take())["seat"] == 0
        assert get_hub().find_presence(table.id).seats == ()
        await wire.send_json_to({"type": "move", "ply": table.ply, "key": "k", "move": legal(table, 0)[0]})
        assert (await mine.take("answer", key="k"))["status"] == 403
    assert store.reload(table.id).ply == table.ply


async def test_a_revoked_token_closes_what_it_has_opened() -> None:
    ana = account("Ana")
    table = start(ana)
    token = issue(ana)
    async with over_http(f"/tables/{table.id}/stream", token) as mine, over_socket("/stream", token) as (other, wire):
        await mine.take()
        await other.take()
        access_tokens.revoke(ana, _only_token())
        await get_session_sockets().check_all()
        with pytest.raises(AssertionError):
            await mine.take()
        assert (await wire.receive_output(SECONDS))["code"] == 4403


def _only_token() -> int:
    return AccessToken.objects.get().pk


async def test_a_stream_counts_as_presence_and_brings_a_player_back() -> None:
    ana = account("Ana")
    table = start(ana, person("Ben"))
    sitting.leave(table.id, ana.pk, now=time.time())
    async with over_http(f"/tables/{table.id}/stream", issue(ana)) as mine:
        assert not (await mine.take())["players"][0]["is_away"]
        assert get_hub().find_presence(table.id).seats == (0,)
    await asyncio.sleep(0.05)
    assert get_hub().find_presence(table.id).seats == ()


@pytest.mark.parametrize("game", registry.slugs())
async def test_whole_games_over_one_socket_without_any_html(game: str) -> None:
    ana = account("Ana")
    options = registry.infos()[game].agree_on_deals(1)
    opened = open_table(
        ana, game=game, options=options, seats_wished=4, bots=3, is_called=True, is_rated=False, now=time.time()
    )
    rng = random.Random(game)
    async with over_socket("/stream", issue(ana)) as (mine, wire):
        line = await mine.take("table", table=opened.id)
        add = {"type": "contribute", "table": opened.id, "commitment": line["commitment"], "entropy": "5eed"}
        await wire.send_json_to(add)
        while line["status"] != "over":
            try:
                line = await asyncio.wait_for(mine.take("table", table=opened.id), SILENT_SECONDS)
            except TimeoutError:  # every bot is silent in a window: its clock ends it
                timers.run_clock(opened.id, now=time.time() + 60)
                continue
            if line["legal"]:
                move = {"type": "move", "ply": line["ply"], "key": f"k{line['ply']}", "move": rng.choice(line["legal"])}
                await wire.send_json_to(move | {"table": opened.id})
            elif line["status"] == "playing":
                if line["ply"] > 300:  # it would go on and on
                    with suppress(Stale):
                        sitting.ring_bell(opened.id, ana.pk, now=time.time())
                submission.play_bot(opened.id, ply=store.fetch(opened.id).ply, now=time.time() + 60)
        assert not any("<div" in text or "<li" in text for text in mine.everything)
    assert browser(ana).get(f"/tables/{opened.id}/record.json").status_code == 200


def test_a_message_that_is_no_message_is_refused() -> None:
    assert messages.read('{"type": "ping"}') == messages.Ping()
    for frame in ("{}", "x" * 70_000, "[" * 60_000, '{"type": "command", "name": "sudo"}'):
        with pytest.raises(ValueError, match=r"."):
            messages.read(frame)
