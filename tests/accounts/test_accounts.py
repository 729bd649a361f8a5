"""Accounts: signing up keeps a guest's games, signing in by name or email, emails, second factors, deletion."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from games import models
from games.play.seats import player_changes
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.storage import store
from games.play.storage.table import PLAYING
from tests.cast import browser, finish, open_table, person, start_table

PASSWORD = "quite a long phrase"
FORM = {"username": "Ana", "email": "ana@club.example", "password1": PASSWORD}


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """What was counted in another test does not count here."""
    cache.clear()


def sign_up(client: Client, **changes: str) -> models.User:
    """A new account of this browser."""
    answer = client.post(reverse("account_signup"), FORM | changes)
    assert (answer.status_code, answer["Location"]) == (302, "/me/"), answer.content.decode()
    return models.User.objects.get(username=changes.get("username", "Ana"))


def sign_in(login: str, password: str = PASSWORD, client: Client | None = None) -> Any:
    """The answer to name or address and password."""
    return (client or Client()).post(reverse("account_login"), {"login": login, "password": password})


def test_a_guest_who_signs_up_keeps_their_games(ana: models.Player) -> None:
    client = browser(ana)
    over, playing = finish(start_table(ana, options={"deals": 1})), start_table(ana)
    user = sign_up(client)
    ana.refresh_from_db()
    assert (ana.user_id, models.Player.objects.count()) == (user.pk, 1)
    again = Client()
    assert sign_in("Ana", client=again).status_code == 302
    page = again.get(reverse("lobby")).content.decode()
    assert (f"my-{over.id}" in page or over.id in page, playing.id in page) == (True, True)
    assert again.get(reverse("view_json", args=[playing.id])).json()["seat"] == 0


def test_a_field_says_its_label_once(db: None) -> None:
    pages = [Client().get(reverse(name)).content.decode() for name in ("account_signup", "account_login")]
    assert ["placeholder" in page.partition("<main")[2] for page in pages] == [False, False]


@pytest.mark.parametrize(
    ("language", "label"), [("en", "Key name"), ("de", "Name des Schlüssels"), ("pl", "Nazwa klucza")]
)
def test_forms_of_an_account_say_their_labels_once_and_in_each_language(db: None, language: str, label: str) -> None:
    client = Client(headers={"accept-language": language})
    sign_up(client)
    again = client.get(reverse("account_reauthenticate")).content.decode().partition("<main")[2]
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    names = ("mfa_add_webauthn", "mfa_activate_totp", "account_email")
    key, *others = (client.get(reverse(name)).content.decode().partition("<main")[2] for name in names)
    assert re.search(rf"<label[^>]*>\s*{label}\s*</label>", key)
    assert [page.count('placeholder="') for page in (again, key, *others)] == [0, 0, 0, 0]


def test_a_name_that_was_chosen_stays_and_one_that_was_given_goes(db: None) -> None:
    given, chosen = person("Fox 42"), person("Anuschka")
    sign_up(browser(given))
    polish = browser(chosen)
    polish.defaults["HTTP_ACCEPT_LANGUAGE"] = "pl"
    sign_up(polish, username="Other", email="")
    assert sorted(models.Player.objects.values_list("name", "language")) == [("Ana", "en"), ("Anuschka", "pl")]


def test_the_name_at_the_tables_is_a_field_of_its_own(db: None) -> None:
    guest, stranger = browser(person("Fox 42")), Client()
    assert 'value="Fox 42"' in guest.get(reverse("account_signup")).content.decode()
    sign_up(guest, username="ana", table_name="Fox 42", email="")
    sign_up(stranger, username="ben", table_name="Big Ben", email="")
    names = models.Player.objects.values_list("user__username", "name")
    assert sorted(names) == [("ana", "Fox 42"), ("ben", "Big Ben")]
    refused = Client().post(reverse("account_signup"), FORM | {"username": "eva", "table_name": "Administrator"})
    assert (refused.status_code, models.User.objects.filter(username="eva").exists()) == (200, False)


def test_a_password_is_typed_once(db: None) -> None:
    client = Client()
    sign_up(client)
    page = client.get(reverse("account_change_password")).content.decode()
    assert [page.count('autocomplete="new-password"'), page.count('name="password2"')] == [1, 0]
    change = {"oldpassword": PASSWORD, "password1": "another long phrase"}
    assert client.post(reverse("account_change_password"), change).status_code == 302
    assert sign_in("Ana", "another long phrase").status_code == 302


def test_a_stranger_who_signs_up_plays_under_their_name(db: None) -> None:
    user = sign_up(Client(HTTP_ACCEPT_LANGUAGE="de"), username="a-very-long-name-of-thirty-letters")
    assert (user.player.name, user.player.language) == ("a-very-long-name-of-thir", "de")


@pytest.mark.parametrize("login", ["Ana", "ana", "ana@club.example", "ANA@club.example"])
def test_signing_in_by_name_or_address(db: None, login: str) -> None:
    sign_up(Client())
    assert sign_in(login).status_code == 302
    assert sign_in(login, "wrong").status_code == 200


def test_signing_out_forgets_who_it_was(db: None) -> None:
    client = Client()
    sign_up(client)
    assert client.post(reverse("account_logout"))["Location"] == "/"
    assert "Choose a name" in client.get("/").content.decode()


def test_a_guest_of_this_browser_is_offered_and_taken_over(db: None) -> None:
    user = sign_up(Client())
    guest = person("Fox 42")
    client = browser(guest)
    table, elsewhere = start_table(guest), start_table(person("Ben"), guest)
    sign_in("Ana", client=client)
    assert "Fox 42" in client.get("/me/").content.decode()
    assert client.post(reverse("take_over_guest")).status_code == 302
    assert store.reload(table.id).seat_of(user.player.pk) == 0
    assert store.fetch(table.id).host_id == user.player.pk
    assert store.reload(elsewhere.id).host_id == elsewhere.host_id
    guest.refresh_from_db()
    assert guest.left_at is not None
    assert client.post(reverse("take_over_guest")).status_code == 403


def test_a_guest_who_has_done_nothing_is_not_asked_after(db: None) -> None:
    sign_up(Client())
    client = browser(person("Fox 42"))
    sign_in("Ana", client=client)
    assert "Fox 42" not in client.get("/me/").content.decode()


def test_what_a_guest_said_and_brought_is_theirs_who_takes_them_over_and_goes_with_them(db: None) -> None:
    user = sign_up(Client())
    guest, friend = person("Fox 42"), person("Ben")
    client = browser(guest)
    table = start_table(friend, user.player, guest)
    remark = models.Remark.objects.create(table_id=table.id, number=1, player=guest, name="Fox 42", words="Hey!", at=1)
    models.Report.objects.create(remark=remark, player=guest, at=2)
    models.Upload.objects.create(key="k", player=guest, text="{}", at=3)
    friends = models.Remark.objects.create(table_id=table.id, number=2, player=friend, name="Ben", words="Hi!", at=1)
    models.Report.objects.create(remark=friends, player=friend, at=2)
    models.Upload.objects.create(key="b", player=friend, text="{}", at=3)
    sign_in("Ana", client=client)
    client.post(reverse("take_over_guest"))
    assert not player_changes.has_traces(guest.pk) or [seat.name for seat in guest.seats.all()] == [ANONYMOUS_NAME]
    for rows in (models.Remark.objects, models.Report.objects, models.Upload.objects):
        assert {row.player for row in rows.all()} == {user.player, friend}
    assert [place.name for place in store.reload(table.id).places][:3] == ["Ben", "Ana", ANONYMOUS_NAME]
    player_changes.delete_player(user.player.pk, now=4)
    assert not models.Player.objects.filter(name="Fox 42").exists()
    assert set(models.Remark.objects.values_list("name", "words")) == {(ANONYMOUS_NAME, ""), ("Ben", "Hi!")}


def test_a_forgotten_password(db: None) -> None:
    sign_up(Client())
    mail.outbox.clear()
    client = Client()
    client.post(reverse("account_reset_password"), {"email": "ana@club.example"})
    (letter,) = mail.outbox
    assert re.findall(r"(?:from|using) (\S+)!", str(letter.body)) == ["Menagerie", "Menagerie"]
    link = re.search(r"http://testserver(\S+)", str(letter.body))
    assert link is not None
    form = client.get(link[1], follow=True).request["PATH_INFO"]
    answer = client.post(form, {"password1": "another long phrase", "password2": "another long phrase"})
    assert answer.status_code == 302
    assert (sign_in("Ana").status_code, sign_in("Ana", "another long phrase").status_code) == (200, 302)


@pytest.mark.parametrize("host", ["localhost", "localhost:9999", "testserver"])
def test_letters_lead_to_the_site_whatever_the_request_says(db: None, settings: Any, host: str) -> None:
    """The confirmation of an address, and a new password."""
    settings.SITE_URL = "https://cards.example.org:8443"
    sign_up(Client(HTTP_HOST=host))
    Client(HTTP_HOST=host).post(reverse("account_reset_password"), {"email": "ana@club.example"})
    links = [link for letter in mail.outbox for link in re.findall(r"https?://\S+", str(letter.body))]
    assert (len(mail.outbox), len(links)) == (2, 2)
    assert [link for link in links if not link.startswith("https://cards.example.org:8443/")] == []
    assert not any(host in str(letter.body) for letter in mail.outbox)


def test_letters_speak_the_language_of_their_reader(db: None) -> None:
    """Somebody who asks for one may read another: at a borrowed telephone, or somebody who only typed that address."""
    sign_up(Client(headers={"accept-language": "pl"}))
    mail.outbox.clear()
    english = Client(headers={"accept-language": "en"})
    page = english.post(reverse("account_reset_password"), {"email": "Ana@club.example"}, follow=True)
    (letter,) = mail.outbox
    assert ("Zmiana zapomnianego hasła" in letter.subject, "Miłej gry" in letter.body) == (True, True)
    assert '<html lang="en"' in page.content.decode()


def test_nobody_learns_which_addresses_have_accounts(db: None) -> None:
    sign_up(Client())
    response = Client().post(reverse("account_reset_password"), {"email": "ana@club.example"})
    unknown = Client().post(reverse("account_reset_password"), {"email": "eva@club.example"})
    assert (response.status_code, response["Location"]) == (unknown.status_code, unknown["Location"])


def test_too_many_accounts_of_one_network(db: None) -> None:
    statuses = [
        Client().post(reverse("account_signup"), FORM | {"username": f"ana{n}", "email": ""}).status_code
        for n in range(21)
    ]
    assert (statuses[0], statuses[-1]) == (302, 429)


def test_an_authenticator_app_is_asked_for_and_its_secret_is_locked(db: None) -> None:
    user = sign_up(Client())
    secret = "JBSWY3DPEHPK3PXP"
    stored = get_adapter().encrypt(secret)
    assert secret not in stored
    assert get_adapter().decrypt(stored) == secret
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": stored})
    client = Client()
    assert sign_in("Ana", client=client)["Location"].startswith(reverse("mfa_authenticate"))
    assert "Choose a name" in client.get("/").content.decode()
    asked = client.get(reverse("mfa_authenticate")).content.decode()
    assert ("authenticator code" in asked, "security key" in asked, "js_data" in asked) == (True, False, False)
    assert client.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code == 200
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    assert client.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302
    assert "Ana" in client.get("/").content.decode()


def test_a_lost_key_is_said_to_people_it_keeps_out(db: None) -> None:
    """Neither app nor recovery codes open an account then."""
    user = sign_up(Client())
    stored = {"secret": get_adapter().encrypt("JBSWY3DPEHPK3PXP")}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=stored)
    with override_settings(SECRET_KEY="another one, long enough for a key"):
        client = Client()
        sign_in("Ana", client=client)
        response = client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert (response.status_code, "no longer work" in response.content.decode()) == (403, True)


def test_a_recovery_code_opens_once_where_the_app_is_lost(db: None) -> None:
    client = Client()
    sign_up(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_activate_totp"))
    now = next(iter(yield_hotp_counters_from_time()))
    code = format_hotp_value(hotp_value(client.session["mfa.totp.secret"], now))
    assert client.post(reverse("mfa_activate_totp"), {"code": code}).status_code == 302
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    codes = re.findall(r"\b\d{8}\b", page)
    assert len(set(codes)) == 10
    for code, status in ((codes[3], 302), (codes[3], 200), (codes[4], 302)):
        again = Client()
        sign_in("Ana", client=again)
        assert (
            "or a recovery code. Each recovery code works once"
            in again.get(reverse("mfa_authenticate")).content.decode()
        )
        assert again.post(reverse("mfa_authenticate"), {"code": code}).status_code == status
    left = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert ("8 of 10 recovery codes are left" in left, codes[3] in left, codes[5] in left) == (True, False, True)


def test_a_second_factor_does_not_wait_for_a_letter(db: None) -> None:
    client = Client()
    sign_up(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("mfa_activate_totp")).status_code == 200


def test_the_language_of_the_profile_comes_to_other_browsers(db: None) -> None:
    client = Client()
    sign_up(client)
    client.post(reverse("set_language"), {"language": "pl"})
    assert models.Player.objects.get().language == "pl"
    assert sign_in("Ana").cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"


def test_going_takes_the_name_and_leaves_the_games(db: None, ben: models.Player) -> None:
    client = Client()
    user = sign_up(Client())
    sign_in("Ana", client=client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    player = user.player
    over = finish(start_table(player, ben, options={"deals": 1}))
    playing, waiting = start_table(ben, player), open_table(ben, player)
    models.Remark.objects.create(table_id=over.id, number=1, player=player, name="Ana", words="Mine!", at=1.0)
    models.Remark.objects.create(table_id=over.id, number=2, player=ben, name="Ben", words="Yours!", at=2.0)
    for key, owner, is_kept in (("a", player, True), ("b", player, False), ("c", ben, True), ("d", ben, False)):
        models.Upload.objects.create(key=key, player=owner, text="{}", at=3, is_kept=is_kept)
    assert "Delete your name and account?" in client.get(reverse("delete_me")).content.decode()
    assert client.post(reverse("delete_me"))["Location"] == "/"
    player.refresh_from_db()
    assert (player.name, player.user_id, player.is_listed, player.left_at is None) == (
        ANONYMOUS_NAME,
        None,
        False,
        False,
    )
    assert not models.User.objects.exists()
    assert [place.name for place in store.reload(over.id).places][:2] == [ANONYMOUS_NAME, "Ben"]
    now = store.reload(playing.id)
    assert (now.status, now.places[1].name, now.bot_level(1)) == (PLAYING, ANONYMOUS_NAME, "steady")
    assert [place.name for place in store.reload(waiting.id).places] == ["Ben"]
    assert store.reload(over.id).outcome == over.outcome
    actual = models.Remark.objects.order_by("number").values_list("name", "words")
    assert list(actual) == [(ANONYMOUS_NAME, ""), ("Ben", "Yours!")]
    brought = models.Upload.objects.order_by("key").values_list("key", "player")
    assert list(brought) == [("a", None), ("c", ben.pk), ("d", ben.pk)]
    assert "Choose a name" in client.get("/").content.decode()
    assert sign_in("Ana").status_code == 200


def test_going_needs_the_password_again(db: None) -> None:
    client = Client()
    sign_up(client)
    assert client.post(reverse("delete_me"))["Location"].startswith(reverse("account_reauthenticate"))
    assert models.User.objects.exists()


def test_a_guest_can_go_too(ana: models.Player) -> None:
    client = browser(ana)
    client.post(reverse("delete_me"))
    ana.refresh_from_db()
    assert ana.name == ANONYMOUS_NAME
    assert Client().get(reverse("delete_me")).status_code == 403


def test_the_forms_say_what_is_asked_for_and_why(db: None) -> None:
    assert "Username or email address" in Client().get(reverse("account_login")).content.decode()
    assert "Only used to reset your password." in Client().get(reverse("account_signup")).content.decode()


def test_staff_come_to_the_admin_by_the_same_door(db: None) -> None:
    models.User.objects.create_superuser("boss", password=PASSWORD)
    client = Client()
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/")["Location"].startswith(reverse("account_login"))
    sign_in("boss", client=client)
    assert client.get("/admin/").status_code == 200
    client.post(reverse("play_now", args=["karriere-poker"]))
    assert models.Player.objects.get().user == models.User.objects.get()


def test_the_framework_speaks_to_people_as_the_house_does(db: None) -> None:
    client = Client()
    sign_up(client)
    client.post(reverse("set_language"), {"language": "de"})
    pages = [client.get(reverse(name), follow=True) for name in ("account_reauthenticate", "mfa_activate_totp")]
    text = " ".join(page.content.decode() for page in pages)
    assert "Gib dein Passwort ein" in text
    assert re.findall(r"\b(?:Sie|Ihr|Ihre|Ihrem|Ihnen)\b", text) == []
