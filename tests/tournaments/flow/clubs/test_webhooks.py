"""Webhooks hear of what happened: once a step, signed, again until they answer, never in a private network."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, NotFound
from tests.cast import NOW, browser, person
from tests.tournaments.api.described import Description
from tests.tournaments.cast import NAMES, begin, check_in, decide_all, draw, enter, found, plan, plan_season, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.clubs import webhooks
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons import season_phases
from tournaments.flow.steps import webhook_events
from tournaments.models import Delivery, PairRule, Phase, Pod, Result, Tournament, Webhook


@contextmanager
def listener(*statuses: int) -> Iterator[tuple[str, list[tuple[dict[str, str], str]]]]:
    """A program that answers with these statuses, the last one from then on; and what it was sent."""
    heard: list[tuple[dict[str, str], str]] = []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            heard.append((dict(self.headers.items()), body))
            self.send_response(statuses[min(len(heard), len(statuses)) - 1])
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Ear)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/menagerie?x=1", heard
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _local() -> Iterator[None]:
    with override_settings(WEBHOOKS_MAY_BE_LOCAL=True):
        yield


def note(tournament: Tournament, kind: str, version: int, *, now: float) -> list[int]:
    """Write down what a step of this kind, the tournament's so manieth, means to the webhooks: a message each."""
    tournament.version = version
    webhook_events.write_deliveries(tournament, kind, {}, now=now)
    return list(Delivery.objects.filter(key=f"{tournament.pk}/{version}").order_by("pk").values_list("pk", flat=True))


def send_all(now: float) -> None:
    for delivery_id in webhooks.list_due(now):
        webhooks.deliver(delivery_id, now=now)


@pytest.mark.django_db(transaction=True)
def test_a_round_its_results_and_the_end_are_told(ana: models.Player) -> None:
    with listener(200) as (url, heard):
        tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
        hook = webhooks.add(tournament.club, ana, url)
        release(ana, tournament, 1)
        decide_all(ana, tournament, 1)
        lifecycle.complete(tournament, ana, 1, now=NOW)
        phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
        send_all(Delivery.objects.latest("at").at)
    answer = [json.loads(body) for _, body in heard]
    assert sorted(one["event"] for one in answer) == ["result.in", "round.released", "tournament.finished"]
    assert {one["tournament"]["id"] for one in answer} == {tournament.pk}
    for headers, body in heard:
        at, signature = (part.split("=")[1] for part in headers["X-Menagerie-Signature"].split(","))
        assert signature == webhooks.sign(hook.secret, int(at), body)
        assert headers["X-Menagerie-Event"] == json.loads(body)["event"]
    assert not webhooks.list_due(NOW * 2)


def test_a_message_is_tried_again_until_it_arrives(ana: models.Player) -> None:
    with listener(500, 503, 204) as (url, heard):
        tournament = begin(ana, NAMES[:4], least=4, most=4)
        webhooks.add(tournament.club, ana, url)
        (delivery_id,) = note(tournament, "release", 7, now=NOW)
        assert not webhooks.deliver(delivery_id, now=NOW)
        assert not webhooks.deliver(delivery_id, now=NOW + 9)
        assert not webhooks.deliver(delivery_id, now=NOW + 10)
        assert webhooks.deliver(delivery_id, now=NOW + 70)
        assert not webhooks.deliver(delivery_id, now=NOW + 1000)
    assert len(heard) == 3
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.answer, delivery.due_at) == (3, "204", None)


def test_a_message_is_written_down_with_the_step_it_tells_of(ana: models.Player) -> None:
    """Not after it, when the process of the step may be killed: here nothing of what follows a step ever runs."""
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    release(ana, tournament, 1)
    lifecycle.release(tournament, ana, 1, now=NOW)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    messages = Delivery.objects.order_by("pk").values_list("event", flat=True)
    assert list(messages) == ["round.released", "result.in", "tournament.finished"]
    assert len(webhooks.list_due(NOW)) == 3


def test_what_never_arrives_is_given_up(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    (delivery_id,) = note(tournament, "finish", 3, now=NOW)
    at: float | None = NOW
    while at is not None:
        webhooks.deliver(delivery_id, now=at)
        at = Delivery.objects.get().due_at
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.due_at) == (len(webhooks.WAITS) + 1, None)
    assert delivery.answer == "ConnectError: All connection attempts failed"


def test_only_owners_have_webhooks(ana: models.Player) -> None:
    club = found(ana)
    with pytest.raises(NotAllowed):
        webhooks.add(club, person("Otto"), "https://example.org/")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_said_again", [True, False])
def test_a_result_is_told_when_it_counts_not_when_somebody_says_it(ana: models.Player, is_said_again: bool) -> None:
    tournament = begin(ana, NAMES[:2], venue="real", most=4)
    players = enter(tournament, "Zoe", "Yan")
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/hook")
    release(ana, tournament, 1)
    pod, reported = Pod.objects.get(), ReportedResult((1, 2, 3, 4))
    results.enter(tournament, players[0], pod.pk, reported, now=NOW)
    assert Delivery.objects.filter(event="result.in").count() == 0
    if is_said_again:
        results.enter(tournament, players[1], pod.pk, reported, now=NOW)
    else:
        results.confirm(tournament, players[1], Result.objects.get().pk, now=NOW)
    answer = json.loads(Delivery.objects.get(event="result.in").body)["details"]
    assert (answer["round"], answer["table"], answer["places"]) == (1, 1, [1, 2, 3, 4])
    assert answer["names"] == list(pod.seats.order_by("index").values_list("entrant__name", flat=True))


@pytest.mark.django_db(transaction=True)
def test_what_missing_results_count_as_is_told(ana: models.Player) -> None:
    """Tables without a result send a message, too: what they count as."""
    tournament = begin(ana, NAMES[:8], venue="real", least=4, most=4)
    for _ in range(2):
        webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    release(ana, tournament, 1)
    first, second = Pod.objects.order_by("number")
    results.decide(tournament, ana, first.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    undo(ana, tournament, "complete")
    lifecycle.complete(tournament, ana, 1, missing="shared", now=NOW)
    names = list(second.seats.order_by("index").values_list("entrant__name", flat=True))
    bodies = Delivery.objects.exclude(event="round.released").filter(body__contains='"table":2').order_by("pk")
    answer = [json.loads(one.body) for one in bodies]
    assert [(one["event"], one["details"]["void"]) for one in answer[::2]] == [
        ("result.in", True), ("message.withdrawn", True), ("result.in", False)
    ]  # fmt: skip
    assert answer[2]["details"]["id"] == answer[0]["id"]
    assert {(one["details"]["round"], one["details"]["table"]) for one in answer} == {(1, 2)}
    assert [one["details"]["names"] for one in answer] == [names] * 6
    assert len({one["id"] for one in answer}) == 3


def test_a_game_that_ends_after_its_result_was_decided_is_not_told(ana: models.Player) -> None:
    """It is stored but does not count; receivers would count a message about it."""
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    noted = [
        bool(webhook_events.write_deliveries(tournament, "table-result", {"late": late}, now=NOW))
        for late in (True, False)
    ]
    assert noted == [False, True]


def test_messages_wait_for_the_one_that_nobody_answered(ana: models.Player) -> None:
    """An address that does not answer delays one message, and messages keep their order."""
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    hook = webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    ids = [note(tournament, "release", number, now=NOW + number)[0] for number in (1, 2, 3)]
    for delivery_id in ids:
        webhooks.deliver(delivery_id, now=NOW + 5)
    assert list(Delivery.objects.order_by("pk").values_list("attempts", "due_at")) == [
        (1, NOW + 15), (0, NOW + 15), (0, NOW + 15),
    ]  # fmt: skip
    with listener(500, 204) as (url, heard):
        Webhook.objects.filter(pk=hook.pk).update(url=url)
        send_all(NOW + 15)
    assert [json.loads(body)["id"].rpartition("/")[2] for _, body in heard] == ["1", "2", "3"]
    assert list(Delivery.objects.order_by("pk").values_list("answer", "due_at")) == [
        ("500", NOW + 75), ("204", None), ("204", None),
    ]  # fmt: skip


def test_an_old_message_is_not_begun_with(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    (delivery_id,) = note(tournament, "finish", 3, now=NOW)
    webhooks.deliver(delivery_id, now=NOW + 100_000)
    assert Delivery.objects.values_list("attempts", "due_at").get() == (1, None)


def test_a_secret_is_exchanged_without_losing_a_message(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    with listener(200) as (url, heard):
        hook = webhooks.add(tournament.club, ana, url)
        with pytest.raises(NotAllowed):
            webhooks.renew_secret(tournament.club, person("Otto"), hook.pk, now=NOW)
        webhooks.renew_secret(tournament.club, ana, hook.pk, now=NOW)
        new = Webhook.objects.get().secret
        assert new != hook.secret
        for number, at in ((1, NOW), (2, NOW + 200)):
            Webhook.objects.update(old_until=NOW + 100)
            (delivery_id,) = note(tournament, "release", number, now=at)
            webhooks.deliver(delivery_id, now=at)
    signed = [
        {
            name
            for name, secret in (("old", hook.secret), ("new", new), ("other", "x"))
            if verify(secret, headers["X-Menagerie-Signature"], body.encode(), now=NOW + 100)
        }
        for headers, body in heard
    ]  # fmt: skip
    assert signed == [{"old", "new"}, {"new"}]
    with pytest.raises(NotFound):
        webhooks.renew_secret(found(ana, "Elsewhere"), ana, hook.pk, now=NOW)


def test_an_owner_has_a_message_sent_again(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    with listener(200) as (url, heard):
        webhooks.add(tournament.club, ana, url)
        (delivery_id,) = note(tournament, "release", 7, now=NOW)
        assert webhooks.deliver(delivery_id, now=NOW)
        with pytest.raises(NotAllowed):
            webhooks.send_again(tournament.club, person("Otto"), delivery_id, now=NOW + 1)
        with pytest.raises(NotFound):
            webhooks.send_again(found(ana, "Elsewhere"), ana, delivery_id, now=NOW + 1)
        assert webhooks.list_due(NOW + 1) == []
        webhooks.send_again(tournament.club, ana, delivery_id, now=NOW + 1)
        send_all(NOW + 1)
    assert len({body for _, body in heard}) == 1 < len(heard) == 2


def test_old_messages_are_forgotten_and_silenced_addresses_hear_nothing(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    hook = webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    note(tournament, "release", 7, now=NOW)
    Webhook.objects.update(is_active=False)
    assert webhooks.list_due(NOW + 1) == []
    Delivery.objects.update(due_at=None)
    Delivery.objects.create(webhook=hook, event="result.in", key="x/8", body="{}", due_at=None, at=NOW + 10)
    webhooks.clear_old(now=NOW + webhooks.KEPT_SECONDS + 5)
    assert list(Delivery.objects.values_list("key", flat=True)) == ["x/8"]


EXAMPLE = re.search(r"```python\n(.*?)```", (Path(__file__).parents[4] / "docs" / "api.md").read_text(), re.DOTALL)
assert EXAMPLE is not None
_written: dict[str, Any] = {}
exec(EXAMPLE[1], _written)  # noqa: S102 - the program that docs/api.md shows
verify = _written["verify"]


def test_the_program_in_the_documentation_verifies_what_is_sent() -> None:
    body = b'{"event": "result.in"}'
    header = f"t=1800000000,v1={webhooks.sign('secret', 1800000000, body.decode())}"
    assert verify("secret", header, body, now=1800000100)
    assert not verify("another", header, body, now=1800000100)
    assert not verify("secret", header, body + b" ", now=1800000100)
    assert not verify("secret", header.replace("t=1800000000", "t=1800000001"), body, now=1800000100)
    assert not verify("secret", header, body, now=1800000301)
    for broken in ("", "t=,v1=", "v1=00", "t=x,v1=00", "nonsense"):
        assert not verify("secret", broken, body, now=1800000000)


@pytest.mark.django_db(transaction=True)
def test_a_webhook_hears_of_what_it_has_chosen(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
    club = tournament.club
    everything, results_alone = (webhooks.add(club, ana, f"http://127.0.0.1:9/{name}") for name in "ab")
    webhooks.choose_events(club, ana, everything.pk, webhook_events.CHOICES)
    webhooks.choose_events(club, ana, results_alone.pk, ["result.in", "sudo"])
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    undo(ana, tournament)
    heard = {
        hook.pk: sorted(Delivery.objects.filter(webhook=hook).values_list("event", flat=True))
        for hook in (everything, results_alone)
    }
    assert heard == {
        everything.pk: ["message.withdrawn", "result.in", "round.drawn", "round.released"],
        results_alone.pk: ["message.withdrawn", "result.in"],
    }
    with pytest.raises(BadInput):
        webhooks.choose_events(club, ana, everything.pk, ["sudo"])
    with pytest.raises(NotAllowed):
        webhooks.choose_events(club, person("Otto"), everything.pk, ["result.in"])
    with pytest.raises(NotFound):
        webhooks.choose_events(found(ana, "Another"), ana, everything.pk, ["result.in"])


@pytest.mark.django_db(transaction=True)
def test_a_test_message_is_sent_and_signed_like_any_other(ana: models.Player) -> None:
    with listener(200) as (url, heard):
        club = found(ana)
        hook = webhooks.add(club, ana, url)
        assert webhooks.send_test(club, ana, hook.pk, now=NOW) == hook.pk
        send_all(NOW)
    ((headers, body),) = heard
    answer = json.loads(body)
    assert (answer["event"], answer["club"], answer["tournament"], answer["details"]) == ("test", club.slug, None, {})
    at, signature = (part.split("=")[1] for part in headers["X-Menagerie-Signature"].split(","))
    assert signature == webhooks.sign(hook.secret, int(at), body)
    with pytest.raises(NotAllowed):
        webhooks.send_test(club, person("Otto"), hook.pk, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_webhook_that_fails_for_too_long_turns_itself_off_and_says_so(ana: models.Player) -> None:
    club = found(ana)
    page = reverse("tournaments:connections", args=[club.slug])
    hook = webhooks.add(club, ana, "http://127.0.0.1:9/")
    later = NOW + webhooks.OFF_SECONDS
    for now, is_on in ((NOW, True), (later - 1, True), (later, False)):
        Delivery.objects.update(due_at=None)
        webhooks.send_test(club, ana, hook.pk, now=now)
        send_all(now)
        hook.refresh_from_db()
        assert (hook.is_active, hook.failing_since) == (is_on, NOW), now
    assert hook.turned_off_at == later
    with pytest.raises(BadInput):
        webhooks.send_test(club, ana, hook.pk, now=later)
    assert "This webhook was turned off" in browser(ana).get(page).content.decode()
    with listener(200) as (url, heard):
        Webhook.objects.update(url=url)
        webhooks.turn_on(club, ana, hook.pk, now=later)
        send_all(later)
        assert len(heard) == 1  # what still waited
    columns = ("is_active", "failing_since", "turned_off_at")
    assert Webhook.objects.values_list(*columns).get() == (True, None, None)
    assert "This webhook was turned off" not in browser(ana).get(page).content.decode()
    with pytest.raises(NotFound):
        webhooks.turn_on(club, ana, hook.pk, now=later)


@pytest.mark.django_db(transaction=True)
def test_every_message_is_one_that_the_document_describes(ana: models.Player, ben: models.Player) -> None:
    description = Description()
    tournament = plan(ana, least=4, most=4, rounds_planned=1, venue="real")
    hook = webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    webhooks.choose_events(tournament.club, ana, hook.pk, webhook_events.CHOICES)
    webhooks.send_test(tournament.club, ana, hook.pk, now=NOW)
    check_in(ana, tournament, NAMES[:3])
    sign_up.enter(tournament, ben, now=NOW)
    attendance.mark_missing(tournament, ana, [tournament.entrants.get(number=1).pk], now=NOW)
    attendance.check_in(tournament, ana, [tournament.entrants.get(number=1).pk], now=NOW)
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    results.enter(tournament, ben, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    results.reject(tournament, ana, Result.objects.get().pk, now=NOW)
    decide_all(ana, tournament, 1)
    undo(ana, tournament)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    season = plan_season(ana, tournament.club)
    season_phases.open_season(season, ana, now=NOW)
    described = description.document["webhooks"]
    seen = {}
    for event, body in Delivery.objects.order_by("pk").values_list("event", "body"):
        schema = described[event]["post"]["requestBody"]["content"]["application/json"]["schema"]
        seen[event] = json.loads(body)
        description.check_value(schema, seen[event], event)
    assert set(described) == {*webhook_events.CHOICES, webhook_events.WITHDRAWN, webhooks.TEST}
    assert set(seen) == set(described) - set(webhook_events.HAPPENINGS)  # for these see `test_happenings`
    assert seen["entrant.entered"]["details"]["entrants"] == [4]
    assert seen["entrant.checked-in"]["details"]["entrants"] == [1]
    result = seen["result.in"]["details"]
    assert dict(zip(result["entrants"], result["people"], strict=True)) == {1: None, 2: None, 3: None, 4: ben.pk}
    assert seen["round.completed"]["details"] == {"round": 1, "missing": []}


def test_a_draw_that_fails_is_not_told(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=2, venue="real")
    hook = webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    webhooks.choose_events(tournament.club, ana, hook.pk, ["round.drawn"])
    first, second = tournament.entrants.order_by("number")[:2]
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.APART, now=NOW)
    assert draw(ana, tournament, 1).trouble
    assert not Delivery.objects.exists()
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, None, now=NOW)
    assert not draw(ana, tournament, 1, again=True).trouble
    assert Delivery.objects.get().event == "round.drawn"


def test_nothing_new_is_told_to_those_who_have_not_chosen(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
    page = reverse("tournaments:connections", args=[tournament.club.slug])
    webhooks.add(tournament.club, ana, "http://127.0.0.1:9/")
    draw(ana, tournament, 1)
    assert not Delivery.objects.exists()
    boxes = re.findall(r'name="event" value="([^"]+)"\s*(checked)?', browser(ana).get(page).content.decode())
    assert {event for event, _is_chosen in boxes} == set(webhook_events.CHOICES)
    assert {event for event, is_chosen in boxes if is_chosen} == webhook_events.STANDARD
