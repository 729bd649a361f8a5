"""How a game began is told again after every start of the server, though it is not stored."""

from __future__ import annotations

import pytest

from games import memo, models
from games.accounts.animal_pictures import AVATARS
from games.play.records import game_record
from games.play.seats import opening
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, contribute_all


def open_animal_poker() -> LoadedTable:
    ana = models.Player.objects.create(name="Ana", avatar="fox")
    request = opening.TableRequest(game="animal-poker", seats=6, bots=5)
    table = opening.open_table(ana, request, avatars=AVATARS, now=NOW)
    contribute_all(table)
    return opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=NOW)


@pytest.mark.django_db
def test_the_log_begins_with_the_deal_and_the_exchange() -> None:
    table = open_animal_poker()
    kinds = [line.kind for line in table.log]
    assert kinds == ["dealt", *["exchanged", "gift"] * 6]
    assert {line.ply for line in table.log} == {0}
    assert [len(line.to or ()) for line in table.log if line.kind == "gift"] == [2] * 6


@pytest.mark.django_db
def test_it_is_the_same_after_a_restart() -> None:
    table = open_animal_poker()
    memo.forget_all()
    again = store.fetch(table.id)
    assert again.log == table.log
    assert game_record.read_whole_log(again) == table.log
