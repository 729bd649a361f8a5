"""Every game fulfils the contract of games/rules/base.py, tested with random games."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.rules import registry
from games.rules.base import Config, IllegalMove, Rules
from games.rules.chance import Chance
from tests.rules.census import find_census
from tests.rules.json_schema import matches
from tests.rules.playthrough import listed, playthrough, start, step

TABLES = pytest.mark.parametrize(
    ("slug", "seats"), [(slug, seats) for slug in registry.slugs() for seats in registry.find(slug).seat_counts]
)


@TABLES
def test_random_games_end_and_only_then_nobody_is_to_act(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        assert rules.outcome(taken.before) is None
        state = taken.after
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (len(outcome.places), min(outcome.places)) == (seats, 1)
    assert (rules.to_act(state), rules.deadlines(state)) == ((), ())


@TABLES
def test_those_to_act_are_seats_rising_and_have_moves(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        acting = rules.to_act(taken.before)
        assert list(acting) == sorted(set(acting) & set(range(seats)))
        for seat in range(seats):
            legal = rules.legal_moves(taken.before, seat)
            if seat in acting:
                assert legal is None or legal
            else:  # they may say something out of turn, and it stays whose turn it is
                for move in legal or ():
                    assert rules.to_act(step(rules, taken.before, seat, move).after) == acting
        awaited = {seat for wait in rules.deadlines(taken.before) if not wait.held for seat in wait.seats}
        assert all(rules.legal_moves(taken.before, seat) != () for seat in awaited)


@TABLES
def test_cards_are_conserved(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    census = find_census(slug)
    census.see(rules, state, ())
    for taken in playthrough(rules, state):
        census.see(rules, taken.after, taken.events)


@TABLES
def test_nothing_mutates(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    rng = random.Random(1)
    steps = list(playthrough(rules, state))
    dumps = [json.dumps(rules.to_json(taken.before)) for taken in steps]
    moves = [json.dumps(taken.move) for taken in steps]
    for taken in steps:
        for seat in (*range(seats), None):
            rules.view(taken.before, seat)
        rules.expected(taken.before)
        rules.reshuffle_unseen(taken.before, None, rng)
        rules.settle(taken.before)
        rules.on_clock(taken.before, {"clock": "time-up"})
        step(rules, taken.before, taken.seat, taken.move)
    assert [json.dumps(rules.to_json(taken.before)) for taken in steps] == dumps
    assert [json.dumps(taken.move) for taken in steps] == moves


@TABLES
def test_states_come_back_from_json(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        settled = rules.settle(taken.after)
        again = rules.from_json(json.loads(json.dumps(rules.to_json(settled))))
        assert again == settled
        assert rules.expected(again) == rules.expected(settled)


@TABLES
def test_a_game_goes_on_from_json_as_it_would_have(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        stored = rules.from_json(json.loads(json.dumps(rules.to_json(rules.settle(taken.before)))))
        again = step(rules, stored, taken.seat, json.loads(json.dumps(taken.move)))
        assert rules.expected(again.after) == rules.expected(taken.after)
        assert again.events == taken.events


@TABLES
def test_replay_equals_live(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    steps = list(playthrough(rules, state))
    _, again = start(slug, seats)
    for taken in steps:
        again = step(rules, again, taken.seat, json.loads(json.dumps(taken.move))).after
    assert rules.to_json(again) == rules.to_json(steps[-1].after)


@TABLES
def test_what_was_drawn_makes_the_seed_needless(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    bare = rules.start(Config(seats, {}, rules.setup_of(rules.settle(state))), Chance())
    assert rules.expected(bare) == rules.expected(state)
    for taken in playthrough(rules, rules.settle(state)):
        drawn = rules.chance(taken.after).drawn[len(rules.chance(taken.before).drawn) :]
        bare = rules.settle(step(rules, rules.supply(bare, drawn), taken.seat, taken.move).after)
        assert rules.expected(bare) == rules.expected(taken.after)


@pytest.mark.slow
@TABLES
def test_a_view_does_not_change_when_hidden_cards_are_permuted(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    rng = random.Random(2)
    for taken in playthrough(rules, state):
        for seat in (*range(seats), None):
            other = rules.reshuffle_unseen(taken.before, seat, rng)
            assert rules.view(other, seat) == rules.view(taken.before, seat)


@TABLES
def test_a_view_is_json(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        for seat in (*range(seats), None):
            view = rules.view(taken.after, seat)
            assert json.loads(json.dumps(view)) == view


@TABLES
def test_events_are_json_and_known_to_seats_or_all(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        for event in taken.events:
            assert json.loads(json.dumps(event.data)) == event.data
            assert event.to is None or set(event.to) <= set(range(seats))


@TABLES
def test_every_move_is_described_for_programs(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    schema, rng = rules.move_schema, random.Random(5)
    assert not matches(schema, {"sudo": True}), "a game of this repository describes its moves"
    assert not matches(schema, {})
    kinds: set[str] = set()
    for taken in playthrough(rules, state):
        for move in (*listed(rules, taken.before), *drawn(rules, taken.before, rng)):
            assert matches(schema, json.loads(json.dumps(move))), move
            assert not matches(schema, {**move, "sudo": True})
            kinds.add(next(iter(move)))
    assert kinds


def drawn(rules: Rules[Any], state: Any, rng: random.Random) -> list[Any]:
    """Two moves of each seat whose moves are too many to list."""
    seats = [seat for seat in rules.to_act(state) if rules.legal_moves(state, seat) is None]
    return [rules.legal_sample(state, seat, rng) for seat in seats for _ in range(2)]


@pytest.mark.slow
@TABLES
def test_listed_moves_are_allowed_and_others_refused(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    rng = random.Random(3)
    steps = list(playthrough(rules, state))
    listed_moves = {json.dumps(move): move for taken in steps for move in listed(rules, taken.before)}
    for taken in rng.sample(steps, min(40, len(steps))):
        for seat in range(seats):
            legal = rules.legal_moves(taken.before, seat)
            if legal is None:
                try_sampled(rules, taken.before, seat, rng)
                continue
            words = [json.dumps(move) for move in legal]
            assert len(set(words)) == len(words)
            for move in legal:
                rules.check(taken.before, seat, move)
                step(rules, taken.before, seat, move)
            others = [
                move
                for move in listed_moves.values()
                if not {json.dumps(move), json.dumps(strip_call(move))} & set(words)
            ]
            for move in rng.sample(others, min(30, len(others))):
                refuse(rules, taken.before, seat, move)


def strip_call(move: Any) -> Any:
    """The move without a call that rides on it: it may always, and is listed where it can come true."""
    return {key: value for key, value in move.items() if key != "call"}


def try_sampled(rules: Rules[Any], state: Any, seat: int, rng: random.Random) -> None:
    """Where moves are too many to list, those that are drawn are allowed."""
    for _ in range(10):
        move = rules.legal_sample(state, seat, rng)
        rules.check(state, seat, move)
        step(rules, state, seat, move)


def refuse(rules: Rules[Any], state: Any, seat: int, move: Any) -> None:
    """Both `check` and `apply` refuse, with the same sentence."""
    with pytest.raises(IllegalMove) as checked:
        rules.check(state, seat, move)
    with pytest.raises(IllegalMove) as applied:
        rules.apply(state, seat, move)
    assert str(checked.value) == str(applied.value) == checked.value.template % (checked.value.values or ())


@TABLES
def test_a_turn_that_runs_out_can_do_so_at_any_time(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        for wait in rules.deadlines(taken.before):
            if wait.held:
                continue
            after, _ = rules.on_clock(taken.before, wait.event)
            assert wait not in rules.deadlines(after)


@TABLES
def test_the_bell_is_accepted_until_the_end_and_twice_is_once(slug: str, seats: int) -> None:
    rules, state = start(slug, seats)
    for taken in playthrough(rules, state):
        once, _ = rules.on_clock(taken.before, {"clock": "time-up"})
        twice, events = rules.on_clock(once, {"clock": "time-up"})
        assert (twice, events) == (once, ())
        assert rules.to_act(once) == rules.to_act(taken.before)
        state = taken.after
    for event in ({"clock": "time-up"}, {"clock": "turn"}, {"clock": "tea"}, {}):
        with pytest.raises(IllegalMove):
            rules.on_clock(state, event)
