"""Attacks on accounts: other people's sessions, guessing addresses, links in emails, redirects to other sites."""

from __future__ import annotations

import threading
import time
from smtplib import SMTPServerDisconnected

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import BasePasswordHasher, get_hasher
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.test import Client, override_settings
from django.urls import reverse

from games import models
from games.accounts import mail as letters
from games.play.seats import player_changes
from games.play.seats.player_changes import ANONYMOUS_NAME
from tests.accounts.test_accounts import FORM, PASSWORD, sign_in, sign_up
from tests.cast import NOW, browser, contribute_all, open_table

EVIL = ("https://evil.example/", "//evil.example/", "https:evil.example", "/\\evil.example/", "javascript:alert(1)")
LETTERS_AN_HOUR = 3


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """What was counted in another test does not count here."""
    cache.clear()


def key_of(client: Client) -> str | None:
    """The name of this browser's session."""
    return client.session.session_key


def test_a_session_from_before_signing_in_is_not_the_one_after(ana: models.Player) -> None:
    sign_up(Client(), username="Kim", email="")
    client = browser(ana)
    before = key_of(client)
    sign_in("Kim", client=client)
    assert key_of(client) != before
    thief = Client()
    thief.cookies["sessionid"] = str(before)
    assert "Choose a name" in thief.get("/").content.decode()


def test_a_session_from_before_playing_is_not_the_guests(ana: models.Player) -> None:
    table = open_table(ana, is_public=False)
    client = Client()
    client.get(reverse("join", args=[table.invite]))
    before = key_of(client)
    client.post(reverse("me"), {"name": "Kim", "avatar": "fox"})
    assert (before is None, key_of(client) == before) == (False, False)
    thief = Client()
    thief.cookies["sessionid"] = str(before)
    assert "Choose a name" in thief.get("/").content.decode()


@pytest.mark.parametrize("going", EVIL)
def test_no_form_leads_out_of_the_house(db: None, going: str) -> None:
    sign_up(Client(), email="")
    client = Client()
    ways = [
        client.post(reverse("account_login"), {"login": "Ana", "password": PASSWORD, "next": going}),
        client.post(reverse("me"), {"name": "Kim", "avatar": "fox", "next": going}),
        client.post(reverse("set_language"), {"language": "pl", "next": going}),
        client.post(reverse("account_logout"), {"next": going}),
        Client().post(reverse("account_signup"), FORM | {"username": "Kim", "email": "", "next": going}),
    ]
    assert [way.status_code for way in ways] == [302] * 5
    assert [way["Location"] for way in ways if not way["Location"].startswith("/") or "evil" in way["Location"]] == []


def test_signing_up_with_a_known_address_looks_like_any_other(db: None) -> None:
    sign_up(Client())
    response = Client().post(reverse("account_signup"), FORM | {"username": "Kim"})
    unknown = Client().post(reverse("account_signup"), FORM | {"username": "Lea", "email": "lea@club.example"})
    assert (response.status_code, response["Location"]) == (unknown.status_code, unknown["Location"])


def test_an_address_that_somebody_else_gives_opens_their_account_only(db: None) -> None:
    ana = sign_up(Client())
    sign_up(Client(), username="Kim", password1="a phrase of the thief")
    client = Client()
    sign_in("ana@club.example", client=client)
    assert client.session["player"] == ana.player.pk
    other = Client()
    sign_in("ana@club.example", "a phrase of the thief", client=other)
    assert other.session["player"] != ana.player.pk


def test_a_wrong_password_and_an_unknown_name_read_the_same(db: None) -> None:
    sign_up(Client())
    pages = [
        [
            line.replace(f'value="{login}"', "")
            for line in sign_in(login, "wrong").content.decode().splitlines()
            if "csrf" not in line
        ]
        for login in ("Ana", "Eva", "ana@club.example", "eva@club.example")
    ]
    assert pages[0] == pages[1]
    assert pages[2] == pages[3]


@pytest.mark.parametrize("login", ["ana", "Eva", "ana@club.example", "eva@club.example"])
def test_a_wrong_password_takes_as_long_no_matter_who_is_known(
    db: None, monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    """Nearly all of that time goes into hashes."""
    sign_up(Client())
    hashed: list[str] = []
    hasher = type(get_hasher())
    hash_password = hasher.encode

    def count(self: BasePasswordHasher, password: str, salt: str) -> str:
        hashed.append(salt)
        return hash_password(self, password, salt)

    monkeypatch.setattr(hasher, "encode", count)
    sign_in(login, "wrong")
    assert len(hashed) == 2


def test_nobody_waits_for_the_mail_server(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor learns from that one who has an account."""
    sign_up(Client())
    is_there = threading.Event()
    sent: list[str] = []

    def send(_self: EmailBackend, found: list[EmailMessage]) -> int:
        assert is_there.wait(60)
        sent.extend(found[0].to)
        raise SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", send)
    with override_settings(EMAIL_BACKEND="games.accounts.mail.PostBackend"):
        ways = [
            Client().post(reverse("account_reset_password"), {"email": address})
            for address in ("ana@club.example", "nobody@club.example")
        ]
        ways.append(Client().post(reverse("account_signup"), FORM | {"username": "Kim", "email": "kim@club.example"}))
        assert not letters.finish(0.01)  # nor does the end of the process
        is_there.set()
        assert letters.finish(60)
    assert {(way.status_code, way["Location"]) for way in ways[:2]} == {(302, reverse("account_reset_password_done"))}
    assert (ways[2].status_code, ways[2]["Location"]) == (302, reverse("me"))
    assert sent == ["ana@club.example", "kim@club.example"]


def test_nobody_is_flooded_with_letters(db: None) -> None:
    sign_up(Client())
    mail.outbox.clear()
    for _ in range(2 * LETTERS_AN_HOUR):
        Client().post(reverse("account_reset_password"), {"email": "ana@club.example"})
        Client().post(reverse("account_reset_password"), {"email": "nobody@club.example"})
    assert [letter.to for letter in mail.outbox] == [["ana@club.example"]] * LETTERS_AN_HOUR


def test_an_account_cannot_write_to_the_whole_town(db: None) -> None:
    client = Client()
    sign_up(client, email="")
    mail.outbox.clear()
    for number in range(12):
        client.post(reverse("account_email"), {"action_add": "", "email": f"person{number}@town.example"})
    assert len(mail.outbox) <= 5


def test_the_same_stranger_is_not_asked_to_confirm_on_and_on(db: None) -> None:
    for number in range(4):
        Client().post(reverse("account_signup"), FORM | {"username": f"ana{number}", "email": "victim@town.example"})
    assert len([letter for letter in mail.outbox if letter.to == ["victim@town.example"]]) == 1


def test_the_password_is_asked_again_before_a_second_factor(db: None) -> None:
    client = Client()
    sign_up(client, email="")
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    for name in ("mfa_activate_totp", "mfa_add_webauthn"):
        assert client.get(reverse(name))["Location"].startswith(reverse("account_reauthenticate"))


def signed_in(name: str = "Ana") -> Client:
    """One more browser of this account."""
    client = Client()
    sign_in(name, client=client)
    return client


def is_known(client: Client) -> tuple[int, int]:
    """Whether this browser may take the data of its person, and move as one: statuses."""
    return client.get(reverse("tournaments:export_me")).status_code, client.get("/me/").status_code


def test_another_password_ends_what_was_signed_in_elsewhere(db: None) -> None:
    sign_up(Client(), email="")
    mine, thief = signed_in(), signed_in()
    table = contribute_all(open_table(models.Player.objects.get()), now=time.time())
    assert is_known(thief)[0] == 200
    new = {"password1": "another long phrase", "password2": "another long phrase"}
    answer = mine.post(reverse("account_change_password"), {"oldpassword": PASSWORD} | new)
    assert answer.status_code == 302
    assert (is_known(mine)[0], is_known(thief)[0]) == (200, 403)
    thief.post(reverse("start", args=[table.id]))
    assert models.Table.objects.get().status == "waiting"
    assert mine.post(reverse("start", args=[table.id]), {"fill": "random"}).status_code in (200, 302)
    assert models.Table.objects.get().status == "playing"


def test_a_closed_account_is_closed_in_every_browser(db: None) -> None:
    user = sign_up(Client(), email="")
    client = signed_in()
    models.User.objects.filter(pk=user.pk).update(is_active=False)
    assert is_known(client)[0] == 403
    assert "Choose a name" in client.get("/").content.decode()
    assert sign_in("Ana").status_code in (200, 302)
    assert is_known(signed_in())[0] == 403


def test_the_codes_of_a_second_factor_cannot_be_tried_on_and_on(db: None) -> None:
    user = sign_up(Client(), email="")
    stored = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": stored})
    client = signed_in()
    pages = [client.post(reverse("mfa_authenticate"), {"code": f"{n:06d}"}).content.decode() for n in range(7)]
    assert "Too many wrong attempts. Wait 1" in pages[-1]


@pytest.mark.parametrize("name", ["mfa_remove_webauthn", "mfa_edit_webauthn"])
def test_the_password_is_asked_again_before_a_passkey_goes(db: None, name: str) -> None:
    user = sign_up(Client(), email="")
    client = signed_in()
    key = Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "Phone"})
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    for send in (client.get, client.post):
        assert send(reverse(name, args=[key.pk]))["Location"].startswith(reverse("account_reauthenticate"))
    assert Authenticator.objects.filter(pk=key.pk).exists()
    stranger = sign_up(Client(), username="Kim", email="")
    other = signed_in("Kim")
    other.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert other.post(reverse(name, args=[key.pk])).status_code == 404
    assert (Authenticator.objects.get().user_id, stranger.pk == user.pk) == (user.pk, False)


def test_who_has_gone_is_in_no_log_of_the_admin(db: None) -> None:
    user = sign_up(Client(), email="")
    player = user.player
    boss = models.User.objects.create_superuser("boss", password=PASSWORD)
    staff = Client()
    staff.force_login(boss)
    for kind, one in (("user", user), ("player", player)):
        page = reverse(f"admin:games_{kind}_change", args=[one.pk])
        form = staff.get(page).context["adminform"].form
        values = {name: value for name, value in form.initial.items() if value not in (None, False) and name != "user"}
        staff.post(page, values | {"first_name": "Anna", "date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"})
    assert set(LogEntry.objects.values_list("object_repr", flat=True)) == {"Ana"}
    player_changes.delete_player(player.pk, now=NOW)
    assert set(LogEntry.objects.values_list("object_repr", "change_message")) == {(ANONYMOUS_NAME, "")}
