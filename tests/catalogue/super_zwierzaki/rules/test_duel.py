"""Both duels."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.state import State
from tests.catalogue.super_zwierzaki.rules.playing import (
    awaited,
    given,
    hands,
    make_state,
    points,
    read_keys,
    refusal,
    run,
    run_events,
)


def apes(*more: str, count: int = 1, top: str = "40", **setup: Any) -> State:
    """A duel of apes that seat 0 has caused with Orangutans; the others' hands follow the rest of seat 0's."""
    mine, *others = more
    state = make_state(f"{'37 ' * count}{mine}", *others, top=top, **setup)
    return run(state, f"0: play 37 x{count}", "reaction")


def test_it_begins_with_the_player_who_caused_it_at_one_point_a_copy() -> None:
    state = apes("1 1", "1", "3")
    assert read_keys(state, "phase", "to_act", "duel") == ["duel", [0], {"points": 1, "in": [0, 1, 2]}]
    assert read_keys(apes("1 1", "1", "3", count=2), "duel")["points"] == 2


def test_each_still_in_folds_or_plays_one_card_in_playing_order() -> None:
    state = apes("37 1", "47 25 1", "1 1", order=[0, 2, 1])
    state = run(state, "0: play 37")
    assert read_keys(state, "to_act", "duel") == [[2], {"points": 2, "in": [0, 1, 2]}]
    state = run(state, "2: fold", "1: play 25")
    assert read_keys(state, "to_act", "duel") == [[0], {"points": 4, "in": [0, 1]}]
    state = run(state, "0: fold")
    assert read_keys(state, "duel", "phase") == [None, "turn"]


def test_who_has_folded_is_not_asked_again() -> None:
    state = run(apes("37 37 1", "1 1", "47 47 1"), "0: play 37", "1: fold", "2: play 47")
    assert read_keys(state, "to_act") == [0]
    assert read_keys(run(state, "0: play 37"), "to_act", "duel") == [[2], {"points": 4, "in": [0, 2]}]


def test_what_happens_in_a_duel_is_told() -> None:
    begun = run_events(make_state("37 37 1 1", "107 1", "3 3"), "0: play 37", "reaction")
    answered = run_events(begun[0], "0: play 37")
    folded = run_events(answered[0], "1: fold")
    won = run_events(folded[0], "2: fold")
    zeroed = run_events(answered[0], "1: play 107")
    assert [
        event[:3] for _, events in (begun, answered, folded, won, zeroed) for event in events if event.to is None
    ] == [
        ("duel_begun", 0, {"kind": "Oth", "points": 1}),
        ("dueled", 0, {"card": "37", "points": 2}),
        ("folded", 1, {}),
        ("folded", 2, {}),
        ("duel_over", 0, {"points": 2}),
        ("drew", 1, {"count": 2, "why": "duel"}),
        ("drew", 2, {"count": 2, "why": "duel"}),
        ("dueled", 1, {"card": "107", "points": 0}),
        ("duel_over", None, {"points": 0}),
    ]


def test_colour_and_class_do_not_matter_and_the_last_card_gives_them() -> None:
    state = run(apes("1 1 1", "26 6", "3 3"), "0: fold", "1: play 26")
    assert given(state) == "R sea"
    assert points(state) == ""


@pytest.mark.parametrize(
    ("card", "total"),
    [("37", 2), ("47", 2), ("25", 3), ("2", None), ("4", None), ("107", 0), ("38", None), ("24", None)],
)
def test_which_cards_change_a_duel_of_apes(card: str, total: int | None) -> None:
    state = apes(f"{card} 1 1", "1 1", "3 3")
    if total is None:
        assert refusal(state, f"0: play {card}") == "This card does not change the points of this duel."
    else:
        duel = read_keys(run(state, f"0: play {card}"), "duel")
        assert (duel["points"] if duel else 0) == total


@pytest.mark.parametrize(("card", "total"), [("2", 2), ("7", 2), ("25", 3), ("37", None), ("4", None), ("107", 0)])
def test_which_cards_change_a_duel_of_givers(card: str, total: int | None) -> None:
    state = run(make_state(f"2 {card} 1 1", "1 1", "3 3", top="52"), "0: play 2", "reaction")
    if total is None:
        assert refusal(state, f"0: play {card}") == "This card does not change the points of this duel."
    else:
        duel = read_keys(run(state, f"0: play {card}"), "duel")
        assert (duel["points"] if duel else 0) == total


def test_an_all_counts_only_straight_after_a_red() -> None:
    state = run(apes("25 37 1", "4 1", "4 1"), "0: play 25")
    over = run(state, "1: play 4")
    assert (read_keys(over, "duel", "phase", "to_act"), hands(over)) == ([None, "turn", [1]], ["1 37", "1", "1 4"])
    assert read_keys(run(state, "1: fold", "2: play 4"), "duel", "phase") == [None, "turn"]
    later = run(state, "1: fold", "2: fold")
    assert read_keys(later, "duel") is None
    again = run(apes("25 37 1", "37 1", "4 1"), "0: play 25", "1: play 37")
    assert refusal(again, "2: play 4") == "This card does not change the points of this duel."


def test_at_zero_it_is_over_without_a_winner() -> None:
    state = run(apes("1 1 1", "107 6", "3 3"), "0: fold", "1: play 107")
    assert (hands(state), read_keys(state, "to_act", "top")) == (["1 1 1", "6", "3 3"], [[1], "107"])


def test_the_last_one_left_wins_though_they_have_not_played() -> None:
    state = run(apes("1 1", "1", "3", count=2), "0: fold", "1: fold")
    assert read_keys(state, "duel", "hand_sizes") == [None, [4, 3, 1]]


def test_the_losers_of_apes_draw_in_playing_order_each_all_their_cards_at_once() -> None:
    state = apes("1 1", "3 3", "3 3", count=2, order=[0, 2, 1], draw="5 6 8 9 10 11")
    state = run(state, "0: fold", "2: fold")
    assert hands(state) == ["1 1 5 6", "3 3", "3 3 8 9"]


def test_it_begins_to_draw_with_whose_turn_it_is() -> None:
    state = run(
        make_state("1 1", "37 1 1", "3 3", draw="16 5 6 8 9"), "0: draw", "1: play 37", "reaction", "1: fold", "2: fold"
    )
    assert hands(state) == ["1 1 16", "1 1 5", "3 3 6"]


def test_cards_played_in_a_duel_open_no_window() -> None:
    assert read_keys(run(apes("37 1", "107", "107"), "0: play 37"), "phase") == "duel"


def test_a_teal_is_played_in_a_duel_in_turn_only() -> None:
    state = apes("1 1", "107", "107")
    assert refusal(state, "1: play 107") == "It is not your turn."
    assert refusal(state, "1: react 107") == "It is not your turn."


def test_a_player_without_cards_can_only_fold() -> None:
    state = run(apes("37", "1 1", "3 3"), "0: play 37", "1: fold")
    state = run(state, "2: fold")
    assert read_keys(state, "phase", "to_act") == ["win", [1, 2]]
    stuck = run(apes("25", "37 1", "3 3"), "0: play 25", "1: play 37", "2: fold")
    assert (read_keys(stuck, "to_act"), refusal(stuck, "0: play 25")) == ([0], "You do not have this card.")


def test_the_winner_of_givers_may_give_as_many_cards_as_there_are_points() -> None:
    state = run(make_state("2 2 1 3 5", "1 1", "3 3", top="52"), "0: play 2 x2", "reaction", "0: fold", "1: fold")
    assert read_keys(state, "phase", "to_act") == ["give", [2]]
    assert state.need == 1
    given_one = run(state, "2: give 3 to 0")
    assert (hands(given_one), read_keys(given_one, "phase", "to_act")) == (["1 3 3 5", "1 1", "3"], ["discard", [0]])
    assert hands(run(state, "2: decline"))[2] == "3 3"


def test_the_winner_of_givers_keeps_one_if_they_had_more_than_one() -> None:
    duel = run(make_state("2 25 1 3", "1", "5 6 8 9", top="52"), "0: play 2", "reaction", "0: play 25")
    assert run(duel, "1: fold", "2: fold").need == 1
    only = run(make_state("2 1 3", "6", "5 8", top="52"), "0: play 2", "reaction", "0: fold", "1: fold")
    assert (read_keys(only, "to_act"), only.need) == ([2], 1)
    one = run(make_state("2 1 3", "5 8", "6", top="52"), "0: play 2", "reaction", "0: fold", "1: fold")
    assert (read_keys(one, "to_act"), one.need) == ([2], 1)
    assert hands(run(one, "2: give 6 to 0"))[2] == ""


def test_a_winner_of_givers_without_cards_gives_nothing() -> None:
    state = run(make_state("2 1 3", "5 8", "2", top="52"), "0: play 2", "reaction", "0: fold", "1: fold")
    assert read_keys(state, "to_act") == [2]
    empty = run(make_state("2 25", "5 8", "6 6", top="52"), "0: play 2", "reaction", "0: play 25", "1: fold", "2: fold")
    assert read_keys(empty, "phase", "to_act") == ["win", [1, 2]]


def test_the_next_turn_is_that_of_the_player_after_the_one_who_caused_it() -> None:
    state = run(apes("37 1 1", "47 1", "47 1"), "0: play 37", "1: play 47", "2: play 47", "0: fold", "1: fold")
    assert read_keys(state, "to_act") == [1]


def test_a_combination_takes_effect_after_the_duel() -> None:
    state = run(apes("1 3", "1", "3", count=2), "0: fold", "1: fold")
    assert read_keys(state, "phase", "to_act") == ["discard", [0]]


def test_a_duel_decision_takes_twenty_seconds() -> None:
    state = apes("37 1", "1", "3")
    assert awaited(state) == [("turn", 20.0, (0,))]
    after = run(state, "turn")
    assert read_keys(after, "duel") == {"points": 1, "in": [1, 2]}


def test_the_gift_after_it_takes_the_winners_own_time() -> None:
    """The player who caused the duel goes on with the turn; another winner has a turn's time of their own."""
    before = make_state("2 25 1 3", "1 1", "3 3", top="52")
    duel = run(before, "0: play 2", "reaction")
    mine = run(duel, "0: play 25", "1: fold", "2: fold")
    theirs = run(duel, "0: fold", "1: fold")
    (turn,) = RULES.deadlines(before)
    assert RULES.deadlines(mine) == (turn,)
    gift, held = RULES.deadlines(theirs)
    assert (gift.event, gift.seconds, gift.seats, gift.serial != turn.serial) == ({"clock": "turn"}, None, (2,), True)
    assert held == turn._replace(held=True)


def test_in_a_duel_one_card_is_played_without_a_number() -> None:
    assert refusal(apes("37 37 1", "1", "3"), "0: play 37 x2") == "In a duel you play one card, without “n”."


def test_with_two_cards_the_call_may_ride_on_what_is_played_in_a_duel() -> None:
    state = run(apes("1 1", "47 25", "47 25 1"), "0: fold")
    assert (read_keys(state, "to_act"), RULES.legal_moves(state, 1)) == (
        [1],
        [
            {"fold": True},
            {"play": "25"},
            {"play": "25", "call": True},
            {"play": "47"},
            {"play": "47", "call": True},
        ],
    )
    state = run(state, "1: play 47")
    assert RULES.legal_moves(state, 2) == [{"fold": True}, {"play": "25"}, {"play": "47"}]
