"""The door: found by two letters, checked in by one press or one scan, walk-ins in the same box."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import begin, entrant, plan, release
from tests.tournaments.cast import check_in as open_check_in
from tournaments.flow.entry import duties, sign_up
from tournaments.models import Entrant, Phase, Tournament

JSON = {"accept": "application/json"}


@pytest.fixture
def night(ana: Player) -> Tournament:
    """A check-in with a list of four, and nobody there."""
    tournament = plan(ana, venue="real")
    open_check_in(ana, tournament)
    for name in ("Łukasz Nowak", "Müller, Jörg", "Anna Nowak", "Bea"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    Entrant.objects.filter(tournament=tournament).update(status="entered")
    return tournament


def press(client: Client, tournament: Tournament, **fields: Any) -> Any:
    return client.post(reverse("tournaments:at_door", args=[tournament.pk]), fields, headers=JSON)


def read_door_page(client: Client, tournament: Tournament, search: str = "") -> str:
    return client.get(reverse("tournaments:door", args=[tournament.pk]), {"q": search}).content.decode()


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("lu", {"Łukasz Nowak"}),
        ("no", {"Łukasz Nowak", "Anna Nowak"}),
        ("no an", {"Anna Nowak"}),
        ("mueller", {"Müller, Jörg"}),
        ("zz", set()),
    ],
)
def test_two_letters_find_a_name_without_accents_and_in_any_order(
    ana: Player, night: Tournament, search: str, found: set[str]
) -> None:
    page = read_door_page(browser(ana), night, search)
    names = {one.name for one in night.entrants.all()}
    assert {name for name in names if f'<span class="name">{name}</span>' in page} == found
    assert ("door-add" in page and "hidden" not in page.split("door-add")[1].split(">")[0]) == (not found)


def test_one_press_checks_in_and_another_takes_it_back(ana: Player, night: Tournament) -> None:
    client, bea = browser(ana), entrant(night, "Bea")
    answer = press(client, night, here=bea.pk).json()
    assert (answer["sentence"], answer["here"], answer["missing"]) == ("Bea is here.", 1, 3)
    assert 'name="missing"' in answer["row"]["html"]
    assert press(client, night, here=bea.pk).json()["here"] == 1  # idempotent
    answer = press(client, night, missing=bea.pk).json()
    assert (answer["here"], answer["missing"], entrant(night, "Bea").status) == (0, 4, "entered")
    listed = client.get(reverse("tournaments:door", args=[night.pk]), headers=JSON).json()
    assert (listed["version"], listed["missing"]) == (answer["version"], 4)


def test_a_scanned_code_checks_its_person_in(ana: Player, night: Tournament) -> None:
    client, bea = browser(ana), entrant(night, "Bea")
    link = f"https://club.example{reverse('tournaments:claim', args=[night.pk, bea.claim_token])}"
    assert press(client, night, code=link).json()["row"]["id"] == bea.pk
    assert entrant(night, "Bea").status == "present"
    assert press(client, night, code="https://club.example/claim/nobody/").status_code == 404
    Entrant.objects.filter(pk=bea.pk).update(status="withdrawn")
    refused = press(client, night, code=link)
    assert (refused.status_code, entrant(night, "Bea").status) == (409, "withdrawn")


def test_the_page_of_a_code_has_the_button_for_the_door_only(ana: Player, ben: Player, night: Tournament) -> None:
    url = reverse("tournaments:claim", args=[night.pk, entrant(night, "Bea").claim_token])
    client = browser(ana)
    assert 'name="here"' in client.get(url).content.decode()
    assert 'name="here"' not in browser(ben).get(url).content.decode()
    form = {"here": entrant(night, "Bea").pk, "back": url}
    answer = client.post(reverse("tournaments:at_door", args=[night.pk]), form)
    assert (answer.status_code, answer["Location"]) == (302, url)
    assert "is here." in client.get(url).content.decode()


def test_the_door_sends_nobody_to_another_site(ana: Player, night: Tournament) -> None:
    form = {"here": entrant(night, "Bea").pk, "back": "https://elsewhere.example/"}
    answer = browser(ana).post(reverse("tournaments:at_door", args=[night.pk]), form)
    assert answer["Location"] == reverse("tournaments:door", args=[night.pk])


def test_the_box_adds_walk_ins_and_says_why_not(ana: Player, night: Tournament) -> None:
    client = browser(ana)
    assert press(client, night, name="  Zoe  ").json()["sentence"] == "Zoe is here."
    refused = press(client, night, name="bea")
    assert (refused.status_code, "already in this tournament" in refused.json()["sentence"]) == (400, True)


def test_an_undo_is_offered_until_the_first_draw(ana: Player) -> None:
    tournament = begin(ana, venue="real")
    client = browser(ana)
    assert 'name="missing"' in read_door_page(client, tournament)
    release(ana, tournament, 1)
    assert 'name="missing"' not in read_door_page(client, tournament)


def test_only_organisers_and_those_on_duty_are_at_the_door(ana: Player, ben: Player, night: Tournament) -> None:
    client, bea = browser(ben), entrant(night, "Bea")
    assert press(client, night, here=bea.pk).status_code == 403
    link = duties.give_duty(night, ana, "door", name="Ben", now=NOW)
    duties.take_duty(night, ben, link.token, now=NOW)
    assert press(client, night, here=bea.pk).json()["here"] == 1
    assert press(client, night, name="Zoe").status_code == 200
    assert client.post(reverse("tournaments:do", args=[night.pk]), {"action": "draw", "round": 1}).status_code == 403
    duties.withdraw_duty(night, ana, link.pk, now=NOW)
    assert press(client, night, missing=bea.pk).status_code == 403


def test_the_door_closes_with_the_tournament(ana: Player, ben: Player, night: Tournament) -> None:
    link = duties.give_duty(night, ana, "door", name="Ben", now=NOW)
    duties.take_duty(night, ben, link.token, now=NOW)
    Tournament.objects.filter(pk=night.pk).update(phase=Phase.FINISHED)
    assert press(browser(ben), night, name="Zoe").status_code == 403


def test_somebody_who_waits_for_a_place_is_let_in_by_the_door(ana: Player) -> None:
    tournament = plan(ana, venue="real", capacity=2)
    open_check_in(ana, tournament, ["Ada", "Bea", "Cem"])
    client = browser(ana)
    assert "Let in" in read_door_page(client, tournament, "Cem")
    assert press(client, tournament, here=entrant(tournament, "Cem").pk).json()["waiting"] == 0
    assert entrant(tournament, "Cem").status == "present"


def test_two_hundred_at_the_door_cost_what_twenty_do(
    ana: Player, night: Tournament, django_assert_max_num_queries: Any
) -> None:
    """The page is small enough for a slow line, and an answer has one row, however long the list is."""
    names = [f"Somebody Else {number}" for number in range(200)]
    people = [
        Entrant(tournament=night, number=100 + at, name=name, claim_token=f"token-{at}", status="entered")
        for at, name in enumerate(names)
    ]
    Entrant.objects.bulk_create(people)
    Tournament.objects.filter(pk=night.pk).update(version=F("version") + 1)
    client = browser(ana)
    page = client.get(reverse("tournaments:door", args=[night.pk]))
    assert page.content.count(b'<span class="name">') == 204
    assert len(gzip.compress(page.content)) < 20_000
    for name in names[:3]:
        with django_assert_max_num_queries(32):
            answer = press(client, night, here=entrant(night, name).pk)
        assert (answer.json()["sentence"], len(answer.content) < 1_000) == (f"{name} is here.", True)
