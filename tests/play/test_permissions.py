"""Who may look at a table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import models
from games.play import permissions
from games.play.errors import NotAllowed
from games.play.records import voiding
from games.play.seats import arranged_tables, sitting
from games.play.storage import store
from tests.cast import NOW, browser, finish, open_table, start_table


def test_everybody_may_watch_an_open_table(ana: models.Player, eva: models.Player) -> None:
    table = open_table(ana)
    assert all(permissions.can_watch(table, who, ()) for who in (ana.pk, eva.pk, None))


def test_a_table_by_invitation_is_for_its_players_and_the_invited(ana: models.Player, eva: models.Player) -> None:
    table = open_table(ana, is_public=False)
    assert permissions.can_watch(table, ana.pk, ())
    assert permissions.can_watch(table, None, [table.id])
    assert not permissions.can_watch(table, eva.pk, ["another"])
    with pytest.raises(NotAllowed, match="by invitation"):
        permissions.require_watch(table, None, ())


def test_who_got_up_uninvited_is_out(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben, is_public=False)
    assert not permissions.can_watch(sitting.leave(table.id, ben.pk, now=NOW), ben.pk, ())


def test_secret_and_seed_are_published_once_no_game_can_go_on(ana: models.Player, ben: models.Player) -> None:
    assert not permissions.is_published(open_table(ana))
    assert not permissions.is_published(start_table(ana))
    assert permissions.is_published(finish(start_table(ana, options={"deals": 1})))
    assert permissions.is_published(sitting.leave(open_table(ana).id, ana.pk, now=NOW))  # everybody has got up
    assert permissions.is_published(voiding.void(start_table(ana, ben).id, reason="The lights went out", now=NOW))


@pytest.mark.parametrize(("home", "is_open"), [("/evenings/e1/", True), ("/tournaments/t1/", False), ("", False)])
def test_a_closed_table_that_can_be_opened_again_keeps_its_secret(ana: models.Player, home: str, is_open: bool) -> None:
    guests = [arranged_tables.SeatAssignment("Ana", "fox", ana.pk)] + [
        arranged_tables.SeatAssignment("Bo", "cat", bot="random")
    ] * 3
    for is_sealed in (False, True):
        plan = arranged_tables.TablePlan("karriere-poker", guests, {"deals": 1}, home=home, is_sealed=is_sealed)
        with store.save_together():
            table = arranged_tables.arrange(plan, now=NOW)
        assert permissions.is_published(arranged_tables.close(table.id, now=NOW)) == (not is_open and not is_sealed)


@pytest.mark.parametrize("end", ["closed", "void"])
def test_the_secret_of_a_game_that_has_no_end_stands_everywhere(
    ana: models.Player, ben: models.Player, end: str
) -> None:
    table = open_table(ana) if end == "closed" else start_table(ana, ben)
    addresses = [reverse(name, args=[table.id]) for name in ("table", "board", "view_json")] + [
        f"/api/v1/tables/{table.id}"
    ]
    for address in addresses:
        assert table.secret not in browser(ana).get(address).content.decode()
    if end == "closed":
        sitting.leave(table.id, ana.pk, now=NOW)
    else:
        voiding.void(table.id, reason="The lights went out", now=NOW)
    for address in addresses:
        assert table.secret in browser(ana).get(address).content.decode(), address
    assert browser(ana).get(addresses[-1]).json()["seed"] == (table.seed or None)
