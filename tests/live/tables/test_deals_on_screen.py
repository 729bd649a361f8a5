"""What decides the cards is rendered when it changes, not with every move."""

from __future__ import annotations

import pytest

from games import models
from games.live.tables.regions import render_table
from games.presenters import fair_deal
from tests.cast import finish, move_seat, start_table


def test_a_move_does_not_render_the_deal_again_and_its_end_does(
    ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table(ana, ben, game="karriere-poker", options={"deals": 1})
    before = render_table(table, "en").shared["fair"]
    with monkeypatch.context() as still:
        still.setattr(fair_deal, "render_deal", lambda *_args: pytest.fail("rendered again"))
        table = move_seat(table)
        assert render_table(table, "en").shared["fair"] == before
    assert table.secret not in before
    assert table.secret in render_table(finish(table), "en").shared["fair"]
