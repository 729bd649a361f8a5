"""How many tables somebody may have under way, and what does not count."""

from __future__ import annotations

import time
from typing import Any

import pytest

from games import models
from games.play.clocks import idle_tables
from games.play.errors import TooFast
from games.play.seats import sitting, table_limits
from games.play.storage import store
from tests.cast import NOW, browser, finish, open_table, person, start_table
from tests.play.seats.test_arranged_tables import arrange, guest

HOME = "192.0.2.1"


def is_full(player: models.Player, network: str = HOME) -> bool:
    """Whether this person may open no further table from there."""
    try:
        table_limits.require_below_limits(player, network)
    except TooFast:
        return True
    return False


@pytest.fixture(autouse=True)
def _limits(settings: Any) -> None:
    settings.TABLES_PER_GUEST, settings.TABLES_PER_ACCOUNT, settings.TABLES_PER_ADDRESS = 2, 3, 4


def test_a_guest_and_an_account_have_limits_of_their_own(ana: models.Player) -> None:
    for _ in range(2):
        assert not is_full(ana)
        start_table(ana)
    assert is_full(ana)
    ana.user = models.User.objects.create_user("ana", password="a word of their own")
    ana.save()
    assert not is_full(ana)
    open_table(ana)
    assert is_full(ana)


def test_what_is_over_left_standing_or_arranged_does_not_count(ana: models.Player, ben: models.Player) -> None:
    tables = [start_table(ana, turn_seconds=3600) for _ in range(2)]
    arrange(guest(ana), guest(ben))
    sitting.leave(tables[0].id, ana.pk, now=NOW)
    assert not is_full(ana)
    sitting.return_to_table(tables[0].id, ana.pk, now=NOW)
    assert is_full(ana)
    idle_tables.pause_idle_tables(now=NOW + 5000)
    assert not is_full(ana)
    for table in tables:
        sitting.return_to_table(table.id, ana.pk, now=NOW + 6000)
    assert is_full(ana)
    finish(store.reload(tables[0].id), now=NOW + 6000)
    assert not is_full(ana)


def test_a_table_at_which_turns_only_ran_out_counts(ana: models.Player) -> None:
    for _ in range(2):
        table = start_table(ana)
        desk = table.runtime._replace(stand_ins=frozenset({0}), timeouts=(2, 0, 0, 0))
        store.commit(table, table.changed(runtime=desk))
    assert is_full(ana)


def test_an_address_has_a_limit_and_no_table_says_which_when_it_is_over(db: None) -> None:
    tables = [start_table(person(f"Guest {number}")) for number in range(4)]
    for table in tables:
        table_limits.record_opener(table.id, HOME)
    assert HOME not in str(models.Table.objects.values_list("opener", flat=True))
    newcomer = person("Newcomer")
    assert is_full(newcomer)
    assert not is_full(newcomer, "192.0.2.2")
    finish(tables[0])
    assert not is_full(newcomer)
    assert table_limits.forget_openers() == 1
    assert models.Table.objects.get(pk=tables[0].id).opener == ""


def test_the_page_says_what_to_do(ana: models.Player, settings: Any) -> None:
    for _ in range(2):
        start_table(ana, now=time.time())
    answer = browser(ana).post("/games/karriere-poker/play-now/", {"seats": "4"})
    assert answer.status_code == 429
    assert "You already have 2 open tables. Finish a game or leave a table" in answer.content.decode()
    assert models.Table.objects.count() == 2
