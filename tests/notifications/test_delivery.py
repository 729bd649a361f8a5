"""The outbox and its delivery, against a push service that speaks the real protocol."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from games import models
from games.notifications import delivery, outbox, push_client
from games.notifications.kinds import Kind
from games.notifications.outbox import Recipient
from games.work import outgoing_addresses
from tests.cast import NOW, at_once, person
from tests.notifications.push_service import PushService

TABLE = {"event": "Thursday", "table": 5, "names": ["Ana", "Ben", "Cem"]}
TAG = "event/1"


def notify(*players: models.Player, key: str = "k", kind: Kind = Kind.TABLE_READY, tag: str = TAG) -> int:
    """Tell these people that their table is ready."""
    people = [Recipient(player.pk, TABLE, "/tables/abc/") for player in players]
    return outbox.tell(kind, key, people, tag=tag, now=NOW)


def deliver(*, now: float = NOW) -> None:
    """Send everything that is due."""
    for origin in delivery.list_origins(now):
        while delivery.deliver_batch(origin, now=now).claimed:
            pass


def test_a_message_arrives_decrypted_and_signed(ana: models.Player, push_service: PushService) -> None:
    device = push_service.subscribe(ana)
    notify(ana)
    deliver()
    [received] = push_service.received
    assert received.text == {
        "tag": TAG,
        "title": "Your table is ready: Thursday",
        "body": "Table 5, with Ana, Ben and Cem",
        "path": "/tables/abc/",
        "is_gone": False,
        "is_update": False,
        "language": "en",
    }
    headers = received.headers
    assert (headers["Content-Encoding"], headers["Urgency"], headers["TTL"]) == ("aes128gcm", "high", "3600")
    assert len(headers["Topic"]) == 32
    device.refresh_from_db()
    assert device.used_at == NOW


def test_it_speaks_the_language_of_the_device(ana: models.Player, push_service: PushService) -> None:
    device = push_service.subscribe(ana)
    models.PushDevice.objects.filter(pk=device.pk).update(language="de")
    notify(ana)
    deliver()
    assert push_service.received[0].text["body"] == "Tisch 5, mit Ana, Ben und Cem"


def test_nobody_is_told_twice_whatever_is_retried(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    for _ in range(3):
        notify(ana)
        deliver()
    assert len(push_service.received) == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_it_once(push_service: PushService) -> None:
    players = [person(f"P{number}") for number in range(40)]
    for number, player in enumerate(players):
        push_service.subscribe(player, f"ok/{number}")
    notify(*players)
    at_once(deliver, deliver)
    assert sorted(one.path for one in push_service.received) == sorted(f"/ok/{number}" for number in range(40))


def test_an_endpoint_that_is_gone_is_forgotten(
    ana: models.Player, ben: models.Player, push_service: PushService
) -> None:
    push_service.answers = {"gone": 410, "missing": 404}
    push_service.subscribe(ana, "gone/1")
    push_service.subscribe(ana, "missing/1")
    kept = push_service.subscribe(ben)
    notify(ana, ben)
    deliver()
    assert list(models.PushDevice.objects.all()) == [kept]
    assert [one.path for one in push_service.received] == ["/ok/1"]


def test_a_service_in_trouble_gets_it_again(ana: models.Player, push_service: PushService) -> None:
    push_service.answers = {"ok": 503}
    push_service.subscribe(ana)
    notify(ana)
    deliver()
    assert models.Notice.objects.get().due_at == NOW + delivery.WAITS[0]
    push_service.answers = {}
    deliver(now=NOW + 10)
    assert push_service.received == []
    deliver(now=NOW + delivery.WAITS[0])
    assert [one.text["tag"] for one in push_service.received] == [TAG]


def test_after_the_last_attempt_it_is_given_up(ana: models.Player, push_service: PushService) -> None:
    push_service.answers = {"ok": 500}
    push_service.subscribe(ana)
    notify(ana)
    for late in range(0, 3000, 5):
        deliver(now=NOW + late)
    assert len(push_service.requests) == len(delivery.WAITS) + 1
    assert models.Notice.objects.get().due_at is None


def test_a_slow_service_delays_no_other(
    ana: models.Player, ben: models.Player, push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each service has a job of its own; after three messages without an answer the rest of its messages wait."""
    from tests.notifications.push_service import run_push_service

    monkeypatch.setattr(push_client, "TIMEOUT_SECONDS", 0.3)
    with run_push_service() as other:
        push_service.slow = frozenset({"ok"})
        for number in range(100):
            push_service.subscribe(ana, f"ok/{number}")
        other.subscribe(ben)
        notify(ana, ben)
        origins = delivery.list_origins(NOW)
        assert set(origins) == {push_service.address, other.address}
        began = time.monotonic()
        assert delivery.deliver_batch(other.address, now=NOW).claimed == 1
        assert len(other.received) == 1
        assert delivery.deliver_batch(push_service.address, now=NOW).is_silent
        assert time.monotonic() - began < 5
        assert len(push_service.requests) <= push_client.CONCURRENT_REQUESTS + push_client.MAX_FAILURES - 1  # of 100
        assert delivery.is_silent(push_service.address)
        assert not delivery.is_silent(other.address)


def test_what_would_come_too_late_is_not_sent(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    notify(ana)
    deliver(now=NOW + 3600)
    assert (push_service.requests, models.Notice.objects.get().answer) == ([], "late")


def test_a_browser_that_signed_out_gets_nothing(ana: models.Player, push_service: PushService) -> None:
    device = push_service.subscribe(ana)
    notify(ana)
    Session.objects.filter(pk=device.session).delete()
    deliver()
    assert (push_service.requests, models.PushDevice.objects.count()) == ([], 0)


def test_five_messages_under_one_tag_are_one(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    for number in range(5):
        notify(ana, key=f"k{number}")
    deliver()
    assert len(push_service.received) == 1
    notify(ana, key="later")
    deliver()
    topics = {one.headers["Topic"] for one in push_service.received}
    assert (len(push_service.received), len(topics)) == (2, 1)


def test_what_is_no_longer_true_is_closed_where_it_was_shown(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    notify(ana)
    deliver()
    assert outbox.withdraw(models.Notice.objects.filter(key="k"), now=NOW + 60) == 1
    outbox.withdraw(models.Notice.objects.filter(key="k"), now=NOW + 61)
    deliver(now=NOW + 62)
    assert [(one.text["is_gone"], one.text["tag"]) for one in push_service.received] == [(False, TAG), (True, TAG)]


def test_what_was_not_sent_yet_is_simply_not_sent(ana: models.Player, push_service: PushService) -> None:
    push_service.subscribe(ana)
    notify(ana)
    outbox.withdraw(models.Notice.objects.all(), now=NOW)
    deliver()
    assert push_service.requests == []


def test_connections_are_shared_by_messages(push_service: PushService, db: None) -> None:
    players = [person(f"P{number}") for number in range(60)]
    for number, player in enumerate(players):
        push_service.subscribe(player, f"ok/{number}")
    notify(*players)
    deliver()
    assert len(push_service.received) == 60
    assert push_service.connections <= push_client.CONCURRENT_REQUESTS


def test_a_private_address_is_never_called(ana: models.Player, push_service: PushService, settings: Any) -> None:
    push_service.subscribe(ana)
    settings.WEBHOOKS_MAY_BE_LOCAL = False
    notify(ana)
    deliver()
    assert push_service.connections == 0
    assert models.Notice.objects.get().answer.startswith("PrivateAddress")


def test_the_address_that_was_checked_is_the_one_that_is_called(
    ana: models.Player, push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere at the second question is asked once."""
    asked: list[str] = []
    port = push_service.address.rpartition(":")[2]

    def resolve(host: str, _port: int) -> str:
        asked.append(host)
        return "127.0.0.1" if len(asked) == 1 else "192.0.2.1"

    monkeypatch.setattr(outgoing_addresses, "_resolve", resolve)
    push_service.address = f"http://push.example:{port}"
    push_service.subscribe(ana)
    notify(ana)
    deliver()
    assert asked == ["push.example"]
    assert push_service.received[0].headers["Host"] == f"push.example:{port}"


def test_old_rows_are_cleared(ana: models.Player, push_service: PushService) -> None:
    device = push_service.subscribe(ana)
    notify(ana)
    outbox.clear_old(now=NOW + outbox.KEPT_SECONDS - 1)
    assert models.Notice.objects.count() == 1
    Session.objects.filter(pk=device.session).delete()
    outbox.clear_old(now=NOW + outbox.KEPT_SECONDS + 1)
    assert (models.Notice.objects.count(), models.PushDevice.objects.count()) == (0, 0)
