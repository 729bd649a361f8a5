"""A move is made once, in order, or not at all."""

from __future__ import annotations

import pytest

from games import models
from games.art import AVATARS
from games.play import moves, opening
from games.play.errors import Illegal, NotAllowed, Stale
from games.play.table import Loaded

NOW = 1_800_000_000.0


@pytest.fixture
def ana(db: None) -> models.Player:
    """A person."""
    return models.Player.objects.create(name="Ana", avatar="fox")


def open_against_bots(ana: models.Player, seats: int = 4) -> Loaded:
    wish = opening.Wish(game="karriere-poker", seats=seats, bots=seats - 1)
    table = opening.open_table(ana, wish, avatars=AVATARS, now=NOW)
    table = opening.start(table.id, ana.pk, fill="steady", avatars=AVATARS, now=NOW)
    while table.rules.to_act(table.state) != (0,):
        played = moves.play_bot(table.id, ply=table.ply, now=NOW)
        assert played is not None
        table = played
    return table


def first_legal(table: Loaded) -> dict[str, object]:
    legal = table.rules.legal_moves(table.state, 0)
    assert legal
    return dict(legal[0])


def test_a_move_is_written_once(ana: models.Player) -> None:
    table = open_against_bots(ana)
    move = first_legal(table)
    first = moves.submit_move(table.id, ana.pk, move, ply=table.ply, key="k1", now=NOW)
    second = moves.submit_move(table.id, ana.pk, move, ply=table.ply, key="k1", now=NOW)
    assert (first.table.ply, first.is_repeat) == (table.ply + 1, False)
    assert (second.table.ply, second.is_repeat) == (table.ply + 1, True)
    assert models.Ply.objects.filter(table_id=table.id).count() == table.ply + 1


def test_a_stale_move_is_refused(ana: models.Player) -> None:
    table = open_against_bots(ana)
    move = first_legal(table)
    moves.submit_move(table.id, ana.pk, move, ply=table.ply, key="k1", now=NOW)
    with pytest.raises(Stale):
        moves.submit_move(table.id, ana.pk, move, ply=table.ply, key="k2", now=NOW)


def test_an_illegal_move_changes_nothing(ana: models.Player) -> None:
    table = open_against_bots(ana)
    with pytest.raises(Illegal, match=r"\w"):
        moves.submit_move(table.id, ana.pk, {"play": ["J"] * 9}, ply=table.ply, key="k", now=NOW)
    assert models.Table.objects.get(pk=table.id).version == table.version


def test_a_stranger_cannot_move(ana: models.Player) -> None:
    table = open_against_bots(ana)
    with pytest.raises(NotAllowed):
        moves.submit_move(table.id, None, {"pass": True}, ply=table.ply, key="k", now=NOW)
