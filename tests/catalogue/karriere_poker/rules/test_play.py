"""karriere-poker.md: Play."""

from __future__ import annotations

import pytest

from tests.rules.playing import KARRIERE, expected, karriere, refusal, run

HIGHER = "The number must be higher than the one on the table: %d."
COUNT = "You must play as many cards as are on the table: %d."
ONE_NUMBER = "All cards you play must have the same number. J stands in for any number."


def test_the_leader_must_play() -> None:
    assert refusal(KARRIERE, karriere("5 6", "7", "8", "9"), "0: pass") == (
        "You cannot pass: you lead this round, so you must play."
    )


@pytest.mark.parametrize("cards", ["5", "5 5", "5 5 J", "5 J J", "J", "J J"])
def test_the_leader_plays_any_count_of_one_number_jokers_standing_in(cards: str) -> None:
    state = run(KARRIERE, karriere("5 5 6 J J", "7", "8", "9"), f"0: {cards}")
    assert expected(KARRIERE, state, "table") == cards.split()


def test_two_numbers_are_no_play() -> None:
    assert refusal(KARRIERE, karriere("5 6 J", "7", "8", "9"), "0: 5 6") == ONE_NUMBER
    assert refusal(KARRIERE, karriere("5 6 J", "7", "8", "9"), "0: 5 6 J") == ONE_NUMBER


def test_turns_go_clockwise() -> None:
    state = karriere("5 6", "7", "8", "9", order=[0, 3, 1, 2])
    assert KARRIERE.to_act(run(KARRIERE, state, "0: 5")) == (3,)


def test_only_who_is_to_act_may_play_or_pass() -> None:
    state = run(KARRIERE, karriere("5 6", "7", "8", "9"), "0: 5")
    for turn in ("0: 6", "2: 8", "3: pass", "7: pass", "-1: pass"):
        assert refusal(KARRIERE, state, turn) == "It is not your turn."


@pytest.mark.parametrize("cards", ["9", "9 9 9"])
def test_a_play_must_have_as_many_cards(cards: str) -> None:
    state = run(KARRIERE, karriere("5 5 6", "9 9 9", "8", "9"), "0: 5 5")
    assert refusal(KARRIERE, state, f"1: {cards}") == COUNT % 2


@pytest.mark.parametrize("number", ["4", "5"])
def test_a_play_must_have_a_higher_number(number: str) -> None:
    state = run(KARRIERE, karriere("5 6", "4 5 6", "8", "9"), "0: 5")
    assert refusal(KARRIERE, state, f"1: {number}") == HIGHER % 5


def test_cards_must_be_held() -> None:
    state = run(KARRIERE, karriere("5 5 6", "8 J", "8 8", "9"), "0: 5 5")
    assert refusal(KARRIERE, state, "1: 8 8") == "You do not hold these cards: 8 8."
    assert refusal(KARRIERE, state, "1: J J") == "You do not hold these cards: J J."
    assert refusal(KARRIERE, state, "1: 9 J") == "You do not hold these cards: 9 J."


def test_jokers_with_number_cards_take_that_number() -> None:
    state = run(KARRIERE, karriere("5 5 6", "8 J", "9 9", "9"), "0: 5 5", "1: 8 J")
    assert expected(KARRIERE, state, "table_number") == 8


def test_jokers_alone_rank_above_thirteen() -> None:
    state = run(KARRIERE, karriere("13 6", "J 8", "9 9", "9"), "0: 13", "1: J")
    assert expected(KARRIERE, state, "table_number") == 14


def test_unnamed_jokers_alone_are_one_more_than_jokers_before() -> None:
    state = run(KARRIERE, karriere("13 6", "J 8", "9 J", "9"), "0: 13", "1: J as 20", "2: J")
    assert expected(KARRIERE, state, "table_number") == 21


def test_jokers_alone_may_lead_and_be_named() -> None:
    assert expected(KARRIERE, run(KARRIERE, karriere("J 6", "8", "9", "9"), "0: J as 15"), "table_number") == 15
    assert expected(KARRIERE, run(KARRIERE, karriere("J 6", "8", "9", "9"), "0: J"), "table_number") == 14


@pytest.mark.parametrize("name", [1, 13, 0, -1])
def test_jokers_alone_are_named_above_thirteen(name: int) -> None:
    sentence = "For jokers alone you can name a whole number from 14 to 999999999."
    assert refusal(KARRIERE, karriere("J 6", "8", "9", "9"), f"0: J as {name}") == sentence


@pytest.mark.parametrize("name", [14, 15])
def test_jokers_are_named_above_jokers_before(name: int) -> None:
    state = run(KARRIERE, karriere("J 6", "8 J", "9", "9"), "0: J as 15")
    assert refusal(KARRIERE, state, f"1: J as {name}") == HIGHER % 15


def test_the_highest_name_and_an_unnamed_play_above_it() -> None:
    state = karriere("J 6", "8 J", "9", "9")
    assert refusal(KARRIERE, state, "0: J as 1000000000").startswith("For jokers alone you can name")
    state = run(KARRIERE, state, "0: J as 999999999", "1: J")
    assert expected(KARRIERE, state, "table_number") == 1_000_000_000


def test_a_name_lasts_for_its_round_only() -> None:
    state = run(KARRIERE, karriere("J J 6", "8", "9", "9"), "0: J as 99", "1: pass", "2: pass", "3: pass", "0: J as 14")
    assert expected(KARRIERE, state, "table_number") == 14


def test_no_number_beats_jokers_alone() -> None:
    state = run(KARRIERE, karriere("J 6", "13 J", "9", "9"), "0: J")
    assert refusal(KARRIERE, state, "1: 13") == HIGHER % 14


def test_a_pass_is_not_final() -> None:
    state = run(KARRIERE, karriere("5 6", "9 9", "8 8", "2 2"), "0: 5", "1: pass", "2: 8", "3: pass", "0: pass", "1: 9")
    assert expected(KARRIERE, state, "table_number") == 9


def test_the_round_ends_when_all_others_have_passed_since_the_last_play() -> None:
    state = run(KARRIERE, karriere("5 6", "9 9", "8 8", "2 2"), "0: 5", "1: pass", "2: 8", "3: pass", "0: pass")
    assert expected(KARRIERE, state, "table", "to_act") == {"table": ["8"], "to_act": [1]}
    state = run(KARRIERE, state, "1: pass")
    assert expected(KARRIERE, state, "table", "table_number", "to_act") == {
        "table": [],
        "table_number": None,
        "to_act": [2],
    }


def test_who_holds_no_cards_is_not_asked() -> None:
    state = run(KARRIERE, karriere("5 6", "9", "8 8", "2 2"), "0: 5", "1: 9", "2: pass", "3: pass", "0: pass")
    state = run(KARRIERE, state, "0: 6", "2: pass")
    assert KARRIERE.to_act(state) == (3,)


def test_when_the_winner_is_out_all_who_hold_cards_must_pass() -> None:
    state = run(KARRIERE, karriere("5", "9 9", "8 8", "2 2"), "0: 5", "1: pass", "2: pass")
    assert expected(KARRIERE, state, "table", "to_act") == {"table": ["5"], "to_act": [3]}
    assert expected(KARRIERE, run(KARRIERE, state, "3: pass"), "table") == []


def test_the_last_to_play_leads() -> None:
    state = run(KARRIERE, karriere("5 6", "7 7", "8 8", "9 9"), "0: 5", "1: 7", "2: pass", "3: pass", "0: pass")
    assert KARRIERE.to_act(state) == (1,)


def test_the_next_higher_rank_leads_for_a_leader_who_is_out() -> None:
    state = run(
        KARRIERE, karriere("5 6", "7 7", "8", "9 9"), "0: 5", "1: pass", "2: 8", "3: pass", "0: pass", "1: pass"
    )
    assert KARRIERE.to_act(state) == (1,)


def test_the_next_lower_rank_leads_if_the_higher_one_is_out_too() -> None:
    state = run(KARRIERE, karriere("5", "7", "8 8", "9 9"), "0: 5", "1: 7", "2: pass", "3: pass")
    assert KARRIERE.to_act(state) == (2,)


def test_the_highest_rank_still_in_leads_if_both_neighbours_are_out() -> None:
    state = karriere("5 6", "7", "8", "9", "2 2")
    state = run(KARRIERE, state, "0: 5", "1: 7", "2: pass", "3: 9", "4: pass", "0: pass", "2: pass")
    assert KARRIERE.to_act(state) == (2,)
    state = run(
        KARRIERE, karriere("5 6", "7", "8", "9", "2 2"), "0: 5", "1: 7", "2: 8", "3: pass", "4: pass", "0: pass"
    )
    assert KARRIERE.to_act(state) == (3,)
    state = run(
        KARRIERE, karriere("5 6", "7", "10", "9", "2 2"), "0: 5", "1: 7", "2: pass", "3: 9", "4: pass", "0: pass"
    )
    state = run(KARRIERE, state, "2: 10", "4: pass", "0: pass")
    assert KARRIERE.to_act(state) == (0,)


def test_after_the_boss_the_next_lower_rank_leads() -> None:
    state = run(KARRIERE, karriere("5", "7 7", "8 8", "9 9"), "0: 5", "1: pass", "2: pass", "3: pass")
    assert KARRIERE.to_act(state) == (1,)


def test_after_the_boss_and_the_second_the_highest_rank_still_in_leads() -> None:
    state = karriere("5 12", "7", "8 8", "9 9")
    state = run(KARRIERE, state, "0: 5", "1: 7", "2: pass", "3: pass", "0: 12", "2: pass", "3: pass")
    assert KARRIERE.to_act(state) == (2,)


def test_after_the_dishwasher_the_highest_rank_still_in_leads_if_the_one_above_is_out() -> None:
    state = run(KARRIERE, karriere("5 6", "7 7", "8", "9"), "0: 5", "1: pass", "2: 8", "3: 9", "0: pass", "1: pass")
    assert KARRIERE.to_act(state) == (0,)


def test_positions_decide_who_leads_in_a_later_deal() -> None:
    state = karriere("6 6 6", "8 9 9", "2 3 4", "4 5 10", ranks=[3, 1, 4, 2])
    assert expected(KARRIERE, state, "order") == [1, 3, 0, 2]
    hands = expected(KARRIERE, state, "hands")
    assert hands == {"0": ["4", "6", "6"], "1": ["3", "4", "9"], "2": ["2", "8", "9"], "3": ["5", "6", "10"]}
    state = run(KARRIERE, state, "1: 3", "3: 5", "0: 6", "2: pass", "1: 9", "3: 10", "0: pass", "2: pass", "1: pass")
    state = run(KARRIERE, state, "3: 6", "0: pass", "2: pass", "1: pass")
    assert expected(KARRIERE, state, "out", "to_act") == {"out": [3], "to_act": [1]}
