"""animal-poker.md: A round."""

from __future__ import annotations

import pytest

from tests.rules.playing import ANIMAL, animal, expected, refusal, run

HIGHER = "The number must be higher than the one on the table: %d."


def test_the_starting_player_must_play() -> None:
    assert refusal(ANIMAL, animal("5 6 7", "7 7", "8 8", "9 9 9"), "0: pass") == (
        "You cannot pass: you lead this round, so you must play."
    )


@pytest.mark.parametrize("cards", ["9", "9 9", "9 F", "9 9 F F", "F", "F F"])
def test_the_starting_player_plays_any_count_of_one_number_freelancers_standing_in(cards: str) -> None:
    state = run(ANIMAL, animal("1 1 1 9 9", "7 7", "8 8", "12 F F"), f"0: {cards}")
    assert expected(ANIMAL, state, "table") == cards.split()


def test_two_numbers_are_no_play() -> None:
    sentence = "All cards you play must have the same number. F stands in for any number."
    assert refusal(ANIMAL, animal("1 1 1 9", "7 7", "8 8", "12 F F"), "0: 9 12 F") == sentence


def test_everyone_takes_exactly_one_turn_clockwise_then_the_round_is_over() -> None:
    state = animal("1 1 1 2", "7 7", "8 8", "13 13 13 3")
    acting: list[int] = []
    for turn in ("0: 2", "1: 8", "2: pass", "3: 3"):
        acting += ANIMAL.to_act(state)
        state = run(ANIMAL, state, turn) if turn != "3: 3" else run(ANIMAL, state, "3: pass")
    assert acting == [0, 1, 2, 3]
    assert expected(ANIMAL, state, "table", "table_number", "to_act") == {
        "table": [],
        "table_number": None,
        "to_act": [1],
    }


def test_who_passed_has_had_their_turn_though_others_play_after_them() -> None:
    state = run(ANIMAL, animal("1 1 1 2", "9 9", "8 8", "13 13 13 3"), "0: 2", "1: pass", "2: 9", "3: pass")
    assert expected(ANIMAL, state, "table", "to_act") == {"table": [], "to_act": [2]}


def test_the_starter_has_no_second_turn_in_the_round() -> None:
    state = run(ANIMAL, animal("1 1 1 2", "9 9", "8 8", "13 13 13 3"), "0: 2", "1: 8", "2: 9", "3: pass")
    assert expected(ANIMAL, state, "to_act") == [2]


def test_a_play_has_the_same_count() -> None:
    state = run(ANIMAL, animal("1 1 1 2 2", "9 9", "8 8", "13 13 13 3"), "0: 2 2")
    assert refusal(ANIMAL, state, "1: 8") == "You must play as many cards as are on the table: 2."


def test_a_play_is_higher_than_the_last_play() -> None:
    state = run(ANIMAL, animal("1 1 1 8", "9 9", "8 8", "13 13 13 3"), "0: 8")
    assert refusal(ANIMAL, state, "1: 8") == HIGHER % 8
    state = run(ANIMAL, animal("1 1 1 8", "9 9", "10 11", "13 13 13 3"), "0: 8", "1: 11")
    assert refusal(ANIMAL, state, "2: 9") == HIGHER % 11


def test_cards_must_be_held() -> None:
    state = run(ANIMAL, animal("1 1 1 2 2", "9 9", "8 8", "13 13 13 3"), "0: 2")
    assert refusal(ANIMAL, state, "1: 9") == "You do not hold these cards: 9."


def test_freelancers_alone_beat_a_thirteen() -> None:
    state = run(ANIMAL, animal("1 1 1 13", "3 3", "5 F", "2 2 2 2"), "0: 13", "1: F")
    assert expected(ANIMAL, state, "table_number") == 14


def test_nothing_but_freelancers_alone_beats_a_thirteen() -> None:
    state = run(ANIMAL, animal("1 1 1 13", "3 3", "13 F", "2 2 2 2"), "0: 13")
    assert refusal(ANIMAL, state, "1: 13") == HIGHER % 13


def test_nothing_beats_freelancers_alone_not_even_freelancers() -> None:
    state = run(ANIMAL, animal("1 1 1 F", "3 3", "13 F", "2 2 2 2"), "0: F")
    assert refusal(ANIMAL, state, "1: F") == HIGHER % 14
    assert refusal(ANIMAL, state, "1: 13") == HIGHER % 14
    assert ANIMAL.legal_moves(state, 1) == ({"pass": True},)


def test_jokers_have_no_names() -> None:
    assert refusal(ANIMAL, animal("1 1 1 F", "3 3", "13 F", "2 2 2 2"), "0: F as 15") == (
        "A move cannot have “as”. Play cards or pass."
    )


def test_the_highest_starts_the_next_round() -> None:
    state = run(ANIMAL, animal("1 1 1 2", "9 9", "8 8", "13 13 13 3"), "0: 2", "1: 8", "2: pass", "3: pass")
    assert ANIMAL.to_act(state) == (1,)


def test_the_nearest_counterclockwise_starts_for_one_who_has_no_cards() -> None:
    state = animal(
        "1 1 1 2", "9 9", "8 8", "13 13 13 3"
    )  # fmt: skip
    state = run(ANIMAL, state, "0: 13 13 13", "1: pass", "2: pass", "3: pass", "0: 2", "1: 8", "2: 9", "3: pass")
    assert expected(ANIMAL, state, "out", "to_act") == {"out": [0], "to_act": [2]}
    state = run(ANIMAL, state, "2: 9", "3: pass", "1: pass")
    assert expected(ANIMAL, state, "out", "to_act") == {"out": [0, 2], "to_act": [1]}


def test_counterclockwise_goes_round_the_table_past_those_who_are_out() -> None:
    state = animal("1 1 1", "9 9", "8 8", "5 6 7", ranks=[1, 2, 3, 4])
    assert expected(ANIMAL, state, "hands")["0"] == ["5", "6", "7"]
    state = run(ANIMAL, state, "0: 5", "1: 8", "2: pass", "3: pass", "1: 8", "2: 9", "3: pass", "0: pass")
    assert expected(ANIMAL, state, "out", "to_act") == {"out": [1], "to_act": [2]}
    state = run(ANIMAL, state, "2: 9", "3: pass", "0: pass")
    assert expected(ANIMAL, state, "out", "to_act") == {"out": [1, 2], "to_act": [0]}


def test_who_is_out_takes_the_highest_job_not_yet_taken() -> None:
    state = animal("1 1 1", "9 9", "8 8", "5 5 5")
    state = run(ANIMAL, state, "0: 5 5 5", "1: pass", "2: pass", "3: pass")
    assert expected(ANIMAL, state, "out", "to_act") == {"out": [0], "to_act": [3]}
    state = run(ANIMAL, state, "3: 1", "1: 8", "2: 9")
    assert expected(ANIMAL, state, "to_act") == [2]
    assert expected(ANIMAL, run(ANIMAL, state, "2: 9"), "out") == [0, 2]


def test_the_session_ends_at_once_in_the_middle_of_a_round() -> None:
    state = animal("1 1 1", "9 9", "8 8", "5 5 5", options={"sessions": 1})
    state = run(ANIMAL, state, "0: 5 5 5", "1: pass", "2: pass", "3: pass", "3: 1 1", "1: 8 8", "2: 9 9")
    assert expected(ANIMAL, state, "over", "out", "hands") == {
        "over": True,
        "out": [0, 1, 2],
        "hands": {"0": [], "1": [], "2": [], "3": ["1"]},
    }
    assert ANIMAL.outcome(state) == ((1, 2, 3, 4), None)
