"""What webhooks hear of steps that are taken back; and no address holds up another one."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from games import models
from games.work import task_threads
from games.work.task_threads import TaskQueue
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, decide_all, release
from tests.tournaments.flow.clubs.test_webhooks import _local, listener, note
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.clubs import webhook_requests, webhooks
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import Delivery, Phase, Step, Tournament, Webhook
from tournaments.work import tasks

__all__ = ["_local"]


def add(tournament: Tournament, owner: models.Player) -> Webhook:
    return webhooks.add(tournament.club, owner, "http://127.0.0.1:9/")


def messages() -> list[dict[str, Any]]:
    return [json.loads(body) for body in Delivery.objects.order_by("pk").values_list("body", flat=True)]


def test_what_is_taken_back_is_withdrawn_and_what_is_done_again_is_told_again(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    add(tournament, ana)
    release(ana, tournament, 1)
    for _ in range(3):
        undo(ana, tournament)
    first, gone, again, gone_again = messages()
    assert [one["event"] for one in (first, gone, again, gone_again)] == [
        "round.released", "message.withdrawn", "round.released", "message.withdrawn",
    ]  # fmt: skip
    assert again["details"] == first["details"] == {"round": 1}
    for event, back in ((first, gone), (again, gone_again)):
        assert back["details"] == {"round": 1, "event": "round.released", "id": event["id"]}
    numbers = [int(one["id"].rpartition("/")[2]) for one in (first, gone, again, gone_again)]
    assert numbers == [one["tournament"]["version"] for one in (first, gone, again, gone_again)] == sorted(numbers)
    assert Step.objects.filter(kind="undo", number__in=numbers).count() == 3


def test_a_result_and_the_end_are_withdrawn_and_what_nobody_was_told_is_not(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4, rounds_planned=1)
    add(tournament, ana)
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    for kind in ("finish", "complete", "decide"):
        undo(ana, tournament, kind)
    deliveries = messages()
    by_id = {one["id"]: one["event"] for one in deliveries}
    withdrawn = [one["details"] for one in deliveries if one["event"] == "message.withdrawn"]
    assert [one["event"] for one in withdrawn] == ["tournament.finished", "result.in"]
    assert [by_id[one["id"]] for one in withdrawn] == ["tournament.finished", "result.in"]
    assert withdrawn[1]["table"] == 1


def test_a_whole_line_waits_at_once_where_nobody_answers(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    hook = add(tournament, ana)
    first, second, *rest = [note(tournament, "release", number, now=NOW)[0] for number in range(1, 201)]
    webhooks.deliver(first, now=NOW)
    webhooks.deliver(second, now=NOW)
    assert set(Delivery.objects.values_list("due_at", flat=True)) == {NOW + 10}
    assert (len(rest), webhooks.list_due(NOW + 9), webhooks.list_calling(NOW + 9)) == (198, [], [])
    assert webhooks.list_calling(NOW + 10) == [hook.pk]


def test_who_sends_again_sends_what_waited_with_it(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that answers again need not wait until half a day is over."""
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    hook = add(tournament, ana)
    first, second, third = (note(tournament, "release", number, now=NOW)[0] for number in (1, 2, 3))
    Delivery.objects.update(due_at=NOW + 40_000)
    Delivery.objects.filter(pk=first).update(attempts=7, answer="TimeoutError: ")
    Delivery.objects.filter(pk=third).update(attempts=1, answer="500")
    assert webhooks.send_again(tournament.club, ana, first, now=NOW + 5) == hook.pk
    monkeypatch.setattr(webhooks, "send", lambda *_args, **_words: "200")
    assert webhooks.list_due(NOW + 5) == [first, second]
    assert [webhooks.deliver(one, now=NOW + 5) for one in (first, second)] == [True, True]
    assert Delivery.objects.get(due_at__gt=0).pk == third


DEAD = webhooks.MAX_HOOKS - 3
"""Addresses that take every connection and never answer."""


def await_done(holds: Callable[[], bool]) -> None:
    last = time.monotonic() + 60
    while not holds() and time.monotonic() < last:
        time.sleep(0.02)
    assert holds()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_an_address_that_answers_slowly(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    slow, quick = add(tournament, ana), webhooks.add(tournament.club, ana, "http://127.0.0.1:9/quick")
    may_answer, line = threading.Event(), TaskQueue("test", threads=2)

    def send(url: str, *_args: Any, **_words: Any) -> str:
        return "200" if url.endswith("/quick") or may_answer.wait(60) else "TimeoutError: "

    monkeypatch.setattr(webhooks, "send", send)
    monkeypatch.setattr(tasks, "enqueue_webhook", lambda webhook_id: line.put(tasks.send_to_webhook, (webhook_id,)))
    for number in range(1, 70):
        note(tournament, "release", number, now=time.time())
        for hook in (slow, quick):
            tasks.enqueue_webhook(hook.pk)
    await_done(lambda: not Delivery.objects.filter(webhook=quick).exclude(due_at=None).exists())
    assert Delivery.objects.filter(webhook=slow, due_at=None).count() == 0
    may_answer.set()
    await_done(lambda: not Delivery.objects.exclude(due_at=None).exists())
    assert set(Delivery.objects.values_list("attempts", "answer")) == {(1, "200")}


@pytest.mark.django_db(transaction=True)
def test_the_dead_do_not_hold_up_the_living(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """More black holes than anybody calls at once, and people who answer: real sockets, real lines."""
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    monkeypatch.setattr(
        tasks, "send_task", lambda task, *args: task_threads._get_queue(task.queue_name, task.threads).put(task, args)
    )
    with ExitStack() as stack:
        holes = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(DEAD)]
        dead = [webhooks.add(tournament.club, ana, f"http://127.0.0.1:{hole.getsockname()[1]}/").pk for hole in holes]
        note(tournament, "release", 1, now=time.time() - 60)
        Delivery.objects.update(attempts=1, answer="TimeoutError: ")
        living = [stack.enter_context(listener(200)) for _ in range(3)]
        hooks = dead + [webhooks.add(tournament.club, ana, url).pk for url, _heard in living]
        note(tournament, "release", 2, now=time.time())
        began = time.monotonic()
        for hook in hooks:  # the dead ones first
            tasks.enqueue_webhook(hook)
        await_done(lambda: all(len(heard) == 1 for _url, heard in living))
        assert time.monotonic() - began < webhook_requests.TIMEOUT_SECONDS
    await_done(lambda: not webhooks.list_calling(time.time()))


def test_an_address_has_its_turn_and_then_the_next_one(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ana, NAMES[:4], least=4, most=4)
    hook = add(tournament, ana)
    called: list[int] = []
    monkeypatch.setattr(webhooks, "send", lambda *_args, **_words: "200")
    monkeypatch.setattr(webhooks, "TURN_SECONDS", -1.0)
    monkeypatch.setattr(tasks, "enqueue_webhook", called.append)
    note(tournament, "release", 7, now=NOW - 10)
    Delivery.objects.update(due_at=0)
    tasks.send_to_webhook(hook.pk)
    assert (called, Delivery.objects.get().attempts) == ([hook.pk], 0)
    monkeypatch.setattr(webhooks, "TURN_SECONDS", 5.0)
    tasks.send_to_webhook(hook.pk)
    assert (called, Delivery.objects.get().attempts) == ([hook.pk], 1)
