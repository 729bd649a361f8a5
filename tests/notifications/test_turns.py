"""Whose turn it is while their page is closed: told once, closed when it is over, never with a card."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import models
from games.notifications import attention, delivery, turns
from games.notifications.kinds import Kind
from games.play.moves import submission
from games.play.seats import last_seen
from games.play.storage.table import LoadedTable
from games.rules import registry
from tests.cast import NOW, legal, person, start_table
from tests.notifications.push_service import PushService

LATER = NOW + 20.0


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    """A game of four people, at which somebody was just now."""
    begun = start_table(ana, ben, person("Cem"), person("Dan"))
    last_seen.record_presence([begun.id], now=NOW)
    return begun


def whose_turn(table: LoadedTable) -> models.Player:
    """The person who is to act."""
    return models.Player.objects.get(pk=find_turns(table)[0])


def find_turns(table: LoadedTable) -> list[int]:
    """The people whose turn it is."""
    seats = table.rules.to_act(table.state)
    return [place.player_id for place in table.places if place.player_id is not None and place.seat in seats]


def remind_and_deliver(now: float) -> None:
    """Look for turns, and send what is due."""
    turns.look_for_turns(now=now)
    for origin in delivery.list_origins(now):
        delivery.deliver_batch(origin, now=now)


def move(table: LoadedTable, player: models.Player, *, now: float) -> LoadedTable:
    """A legal move of this person."""
    seat = table.seat_of(player.pk)
    assert seat is not None
    made = legal(table, seat)[0]
    return submission.submit_move(table.id, player.pk, made, ply=table.ply, key=f"{now}", now=now).table


def test_a_turn_is_told_once(table: LoadedTable, push_service: PushService) -> None:
    player = whose_turn(table)
    push_service.subscribe(player)
    for second in range(0, 60, 5):
        remind_and_deliver(LATER + second)
    [received] = push_service.received
    assert received.text["title"] == "It is your turn"
    assert received.text["path"] == f"/tables/{table.id}/"


def test_a_turn_that_was_made_elsewhere_is_closed(table: LoadedTable, push_service: PushService) -> None:
    player = whose_turn(table)
    push_service.subscribe(player)
    remind_and_deliver(LATER)
    remind_and_deliver(LATER + 6)
    after = move(table, player, now=LATER + 7)
    assert player.pk not in find_turns(after)
    remind_and_deliver(LATER + 10)
    assert [one.text["is_gone"] for one in push_service.received] == [False, True]
    assert {one.text["tag"] for one in push_service.received} == {turns.make_tag(table.id)}


def test_who_has_the_page_open_is_not_told(table: LoadedTable, push_service: PushService) -> None:
    player = whose_turn(table)
    push_service.subscribe(player)
    attention.record({player.pk: [table.id]}, now=LATER)
    remind_and_deliver(LATER)
    remind_and_deliver(LATER + attention.HOLDS_SECONDS - 1)
    assert not models.Notice.objects.exists()
    remind_and_deliver(LATER + attention.HOLDS_SECONDS + 1)
    assert models.Notice.objects.count() == 1


def test_who_comes_back_before_it_is_sent_and_leaves_again_is_told_after_all(
    table: LoadedTable, push_service: PushService
) -> None:
    player = whose_turn(table)
    push_service.subscribe(player)
    turns.look_for_turns(now=LATER)
    attention.record({player.pk: [table.id]}, now=LATER + 2)
    remind_and_deliver(LATER + 4)
    remind_and_deliver(LATER + 10)
    assert push_service.received == []
    remind_and_deliver(LATER + 30)
    remind_and_deliver(LATER + 36)
    assert len(push_service.received) == 1


def test_attention_is_only_noted_for_people_with_a_device(
    ana: models.Player, ben: models.Player, push_service: PushService
) -> None:
    push_service.subscribe(ana)
    attention.record({ana.pk: ["one", "two"], ben.pk: ["one"]}, now=NOW)
    attention.record({ana.pk: ["one"]}, now=NOW + 10)
    assert attention.find_open_pages(["one", "two"], now=NOW + 14) == {(ana.pk, "one"), (ana.pk, "two")}
    assert attention.find_open_pages(["one", "two"], now=NOW + 20) == {(ana.pk, "one")}


@pytest.mark.parametrize("game", registry.slugs())
def test_no_notification_tells_a_card(
    ana: models.Player, ben: models.Player, push_service: PushService, game: str
) -> None:
    """What is written of a turn is the game's name and the names of people, whatever lies on the table."""
    begun = start_table(ana, ben, game=game)
    last_seen.record_presence([begun.id], now=NOW)
    for player in (ana, ben):
        push_service.subscribe(player, f"ok/{player.pk}")
    remind_and_deliver(LATER)
    remind_and_deliver(LATER + 6)
    names = {place.name for place in begun.places}
    for notice in models.Notice.objects.filter(kind=Kind.YOUR_TURN):
        details: dict[str, Any] = json.loads(notice.details)
        assert details.keys() == {"game", "names"}
        assert details["game"] == game
        assert set(details["names"]) <= names
    if find_turns(begun):
        assert push_service.received
