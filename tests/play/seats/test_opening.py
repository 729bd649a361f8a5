"""A table is opened as it was wished for, or not at all; and its game begins once."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.seats import opening
from games.play.storage.table import PLAYING, WAITING
from games.records import fair
from games.rules import registry
from tests.cast import NOW, contribute, contribute_all, contributed, open_table, start_table, version_of


def test_a_new_table_has_its_host_in_front_and_its_bots_behind(ana: models.Player) -> None:
    table = open_table(ana, seats_wished=5, bots=2, bot_level="random")
    assert [(place.seat, place.player_id, place.bot) for place in table.places] == [
        (0, ana.pk, ""),
        (3, None, "random"),
        (4, None, "random"),
    ]
    assert (table.status, table.host_id, table.ply, table.free_chairs()) == (WAITING, ana.pk, 0, [1, 2])


def test_everybody_at_a_table_has_another_animal_and_name(ana: models.Player) -> None:
    table = start_table(ana, seats_wished=8)
    assert len({place.avatar for place in table.places}) == 8
    assert len({place.name for place in table.places}) == 8


def test_the_secret_is_promised_and_kept(ana: models.Player) -> None:
    table = open_table(ana)
    assert sha256(bytes.fromhex(table.secret)).hexdigest() == table.commitment
    assert table.seed == ""


def test_the_seed_is_made_of_secret_table_and_everybodys_entropy(ana: models.Player, ben: models.Player) -> None:
    table = contribute(open_table(ana, ben), ana.pk, "aaa")
    contribute(table, ben.pk, "bbb")
    started = opening.start(table.id, ana.pk, fill="random", avatars=AVATARS, now=NOW)
    assert contributed(started) == ["aaa", "bbb", None, None]
    seated = [place.entropy for place in started.places]
    assert started.seed == fair.derive_seed(bytes.fromhex(table.secret), table.id, seated).hex()


def test_no_two_tables_share_anything(ana: models.Player) -> None:
    tables = [open_table(ana) for _ in range(20)]
    for name in ("id", "invite", "secret", "commitment"):
        assert len({getattr(table, name) for table in tables}) == 20


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"game": "chess"}, "There is no game called “chess”"),
        ({"seats_wished": 3}, "for 4 to 8 players"),
        ({"seats_wished": 9}, "for 4 to 8 players"),
        ({"seats_wished": True}, "for 4 to 8 players"),
        ({"options": {"deals": 0}}, "whole number from 1"),
        ({"options": {"deals": "3"}}, "whole number from 1"),
        ({"options": {"lives": 3}}, "no option “lives”"),
        ({"options": {"positions": ["boss"]}}, "positions"),
        ({"bots": 4}, "can have 0 to 3 bots"),
        ({"bots": -1}, "can have 0 to 3 bots"),
        ({"bot_level": "godlike"}, "There is no bot level “godlike”"),
        ({"turn_seconds": 4}, "5 to 3600 seconds"),
        ({"turn_seconds": 10**9}, "days a turn may take: 1, 2, 3, 7"),
    ],
)
def test_an_impossible_wish_opens_nothing(ana: models.Player, overrides: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        open_table(ana, **overrides)
    assert models.Table.objects.count() == 0


@pytest.mark.parametrize("game", registry.slugs())
def test_a_started_game_waits_for_somebody_and_its_clock_runs(ana: models.Player, game: str) -> None:
    table = start_table(ana, game=game, turn_seconds=30)
    assert (table.status, table.ply, table.started_at) == (PLAYING, 0, NOW)
    turn = next(clock for clock in table.runtime.clocks if clock.event["clock"] == "turn")
    assert (turn.seats, turn.due) == (table.rules.to_act(table.state), NOW + 30)


def test_chairs_that_are_free_hold_the_start_up(ana: models.Player) -> None:
    table = open_table(ana)
    with pytest.raises(BadInput, match="Free seats: 3"):
        opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=NOW)
    assert version_of(table.id) == table.version


def test_bots_of_an_unknown_level_fill_nothing(ana: models.Player) -> None:
    table = open_table(ana)
    with pytest.raises(BadInput, match="There is no bot level"):
        opening.start(table.id, ana.pk, fill="godlike", avatars=AVATARS, now=NOW)
    assert version_of(table.id) == table.version


def test_only_the_host_fills_chairs_with_bots(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben)
    with pytest.raises(NotAllowed, match="Only the host"):
        opening.start(table.id, ben.pk, fill="random", avatars=AVATARS, now=NOW)


def test_anybody_who_sits_starts_a_full_table(ana: models.Player, ben: models.Player) -> None:
    table = contribute_all(open_table(ana, ben, bots=2))
    assert opening.start(table.id, ben.pk, fill="", avatars=AVATARS, now=NOW).status == PLAYING


def test_who_does_not_sit_starts_nothing(ana: models.Player, eva: models.Player) -> None:
    table = open_table(ana, bots=3)
    for nobody in (eva.pk, None):
        with pytest.raises(NotAllowed, match="no seat"):
            opening.start(table.id, nobody, fill="", avatars=AVATARS, now=NOW)


def test_a_game_starts_once(ana: models.Player) -> None:
    table = start_table(ana)
    with pytest.raises(Stale, match="has already started"):
        opening.start(table.id, ana.pk, fill="random", avatars=AVATARS, now=NOW)
    assert version_of(table.id) == table.version


def test_a_table_that_is_not_there_does_not_start(ana: models.Player) -> None:
    with pytest.raises(NotFound):
        opening.start("nowhere", ana.pk, fill="", avatars=AVATARS, now=NOW)
