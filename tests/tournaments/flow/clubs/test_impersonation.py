"""A stranger tries to pass for the owner of a club at every way in, and to read about somebody who is private."""

from __future__ import annotations

import time

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player, User
from games.models.skeletons import are_alike
from games.play.storage import store
from tests.cast import NOW, browser, finish, open_table, person, start_table
from tests.html import read_page
from tests.tournaments.cast import begin, found, plan
from tournaments.flow.clubs import invitations, membership
from tournaments.flow.counting import finished_tables
from tournaments.flow.evenings import candidates, sessions
from tournaments.models import Club, Entrant, Membership, Role

LOOKS = ("Olga", "OLGA", "Оlga", "0lga", "O1ga", "Olga ✔", "O.l.g.a", "Olga\u00a0", "Olgạ")


@pytest.fixture
def olga(db: None) -> Player:
    """Owns a club, and has an account."""
    owner = person("Olga")
    Player.objects.filter(pk=owner.pk).update(user=User.objects.create(username="olga"))
    return owner


@pytest.fixture
def club(olga: Player) -> Club:
    return found(olga)


@pytest.mark.parametrize("look", LOOKS)
def test_by_the_link_of_the_club(club: Club, olga: Player, look: str) -> None:
    link = invitations.invite(club, olga, role=Role.MEMBER).token
    stranger = Client()
    stranger.post(reverse("tournaments:invitation", args=[link]), {"name": look})
    new = Membership.objects.exclude(player=olga).select_related("player").get()
    assert new.shown_name.endswith(" 2")
    assert not are_alike(new.shown_name, "Olga")
    stranger.post(reverse("tournaments:say_in_club", args=[club.slug]), {"words": "The tournament is cancelled."})
    page = read_page(browser(olga).get(reverse("tournaments:club", args=[club.slug])))
    said = page[page.index('<ol id="remarks"') :].split("cancelled.")[0]
    assert f"<b>{new.shown_name}</b>" in said
    assert "badge" not in said


@pytest.mark.parametrize("look", LOOKS)
def test_by_a_change_of_name(club: Club, olga: Player, look: str) -> None:
    member = person("Gast")
    membership.take_in(club.pk, member.pk, Role.MEMBER)
    browser(member).post(reverse("me"), {"name": look, "avatar": "fox", "is_listed": "on"})
    shown = Membership.objects.select_related("player").get(player=member).shown_name
    assert not are_alike(shown, "Olga")


@pytest.mark.parametrize("look", LOOKS)
def test_by_signing_up_for_a_tournament(club: Club, olga: Player, look: str) -> None:
    tournament = begin(olga, (), club=club, venue="online", is_public=True)
    url = reverse("tournaments:act", args=[tournament.pk])
    for client in (Client(), browser(person("Gast"))):  # as somebody new, and as a guest of another name
        client.post(url, {"action": "enter", "name": look})
    names = list(Entrant.objects.filter(tournament=tournament).values_list("name", flat=True))
    assert len(names) == 2
    assert not any(are_alike(name, "Olga") for name in names)


@pytest.mark.parametrize("look", LOOKS)
def test_by_the_link_of_an_evening(club: Club, olga: Player, look: str) -> None:
    evening = sessions.open_evening(club, olga, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time())
    link = reverse("tournaments:evening_guest", args=[evening.pk, evening.guest_token])
    Client().post(link, {"name": look})
    names = {one.pk: one.name for one in candidates.list_candidates(evening)}
    assert names.pop(olga.pk) == "Olga"
    assert len(names) == 1
    assert not any(are_alike(name, "Olga") for name in names.values())


@pytest.mark.parametrize("look", LOOKS)
def test_at_a_table(olga: Player, look: str) -> None:
    table = open_table(olga)
    Client().post(reverse("sit", args=[table.id]), {"name": look})
    names = [place.name for place in store.reload(table.id).places]
    assert (names[0], len(names)) == ("Olga", 2)
    assert not are_alike(names[1], "Olga")


def test_nothing_is_read_of_somebody_private(club: Club, olga: Player) -> None:
    hidden, other = person("Hiddenia"), person("Ben")
    for one in (hidden, other):
        membership.take_in(club.pk, one.pk, Role.MEMBER)
    for number in range(3):
        now = NOW + 3600 * number
        finished_tables.count_table(
            finish(start_table(hidden, other, olga, options={"deals": 1}, now=now), now=now).id, now=now
        )
    assert "Hiddenia" in read_page(Client().get(reverse("tournaments:leaderboards")))
    browser(hidden).post(reverse("me"), {"name": "Hiddenia", "avatar": "fox"})
    hidden.refresh_from_db()
    assert not hidden.is_listed
    plan(olga, club)
    club_board = {"club": club.slug}
    for client in (Client(), browser(other), browser(olga)):
        for path, asked in (
            (reverse("tournaments:leaderboards"), {}),
            (reverse("tournaments:leaderboards"), {"q": "hidd"}),
            (reverse("tournaments:leaderboards"), club_board),
            (reverse("tournaments:leaderboards"), {**club_board, "q": "hidd"}),
            (reverse("tournaments:club_records", args=[club.slug]), {}),
            (reverse("tournaments:search"), {"q": "hidd"}),
            (reverse("tournaments:person", args=[hidden.pk]), {}),
            (reverse("tournaments:person_games", args=[hidden.pk]), {}),
            (reverse("tournaments:duel", args=[other.pk, hidden.pk]), {}),
            (reverse("tournaments:duel", args=[hidden.pk, other.pk]), {}),
            (reverse("tournaments:person", args=[other.pk]), {}),
            (reverse("tournaments:person_games", args=[other.pk]), {}),
            (reverse("tournaments:rivals", args=[other.pk]), {"q": "hidd"}),
            (reverse("tournaments:rivals", args=[other.pk]), {}),
            ("/api/v1/leaderboards", {}),
            ("/api/v1/leaderboards", club_board),
            (f"/api/v1/people/{hidden.pk}", {}),
            (f"/api/v1/people/{other.pk}", {}),
            (f"/api/v1/people/{hidden.pk}/against/{other.pk}", {}),
            (f"/api/v1/people/{other.pk}/against/{hidden.pk}", {}),
            (f"/api/v1/clubs/{club.slug}/records", {}),
        ):
            answer = client.get(path, asked)
            assert answer.status_code in (200, 403, 404), path
            assert "Hiddenia" not in answer.content.decode(), (path, asked)
