"""The settings of notifications: devices, wishes, quiet hours, and why there are none without HTTPS."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games import models
from games.notifications import devices, wishes
from games.notifications.kinds import Channel, Kind
from games.operation.signing_keys import encode, read_keys
from games.play.seats import player_changes
from tests.cast import browser, person
from tests.notifications.push_service import AUTH, PushService

POINT = PushService().point
AGENT = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def subscribe(reader: Client, endpoint: str = "https://push.example.com/1", **changes: Any) -> Any:
    """The answer for a browser that subscribes."""
    body = {"endpoint": endpoint, "keys": {"p256dh": encode(POINT), "auth": encode(AUTH)}, **changes}
    return reader.post(
        reverse("add_device"), json.dumps(body), content_type="application/json", headers={"user-agent": AGENT}
    )


def test_a_browser_is_added_once_and_named(ana: models.Player) -> None:
    reader = browser(ana)
    assert [subscribe(reader).status_code for _ in range(2)] == [200, 200]
    device = models.PushDevice.objects.get()
    assert (device.player, device.name, device.origin) == (ana, "Firefox, Android", "https://push.example.com")
    assert device.session == reader.session.session_key
    assert "Firefox, Android" in reader.get(reverse("notifications")).content.decode()


@pytest.mark.parametrize(
    ("endpoint", "changes"),
    [
        ("http://push.example.com/1", {}),
        ("https://127.0.0.1/1", {}),
        ("https://10.1.2.3/1", {}),
        ("https://[::1]/1", {}),
        ("https://user@push.example.com/1", {}),
        ("ftp://push.example.com/1", {}),
        ("https://push.example.com/" + "x" * 1000, {}),
        ("https://push.example.com/1", {"keys": {"p256dh": "x", "auth": encode(AUTH)}}),
        ("https://push.example.com/1", {"keys": {"p256dh": encode(bytes([4] * 65)), "auth": encode(AUTH)}}),
        ("https://push.example.com/1", {"keys": {"p256dh": encode(POINT), "auth": "x"}}),
        ("https://push.example.com/1", {"keys": None}),
    ],
)
def test_a_subscription_that_cannot_be_is_refused(ana: models.Player, endpoint: str, changes: dict[str, Any]) -> None:
    assert subscribe(browser(ana), endpoint, **changes).status_code == 400
    assert not models.PushDevice.objects.exists()


def test_a_browser_that_somebody_else_uses_now_is_theirs_alone(ana: models.Player, ben: models.Player) -> None:
    subscribe(browser(ana))
    subscribe(browser(ben))
    assert [device.player for device in models.PushDevice.objects.all()] == [ben]


def test_the_oldest_of_too_many_devices_goes(ana: models.Player) -> None:
    reader = browser(ana)
    for number in range(devices.MAX_DEVICES + 1):
        subscribe(reader, f"https://push.example.com/{number}")
    ends = {device.endpoint.rpartition("/")[2] for device in models.PushDevice.objects.all()}
    assert ends == {str(number) for number in range(1, devices.MAX_DEVICES + 1)}


def test_only_its_owner_removes_a_device(ana: models.Player, ben: models.Player) -> None:
    subscribe(browser(ana))
    device = models.PushDevice.objects.get()
    assert browser(ben).post(reverse("remove_device"), {"device": device.pk}).status_code == 404
    gone = json.dumps({"endpoint": device.endpoint})
    browser(ben).post(reverse("remove_device"), gone, content_type="application/json")
    assert models.PushDevice.objects.exists()
    browser(ana).post(reverse("remove_device"), {"device": device.pk})
    assert not models.PushDevice.objects.exists()


def test_signing_out_ends_it(client: Client, db: None) -> None:
    user = models.User.objects.create_user("Rea", password="a long phrase")
    models.Player.objects.create(name="Rea", avatar="fox", user=user)
    client.post(reverse("account_login"), {"login": "Rea", "password": "a long phrase"})
    assert subscribe(client).status_code == 200
    assert devices.find_lost_devices(models.PushDevice.objects.all()) == set()
    client.post(reverse("account_logout"))
    assert not models.PushDevice.objects.exists()


def test_a_guest_who_makes_an_account_keeps_the_device(client: Client, ana: models.Player) -> None:
    reader = browser(ana)
    subscribe(reader)
    form = {"username": "Ana", "password1": "a long phrase of words", "email": ""}
    assert reader.post(reverse("account_signup"), form).status_code == 302
    device = models.PushDevice.objects.get()
    assert device.player.user is not None
    assert Session.objects.filter(pk=device.session).exists()
    assert devices.find_lost_devices([device]) == set()


def test_a_stranger_chooses_a_name_first(client: Client, db: None) -> None:
    assert client.get(reverse("notifications")).status_code == 403
    assert subscribe(client).status_code == 403


def test_without_https_the_page_says_why_there_are_none(ana: models.Player, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["cards.example", "localhost"]
    reader = browser(ana)
    pages = {
        where: reader.get(reverse("notifications"), secure=secure, headers={"host": host}).content.decode()
        for where, host, secure in (
            ("plain", "cards.example", False),
            ("https", "cards.example", True),
            ("local", "localhost:8000", False),
        )
    }
    shown = {where: ("served without HTTPS" in page, read_keys().public in page) for where, page in pages.items()}
    assert shown == {"plain": (True, False), "https": (False, True), "local": (False, True)}


def test_wishes_are_saved_as_they_are_ticked(ana: models.Player) -> None:
    reader = browser(ana)
    quiet = {"quiet_from": "22:00", "quiet_until": "07:30", "zone": "Europe/Warsaw"}
    answer = reader.post(reverse("notifications"), {"your-turn:push": "on", "table-waits:push": "on", **quiet})
    assert answer.status_code == 302
    settings = wishes.read(ana.pk)
    wanted = {kind for kind in Kind if settings.wants(kind, Channel.PUSH)}
    for_organisers = {Kind.REPORT_CAME, Kind.ROUND_COMPLETE}  # they are not on Ana's page
    assert wanted == {Kind.YOUR_TURN, Kind.TABLE_WAITS} | for_organisers
    assert (settings.quiet, settings.zone) == ((1320, 450), "Europe/Warsaw")
    page = reader.get(reverse("notifications")).content.decode()
    assert 'value="22:00"' in page
    assert 'value="07:30"' in page


@pytest.mark.parametrize("quiet", [("22:00", ""), ("25:00", "07:00"), ("x", "y"), ("07:00", "07:00")])
def test_quiet_hours_that_cannot_be_are_refused(ana: models.Player, quiet: tuple[str, str]) -> None:
    given = {"quiet_from": quiet[0], "quiet_until": quiet[1], "zone": "UTC"}
    assert browser(ana).post(reverse("notifications"), given).status_code == 400


@pytest.mark.parametrize(
    ("has_account", "is_verified", "sends", "sentence"),
    [
        (False, False, True, "With an account"),
        (True, False, True, "Confirm your email address"),
        (True, True, True, "By email"),
        (True, True, False, "This site does not send email"),
    ],
)
def test_email_is_offered_where_it_would_arrive(
    settings: Any, db: None, has_account: bool, is_verified: bool, sends: bool, sentence: str
) -> None:
    reader = Client()
    player = person("Rea")
    if has_account:
        user = models.User.objects.create_user("Rea", password="a long phrase")
        models.Player.objects.filter(pk=player.pk).update(user=user)
        EmailAddress.objects.create(user=user, email="rea@example.org", verified=is_verified, primary=True)
        reader.post(reverse("account_login"), {"login": "Rea", "password": "a long phrase"})
    else:
        reader = browser(player)
    if not sends:
        settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    page = reader.get(reverse("notifications")).content.decode()
    assert sentence in page
    assert ("By email" in page) == (has_account and is_verified and sends)


def test_the_key_is_made_once_for_its_owner_only(settings: Any) -> None:
    first = read_keys()
    file = settings.DATA_DIR / "vapid-key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_keys() == first
    settings.VAPID_PRIVATE_KEY = file.read_text()
    file.unlink()
    assert read_keys() == first
    assert not file.exists()


def test_a_merged_guest_brings_the_devices_along(ana: models.Player, ben: models.Player) -> None:
    subscribe(browser(ana))
    wishes.save(ana.pk, wishes.Wishes({Kind.YOUR_TURN: frozenset()}))
    player_changes.merge_guest(ana.pk, ben.pk, now=time.time())
    assert models.PushDevice.objects.get().player == ben
    assert not wishes.read(ben.pk).wants(Kind.YOUR_TURN, Channel.PUSH)


def test_nothing_is_left_of_somebody_who_deletes_themselves(ana: models.Player) -> None:
    subscribe(browser(ana))
    wishes.save(ana.pk, wishes.Wishes({}))
    player_changes.delete_player(ana.pk, now=time.time())
    left = [
        model.objects.count() for model in (models.PushDevice, models.NoticeWishes, models.Notice, models.Attention)
    ]
    assert left == [0, 0, 0, 0]
