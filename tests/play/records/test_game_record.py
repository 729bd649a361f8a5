"""The record of a stored game: complete, and true to the card."""

from __future__ import annotations

import json

import pytest

from games import models
from games.live.replays import scenes
from games.play import permissions
from games.play.errors import NotAllowed
from games.play.records import game_record
from games.records.format import Player, parse_record
from games.records.playback import play_back
from games.records.replay import verify
from games.records.writer import to_text
from games.rules import registry
from tests.cast import NOW, finish, open_table, person, start_table


@pytest.mark.parametrize("game", registry.slugs())
def test_a_played_game_verifies(ana: models.Player, ben: models.Player, game: str) -> None:
    options = {"karriere-poker": {"deals": 2}, "animal-poker": {"sessions": 2}}.get(game, {})
    over = finish(start_table(ana, ben, game=game, options=options))
    text = to_text(game_record.export(over))
    assert verify(text.encode()).fault is None
    record = parse_record(text.encode())
    assert record.players == (Player("Ana"), Player("Ben"), Player("Dago", "random"), Player("Emil", "random"))
    assert len(record.events) == over.ply


def test_somebody_who_is_called_like_a_bot_is_a_person(db: None) -> None:
    over = finish(start_table(person("bot:steady"), options={"deals": 1}))
    record = game_record.export(over)
    assert record["players"][0] == {"name": "bot:steady"}
    assert [player["bot"] for player in record["players"][1:]] == ["random"] * 3
    first, *others = scenes.build_chairs(play_back(parse_record(json.dumps(record).encode())), {})
    assert (first.name, first.bot) == ("bot:steady", "")
    assert [chair.bot for chair in others] == ["random"] * 3


def test_a_record_that_was_touched_does_not_verify(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 1}))
    record = game_record.export(over)
    for key, value in [("seed", "00" * 32), ("commitment", "11" * 32), ("table", "another")]:
        assert verify(json.dumps(record | {key: value}).encode()).fault is not None


def test_nothing_is_published_before_the_end(ana: models.Player) -> None:
    for table in (open_table(ana), start_table(ana)):
        with pytest.raises(NotAllowed, match="published after the game"):
            permissions.require_finished(table)
    permissions.require_finished(finish(start_table(ana, options={"deals": 1})))


def test_the_whole_log_has_every_ply(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 2}))
    lines = game_record.read_whole_log(over)
    assert {line.ply for line in lines} == set(range(over.ply + 1))
    assert lines[-1].kind == "game_over"
    assert len(over.log) < len(lines)


def test_times_in_a_record_are_seconds_since_the_start(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 1}), now=NOW + 12.5)
    assert {event["t"] for event in game_record.export(over)["events"]} == {12.5}
