"""A record as an analysis: the same again, people's decisions only, never of a game under way."""

from __future__ import annotations

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games import bots
from games.analysis.decisions import Decision
from games.analysis.report import CurvePoint, JudgedPly, analyse, digest_record, find_turning_points, write_analysis
from games.bots.hints import Reason
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.simulate import SimulationPlan, play_game
from games.records.writer import to_text
from games.rules import registry
from games.rules.base import Config


def make_document() -> dict[str, Any]:
    """A short deal of four: a person who plays as `random`, a person who plays as `steady`, and two bots."""
    hands = ["3 3 4 7 9 J", "2 5 5 8 10 12", "1 4 6 6 11 13", "2 7 8 9 10 11"]
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": [hand.split() for hand in hands]}]}
    config = Config(4, {"deals": 1}, setup)
    levels = ("random", "steady", "steady", "steady")
    plan = SimulationPlan(registry.find("karriere-poker"), config, bytes(32), levels)
    document: dict[str, Any] = json.loads(to_text(play_game(plan, 0, bots.choose).record))
    document["players"] = [
        {"name": "Ana"},
        {"name": "Ben"},
        {"name": "Owl", "bot": "steady"},
        {"name": "Fox", "bot": "steady"},
    ]
    return document


def read(document: dict[str, Any]) -> Any:
    return parse_record(json.dumps(document).encode())


def test_the_same_record_gives_the_same_analysis_and_strict_json() -> None:
    document = make_document()
    found = write_analysis(analyse(read(document)))
    renamed = deepcopy(document)
    renamed["players"][0]["name"] = "Zoe"
    for event in renamed["events"]:
        event["t"] = 1.0
    again = write_analysis(analyse(read(renamed)))
    assert again["digest"] == found["digest"]
    assert again["decisions"] == found["decisions"]
    assert again["curve"] == found["curve"]
    json.dumps(found, allow_nan=False)
    seats = {judged["seat"] for judged in found["decisions"]}
    assert seats == {0, 1}
    assert {point["seat"] for point in found["curve"]} == {0, 1, 2, 3}
    assert found["seats"][2]["average_loss"] is None
    assert sum(found["seats"][0]["labels"].values()) == found["seats"][0]["decisions"]
    assert all(1 <= ply <= found["plies"] for ply in found["turning_points"])


def test_another_move_is_another_digest() -> None:
    document = make_document()
    other = deepcopy(document)
    other["events"] = other["events"][:-1]
    assert digest_record(read(document)) != digest_record(read(other))


def test_a_game_under_way_is_not_analysed() -> None:
    document = make_document()
    document["events"] = document["events"][:6]
    del document["result"]
    with pytest.raises(Fault, match="only a finished game"):
        analyse(read(document))


def test_an_analysis_can_be_stopped() -> None:
    class Stop(Exception):
        """Raised by the one who asked."""

    def stop(done: int, of: int) -> None:
        if done == 3:
            raise Stop

    with pytest.raises(Stop):
        analyse(read(make_document()), progress=stop)


def judged(ply: int, loss: float) -> JudgedPly:
    return JudgedPly(ply, 0, 0, Decision({}, {}, 0.5, 0.5 + loss, loss, 0.0, Reason("")))


def test_turning_points_are_what_cost_most_and_swings_within_a_deal() -> None:
    curve = [
        CurvePoint(1, 0, 0, 0.5),
        CurvePoint(3, 1, 0, 0.9),
        CurvePoint(5, 0, 0, 0.2),
        CurvePoint(7, 0, 1, 0.9),
        CurvePoint(9, 0, 1, 0.85),
    ]
    assert find_turning_points([judged(1, 0.01), judged(9, 0.2)], curve) == (5, 9)


def test_the_command_prints_a_summary_and_fails_for_what_is_no_record(tmp_path: Path) -> None:
    good, bad = tmp_path / "game.json", tmp_path / "bad.json"
    good.write_text(json.dumps(make_document()))
    bad.write_text("{}")
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("analyse", str(good), str(bad), stdout=out, stderr=err)
    assert "seat 0 Ana: loss per decision" in out.getvalue()
    assert err.getvalue().startswith("FAIL")
