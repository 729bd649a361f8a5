"""A club's page: who sees whom, and who may change whose role."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import browser, person
from tests.live.markup import read
from tournaments.flow import clubs
from tournaments.models import Club, Membership, Role


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
