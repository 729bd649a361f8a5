"""One socket: what becomes of a move."""

from __future__ import annotations

import time

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games import models
from games.play.storage import store
from games.play.storage.table import PLAYING
from tests.cast import (
    browser,
    contributed,
    legal,
    open_table,
    version_of,
)
from tests.live.windows import game_of, window

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_move_is_answered(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        answer = await mine.move(legal(table, 0)[0], ply=table.ply, key="mine")
    assert answer == {"type": "answer", "key": "mine", "status": 200, "ply": table.ply + 1, "sentence": ""}
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
        assert "changed in the meantime" in answer["sentence"]
        shown = await mine.fragment()
    assert (shown.is_full, shown.ply) == (True, table.ply)
    frames = [frame for frame in mine.everything if frame == shown.html or '"answer"' in frame]
    assert frames[0] == shown.html  # and then the sentence, which it would wipe away


async def test_an_illegal_move_is_answered_with_a_sentence(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as mine:
        answer = await mine.move({"play": ["99"]}, ply=table.ply)
    assert (answer["status"], answer["sentence"]) == (422, "“99” is not a card of this game.")
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


async def test_a_contribution_over_the_socket_begins_the_game(transactional_db: None, ana: models.Player) -> None:
    table = open_table(ana, bots=3, is_called=True, now=time.time())
    async with window(table, browser(ana)) as mine, window(table) as theirs:
        for one in (mine, theirs):
            before = await one.fragment()
            assert f'id="fair" data-commitment="{table.commitment}"' in before.html
        await mine.say(type="contribute", commitment="00" * 32, entropy="5eed", key="k1")
        assert (await mine.message("answer"))["status"] == 400
        await mine.say(type="contribute", commitment=table.commitment, entropy="5eed", key="k2")
        answer = await mine.message("answer")
        assert (answer["key"], answer["status"]) == ("k2", 200)
        begun = store.reload(table.id)
        assert (begun.status, contributed(begun)) == (PLAYING, ["5eed", None, None, None])
        for one in (mine, theirs):
            shown = await one.fragment_of(begun.version)
            assert f'id="fair" data-commitment="{table.commitment}"' in shown.html
            assert "5eed" in shown.html
        await theirs.say(type="contribute", commitment=table.commitment, entropy="5eed")
        refused = await theirs.message("answer")
        assert (refused["key"], refused["status"]) == ("contribute", 403)
