"""A tournament over days on its pages: planned with a pace, deadlines where people look, moved by days."""

from __future__ import annotations

import re
import time

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play.storage import store
from tests.cast import browser
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import PLAN, Organiser
from tests.tournaments.cast import check_in, draw, enter, found, plan_season
from tests.tournaments.views.planning.test_plan_pages import FORM
from tournaments.flow.planning import tournament_plan
from tournaments.flow.rounds import sweeper
from tournaments.models import Club, Pod, Round, Tournament
from tournaments.views.forms.plan_form import PlanForm

DAY = 86_400.0
DAYS = FORM | {"is_public": "on", "pace": "2", "round_days": "10", "deals": "1", "most": "4"}
NAMES = ("Bea", "Cem", "Dan", "Eli")


def read(reader: Client, name: str, *args: str) -> str:
    return re.sub(r"\s+", " ", reader.get(reverse(name, args=args)).content.decode())


@pytest.fixture
def club(ana: models.Player) -> Club:
    return found(ana)


@pytest.fixture
def tournament(ana: models.Player, club: Club) -> Tournament:
    """Planned by its form, for a season."""
    season = plan_season(ana, club)
    page = browser(ana).post(reverse("tournaments:plan", args=[club.slug]), DAYS | {"season": season.pk})
    assert page.status_code == 302, page.context["form"].errors
    return Tournament.objects.get()


def release(ana: models.Player, tournament: Tournament) -> list[models.Player]:
    """Four people in a round that begins now, and whose game has begun."""
    check_in(ana, tournament)
    players = enter(tournament, *NAMES)
    draw(ana, tournament, 1)
    browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), {"action": "release", "round": "1"})
    sweeper.sweep(now=time.time() + 600)
    return players


def test_the_form_makes_a_plan_over_days(tournament: Tournament) -> None:
    plan = tournament_plan.read(tournament)
    assert (plan.turn_seconds, plan.round_minutes, plan.venue) == (172_800, 14_400, "online")
    assert tournament.season is not None
    again = PlanForm.initial_of(plan)
    assert (again["pace"], again["round_days"], again["round_minutes"], again["turn_seconds"]) == (2, 10, None, 45)


def test_a_saved_plan_shows_and_keeps_its_pace(ana: models.Player, tournament: Tournament) -> None:
    page = read(browser(ana), "tournaments:revise", tournament.pk)
    assert '<option value="2" selected>2 days per turn</option>' in page
    assert 'name="round_days" value="10"' in page
    sent = DAYS | {"name": "Friday", "tie_breaks": "wins"}
    assert browser(ana).post(reverse("tournaments:revise", args=[tournament.pk]), sent).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.turn_seconds, tournament.round_minutes) == ("Friday", 172_800, 14_400)
    browser(ana).post(reverse("tournaments:revise", args=[tournament.pk]), sent | {"pace": ""})
    tournament.refresh_from_db()
    assert (tournament.turn_seconds, tournament.round_minutes) == (45, None)


def test_a_pace_left_from_another_format_does_not_count(ana: models.Player) -> None:
    form = PlanForm(DAYS | {"format": "arena", "round_minutes": "60"})
    assert form.is_valid(), form.errors
    assert (form.agreement().turn_seconds, form.agreement().round_minutes) == (45, 60)


def test_what_is_wrong_stands_beside_pace_or_deadline(ana: models.Player, club: Club) -> None:
    page = browser(ana).post(reverse("tournaments:plan", args=[club.slug]), DAYS | {"round_days": "91"})
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["round_days"])


def test_everybody_reads_the_deadline_where_they_look(ana: models.Player, tournament: Tournament) -> None:
    bea, *_ = release(ana, tournament)
    played = Round.objects.get()
    assert played.ends_at == pytest.approx(time.time() + 10 * DAY, abs=60)
    overview = read(browser(bea), "tournaments:tournament", tournament.pk)
    assert "2 days per turn · 10 days per round" in overview
    assert "until <time" in overview
    assert "Deadline: <time" in read(browser(ana), "tournaments:console", tournament.pk)
    assert "until <time" in read(browser(bea), "tournaments:hall", tournament.pk)
    assert "data-ends" not in read(browser(bea), "tournaments:hall", tournament.pk)
    assert "The round ends <time" in read(browser(bea), "my_tables")
    models.NoticeWishes.objects.create(player=bea, feed_token="a" * 32)
    feed = Client().get(reverse("tournaments:my_calendar", args=["a" * 32])).content.decode()
    assert "SUMMARY:Thursday: round 1 ends" in feed


def test_the_console_moves_the_deadline_by_days_and_ends_the_round(ana: models.Player, tournament: Tournament) -> None:
    release(ana, tournament)
    before = Round.objects.get().ends_at or 0.0
    page = reverse("tournaments:do", args=[tournament.pk])
    sent = {"action": "extend", "round": "1", "days": "2", "key": "k"}
    assert browser(ana).post(page, sent).status_code == 302
    assert Round.objects.get().ends_at == before + 2 * DAY
    assert "End the round now" in read(browser(ana), "tournaments:console", tournament.pk)
    browser(ana).post(page, {"action": "bell", "round": "1"})
    table = store.reload(Pod.objects.get().table_id or "")
    assert table.runtime.stand_ins == frozenset(table.people)


def test_a_program_leads_a_round_over_days(db: None) -> None:
    host = account("Ana")
    desk = Organiser(Description(), host)
    plan = PLAN | {"venue": "online", "turn_seconds": 86_400, "round_minutes": 7 * 1440}
    made = desk.post(f"/clubs/{found(host).slug}/tournaments", **plan)
    base = f"/tournaments/{made['id']}"
    assert (made["agreement"]["turn_seconds"], made["agreement"]["round_minutes"]) == (86_400, 10_080)
    desk.post(f"/clubs/{Club.objects.get().slug}/tournaments", 400, **(plan | {"venue": "mixed"}))
    tournament = Tournament.objects.get()
    check_in(host, tournament)
    enter(tournament, *NAMES)
    desk.post(f"{base}/rounds/1/draw")
    released = desk.post(f"{base}/rounds/1/release")
    assert released["ends_at"] == pytest.approx(time.time() + 7 * DAY, abs=60)
    moved = desk.post(f"{base}/rounds/1/extend", minutes=1440, key="k")
    assert moved["ends_at"] == pytest.approx(released["ends_at"] + DAY, abs=0.01)
