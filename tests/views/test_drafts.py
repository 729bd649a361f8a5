"""Bad drafts of a table: refused with a sentence, and nothing has changed. Over HTTP and over the socket."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from games.live.base_socket import BAD_MESSAGE
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.rules.base import Config
from tests.cast import browser, start_table
from tests.catalogue.fancy_animals.rules.playing import CLOTHING, melds, play
from tests.live.windows import window

RUN = "3LG:G 4GM:G 5GC:G"
BIG = 1024 * 1024

BAD: list[tuple[Any, str]] = [
    (play("6LG", f"{RUN} 6LG:G 7LG:G"), "These cards were not on the table, and you do not play them: 7 leather/gem."),
    (play("6LG", "6LG:G 4GM:G 5GC:G"), "The cards of a run must be in order, from low to high: 6 gem, 4 gem, 5 gem."),
    (play("6LG", "4GM:G 5GC:G 6LG:G"), "These cards were on the table and must stay there: 3 leather/gem."),
    (play("6LG", f"{RUN} 6LG:G | {RUN}"), "There is only one of this, but it is on the table twice: 3 leather/gem."),
    (play("6LG", f"{RUN} 6LG:G 6LG:G"), "There is only one of this, but it is on the table twice: 6 leather/gem."),
    (
        play("6LG", f"{RUN} 6LG:G hand-G-2:14", wilds=["hand-G-2"]),
        "This clothing must stand for a number from 1 to 13, not for “14”: gem gloves (2).",
    ),
    (
        play("6LG", f"{RUN} 6LG:G hand-G-2:8", wilds=["hand-G-2"]),
        "In this run, the number 7 is missing: 3 gem, 4 gem, 5 gem, 6 gem, 8 gem.",
    ),
    (
        play("6LG", f"{RUN} 6LG:G hand-L-1:7", wilds=["hand-L-1"]),
        "Only uncovered clothing on your own animal can be a wild.",
    ),
    (play("6LG", f"{RUN} 6LG:G 7%(x)s"), "“7%(x)s” is not a card of this game."),
    ({"play": ["6LG"], "table": [[["3LG:G"]]]}, "A meld must be a list of cards such as “7LG:G”."),
]


def lay(table: LoadedTable) -> LoadedTable:
    """The table in a position in which seat 0 is to act."""
    setup = {
        "hands": [["6LG", "9LC"], ["1LM"], ["1LC"], ["1GC"]],
        "table": melds(RUN),
        "worn": [{"hand": ["hand-G-2"]}, {}, {}, {}],
        "clothing": CLOTHING,
        "to_act": 0,
    }
    state = table.rules.start(Config(4, {}, setup), table.rules.chance(table.state))
    store.commit(table, table.changed(state=state))
    memo.forget_all()
    return store.fetch(table.id)


@pytest.fixture
def table(ana: models.Player) -> LoadedTable:
    """Ana's turn."""
    return lay(start_table(ana, game="fancy-animals", now=time.time()))


def send(client: Client, table: LoadedTable, text: str) -> Any:
    return client.post(reverse("moves", args=[table.id]), text, content_type="application/json")


@pytest.mark.django_db
@pytest.mark.parametrize(("move", "sentence"), BAD)
def test_a_bad_draft_is_refused_with_a_sentence(
    table: LoadedTable, ana: models.Player, move: Any, sentence: str
) -> None:
    answer = send(browser(ana), table, json.dumps({"move": move, "ply": table.ply, "key": "k"}))
    assert answer.status_code == 422
    assert answer.json()["sentence"].startswith(sentence)
    now = store.reload(table.id)
    assert (now.version, now.ply, now.state) == (table.version, table.ply, table.state)


@pytest.mark.django_db
def test_the_sentence_is_in_the_readers_language(table: LoadedTable, ana: models.Player) -> None:
    client = browser(ana, headers={"accept-language": "de"})
    body = json.dumps({"move": play("6LG", f"{RUN} 6LG:L"), "ply": table.ply, "key": "k"})
    answer = send(client, table, body).json()["sentence"]
    assert answer == (
        "In dieser Reihe muss 6 Leder als Edelstein zählen wie die anderen: "
        "3 Edelstein, 4 Edelstein, 5 Edelstein, 6 Leder."
    )


@pytest.mark.django_db
def test_a_megabyte_is_refused_before_it_is_parsed(table: LoadedTable, ana: models.Player) -> None:
    long = '{"move":{"play":["6LG"],"table":[["' + "x" * BIG + '"]]},"ply":0,"key":"k"}'
    for text, status in (("[" * BIG, 400), (long, 413)):
        answer = send(browser(ana), table, text)
        assert answer.status_code == status
        assert "is not valid JSON" not in answer.content.decode()
    answer = send(browser(ana), table, "[" * (BIG // 2))
    assert "too long for a move" in answer.content.decode()
    assert store.reload(table.id).version == table.version


async def test_a_megabyte_closes_the_socket(transactional_db: None, ana: models.Player) -> None:
    table = lay(start_table(ana, game="fancy-animals", now=time.time()))
    async with window(table, browser(ana)) as mine:
        await mine.fragment()
        await mine.wire.send_to(text_data="[" * BIG)
        assert await mine.closing() == BAD_MESSAGE
    assert store.reload(table.id).version == table.version


async def test_a_bad_draft_over_the_socket(transactional_db: None, ana: models.Player) -> None:
    table = lay(start_table(ana, game="fancy-animals", now=time.time()))
    async with window(table, browser(ana)) as mine:
        await mine.fragment()
        for number, (move, sentence) in enumerate(BAD[:3]):
            answer = await mine.move(move, ply=table.ply, key=str(number))
            assert answer["status"] == 422
            assert answer["sentence"].startswith(sentence)
    assert store.reload(table.id).state == table.state
