"""The worked examples: each holds, and each, broken, fails at the right event with the right words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.records.explicit import write_explicit
from games.records.format import parse_record
from games.records.replay import ReplayStep, Verdict, replay, verify
from games.records.writer import to_text
from games.rules import registry

from .making import EXAMPLES, encode

EVENTS = {
    "animal-poker-cash-in": 28,
    "animal-poker-time-up": 29,
    "animals-on-board-bell": 9,
    "animals-on-board-opening": 18,
    "fancy-animals-claim": 14,
    "fancy-animals-last-turn": 10,
    "karriere-poker-exchange": 19,
    "karriere-poker-two-deals": 51,
}


def load(name: str) -> dict[str, Any]:
    path = next(path for path in EXAMPLES if path.stem == name)
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def steps(document: dict[str, Any]) -> list[ReplayStep]:
    return list(replay(parse_record(encode(document))))


def test_there_are_examples_of_every_game() -> None:
    assert {json.loads(path.read_text(encoding="utf-8"))["game"] for path in EXAMPLES} == set(registry.slugs())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_holds(path: Path) -> None:
    count = EVENTS.get(path.stem, len(json.loads(path.read_text(encoding="utf-8"))["events"]))
    assert verify(path.read_bytes()) == Verdict(count, None)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_explicit_example_holds_and_plays_the_same(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    written = write_explicit(parse_record(encode(document)))
    assert verify(to_text(written).encode()).fault is None
    assert [(step.number, step.events) for step in steps(written)] == [
        (step.number, step.events) for step in steps(document)
    ]
    rules = registry.find(document["game"])
    assert [rules.expected(step.state) for step in steps(written)] == [
        rules.expected(step.state) for step in steps(document)
    ]
    assert write_explicit(parse_record(encode(written))) == written


def test_seeded_games_become_explicit() -> None:
    for game, key in (("karriere-poker", "deals"), ("animal-poker", "sessions")):
        rules = registry.find(game)
        document: dict[str, Any] = {
            "format": "menagerie-record/1",
            "game": game,
            "rules": rules.version,
            "options": {key: 2},
            "players": [{"name": name} for name in "ABCD"],
            "seed": "5a" * 32,
            "setup": {},
            "events": [{"clock": "turn"}] * 10_000,
        }
        turns = int(str(verify(encode(document)).fault).removeprefix("event ").split(":")[0])
        document["events"] = [{"clock": "turn"}] * turns
        assert rules.expected(steps(document)[-1].state)["over"] is True
        written = write_explicit(parse_record(encode(document)))
        assert "seed" not in written
        assert len(written["setup"][key][0]["hands"]) == 4
        assert [list(event) for event in written["events"] if event != {"clock": "turn"}] == [["random"]]
        assert rules.expected(steps(written)[-1].state) == rules.expected(steps(document)[-1].state)


Change = Callable[[dict[str, Any]], None]


def replace_event(number: int, event: Any) -> Change:
    return lambda document: document["events"].__setitem__(number, event)


def expect(number: int, key: str, value: Any) -> Change:
    return lambda document: document["events"][number]["expect"].__setitem__(key, value)


def cut(number: int) -> Change:
    return lambda document: document["events"].__delitem__(number)


def set_key(key: str, value: Any) -> Change:
    return lambda document: document.__setitem__(key, value)


REFUSED = "this should be refused, but the rules allow it"
BROKEN: list[tuple[str, Change, str]] = [
    ("karriere-poker-exchange", expect(0, "to_act", [0]), "event 0: to_act is [2], but the record expects [0]"),
    ("karriere-poker-exchange", expect(0, "jobs", []), "event 0: the game state has no key “jobs” here"),
    (
        "karriere-poker-exchange",
        expect(3, "table_number", True),
        "event 3: table_number is 8, but the record expects true",
    ),
    (
        "karriere-poker-exchange",
        replace_event(1, {"refuse": {"seat": 2, "move": {"play": ["8"]}}}),
        f"event 1: {REFUSED}",
    ),
    ("karriere-poker-exchange", replace_event(8, {"refuse": {"clock": "turn"}}), f"event 8: {REFUSED}"),
    ("karriere-poker-exchange", replace_event(2, {"seat": 9, "move": {"pass": True}}), "event 2: There is no seat 9."),
    ("karriere-poker-exchange", cut(8), "event 8: It is not your turn."),
    (
        "karriere-poker-exchange",
        replace_event(6, {"seat": 0, "move": {"pass": 1}}),
        "event 6: To pass, “pass” must be true.",
    ),
    (
        "karriere-poker-exchange",
        replace_event(6, {"seat": 0, "move": {"pass": True, "why": "no"}}),
        "event 6: A move cannot have “why”",
    ),
    ("karriere-poker-exchange", replace_event(6, {"seat": 4, "move": {"pass": True}}), "event 6: It is not your turn."),
    ("karriere-poker-exchange", set_key("options", {"deal": 1}), "There is no option “deal”"),
    ("karriere-poker-exchange", set_key("setup", {}), "“setup” leaves “dealer” to chance"),
    ("karriere-poker-exchange", set_key("setup", {"hands": []}), "“setup” has no key “hands”"),
    ("karriere-poker-exchange", set_key("players", [{"name": "Ana"}] * 3), "This game is for 4 to 8 players."),
    ("karriere-poker-exchange", set_key("rules", 99), "“rules”: version 99 of karriere-poker is unknown"),
    (
        "karriere-poker-exchange",
        set_key("result", {"places": [1, 2, 3, 4, 5]}),
        "the record has a result, but the game is not over",
    ),
    ("karriere-poker-two-deals", cut(20), "event 20: “deal” is left to chance"),
    (
        "karriere-poker-two-deals",
        replace_event(20, {"random": {"draw": []}}),
        "event 20: This game has no random value “draw”",
    ),
    (
        "karriere-poker-two-deals",
        replace_event(20, {"random": {"hands": [["1"]]}}),
        "event 20: “hands” must be a list of 4 lists",
    ),
    (
        "karriere-poker-two-deals",
        replace_event(1, {"random": {"hands": [["1"], ["2"], ["3"], ["4"]]}}),
        "event 2: out is [], but the record expects [1]",
    ),
    (
        "karriere-poker-two-deals",
        replace_event(49, {"random": {"hands": [["1"], ["2"], ["3"], ["4"]]}}),
        "event 49: this “random” value is never used, because no move or clock event follows",
    ),
    (
        "karriere-poker-two-deals",
        replace_event(50, {"seat": 3, "move": {"play": ["1"]}}),
        "event 50: The game is over.",
    ),
    ("karriere-poker-two-deals", replace_event(50, {"clock": "time-up"}), "event 50: The game is over."),
    (
        "karriere-poker-two-deals",
        set_key("result", {"places": [3, 1, 2, 4], "scores": None}),
        "result: scores are [2, 6, 4, 0]",
    ),
    ("animal-poker-cash-in", expect(9, "scores", []), "event 9: the game state has no key “scores” here"),
    (
        "animal-poker-cash-in",
        expect(2, "table", ["F", "10"]),
        'event 2: table is ["10", "F"], but the record expects ["F", "10"]',
    ),
    (
        "animal-poker-cash-in",
        replace_event(10, {"seat": 1, "move": {"play": ["13"], "as": 14}}),
        "event 10: A move cannot have “as”",
    ),
    ("animal-poker-time-up", replace_event(12, {"clock": "bell"}), "event 12: This clock event does not exist"),
    ("animal-poker-time-up", cut(12), "event 25: “deal” is left to chance"),
    (
        "animals-on-board-opening",
        expect(5, "groups", {"1": []}),
        'event 5: groups is {"1": ["fox-5", "lion-1", "panda-2", "tiger-1", "rhino-2"',
    ),
    (
        "animals-on-board-opening",
        replace_event(6, {"seat": 1, "move": {"take": 1}}),
        "event 6: This group costs one crate",
    ),
    ("animals-on-board-opening", cut(4), "event 4: round is 0, but the record expects 1"),
    (
        "animals-on-board-opening",
        replace_event(4, {"random": {"stack": []}}),
        "event 4: This game has no random value “stack”: it uses no chance after the start",
    ),
    ("animals-on-board-opening", set_key("setup", {"start": 0}), "“setup” leaves “species” to chance"),
    ("animals-on-board-bell", cut(1), "event 6: over is false, but the record expects true"),
    ("animals-on-board-bell", set_key("setup", {"flag": 0}), "“setup” has no key “flag”"),
    (
        "animal-poker-time-up",
        set_key("result", {"places": [1, 2, 3, 4]}),
        "result: places are [2, 1, 4, 3], but the record says [1, 2, 3, 4]",
    ),
]


@pytest.mark.parametrize(("name", "change", "sentence"), BROKEN)
def test_a_broken_example_fails_at_the_right_event(name: str, change: Change, sentence: str) -> None:
    document = load(name)
    change(document)
    fault = verify(encode(document)).fault
    assert fault is not None
    assert str(fault).startswith(sentence)
    assert sentence.startswith("event") == (fault.event is not None)


def test_unknown_keys_are_ignored_at_the_top_and_in_events() -> None:
    document = load("karriere-poker-exchange")
    document["weather"] = {"rain": True}
    document["players"][0]["colour"] = "red"
    for event in document["events"]:
        event["weather"] = ["rain"]
    assert verify(encode(document)).fault is None


def test_a_clock_event_of_these_games_needs_no_seat() -> None:
    document = load("karriere-poker-exchange")
    document["events"][8]["seat"] = 3
    assert verify(encode(document)).fault is None


def test_a_deal_supplied_in_any_order_of_cards_becomes_explicit() -> None:
    document = load("karriere-poker-two-deals")
    hands = document["events"][20]["random"]["hands"]
    document["events"][20]["random"]["hands"] = [hand[::-1] for hand in hands]
    written = write_explicit(parse_record(encode(document)))
    assert written["events"] == document["events"]
    assert verify(encode(written)).fault is None


def test_later_deals_of_a_set_up() -> None:
    document = load("karriere-poker-two-deals")
    hands = document["events"].pop(20)["random"]["hands"]
    document["setup"]["deals"].append({"hands": hands})
    assert verify(encode(document)).fault is None
    assert write_explicit(parse_record(encode(document))) == document
    document["setup"]["deals"][1]["hands"] = [["1"], ["2"], ["3"], ["4"]]
    fault = verify(encode(document)).fault
    assert fault is not None
    assert fault.event == 20
    document["events"][20] = {"refuse": document["events"][20]}
    assert str(verify(encode(document)).fault) == f"event 20: {REFUSED}"
