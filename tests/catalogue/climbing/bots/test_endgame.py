"""Ends between two players: solved as a search through the engine itself solves them."""

from __future__ import annotations

import random

import pytest

from games.catalogue.climbing.bots.completing import HiddenCards
from games.catalogue.climbing.bots.endgame import Bounds, Endgame, TooLarge
from games.catalogue.climbing.bots.sharp import Judge, read_play, read_table
from games.catalogue.climbing.rules.cards import count_cards, pack_hand
from games.catalogue.climbing.rules.state import State
from games.rules.base import Config, Rules
from games.rules.chance import Chance
from tests.rules.playing import ANIMAL, KARRIERE

GAMES = pytest.mark.parametrize("rules", [KARRIERE, ANIMAL], ids=["karriere-poker", "animal-poker"])
SMALL = 8


def can_be_first(rules: Rules[State], state: State, seat: int, solved: dict[State, bool]) -> bool:
    """Whether this seat can be the next one out, whatever the other does; by the engine."""
    if state in solved:
        return solved[state]
    acting = rules.to_act(state)[0]
    found = []
    for move in rules.legal_moves(state, acting) or ():
        after, _ = rules.apply(state, acting, move)
        if len(after.out) > len(state.out) or rules.outcome(after) is not None:
            found.append(acting == seat)
        else:
            found.append(can_be_first(rules, after, seat, solved))
    solved[state] = any(found) if acting == seat else all(found)
    return solved[state]


def find_ends(rules: Rules[State], games: int) -> list[State]:
    """Positions with two players left, few cards and a choice."""
    found, rng = [], random.Random(5)
    option = "deals" if rules is KARRIERE else "sessions"
    for game in range(games):
        state = rules.start(Config(4, {option: 1}), Chance(bytes([game] * 32)))
        while rules.outcome(state) is None:
            seat = rules.to_act(state)[0]
            is_end = state.alive.bit_count() == 2 and sum(map(count_cards, state.hands)) <= SMALL
            if is_end and len(rules.legal_moves(state, seat) or ()) > 1:
                found.append(state)
            state, _ = rules.apply(state, seat, rules.legal_sample(state, seat, rng))
    return found


@GAMES
def test_every_move_is_worth_what_the_engine_says(rules: Rules[State]) -> None:
    ends = find_ends(rules, 25)
    wins = 0
    for state in ends:
        seat = rules.to_act(state)[0]
        view = rules.view(state, seat)
        hidden = HiddenCards(view)
        judge = Judge(read_table(view, hidden))
        other = next(place for place in range(4) if state.alive >> place & 1 and place != state.turn)
        if state.holder not in (-1, other):  # the one who made the play is out
            continue
        for move in rules.legal_moves(state, seat) or ():
            after, _ = rules.apply(state, seat, move)
            is_out = len(after.out) > len(state.out) or rules.outcome(after) is not None
            right = is_out or can_be_first(rules, after, seat, {})
            assert judge.value(state.hands, read_play(move, view, hidden)) == (1 / 3 if right else 0.0)
            wins += right
    assert wins > 20


def test_a_large_end_is_given_up() -> None:
    end = Endgame(is_one_turn_each=False, jokers_beat_jokers=True, bounds=Bounds(10, 5))
    mine, other = pack_hand([1, 2, 2, 5, 9]), pack_hand([3, 3, 4, 8, 10])
    assert end.is_small(mine, other)
    assert not end.is_small(mine, other + pack_hand([1]))
    with pytest.raises(TooLarge):
        end.wins(mine, other, (pack_hand([1]), 1, 1))
