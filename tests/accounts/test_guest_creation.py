"""A stranger's first response is lost: their action happens once, and the same guest has done it."""

from __future__ import annotations

from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from games import models
from games.accounts import guest_creation
from games.accounts.guest_creation import COOKIE
from games.accounts.guests import require_player
from games.accounts.session import PLAYER, SEEN
from games.play.errors import Busy
from games.play.seats import player_changes
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, at_once, browser, open_table
from tournaments.work.tasks import sweep_results

SESSION = "sessionid"


def open_as_stranger(table: LoadedTable) -> Client:
    """A stranger who looks at this table."""
    client = Client()
    assert client.get(reverse("table", args=[table.id])).status_code == 200
    return client


def send_and_drop_answer(client: Client, address: str, **fields: str) -> Any:
    """Send a form, and keep nothing of the answer."""
    before = client.cookies.output()
    answer = client.post(address, fields)
    client.cookies = SimpleCookie()
    client.cookies.load(before.replace("Set-Cookie: ", ""))
    return answer


def jar(client: Client) -> set[str]:
    """What the browser still keeps of who it is."""
    return {name for name in (SESSION, COOKIE) if name in client.cookies and client.cookies[name].value}


def seat_of(client: Client, table: LoadedTable) -> int | None:
    seat: int | None = client.get(reverse("view_json", args=[table.id])).json()["seat"]
    return seat


@pytest.fixture
def table(ana: models.Player) -> LoadedTable:
    """Ana's, with three free chairs."""
    return open_table(ana)


def test_who_sits_down_again_sits_where_they_sat(table: LoadedTable) -> None:
    client = open_as_stranger(table)
    for _ in range(3):
        assert send_and_drop_answer(client, reverse("sit", args=[table.id])).status_code == 302
    assert client.post(reverse("sit", args=[table.id])).status_code == 302
    assert [place.seat for place in store.reload(table.id).places] == [0, 1]
    assert models.Player.objects.count() == 2
    assert (seat_of(client, table), jar(client)) == (1, {SESSION})


def test_who_reloads_the_page_finds_themselves_seated(table: LoadedTable) -> None:
    client = open_as_stranger(table)
    send_and_drop_answer(client, reverse("sit", args=[table.id]))
    assert jar(client) == {COOKIE}
    assert (seat_of(client, table), jar(client)) == (1, {SESSION})
    assert client.session[PLAYER] == models.Player.objects.latest("pk").pk


def test_who_came_by_an_invitation_is_still_let_in(ana: models.Player) -> None:
    private = open_table(ana, is_public=False)
    client = Client()
    client.get(reverse("join", args=[private.invite]), follow=True)
    send_and_drop_answer(client, reverse("sit", args=[private.id]), chair="2")
    assert client.post(reverse("sit", args=[private.id]), {"chair": "2"}).status_code == 302
    assert [place.seat for place in store.reload(private.id).places] == [0, 2]
    assert seat_of(client, private) == 2


@pytest.mark.django_db(transaction=True)
def test_who_asks_twice_at_the_same_moment_is_one_person() -> None:
    table = open_table(models.Player.objects.create(name="Ana", avatar="fox"))
    client = open_as_stranger(table)
    others = [Client() for _ in range(3)]
    for other in others:
        other.cookies.load({COOKIE: client.cookies[COOKIE].value})
    sit = reverse("sit", args=[table.id])
    assert [getattr(answer, "status_code", answer) for answer in at_once(*(_post(one, sit) for one in others))] == [
        302
    ] * 3
    assert models.Player.objects.count() == 2
    assert [seat_of(one, table) for one in others] == [1] * 3


def _post(client: Client, address: str) -> Any:
    return lambda: client.post(address)


def test_the_token_is_for_strangers_and_comes_with_pages(ana: models.Player, table: LoadedTable) -> None:
    stranger, member_browser = Client(), browser(ana)
    assert COOKIE not in stranger.get(reverse("view_json", args=[table.id])).cookies
    given = stranger.get(reverse("lobby")).cookies[COOKIE]
    assert (given["httponly"], given["samesite"], given["max-age"]) == (True, "Lax", guest_creation.LASTS_SECONDS)
    assert COOKIE not in stranger.get(reverse("lobby")).cookies
    assert COOKIE not in member_browser.get(reverse("lobby")).cookies
    assert models.Player.objects.count() == 1
    assert SESSION not in stranger.cookies


@pytest.mark.parametrize("token", ["made-up", "x:1t2u3v:sdJmB9mYPIVDAm-6vvmLzh0IIoOmNSc5IkyfT1MwDls", ""])
def test_a_token_that_is_not_ours_leads_nowhere(table: LoadedTable, token: str) -> None:
    clients = [Client(), Client()]
    for client in clients:
        client.cookies.load({COOKIE: token})
        assert client.post(reverse("sit", args=[table.id])).status_code == 302
    assert [seat_of(client, table) for client in clients] == [1, 2]


def test_an_old_token_leads_nowhere(table: LoadedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    client = open_as_stranger(table)
    send_and_drop_answer(client, reverse("sit", args=[table.id]))
    monkeypatch.setattr(guest_creation, "LASTS_SECONDS", -1)
    assert seat_of(client, table) is None
    assert client.post(reverse("sit", args=[table.id])).status_code == 302
    assert seat_of(client, table) == 2


def test_who_has_gone_for_good_is_nobody_again(table: LoadedTable) -> None:
    client = open_as_stranger(table)
    send_and_drop_answer(client, reverse("me"), name="Kim", avatar="owl")
    player_changes.delete_player(models.Player.objects.get(name="Kim").pk, now=NOW)
    assert seat_of(client, table) is None
    assert client.post(reverse("sit", args=[table.id])).status_code == 302
    assert seat_of(client, table) == 1


def test_a_guests_session_is_there_before_they_are_answered(table: LoadedTable) -> None:
    client = Client()  # without a token: no page was looked at
    answer = client.post(reverse("sit", args=[table.id]))
    assert answer.cookies[SESSION].value == client.session.session_key
    assert client.session[PLAYER] == models.Player.objects.latest("pk").pk


def test_who_goes_between_two_of_their_own_requests_is_told_so_and_comes_again(
    ana: models.Player, table: LoadedTable
) -> None:
    client = open_as_stranger(table)
    send_and_drop_answer(client, reverse("sit", args=[table.id]))
    request: Any = RequestFactory().post("/")
    request.COOKIES[COOKIE] = client.cookies[COOKIE].value
    request.session, request.player = SessionStore(), None
    request.user, request.LANGUAGE_CODE = AnonymousUser(), "en"
    models.Player.objects.exclude(pk=ana.pk).update(left_at="2026-01-01T00:00:00Z")
    with pytest.raises(Busy, match="guest name was deleted at the same moment"):
        require_player(request)
    assert client.post(reverse("sit", args=[table.id]), {"chair": "2"}).status_code == 302


def test_a_guest_who_comes_back_within_the_year_is_known_for_another_one(ana: models.Player) -> None:
    client = browser(ana)
    held = client.session
    sessions = Session.objects.filter(pk=held.session_key)
    client.get(reverse("about"))
    written = sessions.get().session_data
    held[SEEN] -= 1
    held.save()
    sessions.update(expire_date=timezone.now() + timedelta(days=5))
    answer = client.get(reverse("about"))
    assert sessions.get().expire_date > timezone.now() + timedelta(days=364)
    assert (answer.cookies[SESSION]["max-age"], sessions.get().get_decoded()) == (
        settings.SESSION_COOKIE_AGE,
        Session(session_data=written).get_decoded(),
    )
    assert SESSION not in client.get(reverse("about")).cookies


def test_a_browser_that_does_not_come_back_is_forgotten(ana: models.Player, ben: models.Player) -> None:
    gone, there = (browser(who).session.session_key for who in (ana, ben))
    Session.objects.filter(pk=gone).update(expire_date=timezone.now() - timedelta(seconds=1))
    sweep_results()
    assert list(Session.objects.values_list("pk", flat=True)) == [there]
