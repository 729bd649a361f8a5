"""Advice: for the seat to act, in games that count for nothing, from what that seat sees."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from games.play.clocks import timers
from games.play.storage import store
from games.play.storage.table import Arrangement, LoadedTable
from games.rules.base import Config
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
    return client.post(reverse("hint", args=[table.id]))


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


def test_other_games_have_no_hints(ana: models.Player) -> None:
    table = start_table(ana, game="karriere-poker")
    while to_move(table) != 0:
        table = timers.run_clock(table.id, now=table.runtime.clocks[0].due + 1)
    assert ask(table, browser(ana)).status_code == 422
