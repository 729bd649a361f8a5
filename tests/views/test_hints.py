"""Advice: for the seat to act, in games that count for nothing, from what that seat sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from games.play.storage import store
from games.play.storage.table import Arrangement, LoadedTable
from games.rules import registry
from games.rules.base import Config
from games.work import hint_tasks
from tests.cast import browser, person, start_table, to_move

pytestmark = pytest.mark.django_db


def turn_to(table: LoadedTable, seat: int) -> LoadedTable:
    """The table when it is this seat's turn, by drawing."""
    while to_move(table) != seat:
        state, _ = table.rules.apply(table.state, to_move(table), {"draw": True})
        store.commit(table, table.changed(state=state))
        memo.forget_all()
        table = store.fetch(table.id)
    return table


def ask(table: LoadedTable, client: Client) -> Any:
    """The answer once a worker has looked for the hint."""
    answer = client.post(reverse("hint", args=[table.id]))
    if answer.status_code == 202:
        hint_tasks.find_hint(table.id, to_move(table), table.ply)
        answer = client.post(reverse("hint", args=[table.id]))
    return answer


def test_a_hint_is_a_legal_move_of_mine(ana: models.Player) -> None:
    table = turn_to(start_table(ana, game="fancy-animals"), 0)
    answer = ask(table, browser(ana))
    assert (answer.status_code, answer.json()["ply"]) == (200, table.ply)
    move = answer.json()["move"]
    if move is None:
        assert answer.json()["sentence"] == "No play found: none of your cards can be played."
    else:
        table.rules.check(table.state, 0, move)
    assert ask(table, browser(ana)).json() == answer.json()


def test_a_hint_finds_what_can_be_laid(ana: models.Player) -> None:
    table = start_table(ana, game="fancy-animals")
    setup = {"hands": [["3LG", "4LG", "5LG"], ["9LC"], ["9LM"], ["9GC"]], "to_act": 0}
    state = table.rules.start(Config(4, {}, setup), table.rules.chance(table.state))
    store.commit(table, table.changed(state=state))
    memo.forget_all()
    move = ask(store.fetch(table.id), browser(ana)).json()["move"]
    assert move["play"] == ["3LG", "4LG", "5LG"]


def test_no_hint_for_who_is_not_to_act(ana: models.Player) -> None:
    table = turn_to(start_table(ana, game="fancy-animals"), 1)
    answer = ask(table, browser(ana))
    assert (answer.status_code, "not your turn" in answer.content.decode()) == (409, True)


def test_no_hint_for_who_has_no_seat(ana: models.Player, eva: models.Player) -> None:
    table = start_table(ana, game="fancy-animals")
    assert ask(table, browser(eva)).status_code == 403
    assert ask(table, Client()).status_code == 403


def test_no_hint_in_a_rated_game_of_two_people(ana: models.Player) -> None:
    table = turn_to(start_table(ana, person("Ben"), game="fancy-animals"), 0)
    answer = ask(table, browser(ana))
    assert (answer.status_code, "no hints in rated games" in answer.content.decode()) == (403, True)
    models.Table.objects.filter(pk=table.id).update(is_rated=False)
    memo.forget_all()
    assert ask(table, browser(ana)).status_code == 200


def test_no_hint_in_an_arranged_game(ana: models.Player) -> None:
    table = start_table(ana, game="fancy-animals")
    assert table.allows_hints
    assert not table._replace(runtime=table.runtime._replace(arranged=Arrangement())).allows_hints


@pytest.mark.parametrize("slug", [slug for slug, info in registry.infos().items() if info.has_hints])
def test_every_game_with_hints_says_a_legal_move_and_why(slug: str, ana: models.Player) -> None:
    table = start_table(ana, game=slug)
    while 0 not in table.rules.to_act(table.state):
        seat = to_move(table)
        legal = table.rules.legal_moves(table.state, seat) or [{"draw": True}]
        state, _ = table.rules.apply(table.state, seat, legal[-1])
        store.commit(table, table.changed(state=state))
        memo.forget_all()
        table = store.fetch(table.id)
    client = browser(ana)
    assert client.post(reverse("hint", args=[table.id])).status_code == 202
    hint_tasks.find_hint(table.id, 0, table.ply)
    answer = client.post(reverse("hint", args=[table.id])).json()
    table.rules.check(table.state, 0, answer["move"])
    assert answer["sentence"].endswith(answer["reason"])
    assert not answer["sentence"].startswith(("{", ". "))


def test_a_game_without_hints_says_so(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    table = turn_to(start_table(ana, game="fancy-animals"), 0)
    infos = {**registry.infos(), "fancy-animals": replace(registry.infos()["fancy-animals"], has_hints=False)}
    monkeypatch.setattr(registry, "infos", lambda: infos)
    assert ask(table, browser(ana)).status_code == 422


def test_a_hint_for_a_table_that_has_moved_on_is_not_looked_for(ana: models.Player) -> None:
    table = turn_to(start_table(ana, game="fancy-animals"), 0)
    hint_tasks.find_hint(table.id, 0, table.ply - 1)
    hint_tasks.find_hint(table.id, 1, table.ply)
    assert hint_tasks.read(hint_tasks.name_hint("fancy-animals", table.rules.view(table.state, 0))) is None


def test_a_page_offers_hints_to_its_players_alone(ana: models.Player, eva: models.Player) -> None:
    table = start_table(ana, game="karriere-poker")
    page = browser(ana).get(reverse("table", args=[table.id])).content.decode()
    assert 'id="ask-hint"' in page
    assert 'id="ask-hint"' not in Client().get(reverse("table", args=[table.id])).content.decode()
    rated = start_table(ana, person("Ben"), game="karriere-poker")
    assert 'id="ask-hint"' not in browser(ana).get(reverse("table", args=[rated.id])).content.decode()
