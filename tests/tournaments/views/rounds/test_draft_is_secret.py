"""A draw is told with its release: until then nobody but organisers learns anything of it anywhere."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from games import memo
from games.models import Player
from tests.cast import NOW, browser, person
from tests.tournaments.cast import begin, draw, enter, play_round
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.rounds import lifecycle
from tournaments.flow.undo import step_undo
from tournaments.models import Membership, PairRule, PodSeat, Role, Step, Tournament
from tournaments.views.rounds.prints import FILES, SHEETS

CHANCE = re.compile(r'csrf[\w-]*" (value|content)="\w+"|nonce="[^"]+"|[\d.]{10,}|"key" value="\w+"')
"""What differs from one answer to the next."""
PAGES = ("tournament", "pulse", "pairings", "standings", "ladder", "chronicle", "hall", "outputs", "log", "console")


def list_addresses(tournament: Tournament) -> list[str]:
    """Whatever a browser or a program can read of a tournament."""
    one, club = tournament.pk, tournament.club.slug
    return [
        *(reverse(f"tournaments:{name}", args=[one]) for name in PAGES),
        *(reverse("tournaments:print", args=[one, sheet]) + "?round=2" for sheet in SHEETS),
        *(reverse("tournaments:download", args=[one, kind]) for kind in FILES),
        *(reverse("tournaments:pod", args=[one, 2, table]) for table in (1, 2)),
        *(f"{reverse(f'tournaments:{name}', args=[one])}?round=2" for name in ("pairings", "standings", "hall")),
        *(f"/api/v1/tournaments/{one}{end}" for end in ("", "/entrants", "/rounds", "/standings")),
        *(reverse(f"tournaments:{name}", args=[club]) for name in ("club", "news", "calendar")),
    ]


def read(client: Client, address: str) -> str:
    body = client.get(address, follow=True).content
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as file:
            body = b"\n".join(file.read(name) for name in file.namelist())
    return CHANCE.sub("", body.decode())


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """One round is over, and the second one is drawn."""
    one = begin(ana, ["Ada", "Bea", "Cem", "Dan", "Eli", "Fay", "Gus"], venue="real", least=4, most=4)
    enter(one, "Enzo")
    play_round(ana, one, 1)
    draw(ana, one, 2)
    one.refresh_from_db()
    return one


def read_all(tournament: Tournament, client: Client) -> dict[str, str]:
    memo.forget_all()
    return {address: read(client, address) for address in list_addresses(tournament)}


def exchange(tournament: Tournament) -> None:
    """Let somebody of the first table and somebody of the second change places, and no step tell of it."""
    chairs = [PodSeat.objects.filter(pod__round__tournament=tournament, pod__round__number=2, pod__number=number)
              .select_related("entrant").earliest("index") for number in (1, 2)]  # fmt: skip
    for chair, other in zip(chairs, reversed(chairs), strict=True):
        PodSeat.objects.filter(pk=chair.pk).update(entrant=other.entrant)


def open_browser(tournament: Tournament, role: str) -> Client:
    """A browser of somebody in this role."""
    if role == "stranger":
        return Client()
    if role == "entrant":
        return browser(Player.objects.get(name="Enzo"))
    player = person("Mara")
    Membership.objects.create(club=tournament.club, player=player, role=Role(role))
    return browser(player)


def differ(tournament: Tournament, client: Client, act: Callable[[Tournament], None]) -> list[str]:
    """The addresses that say something else after this."""
    before = read_all(tournament, client)
    act(tournament)
    after = read_all(tournament, client)
    return [address for address in before if before[address] != after[address]]


@pytest.mark.parametrize("role", ["stranger", "entrant", "member"])
def test_who_sits_where_is_a_secret_until_it_is_released(tournament: Tournament, ana: Player, role: str) -> None:
    client = open_browser(tournament, role)
    assert differ(tournament, client, exchange) == []
    lifecycle.release(tournament, ana, 2, now=NOW)
    changed = differ(tournament, client, exchange)
    for name, args in (("pairings", []), ("pod", [2, 1]), ("hall", [])):
        assert reverse(f"tournaments:{name}", args=[tournament.pk, *args]) in changed
    assert f"/api/v1/tournaments/{tournament.pk}/rounds" in changed


def test_what_only_organisers_read_is_not_told_by_its_taking_back(tournament: Tournament, ana: Player) -> None:
    def undo(*kinds: str) -> None:
        steps = Step.objects.filter(tournament=tournament, reverted_by=None)
        for kind in kinds:
            step_undo.revert(tournament, ana, steps.filter(kind=kind).latest("number").number, now=NOW)

    def chronicle() -> str:
        return read(Client(), reverse("tournaments:chronicle", args=[tournament.pk]))

    first, second = PodSeat.objects.filter(pod__round__tournament=tournament, pod__round__number=2, index=0)
    organiser_decisions.rule_pair(tournament, ana, first.entrant_id, second.entrant_id, PairRule.Kind.APART, now=NOW)
    undo("pair-rule", "undo", "undo")
    drafts.swap(tournament, ana, 2, first.entrant_id, second.entrant_id, key="k", now=NOW)
    undo("swap")
    actual = chronicle()
    assert [word for word in ("undid", "redid", "may not meet", "swap") if word in actual] == []
    lifecycle.release(tournament, ana, 2, now=NOW)
    undo("release")
    assert "undid “released round 2”" in chronicle()
