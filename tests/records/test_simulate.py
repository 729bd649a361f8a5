"""Whole games between bots, without a command."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from games import bots
from games.records.explicit import write_explicit
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.replay import Verdict, verify
from games.records.simulate import (
    MAX_STEPS,
    MOVE_SECONDS,
    SimulatedGame,
    SimulationPlan,
    choose_move,
    derive_bytes,
    play_game,
    play_games,
    seat_levels,
)
from games.rules import registry
from games.rules.base import BadSetup, Config, Deadline, Move, Outcome, View
from games.rules.chance import Chance

from .making import encode, find_fault
from .toy import TOY, State, Toy


def choose(game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    return {"take": legal[0], "roll": legal[1], "any": rng.choice(legal)}[level]


def first(game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    return legal[0]


def plan(*levels: str, seats: int = 2, rules: Toy = TOY, **options: Any) -> SimulationPlan:
    return SimulationPlan(rules, Config(seats, options), b"seed", levels)


def test_a_game_is_played_to_its_end() -> None:
    game = play_game(plan("take"), 0, choose)
    assert game.levels == ("take", "take")
    assert game.moves == 8
    assert game.outcome == Outcome((1, 2), (25, 11))
    assert [event["seat"] for event in game.record["events"]] == [0, 1] * 4
    assert [event["t"] for event in game.record["events"]] == [5, 10, 15, 20, 25, 30, 35, 40]


def test_the_record_is_explicit_and_holds() -> None:
    for game in play_games(plan("any", "roll", "take", seats=3, minutes=1), 5, choose):
        assert find_fault(game.record) is None
        assert "seed" not in game.record
        assert game.record["result"]["places"] == list(game.outcome.places)
        assert [player["bot"] for player in game.record["players"]] == list(game.levels)


def test_same_plan_same_games() -> None:
    first, again = (list(play_games(plan("any", "roll", minutes=2), 4, choose)) for _ in range(2))
    assert first == again
    assert [game.number for game in first] == [0, 1, 2, 3]
    assert play_game(plan("any", "roll", minutes=2), 3, choose) == first[3]
    assert len({str(game.record["setup"]) for game in first}) == 4


def test_another_seed_another_game() -> None:
    there = plan("any")._replace(seed=b"tree")
    assert play_game(there, 0, choose).record != play_game(plan("any"), 0, choose).record


def test_levels_move_on_from_game_to_game() -> None:
    assert [seat_levels(("a", "b", "c"), 4, number) for number in range(4)] == [
        ("a", "b", "c", "a"),
        ("b", "c", "a", "b"),
        ("c", "a", "b", "c"),
        ("a", "b", "c", "a"),
    ]
    assert [game.levels for game in play_games(plan("take", "any"), 2, choose)] == [("take", "any"), ("any", "take")]


def test_the_evening_ends_by_the_simulated_clock() -> None:
    game = play_game(plan("roll", minutes=1), 0, choose)
    assert game.moves == 60 // MOVE_SECONDS
    assert game.record["events"][-1] == {"clock": "time-up", "t": 60}
    assert find_fault(game.record) is None


class Waiting(Toy):
    """Asks two seats at once, lists no moves, and forgets nothing: a call is due after ten seconds."""

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.over or state.turns == 3 else (state.turn, 1 - state.turn)

    def legal_moves(self, state: State, seat: int) -> None:
        return None

    def apply(self, state: State, seat: int, move: Move) -> Any:
        return super().apply(state, state.turn, {"take": True})

    def on_clock(self, state: State, event: Any) -> Any:
        return (state._replace(rolls=1), ()) if event["clock"] == "call" else (state._replace(turns=4), ())

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        if state.turns == 3:
            return (Deadline({"clock": "win"}, 20, (0,), 7),)
        return (Deadline({"clock": "turn"}, None, (0, 1), state.turns), Deadline({"clock": "call"}, 10, (5,), 2))


def test_clocks_for_those_who_are_not_to_act_run_out_once() -> None:
    game = play_game(plan("any", rules=Waiting()), 0, first)
    clocks = [(number, event) for number, event in enumerate(game.record["events"]) if "clock" in event]
    assert clocks == [(2, {"clock": "call", "t": 10}), (4, {"clock": "win", "t": 15})]
    assert {event["seat"] for event in game.record["events"] if "seat" in event} == {0, 1}


class Owing(Toy):
    """Seat 1 owes a word from the start, and has ten seconds for it. `rolls`: 0 owed, 1 said, 2 too late."""

    def legal_moves(self, state: State, seat: int) -> Sequence[Move]:
        if seat == 1 and state.turn != 1:
            return [] if state.rolls else [{"call": True}]
        return super().legal_moves(state, seat) or []

    def apply(self, state: State, seat: int, move: Move) -> Any:
        return (state._replace(rolls=1), ()) if "call" in move else super().apply(state, seat, move)

    def on_clock(self, state: State, event: Any) -> Any:
        return state._replace(rolls=2), ()

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        owed = () if state.rolls else (Deadline({"clock": "call"}, 10, (1,), 7),)
        return (*super().deadlines(state), *owed)


def test_who_owes_a_word_says_it_out_of_turn_before_or_after_others_have_moved() -> None:
    places = set()
    for game in play_games(plan("take", rules=Owing()), 20, first):
        called_at = [number for number, event in enumerate(game.record["events"]) if event["move"] == {"call": True}]
        assert [game.record["events"][number]["seat"] for number in called_at] == [1] * len(called_at[:1])
        places |= set(called_at)
    assert {0, 2, 4} <= places


def test_who_does_not_think_of_it_lets_its_time_run_out_and_is_asked_once() -> None:
    asked: list[tuple[str, str]] = []

    def forget(game: str, level: str, rng: random.Random) -> bool:
        asked.append((game, level))
        return True

    game = play_game(plan("take", rules=Owing()), 0, first, stays_silent=forget)
    assert asked == [("toy", "take")]
    assert [event for event in game.record["events"] if "clock" in event] == [{"clock": "call", "t": 10}]


def test_a_bot_gets_a_sample_where_moves_are_too_many() -> None:
    seen: list[Sequence[Move]] = []

    def keep(game: str, view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
        seen.append(legal)
        return legal[0]

    state = TOY.start(Config(2, setup={"pile": [5]}), Chance())
    assert choose_move(Waiting(), state, 0, "any", random.Random(1), keep) in [{"take": True}, {"roll": 1}, {"roll": 2}]
    assert [len(legal) for legal in seen] == [1]


class Stuck(Toy):
    """Nobody may act, and its first clock changes nothing."""

    def to_act(self, state: State) -> tuple[int, ...]:
        return ()

    def on_clock(self, state: State, event: Any) -> Any:
        return (state._replace(pile=()), ()) if event["clock"] == "win" else (state, ())

    def deadlines(self, state: State) -> tuple[Deadline, ...]:
        return (Deadline({"clock": "call"}, 10, (), 0), Deadline({"clock": "win"}, None, (0, 1), 0))


def test_where_nobody_may_act_the_clock_decides() -> None:
    game = play_game(plan("any", rules=Stuck()), 0, choose)
    assert game.record["events"] == [{"clock": "call", "t": 0}, {"clock": "win", "t": 0}]


class Endless(Toy):
    def apply(self, state: State, seat: int, move: Move) -> Any:
        return state, ()


@pytest.mark.slow
def test_a_game_without_end_is_a_fault() -> None:
    with pytest.raises(Fault, match=f"game 0 has not ended after {MAX_STEPS} steps"):
        play_game(plan("any", rules=Endless()), 0, choose)


def test_an_impossible_table() -> None:
    with pytest.raises(BadSetup, match="Toy is for 2 to 4 players, not 5"):
        play_game(plan("any", seats=5), 0, choose)


def test_purposes_have_their_own_bytes() -> None:
    made = [
        derive_bytes(b"s", "game", 0),
        derive_bytes(b"s", "game", 1),
        derive_bytes(b"t", "game", 0),
        derive_bytes(b"s", "bot", 0, 0),
        derive_bytes(b"s", "bot", 0, 1),
    ]
    assert len(set(made)) == 5
    assert {len(some) for some in made} == {32}


@pytest.mark.parametrize(
    ("slug", "seats", "options"),
    [
        ("karriere-poker", 4, {}),
        ("karriere-poker", 8, {"minutes": 3}),
        ("animal-poker", 5, {}),
        ("animal-poker", 6, {"lazy": True, "sessions": 2}),
        ("animals-on-board", 2, {}),
        ("animals-on-board", 4, {"start": 3}),
        ("super-zwierzaki", 2, {}),
        ("super-zwierzaki", 8, {"minutes": 30}),
    ],
)
def test_games_of_the_house(slug: str, seats: int, options: dict[str, Any]) -> None:
    plan = SimulationPlan(registry.find(slug), Config(seats, options), b"00", ("random", "steady"))
    for game in play_games(plan, 2, bots.choose, stays_silent=bots.stays_silent):
        raw = encode(game.record)
        assert verify(raw) == Verdict(len(game.record["events"]), None)
        assert write_explicit(parse_record(raw)) == game.record


def test_bots_of_super_zwierzaki_speak_react_and_forget_as_at_a_table() -> None:
    plan = SimulationPlan(registry.find("super-zwierzaki"), Config(4), b"00", ("random", "steady"))
    counts: Counter[str] = Counter()
    for game in play_games(plan, 6, bots.choose, stays_silent=bots.stays_silent):
        for event in game.record["events"]:
            counts[event.get("clock") or next(iter(event.get("move", ["random"])))] += 1
            counts["riding"] += "call" in event.get("move", ()) and len(event["move"]) > 1
    assert min(counts[word] for word in ("call", "riding", "react", "decline", "fold", "play", "draw")) > 0
    assert {word for word in counts if word in ("turn", "reaction", "win")} == set()


def test_half_an_hour_of_animal_poker_is_360_moves_and_the_session_under_way() -> None:
    plan = SimulationPlan(registry.find("animal-poker"), Config(4), b"00", ("random",))
    game: SimulatedGame = play_game(plan, 0, bots.choose)
    bell = [event for event in game.record["events"] if event.get("clock") == "time-up"]
    assert bell == [{"clock": "time-up", "t": 1800}]
    assert game.moves >= 1800 // MOVE_SECONDS
