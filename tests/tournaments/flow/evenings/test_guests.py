"""Guests of an evening: by its link they see it and get a seat, and nothing else of the club."""

from __future__ import annotations

import time

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.errors import NotAllowed, NotFound, Stale
from tests.cast import browser, person
from tournaments.flow import club_home
from tournaments.flow.clubs import membership
from tournaments.flow.evenings import candidates, guests, sessions
from tournaments.flow.people import merging
from tournaments.models import EveningGuest, Membership, Role, SessionTable, TimedSession


@pytest.fixture
def evening(ana: Player) -> TimedSession:
    """An evening under way in a club for members only."""
    club = membership.found_club(ana, name="Harbour Club", is_public=False)
    return sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time())


def test_a_guest_sees_the_evening_and_can_be_chosen_and_is_no_member(ana: Player, evening: TimedSession) -> None:
    page = reverse("tournaments:evening", args=[evening.pk])
    link = reverse("tournaments:evening_guest", args=[evening.pk, evening.guest_token])
    guest = Client()
    assert guest.get(page).status_code == 403
    assert link in browser(ana).get(page).content.decode()
    for _ in range(2):
        assert guest.post(link, {"name": "Gina"}, follow=True).status_code == 200
    gina = EveningGuest.objects.get().player
    assert not Membership.objects.filter(player=gina).exists()
    assert guest.get(reverse("tournaments:club", args=[evening.club.slug])).status_code == 403  # type: ignore[union-attr]
    shown = guest.get(page).content.decode()
    assert link not in shown
    assert [one.name for one in candidates.list_candidates(evening)] == ["Ana", "Gina"]
    number = sessions.add_table(evening, ana, [gina.pk], version=0, now=time.time())
    assert number == 1
    assert [one.name for one in candidates.list_candidates(evening)] == ["Ana"]


def test_a_guest_named_like_a_member_or_another_guest_gets_a_number(ana: Player, evening: TimedSession) -> None:
    club = evening.club
    assert club is not None
    membership.take_in(club.pk, (member := person("Ana")).pk, Role.MEMBER)
    strangers = [person("ANA"), person("Gina"), person("gina")]
    for one in strangers:
        guests.add_guest(evening, one)
    names = {one.pk: one.name for one in candidates.list_candidates(evening)}
    assert [names[one.pk] for one in (ana, member, *strangers)] == ["Ana", "Ana 2", "ANA 3", "Gina", "gina 2"]
    sessions.add_table(evening, ana, [strangers[0].pk], version=0, now=time.time())
    table = SessionTable.objects.get().table
    assert list(table.seats.filter(player=strangers[0]).values_list("name", flat=True)) == ["ANA 3"]
    coming = club_home.find_next(club, Role.OWNER, ana.pk, now=time.time())
    assert coming is not None
    assert sorted(one.name for one in coming.people) == ["ANA 3", "Gina", "gina 2"]


def test_the_guests_link_says_what_is_played_and_until_when(ana: Player, evening: TimedSession) -> None:
    later = sessions.EveningPlan("Saturday", "karriere-poker", 30, time.time() + 3600)
    said = []
    for one in (evening, sessions.open_evening(evening.club, ana, later, now=time.time())):  # type: ignore[arg-type]
        link = reverse("tournaments:evening_guest", args=[one.pk, one.guest_token])
        said.append(" ".join(Client().get(link).content.decode().split()))
    assert all(what in said[0] for what in ("Harbour Club · Animal Poker", "Under way", "until ", "Your name"))
    assert all(what in said[1] for what in ("Harbour Club · Karriere Poker", "Planned", "starts ", "until "))
    assert "starts " not in said[0]


def test_the_link_is_replaced_by_those_who_run_the_evening(ana: Player, ben: Player, evening: TimedSession) -> None:
    with pytest.raises(NotAllowed):
        guests.renew_token(evening, ben)
    old = evening.guest_token
    guests.renew_token(evening, ana)
    with pytest.raises(NotFound):
        guests.find_by_token(evening.pk, old)
    evening.refresh_from_db()
    assert guests.find_by_token(evening.pk, evening.guest_token) == evening


def test_nobody_comes_once_the_bell_has_rung_or_by_an_empty_link(
    ana: Player, ben: Player, evening: TimedSession
) -> None:
    TimedSession.objects.filter(pk=evening.pk).update(has_rung=True, guest_token="")
    evening.refresh_from_db()
    with pytest.raises(Stale):
        guests.add_guest(evening, ben)
    with pytest.raises(NotFound):
        guests.find_by_token(evening.pk, "")


def test_a_guest_who_makes_an_account_stays_a_guest(ben: Player, evening: TimedSession) -> None:
    guest = person("Gina")
    guests.add_guest(evening, guest)
    guests.add_guest(evening, ben)
    merging.merge(guest.pk, ben.pk)
    assert EveningGuest.objects.filter(player=ben).count() == 1


def test_the_hall_shows_tables_and_countdown_and_the_guests_code_to_those_who_run_it(
    ana: Player, ben: Player, evening: TimedSession
) -> None:
    sessions.add_table(evening, ana, [ana.pk], version=0, now=time.time())
    guests.add_guest(evening, ben)
    url = reverse("tournaments:evening_hall", args=[evening.pk])
    mine, theirs = (browser(who).get(url).content.decode() for who in (ana, ben))
    assert ("Scan to play as a guest" in mine, "Scan to play as a guest" in theirs) == (True, False)
    for page in (mine, theirs):
        assert all(what in page for what in ("data-ends=", "Ana", 'class="hall-pods"'))
    timer = browser(ana).get(url, {"show": "timer"}).content.decode()
    assert timer.count("data-ends=") == 1
    assert 'class="hall-pods"' not in timer
