"""One person's calendar: what they entered, and the evenings of their clubs; for nobody without its address."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games import models
from games.play.seats import player_changes
from tests.cast import NOW, browser
from tests.tournaments.cast import found, plan
from tournaments.flow.clubs import membership
from tournaments.flow.entry import sign_up
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import phases
from tournaments.models import Club, Phase, Role, Tournament


@pytest.fixture
def club(ana: models.Player) -> Club:
    """Of Ana, with an evening and a tournament with a date."""
    one = found(ana)
    tournament = plan(ana, one, name="Cup", is_public=False)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    Tournament.objects.update(starts_at=datetime(2030, 5, 1, 18, 0, tzinfo=UTC))
    sessions.open_evening(one, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    return one


def make_address(player: models.Player) -> str:
    """The path of a new calendar of this person."""
    browser(player).post(reverse("renew_calendar"))
    token = models.NoticeWishes.objects.get(player=player).feed_token
    return reverse("tournaments:my_calendar", args=[token])


def read(path: str) -> list[str]:
    """What the calendar at this path has, by name."""
    answer = Client().get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return sorted(str(event["SUMMARY"]) for event in Calendar.from_ical(answer.content).walk("VEVENT"))


def test_it_has_what_concerns_its_person(club: Club, ben: models.Player) -> None:
    path = make_address(ben)
    assert read(path) == []
    membership.take_in(club.pk, ben.pk, Role.MEMBER)
    assert read(path) == ["Friday"]
    sign_up.enter(Tournament.objects.get(), ben, now=NOW)
    assert read(path) == ["Cup", "Friday"]


def test_a_new_address_takes_the_place_of_the_old_one(club: Club, ana: models.Player) -> None:
    old = make_address(ana)
    new = make_address(ana)
    assert old != new
    assert (Client().get(old).status_code, Client().get(new).status_code) == (404, 200)
    assert new in browser(ana).get(reverse("notifications")).content.decode()


def test_nothing_is_sent_again_while_it_is_known(club: Club, ana: models.Player) -> None:
    path = make_address(ana)
    headers = Client().get(path)["ETag"]
    assert Client().get(path, headers={"if-none-match": headers}).status_code == 304


def test_it_goes_with_its_person(club: Club, ana: models.Player) -> None:
    path = make_address(ana)
    player_changes.delete_player(ana.pk, now=NOW)
    assert Client().get(path).status_code == 404
