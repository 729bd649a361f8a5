"""A club's page: who sees whom, and who may change whose role."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser, person
from tests.live.markup import read
from tests.tournaments.cast import NAMES, begin, play_round
from tournaments.flow import clubs, phases
from tournaments.models import Club, Membership, Phase, Role


@pytest.fixture
def club(ana: Player, ben: Player) -> Club:
    """Ana's, with Ben as organiser, Cem, and Dana, who does not want to be seen."""
    one = clubs.found_club(ana, name="Harbour")
    cem, dana = person("Cem"), person("<Dana>")
    Player.objects.filter(pk=dana.pk).update(is_listed=False)
    for player, role in ((ben, Role.ORGANISER), (cem, Role.MEMBER), (dana, Role.MEMBER)):
        clubs.take_in(one.pk, player.pk, role)
    return one


def page_of(club: Club, name: str) -> str:
    """The club's page as this person sees it; a stranger's without a name."""
    client = browser(Player.objects.get(name=name)) if name else Client()
    return client.get(reverse("tournaments:club", args=[club.slug])).content.decode()


@pytest.mark.parametrize(
    ("reader", "changed", "selects"),
    [
        ("Ana", ["Ana", "Ben", "Cem", "<Dana>"], 4),
        ("Ben", ["Ben", "Cem", "<Dana>"], 0),
        ("Cem", ["Cem"], 0),
        ("", [], 0),
    ],
)
def test_who_changes_whom(club: Club, reader: str, changed: list[str], selects: int) -> None:
    page = page_of(club, reader)
    forms = re.findall(r'action="/clubs/harbour/members/(\d+)/">.{0,60}csrfmiddlewaretoken', page)
    ids = dict(Membership.objects.values_list("pk", "player__name"))
    assert (sorted(ids[int(one)] for one in forms), page.count('<select id="role-')) == (sorted(changed), selects)
    assert (page.count("(you)"), page.count("Leave the club"), read(page).faults) == (bool(reader), bool(reader), [])


def test_names_lead_to_profiles_that_may_be_seen(club: Club, ana: Player) -> None:
    page = page_of(club, "")
    assert f'<a href="/people/{ana.pk}/">Ana</a>' in page
    assert '<span class="name">&lt;Dana&gt;</span>' in page
    assert re.findall(r'class="badge">(\w+)<', page) == ["Owner", "Organiser"]


@pytest.mark.parametrize(("is_public", "reader", "seen"), [(True, "", True), (False, "", False), (False, "Cem", True)])
def test_what_is_in_the_archive_is_found_on_the_page_of_its_club(
    club: Club, ana: Player, is_public: bool, reader: str, seen: bool
) -> None:
    one = begin(ana, NAMES[:4], club=club, venue="real", rounds_planned=1, name="Old night", is_public=is_public)
    play_round(ana, one, 1)
    for phase in (Phase.FINISHED, Phase.ARCHIVED):
        assert ("In the archive" in page_of(club, "Ana"), "Old night" in page_of(club, reader)) == (False, seen)
        phases.move_on(one, ana, phase, now=NOW)
    page = page_of(club, reader)
    assert ("In the archive" in page, "Old night" in page, "None is planned yet" in page) == (seen, seen, not seen)
