"""Who may look at a table."""

from __future__ import annotations

import pytest

from games import models
from games.play import permissions, seats
from games.play.errors import NotAllowed
from tests.cast import NOW, open_table


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
    assert not permissions.can_watch(seats.leave(table.id, ben.pk, now=NOW), ben.pk, ())
