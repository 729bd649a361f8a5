"""The types of the format, and every fault of a document's shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.records.events import ClockEvent, ExpectEvent, MoveEvent, RandomEvent, RefuseEvent
from games.records.format import Player, RecordedResult, parse_record
from games.records.replay import verify

from .making import TAKE, encode, find_fault, toy_record
from .test_document import JSON
from .toy import find_toy

HEX = "ab" * 32
ONE_KIND = "expected exactly one of move, clock, expect, refuse, random, but found "
ONE_TRIED = "expected exactly one of move, clock, but found "
ONE_NAME = "“random” must have exactly one name (use one event for each value)"
PLACES = "result: “places” must be a list of 3 whole numbers, one for each seat"
SCORES = "result: “scores” must be a list of 3 whole numbers, one for each seat"
FORMATS = "the format “menagerie-record/2” is unknown (this program reads “menagerie-record/1”)"


def test_a_record_is_parsed_into_its_parts() -> None:
    record = parse_record(
        encode(
            toy_record(
                {"seat": 2, "move": TAKE, "t": 4.5, "note": "ignored"},
                {"clock": "turn"},
                {"clock": "call", "seat": 1},
                {"expect": {"over": False}},
                {"refuse": {"seat": 0, "move": {}}},
                {"refuse": {"clock": "call", "seat": 2}},
                {"random": {"roll": 6}},
                options={"minutes": 5},
                seed=HEX.upper(),
                commitment=HEX,
                secret=HEX,
                table="k7",
                entropy=["", None, "zażółć"],
                result={"places": [1, 2, 3], "scores": None},
                about="ignored",
            )
        )
    )
    assert record.game == "toy"
    assert record.rules == 3
    assert record.options == {"minutes": 5}
    assert record.players == (Player("Ana"), Player("Ben"), Player("Cyd"))
    assert record.setup == {"pile": [5, 9]}
    assert record.events == (
        MoveEvent(2, TAKE, 4.5),
        ClockEvent({"clock": "turn"}),
        ClockEvent({"clock": "call", "seat": 1}),
        ExpectEvent({"over": False}),
        RefuseEvent(MoveEvent(0, {})),
        RefuseEvent(ClockEvent({"clock": "call", "seat": 2})),
        RandomEvent("roll", 6),
    )
    assert record.seed == record.commitment == record.secret == bytes.fromhex(HEX)
    assert record.table == "k7"
    assert record.entropy == ("", None, "zażółć")
    assert record.result == RecordedResult((1, 2, 3), None, True)
    assert record.source["about"] == "ignored"


def test_what_may_be_absent() -> None:
    record = parse_record(encode(toy_record(options=..., setup=...)))
    assert record[6:12] == (None, None, None, None, None, None)
    assert (record.options, record.setup) == ({}, {})


def test_null_is_absent_where_a_key_may_be() -> None:
    nothing = dict.fromkeys(["result", "seed", "commitment", "entropy", "table", "secret"])
    assert parse_record(encode(toy_record(**nothing)))[6:12] == (None, None, None, None, None, None)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"format": ...}, "“format” is missing"),
        ({"format": 1}, "“format” must be a string, but it is a number"),
        ({"format": "menagerie-record/2"}, FORMATS),
        ({"game": ...}, "“game” is missing"),
        ({"game": None}, "“game” must be a string, but it is null"),
        ({"game": "x" * 201}, "“game” is longer than 200 characters"),
        ({"game": "chess"}, "There is no game called “chess”."),
        ({"rules": ...}, "“rules” is missing"),
        ({"rules": "3"}, "“rules” must be a whole number, but it is a string"),
        ({"rules": True}, "“rules” must be a whole number, but it is true or false"),
        ({"rules": 3.0}, "“rules” must be a whole number, but it is a number"),
        ({"rules": 2}, "“rules”: version 2 of toy is unknown (this program plays version 3)"),
        ({"options": []}, "“options” must be an object, but it is a list"),
        ({"options": None}, "“options” must be an object, but it is null"),
        ({"setup": "x"}, "“setup” must be an object, but it is a string"),
        ({"players": ...}, "“players” is missing"),
        ({"players": {}}, "“players” must be a list, but it is an object"),
        ({"players": []}, "players: the list is empty"),
        ({"players": [{"name": "Ana"}] * 17}, "“players” has more than 16 entries"),
        (
            {"players": [{"name": "Ana"}, "Ben"]},
            "players: the “name” of seat 1 must be a string of at most 200 characters",
        ),
        (
            {"players": [{"name": "Ana", "bot": 1}] * 3},
            "players: “bot” of seat 0 must be a level, a string of 1 to 200 characters",
        ),
        (
            {"players": [{"name": "Ana", "bot": ""}] * 3},
            "players: “bot” of seat 0 must be a level, a string of 1 to 200 characters",
        ),
        ({"players": [{"nom": "Ana"}]}, "players: the “name” of seat 0 must be a string of at most 200 characters"),
        (
            {"players": [{"name": "A" * 201}]},
            "players: the “name” of seat 0 must be a string of at most 200 characters",
        ),
        ({"players": [{"name": "Ana"}]}, "Toy is for 2 to 4 players, not 1."),
        ({"events": ...}, "“events” is missing"),
        ({"events": {"0": {}}}, "“events” must be a list, but it is an object"),
        ({"events": [{}] * 50_001}, "“events” has more than 50000 entries"),
        ({"seed": "ab" * 31}, "“seed” must be 64 hexadecimal digits"),
        ({"seed": "ab " * 21 + "a"}, "“seed” must be 64 hexadecimal digits"),
        ({"seed": 5}, "“seed” must be 64 hexadecimal digits"),
        ({"seed": HEX + "\n"}, "“seed” must be 64 hexadecimal digits"),
        ({"commitment": "xy" * 32}, "“commitment” must be 64 hexadecimal digits"),
        ({"secret": ""}, "“secret” must be 64 hexadecimal digits"),
        ({"table": 7}, "“table” must be a string, but it is a number"),
        ({"table": "x" * 101}, "“table” is longer than 100 characters"),
        ({"entropy": "x"}, "“entropy” must be a list, but it is a string"),
        ({"entropy": ["x", None]}, "“entropy” must have one entry for each seat, 3 in all"),
        ({"entropy": ["x", None, 5]}, "“entropy” of seat 2 must be null or a string of at most 256 characters"),
        ({"entropy": ["x" * 257] * 3}, "“entropy” of seat 0 must be null or a string of at most 256 characters"),
        ({"result": [1, 2, 3]}, "“result” must be an object, but it is a list"),
        ({"result": {}}, "“places” is missing"),
        ({"result": {"places": [1, 2]}}, PLACES),
        ({"result": {"places": [1, 2, True]}}, PLACES),
        ({"result": {"places": [1, 2, 3], "scores": [0.5, 1, 2]}}, SCORES),
        ({"result": {"places": [1, 2, 3], "scores": 7}}, "“scores” must be a list, but it is a number"),
    ],
)
def test_fault_of_no_event(keys: dict[str, Any], sentence: str) -> None:
    assert find_fault(toy_record(**keys)) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (7, "an event must be an object, but this is a number"),
        ({}, ONE_KIND + "none"),
        ({"note": "x"}, ONE_KIND + "none"),
        ({"seat": 0, "move": TAKE, "clock": "turn"}, ONE_KIND + "move, clock"),
        ({"expect": {}, "random": {"roll": 1}}, ONE_KIND + "expect, random"),
        ({"move": TAKE}, "“seat” is missing"),
        ({"seat": "0", "move": TAKE}, "“seat” must be a whole number, but it is a string"),
        ({"seat": False, "move": TAKE}, "“seat” must be a whole number, but it is true or false"),
        ({"seat": 0.0, "move": TAKE}, "“seat” must be a whole number, but it is a number"),
        ({"seat": 0, "move": [TAKE]}, "“move” must be an object, but it is a list"),
        ({"seat": 0, "move": None}, "“move” must be an object, but it is null"),
        ({"seat": 0, "move": TAKE, "t": "4.2"}, "“t” must be a number of seconds, 0 or more"),
        ({"seat": 0, "move": TAKE, "t": True}, "“t” must be a number of seconds, 0 or more"),
        ({"seat": 0, "move": TAKE, "t": -1}, "“t” must be a number of seconds, 0 or more"),
        ({"clock": True}, "“clock” must be a string, but it is true or false"),
        ({"clock": "x" * 101}, "“clock” is longer than 100 characters"),
        ({"clock": "call", "seat": None}, "“seat” must be a whole number, but it is null"),
        ({"expect": []}, "“expect” must be an object, but it is a list"),
        ({"refuse": "turn"}, "“refuse” must be an object, but it is a string"),
        ({"refuse": {}}, ONE_TRIED + "none"),
        ({"refuse": {"seat": 0, "move": TAKE, "clock": "turn"}}, ONE_TRIED + "move, clock"),
        ({"refuse": {"move": TAKE}}, "“seat” is missing"),
        ({"refuse": {"seat": 0, "move": 5}}, "“move” must be an object, but it is a number"),
        ({"random": 4}, "“random” must be an object, but it is a number"),
        ({"random": {}}, ONE_NAME),
        ({"random": {"roll": 1, "draw": 2}}, ONE_NAME),
    ],
)
def test_fault_of_an_event(event: Any, sentence: str) -> None:
    assert find_fault(toy_record({"expect": {}}, event)) == f"event 1: {sentence}"


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(list(toy_record(seed=1, result=1, entropy=1, table=1, secret=1))), JSON))
def test_any_value_of_any_key_gets_a_verdict(keys: dict[str, Any]) -> None:
    fault = verify(encode(toy_record(**keys)), find=find_toy).fault
    assert fault is None or fault.sentence


EVENTS = st.dictionaries(
    st.sampled_from(["seat", "move", "clock", "expect", "refuse", "random", "t", "x"]), JSON, max_size=3
)


@pytest.mark.slow
@given(st.lists(EVENTS | JSON, max_size=4))
def test_any_events_get_a_verdict(events: list[Any]) -> None:
    fault = verify(encode(toy_record(*events)), find=find_toy).fault
    assert fault is None or fault.sentence
