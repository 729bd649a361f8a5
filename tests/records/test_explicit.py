"""The same game without a seed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.records.explicit import write_explicit
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import replay

from .making import ROLL, TAKE, TWICE, encode, find_fault, toy_record
from .toy import find_toy

SEED = "00" * 31 + "07"
# What chance decides with this seed: the stream pile 0, shuffled, and the dice of the streams roll 0 … 3.
PILE = [4, 1, 10, 8, 6, 12, 2, 7, 5, 3, 9, 11]
ROLLS = [2, 2, 1, 4]


def make_explicit(document: dict[str, Any]) -> dict[str, Any]:
    return write_explicit(parse_record(encode(document)), find=find_toy)


def states(document: dict[str, Any]) -> list[Any]:
    steps = replay(parse_record(encode(document)), find=find_toy)
    return [
        (step.state._replace(chance=None), step.events)
        for step in steps
        if step.entry is None or "random" not in type(step.entry).__name__.lower()
    ]


SEEDED = toy_record(
    {"seat": 0, "move": TAKE, "t": 1.5, "note": "kept"},
    {"seat": 1, "move": TWICE},
    {"expect": {"to_act": [2]}},
    {"clock": "turn"},
    {"refuse": {"seat": 2, "move": TAKE}},
    {"seat": 0, "move": ROLL},
    {"clock": "time-up"},
    setup={},
    seed=SEED,
    commitment="cd" * 32,
    entropy=["x", None, ""],
    table="k7",
    about="kept",
)


def test_all_that_chance_decided_is_written_out() -> None:
    written = make_explicit(SEEDED)
    assert written == {
        **{key: value for key, value in SEEDED.items() if key != "seed"},
        "setup": {"pile": PILE},
        "events": [
            {"seat": 0, "move": TAKE, "t": 1.5, "note": "kept"},
            {"random": {"roll": ROLLS[0]}},
            {"random": {"roll": ROLLS[1]}},
            {"seat": 1, "move": TWICE},
            {"expect": {"to_act": [2]}},
            {"random": {"roll": ROLLS[2]}},
            {"clock": "turn"},
            {"refuse": {"seat": 2, "move": TAKE}},
            {"random": {"roll": ROLLS[3]}},
            {"seat": 0, "move": ROLL},
            {"clock": "time-up"},
        ],
    }


def test_an_explicit_record_holds_and_plays_the_same() -> None:
    written = make_explicit(SEEDED)
    assert find_fault(written) is None
    assert states(written) == states(SEEDED)
    assert make_explicit(written) == written


def test_what_was_supplied_keeps_its_place_among_what_was_drawn() -> None:
    supplied = {"random": {"roll": 6}, "note": "by hand"}
    written = make_explicit(toy_record(supplied, {"expect": {}}, {"seat": 0, "move": TWICE}, seed=SEED))
    assert written["events"] == [{"expect": {}}, supplied, {"random": {"roll": ROLLS[1]}}, {"seat": 0, "move": TWICE}]
    assert find_fault(written) is None


def test_the_result_stays_last() -> None:
    written = make_explicit(toy_record({"clock": "time-up"}, seed=SEED, result={"places": [1, 1, 1]}))
    assert list(written) == ["format", "game", "rules", "options", "players", "setup", "events", "result"]


def test_a_record_that_does_not_hold_is_not_written() -> None:
    with pytest.raises(Fault, match="event 0: Seat 1 may not act"):
        make_explicit(toy_record({"seat": 1, "move": TAKE}))
    with pytest.raises(Fault, match="the game is not over"):
        make_explicit(toy_record(result={"places": [1, 1, 1]}))


def test_an_explicit_record_is_json() -> None:
    assert json.loads(json.dumps(make_explicit(SEEDED))) == make_explicit(SEEDED)
