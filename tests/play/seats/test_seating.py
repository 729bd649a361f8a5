"""Seats are drawn at the start, from what nobody chose: wherever somebody sat in the waiting room."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from math import sqrt

import pytest

from games import models
from games.play.records import game_record
from games.play.seats import arranged_tables
from games.play.storage import store
from games.play.storage.game_start import first_state
from games.play.storage.table import SeatedPlayer
from games.records.fair import derive_seed, draw_seats
from games.records.replay import verify
from games.rules import registry
from tests.cast import NOW, as_other_process, contribute, finish, open_table

TABLES = 600
SEATS = 4


@pytest.mark.parametrize("game", registry.slugs())
def test_every_chair_begins_about_equally_often(game: str) -> None:
    """In Fancy Animals the host began every time. 5 standard deviations of the binomial distribution are allowed."""
    rules, begun = registry.find(game), Counter[int]()
    for number in range(TABLES):
        secret, given = number.to_bytes(32, "big"), ["mine", "yours", None, None]
        chairs = draw_seats(secret, "table", given)
        state = first_state(rules, SEATS, {}, derive_seed(secret, "table", [given[chair] for chair in chairs]))
        begun[chairs[rules.to_act(state)[0]]] += 1
    allowed = 5 * sqrt(TABLES * (1 / SEATS) * (1 - 1 / SEATS))
    assert {chair for chair in range(SEATS) if abs(begun[chair] - TABLES / SEATS) > allowed} == set(), begun


def test_every_neighbour_is_about_as_likely() -> None:
    after = Counter[int]()
    for number in range(TABLES):
        chairs = draw_seats(number.to_bytes(32, "big"), "table", ["mine", "yours", None, None])
        after[chairs[(chairs.index(0) + 1) % SEATS]] += 1
    share = TABLES / (SEATS - 1)
    assert sorted(after) == [1, 2, 3]
    assert all(abs(count - share) <= 5 * sqrt(share * (1 - 1 / (SEATS - 1))) for count in after.values()), after


def test_the_host_has_every_seat_of_fancy_animals(ana: models.Player, ben: models.Player) -> None:
    seen = Counter[int | None]()
    for _ in range(40):
        table = contribute(open_table(ana, ben, game="fancy-animals", bots=2, is_called=True), ana.pk, "mine")
        begun = contribute(table, ben.pk, "yours")
        assert [place.seat for place in begun.places] == [0, 1, 2, 3]
        assert sorted(place.chair or 0 for place in begun.places) == [0, 1, 2, 3]
        assert as_other_process(partial(read_places, begun.id)) == begun.places
        seen[begun.seat_of(ana.pk)] += 1
    assert set(seen) == {0, 1, 2, 3}


def read_places(table_id: str) -> tuple[SeatedPlayer, ...]:
    """Who sits where, as it is stored."""
    return store.reload(table_id).places


def test_a_record_proves_the_seats(ana: models.Player, ben: models.Player) -> None:
    table = contribute(open_table(ana, ben, bots=2, is_called=True, options={"deals": 1}), ana.pk, "mine")
    record = game_record.export(finish(contribute(table, ben.pk, "yours")))
    names = [player["name"] for player in record["players"]]
    assert record["chairs"] == [
        ["Ana", "Ben", "Dago", "Cleo"].index(name) if name in ("Ana", "Ben") else chair
        for name, chair in zip(names, record["chairs"], strict=True)
    ]
    assert verify(json.dumps(record).encode()).fault is None
    turned = [*record["chairs"][1:], record["chairs"][0]]
    assert verify(json.dumps(record | {"chairs": turned}).encode()).fault is not None


def test_an_arranged_table_keeps_its_seats(ana: models.Player, ben: models.Player) -> None:
    people = [arranged_tables.SeatAssignment(player.name, player.avatar, player.pk) for player in (ana, ben)]
    for _ in range(8):
        with store.save_together():
            table = arranged_tables.arrange(arranged_tables.TablePlan("fancy-animals", people), now=NOW)
        begun = contribute(contribute(table, ana.pk, "mine"), ben.pk, "yours")
        assert [(place.player_id, place.chair) for place in begun.places] == [(ana.pk, None), (ben.pk, None)]
