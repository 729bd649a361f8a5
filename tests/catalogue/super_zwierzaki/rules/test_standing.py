"""Which windows a seat answers without being asked. 107 is a teal, 24 a woodpecker, 37 an ape."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance

RULES = registry.find("super-zwierzaki")
DECLINE = {"decline": True}


def play(hands: str, *moves: tuple[int, dict[str, Any]], top: str = "40", **setup: Any) -> Any:
    """The state after these moves, "37 1 / 107 3 / 5": seat 0 begins."""
    given = [hand.split() for hand in hands.split("/")]
    draw = ["8", "9", "10", "11", "12", "16", "18", "19"]
    setup = {"hands": given, "top": top, "order": list(range(len(given))), "draw": draw, **setup}
    state = RULES.start(Config(len(given), {}, setup), Chance(bytes(32)))
    for seat, move in moves:
        state, _ = RULES.apply(state, seat, move)
    return state


def answers(state: Any, standing: str = "") -> list[Any]:
    """What each seat answers without being asked."""
    return [RULES.answer_window(state, seat, standing) for seat in range(len(state.hands))]


def test_a_seat_that_can_play_nothing_lets_a_reaction_pass() -> None:
    state = play("37 1 1/107 3/24 5/8", (0, {"play": "37"}))
    assert answers(state) == [None, None, DECLINE, DECLINE]  # a woodpecker rejects no ape


def test_the_seat_that_played_and_those_that_have_answered_answer_nothing() -> None:
    state = play("37 1 1/5 3/24 5", (0, {"play": "37"}), (1, DECLINE))
    assert answers(state, "pass") == [None, None, DECLINE]


def test_nothing_is_answered_outside_windows() -> None:
    duel = play("37 1 1/5 3/24 5", (0, {"play": "37"}), (1, DECLINE), (2, DECLINE))
    assert RULES.view(duel, None)["phase"] == "duel"
    assert answers(duel, "pass") == [None, None, None]
    assert answers(play("38 1/5 3/24 5"), "pass") == [None, None, None]


def test_everything_passes_until_my_turn() -> None:
    state = play("37 1 1/107 3/24 5/8", (0, {"play": "37"}))
    assert answers(state, "pass") == [None, DECLINE, DECLINE, DECLINE]


WON = play("38/107 3/24 5/8 9", (0, {"play": "38"}))


def test_only_wins_are_asked() -> None:
    reaction = play("37 1 1/107 3/24 5/8", (0, {"play": "37"}))
    assert answers(reaction, "wins") == [None, DECLINE, DECLINE, DECLINE]
    assert RULES.view(WON, None)["phase"] == "win"
    assert answers(WON, "wins") == [None, None, None, DECLINE]
    assert answers(WON, "pass") == [None, DECLINE, DECLINE, DECLINE]


def test_the_rejection_of_what_stopped_a_win_is_about_a_win() -> None:
    stopped = play("38/107 3/107 5/8 9", (0, {"play": "38"}), (1, {"react": "107"}))
    assert RULES.view(stopped, None)["phase"] == "reaction"
    assert answers(stopped, "wins") == [DECLINE, None, None, DECLINE]


def test_the_last_card_that_has_a_function_is_not_yet_a_win() -> None:
    """What its function does can be rejected, but the player has no cards either way: the win's window comes after."""
    state = play("37/107 3/107 5", (0, {"play": "37"}))
    assert answers(state, "wins") == [None, DECLINE, DECLINE]


def test_a_seat_that_owes_the_call_is_not_answered_for_as_that_would_cost_two_cards() -> None:
    state = play("38 9/8 19 19/37 5", (0, {"play": "38"}))
    assert RULES.view(state, None)["must_call"] == [0]
    state = state._replace(turn=2, asked=4)
    state, _ = RULES.apply(state, 2, {"play": "37"})
    assert answers(state, "pass") == [None, DECLINE, None]
    events, _ = RULES.apply(state, 0, {"call": True})
    assert answers(events, "pass") == [DECLINE, DECLINE, None]


@pytest.mark.parametrize(("standing", "is_over"), [("pass", [False, True, False]), ("wins", [False, False, False])])
def test_letting_everything_pass_ends_with_my_turn(standing: str, is_over: list[bool]) -> None:
    state = play("38 9 9/8 19 19/37 5", (0, {"play": "38"}))
    assert RULES.view(state, None)["turn"] == 1
    assert [RULES.is_standing_over(state, seat, standing) for seat in range(3)] == is_over


def test_who_has_answered_a_window_is_hidden_until_it_closes() -> None:
    state = play("37 1 1/107 3/24 5/8", (0, {"play": "37"}))
    one, _ = RULES.apply(state, 1, DECLINE)
    other, _ = RULES.apply(state, 2, DECLINE)
    assert RULES.view(one, None) == RULES.view(other, None) == RULES.view(state, None)
    assert RULES.view(one, 3) == RULES.view(other, 3)
    assert [RULES.view(one, seat)["to_act"] for seat in (1, 2)] == [[2, 3], [1, 2, 3]]
    assert RULES.to_act(one) == (2, 3)


def test_in_a_chain_and_in_a_win_all_but_its_opener_are_asked() -> None:
    assert RULES.view(WON, None)["to_act"] == [1, 2, 3]
    stopped = play("38/107 3/107 5/8 9", (0, {"play": "38"}), (1, {"react": "107"}))
    assert RULES.view(stopped, None)["to_act"] == [0, 2, 3]
