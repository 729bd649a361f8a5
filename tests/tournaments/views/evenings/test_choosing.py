"""Every member can be chosen for a table of an evening, however many members there are."""

from __future__ import annotations

import html
import re
import time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player, Seat
from tests.cast import browser, person
from tests.tournaments.cast import found
from tournaments.flow.evenings import candidates, sessions
from tournaments.models import Membership, TimedSession

MEMBERS = 2000


@pytest.fixture
def evening(ana: Player) -> TimedSession:
    """Of a club of two thousand, at which nobody sits yet."""
    club = found(ana)
    people = Player.objects.bulk_create(Player(name=f"Member {at:04}", avatar="fox") for at in range(MEMBERS - 2))
    people.append(person("Zofia Żółć"))
    Membership.objects.bulk_create(Membership(club=club, player=one) for one in people)
    return sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 60), now=time.time())


def steer(client: Client, evening: TimedSession, **sent: object) -> str:
    """Where a button leads."""
    answer = client.post(reverse("tournaments:steer_evening", args=[evening.pk]), {"version": 0, **sent})
    assert answer.status_code == 302
    return str(answer["Location"])


def read(client: Client, url: str) -> dict[str, bool]:
    """The people who can be chosen on this page, and whether each is chosen."""
    shown = client.get(url).content.decode()
    rows = re.findall(r'name="player" value="\d+"( checked)?> <span>([^<]*)</span>', shown)
    return {html.unescape(name): bool(is_chosen) for is_chosen, name in rows}


def test_in_a_large_club_everybody_is_found_by_name_and_seated(evening: TimedSession, ana: Player) -> None:
    mine, page = browser(ana), reverse("tournaments:evening", args=[evening.pk])
    first = read(mine, page)
    assert (len(first), "Zofia Żółć" in first, any(first.values())) == (candidates.MAX_SHOWN, False, False)
    found = steer(mine, evening, action="find", q="zolc", player=[ana.pk])
    assert found.endswith("#another")
    assert read(mine, found) == {"Ana": True, "Zofia Żółć": False}
    zofia = Player.objects.get(name="Zofia Żółć")
    again = steer(mine, evening, action="find", q="1777", player=[ana.pk, zofia.pk])
    assert read(mine, again) == {"Ana": True, "Zofia Żółć": True, "Member 1777": False}
    third = Player.objects.get(name="Member 1777")
    assert steer(mine, evening, action="table", player=[ana.pk, zofia.pk, third.pk]) == page
    assert set(Seat.objects.exclude(player=None).values_list("player", flat=True)) == {ana.pk, zofia.pk, third.pk}
    assert read(mine, steer(mine, evening, action="find", q="zolc", player=[zofia.pk])) == {}, "they sit already"


def test_who_looks_for_nobody_known_is_told_so_and_may_look_again(evening: TimedSession, ana: Player) -> None:
    mine = browser(ana)
    shown = mine.get(steer(mine, evening, action="find", q="<Qx>")).content.decode()
    assert "starts with “&lt;Qx&gt;”" in shown
    assert 'name="q" value="&lt;Qx&gt;"' in shown
    assert len(read(mine, steer(mine, evening, action="find", q=" "))) == candidates.MAX_SHOWN


def test_only_members_are_found(evening: TimedSession, ana: Player) -> None:
    person("Zofia of another club")
    mine = browser(ana)
    assert list(read(mine, steer(mine, evening, action="find", q="Zofia"))) == ["Zofia Żółć"]


def test_what_was_sent_wrong_chooses_nobody(evening: TimedSession, ana: Player) -> None:
    mine, stranger = browser(ana), person("Otto")
    page = reverse("tournaments:evening", args=[evening.pk])
    for wrong in ("-1", "x", "²", "9" * 30, str(stranger.pk)):
        assert not any(read(mine, f"{page}?player={wrong}").values())


def test_looking_costs_as_many_questions_in_a_large_club_as_in_a_small_one(evening: TimedSession, ana: Player) -> None:
    mine, counts = browser(ana), []
    url = steer(mine, evening, action="find", q="member", player=[ana.pk])
    mine.get(url)  # the first look of a browser notes it among the devices
    for members in (MEMBERS, 10):
        Membership.objects.exclude(player=ana).filter(pk__in=_all_but(members)).delete()
        with CaptureQueriesContext(connection) as asked:
            assert len(read(mine, url)) == min(members, candidates.MAX_SHOWN + 1)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 17


def _all_but(most: int) -> list[int]:
    members = Membership.objects.filter(player__name__startswith="Member").order_by("pk")
    return list(members.values_list("pk", flat=True)[most - 1 :])


def test_a_small_club_is_chosen_from_at_a_glance(ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 60), now=time.time())
    page = reverse("tournaments:evening", args=[evening.pk])
    assert read(browser(ana), page) == {"Ana": False, "Ben": False}
    assert 'value="find"' not in browser(ana).get(page).content.decode()
    assert 'name="player"' not in browser(ben).get(page).content.decode()
