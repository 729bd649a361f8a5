"""Notifications by e-mail: only to confirmed addresses of people who wish it, with a way out by one press."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from games import models
from games.notifications import delivery, emails, outbox, wishes
from games.notifications.kinds import KINDS, Channel, Kind
from games.notifications.outbox import Recipient
from games.notifications.wishes import Wishes
from games.play.errors import NotFound
from tests.cast import NOW, person

MAIL = frozenset({Channel.MAIL})


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.SITE_URL = "https://cards.example"


@pytest.fixture
def reader(db: None) -> models.Player:
    """Has an account with a confirmed address, and wishes to hear of check-ins by e-mail."""
    user = models.User.objects.create(username="Rea")
    EmailAddress.objects.create(user=user, email="rea@example.org", verified=True, primary=True)
    player = models.Player.objects.create(name="Rea", avatar="fox", user=user)
    wishes.save(player.pk, Wishes({Kind.CHECK_IN_OPEN: MAIL}))
    return player


def notify(player: models.Player) -> None:
    """Tell this person that a check-in is open, and send it."""
    recipient = Recipient(player.pk, {"event": "Thursday"}, "/tournaments/abc/")
    outbox.tell(Kind.CHECK_IN_OPEN, "k", [recipient], tag="t", now=NOW)
    for origin in delivery.list_origins(NOW):
        delivery.deliver_batch(origin, now=NOW)


def test_it_says_what_where_and_how_to_stop_it(reader: models.Player) -> None:
    notify(reader)
    notify(reader)
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (["rea@example.org"], "[Menagerie] Check-in is open: Thursday")
    assert "https://cards.example/tournaments/abc/" in letter.body
    out = letter.extra_headers["List-Unsubscribe"]
    assert re.fullmatch(r"<https://cards\.example/unsubscribe/[^/]+/>", out)
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert out.strip("<>") in letter.body


def test_it_names_a_time_by_the_readers_clock(reader: models.Player) -> None:
    """It may be read hours after it was sent, so it does not say how long there is."""
    wishes.save(reader.pk, Wishes({Kind.TURN_ENDS: MAIL}, None, "Europe/Warsaw"))
    due = datetime(2026, 11, 28, 4, 5, tzinfo=UTC)
    details = {"game": "karriere-poker", "names": ["Ben"], "moment": due.timestamp()}
    now = due.timestamp() - 3600
    outbox.tell(Kind.TURN_ENDS, "k", [Recipient(reader.pk, details, "/tables/x/")], tag="t", now=now)
    for origin in delivery.list_origins(now):
        delivery.deliver_batch(origin, now=now)
    [letter] = mail.outbox
    assert "Karriere Poker with Ben · until Sat 28 Nov 2026, 05:05 CET\n" in letter.body


def test_what_an_earlier_version_left_to_send_has_no_time(reader: models.Player) -> None:
    letter = KINDS[Kind.TURN_ENDS].write({"game": "karriere-poker", "names": ["Ben"], "hours": 9})
    assert letter.write_body(UTC) == "Karriere Poker with Ben"


def test_one_press_stops_it_without_signing_in(reader: models.Player) -> None:
    """As a mail program sends it (RFC 8058): a POST without a cookie or a token of a form."""
    notify(reader)
    path = mail.outbox[0].extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://cards.example")
    program = Client(enforce_csrf_checks=True)
    assert program.get(path).status_code == 200
    assert wishes.read(reader.pk).wants(Kind.CHECK_IN_OPEN, Channel.MAIL)
    answer = program.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert not wishes.read(reader.pk).wants(Kind.CHECK_IN_OPEN, Channel.MAIL)


def test_an_address_that_is_not_confirmed_gets_nothing(reader: models.Player) -> None:
    EmailAddress.objects.update(verified=False)
    notify(reader)
    assert (mail.outbox, models.Notice.objects.count()) == ([], 0)


def test_nobody_gets_an_email_who_has_not_chosen_it(reader: models.Player) -> None:
    models.NoticeWishes.objects.all().delete()
    notify(reader)
    assert mail.outbox == []


def test_a_site_that_sends_no_email_sends_none(reader: models.Player, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    notify(reader)
    assert models.Notice.objects.count() == 0


def test_links_that_were_made_up_stop_nothing(db: None) -> None:
    player = person("Ana")
    good = emails.make_token(player.pk, Kind.CHECK_IN_OPEN)
    assert emails.read_token(good) == (player.pk, Kind.CHECK_IN_OPEN)
    for bad in ("x", good[:-1], good + "x", emails.make_token(player.pk, Kind.GONE)):
        with pytest.raises(NotFound):
            emails.read_token(bad)
