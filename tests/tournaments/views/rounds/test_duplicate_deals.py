"""Duplicate deals on pages: commitment, contributions by an entrant's own browser, published secrets."""

from __future__ import annotations

import json
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import NOW, browser, person
from tests.tournaments.cast import NAMES, begin, draw, enter, plan, play_round, release
from tournaments.flow import duplicate_commitments
from tournaments.flow.duplicate_commitments import DealKey
from tournaments.flow.planning import phases
from tournaments.models import Contribution, Delivery, Phase, RoundDeals, Tournament, Webhook

TABS = ("tournament", "pairings", "standings", "chronicle", "outputs", "fair")


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """Of four people with browsers, checked in."""
    one = begin(ana, [], venue="online", most=4, duplicate=True)
    enter(one, *NAMES[:4])
    return one


def deals(tournament: Tournament, number: int = 1) -> RoundDeals:
    row = duplicate_commitments.find(tournament, DealKey(number))
    assert row is not None
    return row


def client_of(tournament: Tournament, name: str) -> Client:
    return browser(tournament.entrants.get(name=name).player)


def address(name: str, tournament: Tournament) -> str:
    return reverse(f"tournaments:{name}", args=[tournament.pk])


def send(client: Client, tournament: Tournament, **form: str) -> tuple[int, dict[str, str]]:
    """Status and answer of what a page sends by itself."""
    wanted = {"commitment": deals(tournament).deal.commitment, "entropy": "5b0f", **form}
    answer = client.post(address("contribute", tournament), wanted, headers={"accept": "application/json"})
    return answer.status_code, json.loads(answer.content)


def test_every_page_of_the_tournament_has_the_commitment(tournament: Tournament) -> None:
    row, ada = deals(tournament), client_of(tournament, "Ada")
    for name in TABS:
        for client, contributes in ((ada, True), (Client(), False)):
            page = client.get(address(name, tournament)).content.decode()
            assert row.deal.commitment in page
            assert row.deal.secret not in page
            assert (f'data-url="{address("contribute", tournament)}"' in page) == contributes, name
            assert "js/fair-deal/contribute-round" in page


def test_a_tournament_of_other_deals_has_nothing_of_it(ana: models.Player) -> None:
    other = begin(ana, NAMES[:4], most=4)
    assert b"promise" not in Client().get(address("tournament", other)).content
    assert Client().get(address("coming", other)).json() == {}


def test_a_page_sends_its_contribution_once_and_a_person_replaces_it(tournament: Tournament) -> None:
    ada = client_of(tournament, "Ada")
    assert send(ada, tournament) == (200, {"entropy": "5b0f"})
    assert send(ada, tournament) == (200, {"entropy": "5b0f"})
    assert send(ada, tournament, entropy="of another device") == (200, {"entropy": "5b0f"})
    assert 'data-mine="5b0f"' in ada.get(address("tournament", tournament)).content.decode()
    form = {"commitment": deals(tournament).deal.commitment, "entropy": "my own word", "replace": "1"}
    answer = ada.post(address("contribute", tournament), form)
    assert (answer.status_code, answer["Location"]) == (302, f"{address('tournament', tournament)}#promise")
    assert [one.text for one in Contribution.objects.all()] == ["my own word"]


def test_nobody_contributes_for_somebody_else(tournament: Tournament) -> None:
    for client in (Client(), browser(person("Mallory"))):
        status, answer = send(client, tournament, entrant=str(tournament.entrants.get(name="Ada").pk))
        assert (status, "Only entrants of this tournament can contribute" in str(answer)) == (403, True)
    assert not Contribution.objects.exists()


def test_what_cannot_be_contributed(tournament: Tournament, ana: models.Player) -> None:
    ada = client_of(tournament, "Ada")
    assert [send(ada, tournament, entropy=text)[0] for text in ("", "x" * 65, "ż", "a\nb")] == [400] * 4
    assert send(ada, tournament, commitment="00" * 32)[0] == 409
    before = deals(tournament).deal.commitment
    release(ana, tournament, 1)
    assert send(ada, tournament, commitment=before)[0] == 409
    assert not Contribution.objects.exists()


def test_a_page_that_sends_once_more_after_the_release_learns_what_counted(
    tournament: Tournament, ana: models.Player
) -> None:
    ada, cem = client_of(tournament, "Ada"), client_of(tournament, "Cem")
    commitment = deals(tournament).deal.commitment
    assert send(ada, tournament)[0] == 200
    draw(ana, tournament, 1)
    release(ana, tournament, 1)
    assert send(ada, tournament, commitment=commitment, entropy="sent late") == (200, {"entropy": "5b0f"})
    assert send(ada, tournament, commitment=commitment, replace="1") == (200, {"entropy": "5b0f"})
    assert send(ada, tournament, commitment=commitment, entropy="another", replace="1")[0] == 409
    assert send(cem, tournament, commitment=commitment)[0] == 409
    assert duplicate_commitments.list_contributions(deals(tournament)) == ["5b0f", None, None, None]


def test_everybody_sees_who_has_contributed_what(tournament: Tournament, ana: models.Player) -> None:
    send(client_of(tournament, "Ada"), tournament)
    send(client_of(tournament, "Cem"), tournament, entropy="<b>bold</b>")
    for _ in range(2):  # before the release, and after it
        page = Client().get(address("fair", tournament)).content.decode()
        assert ("1. Ada" in page, "3. Cem" in page, "2. Bea" in page) == (True, True, False)
        assert "<b>bold" not in page
        assert "<b>bold</b>" in unescape(page)
        draw(ana, tournament, 1)
        release(ana, tournament, 1)


def test_a_page_that_nobody_looks_at_asks_what_comes(tournament: Tournament) -> None:
    ada = client_of(tournament, "Ada")
    answer = ada.get(address("coming", tournament)).json()
    assert (answer["commitment"], answer["mine"], answer["may_add"]) == (deals(tournament).deal.commitment, "", True)
    send(ada, tournament)
    assert ada.get(address("coming", tournament)).json()["mine"] == "5b0f"
    assert Client().get(address("coming", tournament)).json()["may_add"] is False


def test_the_secret_stands_there_once_the_round_is_over(tournament: Tournament, ana: models.Player) -> None:
    play_round(ana, tournament, 1)
    for name in ("fair", "tournament"):
        page = Client().get(address(name, tournament)).content.decode()
        assert deals(tournament).deal.secret in page
        assert deals(tournament, 2).deal.commitment in page
        assert deals(tournament, 2).deal.secret not in page


def test_programs_read_commitments_and_contributions(tournament: Tournament, ana: models.Player) -> None:
    send(client_of(tournament, "Bea"), tournament)
    url = f"/api/v1/tournaments/{tournament.pk}/deals"
    [answer] = Client().get(url).json()
    row = deals(tournament)
    assert answer == {
        "tournament": tournament.pk, "round": 1, "seating": 0, "attempt": 1, "commitment": row.deal.commitment,
        "committed_at": NOW, "closed_at": None, "revealed_at": None, "contributions": [None, "5b0f", None, None],
        "secret": "",
    }  # fmt: skip
    play_round(ana, tournament, 1)
    first, second = Client().get(url).json()
    assert (first["secret"], first["contributions"]) == (row.deal.secret, [None, "5b0f", None, None])
    assert (second["round"], second["secret"], second["contributions"]) == (2, "", [None] * 4)
    [played] = Client().get(f"/api/v1/tournaments/{tournament.pk}/rounds").json()
    assert (played["deal_commitment"], played["deal_secret"]) == (row.deal.commitment, row.deal.secret)


def test_the_feed_and_the_webhook_tell_the_commitment(ana: models.Player) -> None:
    tournament = plan(ana, venue="online", most=4, duplicate=True)
    Webhook.objects.create(club=tournament.club, url="https://example.org/", secret="s")
    for phase in (Phase.ENTRY, Phase.CHECK_IN):
        phases.move_on(tournament, ana, phase, now=NOW)
        tournament.refresh_from_db()
    feed = Client().get(reverse("tournaments:news", args=[tournament.club.slug])).content.decode()
    assert f"Commitment to the deals of round 1: {deals(tournament).deal.commitment}." in feed
    enter(tournament, *NAMES[:4])
    play_round(ana, tournament, 1)
    feed = Client().get(reverse("tournaments:news", args=[tournament.club.slug])).content.decode()
    assert f"Commitment to the deals of round 2: {deals(tournament, 2).deal.commitment}." in feed
    [sent] = [json.loads(one.body) for one in Delivery.objects.filter(event="round.released")]
    assert sent["details"]["deals"] == [
        {"round": 1, "seating": 0, "commitment": deals(tournament).deal.commitment, "contributions": 0}
    ]
