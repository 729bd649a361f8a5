"""A whole club night through the pages: 24 people, five rounds, some on phones, some at real tables, one bot."""

from __future__ import annotations

import time
from typing import Any

from django.test import Client
from django.urls import reverse

from games import models
from games.play.storage import store
from tests.cast import browser, come_to_table, finish, person
from tests.tournaments.cast import NAMES, found, standing
from tournaments.models import Entrant, Pod, Result, Tournament


class Organiser:
    """Somebody with the console open."""

    def __init__(self, player: models.Player) -> None:
        self.client = browser(player)
        self.tournament_id = ""

    def plan(self, slug: str, **overrides: Any) -> Tournament:
        form = self.client.get(reverse("tournaments:plan", args=[slug])).context["form"]
        sent = {field.name: field.value() for field in form if field.value() not in (None, False)}
        answer = self.client.post(reverse("tournaments:plan", args=[slug]), sent | overrides)
        assert answer.status_code == 302, answer.context["form"].errors
        self.tournament_id = answer["Location"].split("/")[2]
        return Tournament.objects.get(pk=self.tournament_id)

    def do(self, action: str, **values: Any) -> None:
        url = reverse("tournaments:do", args=[self.tournament_id])
        answer = self.client.post(url, {"action": action, **values}, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.content) == (302, b"")

    @property
    def next(self) -> str:
        word: str = self.client.get(reverse("tournaments:console", args=[self.tournament_id])).context["next"]
        return word


def play(client: Client, pod: Pod) -> None:
    """Everybody opens the table by its page; the game is played to its end."""
    assert pod.table_id is not None
    for place in store.refresh(pod.table_id).places:
        if place.player_id is not None:
            player = models.Player.objects.get(pk=place.player_id)
            assert browser(player).get(reverse("table", args=[pod.table_id])).status_code == 200
            come_to_table(pod.table_id, player.pk, now=time.time())
    finish(store.refresh(pod.table_id), now=time.time())


def report_result(pod: Pod, clients: dict[int, Client]) -> None:
    """At a real table one player enters the result on a phone, another confirms it."""
    url = reverse("tournaments:pod", args=[pod.round.tournament_id, pod.round.number, pod.number])
    there = [clients[seat.entrant.player_id] for seat in pod.seats.all() if seat.entrant.player_id in clients]
    places = {f"place-{index}": index + 1 for index in range(pod.seats.count())}
    assert there[0].post(url, {"action": "enter", **places}).status_code == 302
    assert Result.objects.get(pod=pod).status == "proposed"
    shown = there[1].get(url)
    result = shown.context["proposals"][0]["result"].id
    assert there[1].post(url, {"action": "confirm", "result": result}).status_code == 302
    assert Result.objects.get(pod=pod).status == "accepted"


def test_a_club_night_of_five_rounds(transactional_db: None, ana: models.Player) -> None:
    club = found(ana)
    desk = Organiser(ana)
    tournament = desk.plan(club.slug, name="Thursday", game="karriere-poker", deals="1", rounds_planned="5", most="4")
    desk.do("open-entry")
    players = [person(name) for name in NAMES[:16]]
    clients = {player.pk: browser(player) for player in players}
    for player in players:
        clients[player.pk].get(reverse("tournaments:entry_link", args=[tournament.entry_token]))
        clients[player.pk].post(reverse("tournaments:act", args=[tournament.pk]), {"action": "enter"})
    desk.do("check-in")
    for name in NAMES[16:23]:
        desk.do("walk-in", name=name)
    desk.do("bot", name="Bruno", level="random")
    here = Entrant.objects.filter(tournament=tournament, status="entered").values_list("pk", flat=True)
    desk.do("people", what="present", entrant=list(here))
    claimed = Entrant.objects.get(tournament=tournament, name=NAMES[16])
    late = browser(person("Somebody"))
    late.post(reverse("tournaments:claim", args=[tournament.pk, claimed.claim_token]))
    assert late.get(reverse("tournaments:tournament", args=[tournament.pk])).context["me"] == claimed
    for number in range(1, 6):
        assert desk.next == "draw"
        desk.do("draw", round=number)
        desk.do("release", round=number)
        pods = Pod.objects.filter(round__tournament=tournament, round__number=number).order_by("number")
        assert [pod.seats.count() for pod in pods] == [4] * 6
        for pod in pods:
            if pod.is_online:
                play(desk.client, pod)
            elif sum(seat.entrant.player_id in clients for seat in pod.seats.all()) > 1:
                report_result(pod, clients)
            else:
                places = {f"place-{index}": index + 1 for index in range(4)}
                desk.do("decide", pod=pod.pk, **places)
        desk.do("complete", round=number)
        page = desk.client.get(reverse("tournaments:standings", args=[tournament.pk]))
        assert page.content.decode().count('<tr data-number="') == 24
        assert ('<svg class="bump"' in page.content.decode()) == (number > 1)
    assert desk.next == "finish"
    desk.do("finish")
    desk.do("archive")
    assert desk.next == "done"
    lines = standing(tournament)
    assert len(lines) == 24
    assert sum(points for _, _, points in lines) == 5 * 24 * 420
    for name in ("tournament", "pairings", "standings", "chronicle", "console", "log"):
        assert desk.client.get(reverse(f"tournaments:{name}", args=[tournament.pk])).status_code == 200
