"""Records from parts, and the text of their files."""

from __future__ import annotations

import json

from games.records.fair import DealCommitment
from games.records.format import Player, parse_record
from games.records.writer import (
    build_record,
    to_plain_json,
    to_text,
    write_clock_event,
    write_move_event,
    write_random_event,
)
from games.rules.base import Config, Outcome
from tests.records.making import TAKE, encode, find_fault
from tests.records.toy import TOY

SECRET = bytes(range(32))
COMMITMENT = DealCommitment("cd" * 32, "k7", ("a", None), SECRET)
EVENTS = [
    write_move_event(0, TAKE, 4.2),
    write_random_event("roll", 6),
    write_clock_event({"clock": "turn"}, 9),
    write_move_event(0, TAKE),
]


def test_a_record_of_all_parts() -> None:
    record = build_record(
        rules=TOY,
        config=Config(2, {"minutes": 5}, {"pile": (5, 9)}),
        players=[Player("bot:steady"), Player("Bruno", "steady")],
        events=EVENTS,
        outcome=Outcome((1, 2), (14, 6)),
        seed=SECRET,
        commitment=COMMITMENT,
    )
    assert list(record.items()) == [
        ("format", "menagerie-record/1"),
        ("game", "toy"),
        ("rules", 3),
        ("options", {"minutes": 5}),
        ("players", [{"name": "bot:steady"}, {"name": "Bruno", "bot": "steady"}]),
        ("seed", SECRET.hex()),
        ("procedure", 2),
        ("table", "k7"),
        ("commitment", "cd" * 32),
        ("entropy", ["a", None]),
        ("secret", SECRET.hex()),
        ("setup", {"pile": [5, 9]}),
        (
            "events",
            [
                {"seat": 0, "move": {"take": True}, "t": 4.2},
                {"random": {"roll": 6}},
                {"clock": "turn", "t": 9},
                {"seat": 0, "move": {"take": True}},
            ],
        ),
        ("result", {"places": [1, 2], "scores": [14, 6]}),
    ]


def test_a_game_under_way_has_no_result_and_publishes_nothing() -> None:
    record = build_record(
        rules=TOY,
        config=Config(2, setup={"pile": [5, 9]}),
        players=[Player("Ana"), Player("Ben")],
        events=EVENTS[:3],
        outcome=None,
        commitment=COMMITMENT._replace(secret=None),
    )
    assert {"result", "seed", "secret"} & record.keys() == set()
    assert find_fault(record) is None


def test_scores_may_be_null() -> None:
    record = build_record(
        rules=TOY, config=Config(2), players=[Player("Ana"), Player("Ben")], events=[], outcome=Outcome((1, 2), None)
    )
    assert record["result"] == {"places": [1, 2], "scores": None}


def test_the_file_has_one_event_a_line() -> None:
    record = build_record(
        rules=TOY,
        config=Config(2, setup={"pile": [5, 9]}),
        players=[Player("Żaneta"), Player("Ben")],
        events=EVENTS[:3],
        outcome=None,
    )
    text = to_text(record)
    assert text == (
        "{\n"
        '  "format": "menagerie-record/1",\n'
        '  "game": "toy",\n'
        '  "rules": 3,\n'
        '  "options": {},\n'
        '  "players": [{"name": "Żaneta"}, {"name": "Ben"}],\n'
        '  "setup": {"pile": [5, 9]},\n'
        '  "events": [\n'
        '    {"seat": 0, "move": {"take": true}, "t": 4.2},\n'
        '    {"random": {"roll": 6}},\n'
        '    {"clock": "turn", "t": 9}\n'
        "  ]\n"
        "}\n"
    )
    assert json.loads(text) == record
    assert parse_record(text.encode()) == parse_record(encode(record))


def test_a_file_without_events() -> None:
    assert to_text({"format": "x", "events": []}) == '{\n  "format": "x",\n  "events": []\n}\n'


def test_plain_values() -> None:
    assert to_plain_json({0: (1, {"a": (2,)}), "b": None}) == {"0": [1, {"a": [2]}], "b": None}
