"""Every error is a sentence with the right status, and changes nothing."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from games import memo, models
from games.accounts.session import PLAYER
from tests.cast import browser, open_table, start_table, version_of
from tests.live.windows import SECONDS, Window, connect
from tests.play.storage.test_store import locked


def test_an_address_that_leads_nowhere(db: None) -> None:
    page = Client().get("/no/such/page/")
    assert (page.status_code, b"or go to the lobby" in page.content) == (404, True)
    answer = Client().get("/no/such/page/", headers={"accept": "application/json"}).json()
    assert (answer["status"], "This page does not exist" in answer["sentence"]) == (404, True)


def test_a_wrong_method_says_what_to_do(db: None) -> None:
    answer = Client().get(reverse("moves", args=["x"]))
    assert (answer.status_code, answer["Allow"], b"Go back" in answer.content) == (405, "POST", True)


def test_more_than_is_read_at_once_is_refused_with_a_sentence(ana: models.Player) -> None:
    table, big = start_table(ana), "x" * (1 << 20)
    page = browser(ana).post(reverse("me"), {"name": big})
    assert (page.status_code, b"The limit is 1024 kB" in page.content) == (413, True)
    response = browser(ana).post(
        reverse("moves", args=[table.id]), {"move": big, "ply": 0, "key": "k"}, "application/json"
    )
    assert (response.status_code, "The limit is 1024 kB" in response.json()["sentence"]) == (413, True)
    assert (models.Player.objects.get().name, version_of(table.id)) == ("Ana", table.version)


def test_a_form_that_has_expired_says_how_it_is_sent_again(ana: models.Player) -> None:
    """The answer to a form, loaded anew, would be the same form again."""
    client = browser(ana, enforce_csrf_checks=True)
    page = client.post(reverse("play_now", args=["karriere-poker"]), {"csrfmiddlewaretoken": "x" * 64})
    text = page.content.decode()
    assert (page.status_code, "This form has expired" in text, "Go back, reload that page" in text) == (403, True, True)
    line = client.post(reverse("play_now", args=["karriere-poker"]), headers={"hx-request": "true"})
    assert line.content.decode().endswith("Reload the page and try again.")


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "a b"])
def test_a_foreign_host_is_refused(db: None, host: str) -> None:
    assert Client().get("/", headers={"host": host}).status_code == 400


def test_broken_cookies_and_headers_are_harmless(db: None) -> None:
    client = Client()
    client.cookies["sessionid"] = "\x00" * 8
    client.cookies["csrftoken"] = "x" * 5000
    client.cookies["django_language"] = "../../etc"
    assert client.get("/", headers={"accept-language": "x" * 9000}).status_code == 200


def test_a_locked_database_is_said_everywhere(ana: models.Player, transactional_db: None) -> None:
    table, game = open_table(ana), start_table(ana)
    stranger, client = Client(raise_request_exception=False), browser(ana)
    client.raise_request_exception = False
    with locked():
        answers = [
            client.post(reverse("start", args=[table.id]), {"fill": "random"}),
            client.post(reverse("leave", args=[game.id])),
            client.post(reverse("play_now", args=["karriere-poker"])),
            stranger.post(reverse("sit", args=[table.id])),
            stranger.get(reverse("join", args=[table.invite])),  # the session cannot be kept
        ]
    for answer in answers:
        assert (answer.status_code, answer["Retry-After"]) == (503, "2")
        assert b"again in a moment" in answer.content
    # A form would be lost by it: that is sent again from its own page.
    assert ['href="">Try again' in answer.content.decode() for answer in answers] == [False] * 4 + [True]
    assert (version_of(table.id), version_of(game.id)) == (table.version, game.version)
    assert (models.Table.objects.count(), models.Player.objects.count()) == (2, 1)


def test_a_database_that_cannot_be_read_is_said_everywhere(ana: models.Player, transactional_db: None) -> None:
    """Sessions are in it, too: the first thing that a request reads."""
    from django.db import connection

    client = browser(ana)
    client.raise_request_exception = False
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_session RENAME TO hidden")
    try:
        page = client.get(reverse("lobby"))
        response = client.get(reverse("lobby"), headers={"accept": "application/json"})
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE hidden RENAME TO django_session")
    assert (page.status_code, b"Nothing is lost" in page.content, response.json()["status"]) == (503, True, 503)
    assert '<a class="btn go" href="">Try again</a>' in page.content.decode()


async def test_a_socket_whose_session_cannot_be_read_is_to_come_again(
    ana: models.Player, transactional_db: None
) -> None:
    from django.db import connection

    table, client = open_table(ana), browser(ana)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_session RENAME TO hidden")
    try:
        wire = connect(table.id, client)
        assert (await wire.connect(SECONDS))[0]
        assert await Window(wire).closing() == 1013
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE hidden RENAME TO django_session")


def test_a_player_who_was_deleted_is_a_stranger(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben)
    client = browser(ben)
    ben.delete()
    memo.forget_all()
    assert client.get(reverse("table", args=[table.id])).status_code == 200
    assert client.get(reverse("view_json", args=[table.id])).json()["seat"] is None


@pytest.mark.parametrize("value", ["1", None, [1], {"a": 1}, 10**30, -1])
def test_a_strange_player_in_a_session_is_a_stranger(db: None, value: object) -> None:
    client = Client()
    session = client.session
    session[PLAYER] = value
    session.save()
    assert client.get(reverse("lobby")).status_code == 200


def test_letters_cannot_be_asked_for_all_day(db: None) -> None:
    client = Client()
    cache.clear()
    form = {"email": "boss@example.org"}
    with override_settings(EMAIL_HOST="127.0.0.1"):
        answers = [client.post(reverse("account_reset_password"), form) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 429]
    assert "Too many attempts" in answers[-1].content.decode()
