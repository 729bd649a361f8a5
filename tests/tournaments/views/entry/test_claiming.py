"""People come with a phone and no account: they say who they are, once, and nobody is two."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.cast import browser, person
from tests.html import read_page
from tests.tournaments.cast import begin, enter, found, plan, release
from tournaments.flow.clubs import invitations
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import Entrant, Membership, Phase, Result, Tournament

FOURS = {"venue": "real", "least": 4, "most": 4}


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """Four on the list at a released real table; anybody may still come in."""
    one = begin(ana, ["Ada", "Bea", "Cem", "Dan"], **FOURS)
    release(ana, one, 1)
    one.refresh_from_db()
    return one


def act(client: Client, one: Tournament, **sent: object) -> int:
    return client.post(reverse("tournaments:act", args=[one.pk]), sent).status_code


def come_by_link(one: Tournament, query: str = "") -> tuple[Client, str]:
    """A phone that nobody knows has opened the link; and where that leads."""
    phone = Client()
    return phone, phone.get(reverse("tournaments:entry_link", args=[one.entry_token]) + query)["Location"]


def test_a_stranger_enters_under_the_name_they_give(ana: Player) -> None:
    one = plan(ana)
    phases.move_on(one, ana, Phase.ENTRY, now=0)
    phone, page = come_by_link(one)
    form = read_page(phone.get(page)).partition('id="enter-name"')[0].rpartition("<form")[2]
    assert "<h2>Sign up for the tournament</h2>" in form
    act(phone, one, action="enter", name="  Zoë   Berg ")
    entrant = Entrant.objects.get()
    assert entrant.player is not None
    assert (entrant.name, entrant.player.name) == ("Zoë Berg", "Zoë Berg")


def test_who_is_known_may_have_another_name_here(ana: Player) -> None:
    one, ben = plan(ana), person("MouseKing")
    phases.move_on(one, ana, Phase.ENTRY, now=0)
    act(browser(ben), one, action="enter", name="Ben")
    ben.refresh_from_db()
    assert (Entrant.objects.get().name, ben.name) == ("Ben", "MouseKing")


def test_nobody_enters_beside_themselves_on_the_list(tournament: Tournament) -> None:
    phone, page = come_by_link(tournament)
    act(phone, tournament, action="enter", name="ada")
    answer = phone.get(page)
    [message] = [str(note) for note in answer.context["messages"]]
    assert message.startswith("“ada” is already on the list.")
    assert 'value="ada" data-typed' in read_page(answer)
    assert "data-typed" not in read_page(phone.get(page))
    assert Entrant.objects.count() == 4
    assert not Player.objects.filter(name="ada").exists()
    act(phone, tournament, action="enter", name="Ada B.")
    new = Entrant.objects.select_related("player").get(name="Ada B.")
    assert Entrant.objects.count() == 5
    assert new.player is not None
    assert new.player.name == "Ada B."


def test_one_scan_of_a_table_s_card_and_one_tap(ana: Player, tournament: Tournament) -> None:
    """At the table: say who one is, enter the result; the next phone confirms it."""
    pod, places = (
        reverse("tournaments:pod", args=[tournament.pk, 1, 1]),
        {f"place-{seat}": seat + 1 for seat in range(4)},
    )
    phones = []
    for name in ("Ada", "Bea"):
        phone, page = come_by_link(tournament, "?table=1-1")
        assert page == pod
        shown = phone.get(pod)
        assert name in [one.name for one in shown.context["claimable"]]
        chosen = Entrant.objects.get(name=name).pk
        sent = {"action": "claim", "entrant": chosen, "table": "1-1"}
        assert phone.post(reverse("tournaments:act", args=[tournament.pk]), sent)["Location"] == pod
        assert Player.objects.filter(name=name).exists()
        phones.append(phone)
    phones[0].post(pod, {"action": "enter", **places})
    mine, shown = read_page(phones[0].get(pod)), phones[1].get(pod)
    assert ("Somebody else at your table still has to confirm it." in mine, 'value="confirm"' in mine) == (True, False)
    assert 'value="confirm"' in read_page(shown)
    phones[1].post(pod, {"action": "confirm", "result": shown.context["proposals"][0]["result"].id})
    assert Result.objects.get().status == "accepted"
    lifecycle.complete(tournament, ana, 1, now=0)


def test_a_name_is_claimed_once_and_nobody_has_two(tournament: Tournament) -> None:
    first, _ = come_by_link(tournament)
    second, page = come_by_link(tournament)
    ada, bea = (Entrant.objects.get(name=name) for name in ("Ada", "Bea"))
    act(first, tournament, action="claim", entrant=ada.pk)
    act(second, tournament, action="claim", entrant=ada.pk)
    assert Player.objects.filter(name="Ada").count() == 1
    act(first, tournament, action="claim", entrant=bea.pk)
    ada.refresh_from_db()
    bea.refresh_from_db()
    assert ada.player is not None
    assert (ada.player.name, bea.player) == ("Ada", None)
    listed = second.get(page).context["unclaimed"]
    assert [one.name for one in listed] == ["Bea", "Cem", "Dan"]


def test_only_who_claimed_a_name_is_told_that_it_is_theirs(tournament: Tournament) -> None:
    token = Entrant.objects.get(name="Ada").claim_token
    url, mine = reverse("tournaments:claim", args=[tournament.pk, token]), Client()
    mine.post(url)
    text = [read_page(client.get(url)) for client in (mine, browser(person("Mallory")), Client())]
    mine_to_be, taken = "Yes. You have already claimed this name.", "Somebody has already claimed this name."
    assert [(mine_to_be in page, taken in page) for page in text] == [
        (True, False), (False, True), (False, True),
    ]  # fmt: skip


def test_who_has_not_opened_the_link_claims_nobody(tournament: Tournament) -> None:
    page, pod = (reverse(f"tournaments:{name}", args=args) for name, args in (
        ("tournament", [tournament.pk]), ("pod", [tournament.pk, 1, 1]),
    ))  # fmt: skip
    passer_by = browser(person("Mallory"))
    assert passer_by.get(page).context["unclaimed"] == []
    assert passer_by.get(pod).context["claimable"] == []
    assert act(passer_by, tournament, action="claim", entrant=Entrant.objects.get(name="Ada").pk) == 403
    member = person("Mara")
    Membership.objects.create(club=tournament.club, player=member)
    assert len(browser(member).get(page).context["unclaimed"]) == 4


@pytest.mark.parametrize("table", ["", "1", "1-", "a-b", "1-1-1", "99999-1", "-1-1"])
def test_a_card_that_names_no_table_leads_to_the_tournament(tournament: Tournament, table: str) -> None:
    assert come_by_link(tournament, f"?table={table}")[1] == reverse("tournaments:tournament", args=[tournament.pk])


def test_only_the_organiser_s_cards_open_the_tournament(ana: Player, tournament: Tournament) -> None:
    from tournaments.views.rounds import prints

    at = reverse("tournaments:entry_link", args=[tournament.entry_token])
    pod = reverse("tournaments:pod", args=[tournament.pk, 1, 1])
    played = tournament.rounds.get()
    assert prints.build_card_url(tournament, played, 1, is_desk=True) == f"{at}?table=1-1"
    assert prints.build_card_url(tournament, played, 1, is_desk=False) == pod
    cards = [
        client.get(reverse("tournaments:print", args=[tournament.pk, "cards"])).context["cards"][0][1]
        for client in (browser(ana), Client())
    ]
    assert cards[0] != cards[1]


def test_the_organiser_shows_a_name_s_code_instead_of_taking_it(ana: Player, tournament: Tournament) -> None:
    ada = Entrant.objects.get(name="Ada")
    url = reverse("tournaments:claim", args=[tournament.pk, ada.claim_token])
    shown, asked = browser(ana).get(url), Client().get(url)
    assert shown.context["url"] == f"http://testserver{url}"
    assert ("That is me" in read_page(shown), 'class="qr"' in read_page(shown)) == (False, True)
    assert "qr" not in asked.context
    assert ("That is me" in read_page(asked), 'class="qr"' in read_page(asked)) == (True, False)


def test_who_is_in_is_asked_nothing(ana: Player) -> None:
    one = plan(ana)
    phases.move_on(one, ana, Phase.ENTRY, now=0)
    (ben,) = enter(one, "Ben")
    page = browser(ben).get(reverse("tournaments:tournament", args=[one.pk]))
    assert 'id="enter-name"' not in read_page(page)
    assert page.context["unclaimed"] == []


def test_a_guest_says_their_name_where_a_club_invites_them(ana: Player) -> None:
    club = found(ana)
    token = invitations.invite(club, ana).token
    phone = Client()
    url = reverse("tournaments:invitation", args=[token])
    assert 'id="my-name"' in read_page(phone.get(url))
    phone.post(url, {"name": "Mara"})
    assert list(club.memberships.filter(role="member").values_list("player__name", flat=True)) == ["Mara"]
