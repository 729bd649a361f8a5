"""A club's page: which members are shown, and who may change a role."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser, person
from tests.live.markup import read
from tests.tournaments.cast import NAMES, begin, plan, play_round
from tournaments.flow.clubs import membership
from tournaments.flow.planning import phases
from tournaments.models import Club, Membership, Phase, Role, TimedSession, Tournament
from tournaments.views.clubs import programme

SOON = datetime.fromtimestamp(NOW, tz=UTC) + timedelta(hours=1)


@pytest.fixture
def club(ana: Player, ben: Player) -> Club:
    """Ana's, with Ben as organiser, Cem, and Dana, who does not want to be seen."""
    one = membership.found_club(ana, name="Harbour")
    cem, dana = person("Cem"), person("<Dana>")
    Player.objects.filter(pk=dana.pk).update(is_listed=False)
    for player, role in ((ben, Role.ORGANISER), (cem, Role.MEMBER), (dana, Role.MEMBER)):
        membership.take_in(one.pk, player.pk, role)
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
def test_who_changes_who(club: Club, reader: str, changed: list[str], selects: int) -> None:
    page = page_of(club, reader)
    forms = re.findall(r'action="/clubs/harbour/members/(\d+)/">.{0,60}csrfmiddlewaretoken', page)
    ids = dict(Membership.objects.values_list("pk", "player__name"))
    assert (sorted(ids[int(one)] for one in forms), page.count('<select id="role-')) == (sorted(changed), selects)
    assert (page.count("(you)"), page.count("Leave the club"), read(page).faults) == (
        bool(reader),
        2 * bool(reader),
        [],
    )


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
    assert ("In the archive" in page, "Old night" in page, "No tournaments yet." in page) == (seen, seen, not seen)


def test_what_a_club_played_long_ago_is_found_from_its_page(club: Club, ana: Player) -> None:
    ended = {"has_rung": True, "ended_at": NOW}
    TimedSession.objects.bulk_create(
        TimedSession(id=f"e{at}", club=club, name=f"Evening {at}.", starts_at=at, ends_at=at, **ended)
        for at in range(programme.PAGE_ROWS + 2)
    )
    archived = {"format": "swiss", "game": "karriere-poker", "phase": Phase.ARCHIVED, "lot_seed": "ab"}
    Tournament.objects.bulk_create(
        Tournament(
            id=f"t{at}",
            club=club,
            name=f"Night {at}.",
            entry_token=f"t{at}",
            finished_at=at,
            is_public=at > 0,
            **archived,
        )
        for at in range(programme.SHOWN + 2)
    )
    for kind, last, one in (("club_evenings", 2, "Evening"), ("club_tournaments", 3, "Night")):
        url = reverse(f"tournaments:{kind}", args=[club.slug])
        assert (f'href="{url}"' in page_of(club, ""), f"{one} 1." in page_of(club, "")) == (True, False)
        pages = [browser(ana).get(url, {"page": page}).content.decode() for page in range(1, last + 2)]
        assert [f"{one} 0." in page for page in pages] == [False] * (last - 1) + [True, True]
        assert ['rel="prev"' in page for page in pages] == [False] + [True] * last
        assert ['rel="next"' in page for page in pages] == [True] * (last - 1) + [False] * 2
        assert all(read(page).faults == [] for page in pages)
    text = Client().get(url, {"page": 3}).content.decode()
    assert ("Night 1." in text, "Night 0." in text) == (True, False)


def test_lists_begin_with_what_is_going_on_and_what_comes_next(club: Club, ana: Player) -> None:
    names = ["Cup", "League night", "Doors open", "Next week", "In spring", "Some day"]
    starts = [None, None, SOON, SOON + timedelta(days=7), SOON + timedelta(days=90), None]
    phase = [Phase.FINISHED, Phase.RUNNING, Phase.CHECK_IN, Phase.ENTRY, Phase.ENTRY, Phase.ENTRY]
    for name, day, now in sorted(zip(names, starts, phase, strict=True), key=str):
        ended = NOW if now == Phase.FINISHED else None
        one = plan(ana, club, name=name, starts_at=day)
        Tournament.objects.filter(pk=one.pk).update(phase=now, finished_at=ended)
    for address in ("/", reverse("tournaments:tournaments"), reverse("tournaments:club", args=[club.slug])):
        shown = re.findall(r'<div class="what"><b><a[^>]*>([^<]+)</a>', Client().get(address).content.decode())
        assert shown == names[1:] + names[: len(shown) - 5], address


def test_what_was_called_off_long_ago_stands_in_front_of_nothing(club: Club, ana: Player) -> None:
    for name, phase, ended in (("Cup", Phase.FINISHED, 1.0), ("Storm", Phase.CALLED_OFF, None)):
        one = plan(ana, club, name=name, starts_at=datetime(2020, 5, 1, tzinfo=UTC))
        Tournament.objects.filter(pk=one.pk).update(phase=phase, finished_at=ended)
    plan(ana, club, name="Next")
    for name in ("club", "club_tournaments"):
        page = browser(ana).get(reverse(f"tournaments:{name}", args=[club.slug])).content.decode()
        assert re.findall(r'<div class="what"><b><a[^>]*>([^<]+)</a>', page) == ["Next", "Cup", "Storm"], name
