"""Draws too long to wait for: the console sends them to a worker and says so, and what comes is kept once."""

from __future__ import annotations

import time

import pytest
from django.urls import reverse

from config.celery import app
from games import models
from tests.cast import browser
from tests.tournaments.cast import begin, draw
from tournaments.flow.drawing.draw_requests import LOST_AFTER_SECONDS, MAX_INLINE_PEOPLE, note_progress
from tournaments.flow.rounds import sweeper
from tournaments.models import PodSeat, Round, Step, Tournament
from tournaments.work import tasks

GUESTS = tuple(f"Guest {number:02d}" for number in range(MAX_INLINE_PEOPLE + 2))


def ask(player: models.Player, tournament: Tournament) -> None:
    sent = {"action": "draw", "round": "1"}
    assert browser(player).post(reverse("tournaments:do", args=[tournament.pk]), sent).status_code == 302


def console(player: models.Player, tournament: Tournament) -> str:
    return browser(player).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()


def count(tournament: Tournament) -> tuple[int, int]:
    """Steps that drew, and seats."""
    seats = PodSeat.objects.filter(pod__round__tournament=tournament).count()
    return Step.objects.filter(tournament=tournament, kind="draw").count(), seats


def test_a_worker_draws_what_the_console_sent(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    app.conf.task_always_eager = True
    try:
        ask(ana, tournament)
    finally:
        app.conf.task_always_eager = False
    played = Round.objects.get(tournament=tournament)
    assert (played.status, played.drawing, count(tournament)) == ("draft", "", (1, len(GUESTS)))


def test_until_the_worker_comes_the_console_says_so(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    ask(ana, tournament)
    ask(ana, tournament)
    played = Round.objects.get(tournament=tournament)
    assert (played.status, count(tournament)) == ("drawing", (0, 0))
    assert console(ana, tournament).count("<progress") == 1
    name = played.drawing
    for _ in range(2):  # a message may come twice
        tasks.run_draw(played.pk, name, ana.pk)
    assert count(tournament) == (1, len(GUESTS))
    assert console(ana, tournament).count("<progress") == 0


def test_while_it_is_drawn_again_nobody_is_said_to_play(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    draft = draw(ana, tournament, 1)
    sent = {"action": "draw", "round": "1", "again": "1", "instead": draft.seed}
    assert browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), sent).status_code == 302
    page = console(ana, tournament)
    assert ("<progress" in page, GUESTS[0] in page.partition('class="pods"')[2]) == (True, True)
    assert (">Playing" in page, "This is the last draw." in page) == (False, True)


def poll_progress(player: models.Player, tournament: Tournament) -> str:
    """What the bar asks for again and again."""
    address = reverse("tournaments:console", args=[tournament.pk])
    return browser(player).get(address, HTTP_HX_TARGET="drawing").content.decode()


def test_the_bar_says_how_far_it_is(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    ask(ana, tournament)
    assert ("hx-get" in poll_progress(ana, tournament), "value=" in poll_progress(ana, tournament)) == (True, False)
    played = Round.objects.get(tournament=tournament)
    note_progress(played.drawing, 40)
    for page in (poll_progress(ana, tournament), console(ana, tournament)):
        assert page.count('<progress max="100" value="40"') == 1
        assert "40% of the computing limit" in page
    assert "<h1" not in poll_progress(ana, tournament)
    tasks.run_draw(played.pk, played.drawing, ana.pk)
    assert "hx-get" not in poll_progress(ana, tournament)


def test_a_message_of_a_draw_given_up_does_nothing(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    ask(ana, tournament)
    played = Round.objects.get(tournament=tournament)
    browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), {"action": "cancel-draw", "round": "1"})
    tasks.run_draw(played.pk, played.drawing, ana.pk)
    assert (Round.objects.filter(tournament=tournament).count(), count(tournament)) == (0, (0, 0))


def test_who_asked_may_be_gone_when_the_worker_comes(ana: models.Player) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    ask(ana, tournament)
    played = Round.objects.get(tournament=tournament)
    tasks.run_draw(played.pk, played.drawing, None)
    assert count(tournament) == (1, len(GUESTS))


def test_a_draw_whose_message_is_lost_is_made_by_the_sweeper(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(ana, GUESTS, venue="real")
    monkeypatch.setattr(tasks.run_draw, "apply_async", _lose_broker)
    ask(ana, tournament)
    assert console(ana, tournament).count("<progress") == 1
    sweeper.sweep(now=time.time() + LOST_AFTER_SECONDS + 1)
    assert (Round.objects.get(tournament=tournament).status, count(tournament)) == ("draft", (1, len(GUESTS)))


def _lose_broker(*args: object, **kwargs: object) -> None:
    raise OSError("the broker is away")
