"""Everything that the house knows of a person, in his hands: complete, valid, and nobody else's."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client
from django.urls import reverse

from games.models import Player, Ply, Remark, User
from games.play import codec
from tests.cast import NOW, browser, finish, start_table
from tournaments.flow import counting
from tournaments.models import Club, Membership


def take(player: Player) -> dict[str, Any]:
    """The document that the person downloads."""
    answer = browser(player).get(reverse("tournaments:export_me"))
    assert answer["Content-Disposition"] == f'attachment; filename="menagerie-{player.pk}.json"'
    document: dict[str, Any] = json.loads(answer.getvalue())
    return document


def test_a_new_guest_is_a_name_and_an_animal(ana: Player) -> None:
    document = take(ana)
    assert document["person"]["name"] == "Ana"
    assert {name: rows for name, rows in document.items() if isinstance(rows, list)} == {
        name: [] for name in ("clubs", "tournaments", "seats", "moves", "results", "career", "remarks", "reports")
    }


def test_all_of_mine_and_nothing_of_the_others(ana: Player, ben: Player) -> None:
    Player.objects.filter(pk=ana.pk).update(user=User.objects.create_user("ana", "ana@club.example", "long phrase"))
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="secret-token")
    Membership.objects.create(club=club, player=ana)
    table = finish(start_table(ana, ben, options={"deals": 2}))
    counting.count_table(table.id, now=NOW)
    for number, (player, words) in enumerate(((ana, "Mine!"), (ben, "Hush."))):
        Remark.objects.create(table_id=table.id, number=number, player=player, name=player.name, words=words, at=NOW)
    document = take(ana)
    events = [codec.read(event) for event in Ply.objects.order_by("number").values_list("event", flat=True)]
    assert [move["move"] for move in document["moves"]] == [event["move"] for event in events if event.get("seat") == 0]
    assert document["person"]["account"]["email"] == "ana@club.example"
    assert (document["clubs"][0]["club__slug"], len(document["results"]), len(document["career"])) == ("foxes", 1, 2)
    assert [remark["words"] for remark in document["remarks"]] == ["Mine!"]
    text = json.dumps(document)
    for hidden in ("Ben", "Hush.", "secret-token", table.secret):
        assert hidden not in text


def test_a_stranger_has_nothing_to_take(db: None) -> None:
    assert Client().get(reverse("tournaments:export_me")).status_code == 403


def test_taking_everything_on_and_on_is_too_much(ana: Player) -> None:
    client = browser(ana)
    statuses = [client.get(reverse("tournaments:export_me")).status_code for _ in range(7)]
    assert statuses == [200] * 6 + [429]
