"""Moves and commands over HTTP: the same answers as on a socket, for programs and for pages without one."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.views.actions import MAX_BODY
from tests.cast import browser, finish, legal, open_table, start_table, version_of, wait_for_choice


@pytest.fixture
def table(ana: models.Player) -> LoadedTable:
    """A game in which it is Ana's turn."""
    now = time.time()
    return wait_for_choice(start_table(ana, now=now), ana, now=now)


def send(client: Client, table: LoadedTable, body: object, **headers: Any) -> Any:
    """The answer to a JSON body, or to text that should be one."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(reverse("moves", args=[table.id]), text, content_type="application/json", **headers)


def test_json_is_accepted(table: LoadedTable, ana: models.Player) -> None:
    answer = send(browser(ana), table, {"move": legal(table, 0)[0], "ply": table.ply, "key": "k"})
    assert (answer.status_code, answer.json()) == (200, {"status": 200, "ply": table.ply + 1, "repeat": False})
    assert store.reload(table.id).ply == table.ply + 1


def test_a_form_is_accepted(table: LoadedTable, ana: models.Player) -> None:
    form = {"move": json.dumps(legal(table, 0)[0]), "ply": str(table.ply), "key": "k"}
    answer = browser(ana).post(reverse("moves", args=[table.id]), form)
    assert answer.json() == {"status": 200, "ply": table.ply + 1, "repeat": False}


def test_a_duplicate_post_is_one_move(table: LoadedTable, ana: models.Player) -> None:
    body = {"move": legal(table, 0)[0], "ply": table.ply, "key": "k"}
    answers = [send(browser(ana), table, body) for _ in range(3)]
    assert [(answer.status_code, answer.json()["repeat"]) for answer in answers] == [
        (200, False),
        (200, True),
        (200, True),
    ]
    assert version_of(table.id) == table.version + 1


def test_stale_comes_with_the_present(table: LoadedTable, ana: models.Player) -> None:
    answer = send(browser(ana), table, {"move": legal(table, 0)[0], "ply": table.ply - 1, "key": "k"})
    body = answer.json()
    assert (answer.status_code, body["status"], body["ply"], body["seat"]) == (409, 409, table.ply, 0)
    assert body["view"] == json.loads(json.dumps(table.rules.view(table.state, 0)))
    assert body["legal"] == legal(table, 0)


def test_illegal_comes_with_a_sentence(table: LoadedTable, ana: models.Player) -> None:
    answer = send(browser(ana), table, {"move": {"play": ["99"]}, "ply": table.ply, "key": "k"})
    assert (answer.status_code, answer.json()["sentence"]) == (422, "“99” is not a card of this game.")
    assert version_of(table.id) == table.version


def test_a_watcher_is_refused(table: LoadedTable, eva: models.Player) -> None:
    for client in (browser(eva), Client()):
        answer = send(client, table, {"move": legal(table, 0)[0], "ply": table.ply, "key": "k"})
        assert (answer.status_code, "no seat" in answer.json()["sentence"]) == (403, True)


@pytest.mark.parametrize(
    "body",
    [
        " ",
        "{",
        "pass",
        "[]",
        "null",
        "7",
        b"\xff\xfe",
        "[" * 5000,
        {},
        {"ply": 0, "key": "k"},
        {"move": {"pass": True}, "key": "k"},
        {"move": {"pass": True}, "ply": 0},
        {"move": {"pass": True}, "ply": True, "key": "k"},
        {"move": {"pass": True}, "ply": "zero", "key": "k"},
        {"move": {"pass": True}, "ply": 1.0, "key": "k"},
        {"move": {"pass": True}, "ply": None, "key": "k"},
        {"move": {"pass": True}, "ply": 0, "key": 7},
        {"move": {"pass": True}, "ply": 0, "key": ""},
        {"move": {"pass": True}, "ply": 0, "key": "x" * 49},
        {"move": ["pass"], "ply": 0, "key": "k"},
        {"move": "pass", "ply": 0, "key": "k"},
        {"move": None, "ply": 0, "key": "k"},
        {"move": {"play": ["7" * MAX_BODY]}, "ply": 0, "key": "k"},
    ],
)
def test_what_cannot_be_understood(table: LoadedTable, ana: models.Player, body: object) -> None:
    answer = send(browser(ana), table, body)
    assert (answer.status_code, answer.json()["status"]) == (400, 400)
    assert len(answer.json()["sentence"]) > 20
    assert version_of(table.id) == table.version


def test_a_body_of_megabytes_is_refused(table: LoadedTable, ana: models.Player) -> None:
    assert send(browser(ana), table, "7" * (2 << 20)).status_code == 413


def test_a_ply_beyond_all_numbers_is_stale(table: LoadedTable, ana: models.Player) -> None:
    answer = send(browser(ana), table, '{"move": {"pass": true}, "ply": 99999999999999999999999, "key": "k"}')
    assert answer.status_code == 409


def test_a_move_to_a_table_that_waits_or_is_over(ana: models.Player) -> None:
    for other in (open_table(ana), finish(start_table(ana, options={"deals": 1}))):
        answer = send(browser(ana), other, {"move": {"pass": True}, "ply": other.ply, "key": "k"})
        assert (answer.status_code, answer.json()["sentence"]) == (409, "No game is under way at this table.")


def test_too_fast_says_when_to_try_again(table: LoadedTable, ana: models.Player, settings: Any) -> None:
    settings.MOVES_PER_SECOND = 1  # also a slow machine sends two in a second
    client = browser(ana)
    answers = [send(client, table, {"move": {}, "ply": table.ply, "key": "k"}) for _ in range(60)]
    slow = [answer for answer in answers if answer.status_code == 429]
    assert slow
    assert (slow[0]["Retry-After"], "Wait a moment" in slow[0].json()["sentence"]) == ("5", True)


def test_commands_without_a_socket(table: LoadedTable, ana: models.Player) -> None:
    url = reverse("commands", args=[table.id])
    client = browser(ana)
    for body, status in (({"name": "here"}, 200), ({"name": "auto_pass", "on": False}, 200), ({"name": "x"}, 400)):
        assert client.post(url, json.dumps(body), content_type="application/json").status_code == status
    assert client.post(url, "[]", content_type="application/json").status_code == 400


def test_errors_in_the_readers_language(table: LoadedTable, ana: models.Player) -> None:
    answer = browser(ana).get(reverse("table", args=["nowhere"]), headers={"accept-language": "de"})
    assert (answer.status_code, 'lang="de"' in answer.content.decode()) == (404, True)
