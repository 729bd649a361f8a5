"""A record on its engine: what holds, what does not, and at which event."""

from __future__ import annotations

from typing import Any

import pytest

from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import ReplayStep, Verdict, replay, verify

from .making import ROLL, TAKE, TWICE, encode, find_fault, toy_record
from .toy import Toy, find_toy

SEED = "00" * 31 + "07"
NO_SEED = "is left to chance, but the record has no seed and no “random” event supplies it"
ALLOWED = "this should be refused, but the rules allow it"
UNUSED = "does not use the “random” value “roll”"


def move(seat: int, what: dict[str, Any]) -> dict[str, Any]:
    return {"seat": seat, "move": what}


def test_a_whole_game_holds() -> None:
    document = toy_record(
        {"expect": {"to_act": [0], "pile": [5, 9], "over": False}},
        move(0, TAKE),
        {"refuse": move(0, TAKE)},
        {"refuse": {"clock": "tea"}},
        move(1, TAKE),
        {"expect": {"to_act": [], "points": {"0": 5, "1": 9, "2": 0}, "over": True}},
        {"refuse": {"clock": "time-up"}},
        result={"places": [2, 1, 3], "scores": [5, 9, 0]},
    )
    assert verify(encode(document), find=find_toy) == Verdict(7, None)


def test_steps_show_the_state_after_every_event() -> None:
    record = parse_record(encode(toy_record(move(0, TAKE), {"expect": {}}, {"random": {"roll": 4}}, {"clock": "turn"})))
    steps = list(replay(record, find=find_toy))
    assert [step.number for step in steps] == [None, 0, 1, 2, 3]
    assert [step.state.points for step in steps] == [(0, 0, 0), (5, 0, 0), (5, 0, 0), (5, 0, 0), (5, 4, 0)]
    assert [step.entry for step in steps] == [None, *record.events]
    assert [[event.kind for event in step.events] for step in steps] == [[], ["took"], [], [], ["rolled"]]
    assert [step.drawn for step in steps] == [(), (), (), (), (("roll", 4),)]
    assert steps[4].state.chance.drawn == ()


def test_a_fault_comes_after_the_steps_before_it() -> None:
    steps: list[ReplayStep] = []
    with pytest.raises(Fault, match="event 1: Seat 2 may not act"):
        steps.extend(replay(parse_record(encode(toy_record(move(0, TAKE), move(2, TAKE)))), find=find_toy))
    assert [step.number for step in replay(parse_record(encode(toy_record(move(0, TAKE)))), find=find_toy)] == [None, 0]


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([move(1, TAKE)], "event 0: Seat 1 may not act."),
        ([move(0, {"steal": True})], "event 0: Take a card or roll once or twice."),
        ([move(3, TAKE)], "event 0: There is no seat 3."),
        ([move(-1, TAKE)], "event 0: There is no seat -1."),
        ([{"clock": "tea"}], "event 0: There is no such clock."),
        ([{"clock": "time-up"}, {"clock": "time-up"}], "event 1: The game is over."),
        ([{"refuse": move(0, TAKE)}], f"event 0: {ALLOWED}"),
        ([{"refuse": {"clock": "time-up"}}], f"event 0: {ALLOWED}"),
        ([{"refuse": move(0, ROLL)}], f"event 0: {ALLOWED}"),
        ([{"expect": {"colour": 1}}], "event 0: the game state has no key “colour” here"),
        ([{"expect": {"to_act": [0], "pile": [9, 5]}}], "event 0: pile is [5, 9], but the record expects [9, 5]"),
        ([{"expect": {"over": 0}}], "event 0: over is false, but the record expects 0"),
        ([{"expect": {"points": {}}}], 'event 0: points is {"0": 0, "1": 0, "2": 0}, but the record expects {}'),
        ([move(0, ROLL)], f"event 0: “roll” {NO_SEED}"),
    ],
)
def test_what_does_not_hold(events: list[Any], sentence: str) -> None:
    assert find_fault(toy_record(*events)) == sentence


def test_a_seat_that_is_not_there_is_refused() -> None:
    assert find_fault(toy_record({"refuse": move(3, TAKE)}, {"refuse": move(-1, TAKE)})) is None


def test_a_set_up_that_needs_a_seed() -> None:
    unseeded = toy_record(setup={})
    assert find_fault(unseeded) == "“setup” leaves “pile” to chance, but the record has no seed"
    assert find_fault({**unseeded, "seed": SEED}) is None


def test_an_impossible_set_up() -> None:
    assert find_fault(toy_record(setup={"pill": [1]})) == "The set-up has an unknown key."


def test_expect_compares_json_and_not_python() -> None:
    assert find_fault(toy_record({"expect": {"pile": [5.0, 9]}})) is None
    assert (
        find_fault(toy_record(move(0, TAKE), {"expect": {"over": False, "points": {"2": 0, "1": 0, "0": 5}}})) is None
    )


def test_supplied_chance_wins_over_the_seed() -> None:
    points = [
        list(replay(parse_record(encode(toy_record(*events, seed=SEED))), find=find_toy))[-1].state.points[0]
        for events in (
            [move(0, TWICE)],
            [{"random": {"roll": 1}}, move(0, TWICE)],
            [{"random": {"roll": 6}}, move(0, TWICE)],
        )
    ]
    seeded = [int(points[0]), int(points[1]) - 1, int(points[2]) - 6]
    assert seeded[1] == seeded[2]
    assert 2 <= seeded[0] <= 12


def test_several_values_stand_in_order_and_belong_to_the_next_move() -> None:
    events = [
        {"random": {"roll": 2}},
        {"expect": {"to_act": [0]}},
        {"refuse": move(1, TAKE)},
        {"random": {"roll": 3}},
        move(0, TWICE),
        {"expect": {"points": {"0": 5, "1": 0, "2": 0}}},
    ]
    assert find_fault(toy_record(*events)) is None


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([{"random": {"roll": 2}}, move(0, TAKE)], f"event 0: event 1 {UNUSED}"),
        ([{"random": {"roll": 2}}, {"random": {"roll": 3}}, move(0, ROLL)], f"event 1: event 2 {UNUSED}"),
        (
            [{"random": {"roll": 2}}, {"random": {"cards": 3}}, move(0, TWICE)],
            "event 1: Chance decides nothing called “cards” here.",
        ),
        ([{"random": {"roll": 2}}, move(0, TWICE)], f"event 1: “roll” {NO_SEED}"),
        ([{"random": {"roll": 7}}, move(0, ROLL)], "event 1: A die shows 1 to 6."),
        (
            [move(0, TAKE), {"random": {"roll": 2}}],
            "event 1: this “random” value is never used, because no move or clock event follows",
        ),
        ([{"random": {"roll": 2}}, {"expect": {}}, {"refuse": move(0, ROLL)}], f"event 2: {ALLOWED}"),
    ],
)
def test_supplied_chance_that_does_not_hold(events: list[Any], sentence: str) -> None:
    assert find_fault(toy_record(*events)) == sentence


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ({"places": [2, 1, 3]}, None),
        ({"places": [2, 1, 3], "scores": [5, 9, 0]}, None),
        ({"places": [1, 2, 3]}, "result: places are [2, 1, 3], but the record says [1, 2, 3]"),
        ({"places": [2, 1, 3], "scores": None}, "result: scores are [5, 9, 0], but the record says null"),
        ({"places": [2, 1, 3], "scores": [5, 9, 1]}, "result: scores are [5, 9, 0], but the record says [5, 9, 1]"),
    ],
)
def test_result_is_compared(result: dict[str, Any], sentence: str | None) -> None:
    assert find_fault(toy_record(move(0, TAKE), move(1, TAKE), result=result)) == sentence


def test_no_result_before_the_end() -> None:
    assert (
        find_fault(toy_record(move(0, TAKE), result={"places": [1, 2, 2]}))
        == "the record has a result, but the game is not over"
    )


class FreeToy(Toy):
    """Its pile may be named in any order."""

    def is_expected(self, key: str, actual: Any, wanted: Any) -> bool:
        return sorted(actual) == sorted(wanted) if key == "pile" else bool(actual == wanted)


class MutableToy(Toy):
    """A faulty game: what it refuses changes it."""

    turns = 0

    def apply(self, state: Any, seat: int, move: Any) -> Any:
        self.turns += 1
        return super().apply(state, seat, move)

    def to_json(self, state: Any) -> dict[str, Any]:
        return {**super().to_json(state), "turns": self.turns}


def test_a_game_may_free_the_order_of_a_key() -> None:
    document = encode(toy_record({"expect": {"pile": [9, 5]}}))
    assert verify(document, find=lambda _: FreeToy()).fault is None


def test_a_refusal_must_leave_the_game_unchanged() -> None:
    document = encode(toy_record({"refuse": move(1, TAKE)}))
    assert (
        str(verify(document, find=lambda _: MutableToy()).fault)
        == "event 0: this was refused, but it still changed the game"
    )
