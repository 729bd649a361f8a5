"""A turn: play, draw, activate; passing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.catalogue.fancy_animals.rules.playing import DRAW, FANCY, PASS, act, expected, play, position, refusal

RUN = "3LG:G 4GM:G 5GC:G"
SET = "8LM:M 8GC:C 8LG:L"


def test_cards_are_laid_and_the_table_rearranged_freely() -> None:
    state = position("5LG 9LG", "1LM", table="3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 8GC:C 8LG:L")
    after = act(state, play("5LG", "8LG:L 8LM:M 8GC:C | 3LG:G 4GM:G 5LG:G | 5GC:G 6LG:G 7GM:G"))
    assert expected(after, "hands", "table", "to_act", "scores") == {
        "hands": {"0": ["9LG"], "1": ["1LM"]},
        "table": [["8LG:L", "8LM:M", "8GC:C"], ["3LG:G", "4GM:G", "5LG:G"], ["5GC:G", "6LG:G", "7GM:G"]],
        "to_act": [1],
        "scores": [0, 0],
    }


def test_a_card_may_change_its_suit_whenever_it_is_moved() -> None:
    state = position("3LM 4LM", "1LM", table="8LM:M 8GC:C 8LG:L 8GM:G | 5LM:M 6LM:M 7LM:M")
    after = act(state, play("3LM 4LM", "8LM:M 8GC:C 8LG:L 8GM:G | 3LM:L 4LM:L 5LM:L 6LM:L 7LM:L"))
    assert expected(after, "table")[1] == ["3LM:L", "4LM:L", "5LM:L", "6LM:L", "7LM:L"]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (play("", RUN), "Play at least one card from your hand."),
        (play("9LG", f"{RUN} 6LG:G | {SET}"), "These cards were not on the table, and you do not play them: 6LG."),
        (play("6GM", f"{RUN} 6GM:G | {SET}"), "You do not hold this card: 6GM."),
        (play("6LG", f"{RUN} | {SET}"), "You play these cards, but they are in no meld: 6LG."),
        (play("6LG", f"{RUN} 6LG:G"), "These cards were on the table and must stay there: 8LG 8LM 8GC."),
        (play("6LG", f"{RUN} 6LG:G | {SET} | {SET}"), "There is only one of this, but it is on the table twice: 8LM."),
        (play("6LG 6LG", f"{RUN} 6LG:G | {SET}"), "There is only one of this, but you play it twice: 6LG."),
        (
            play("6LG", f"{RUN} 6LG:G | {SET} | 1LM:L 2LM:L 3LM:L"),
            "These cards were not on the table, and you do not play them: 1LM 2LM 3LM",
        ),
        (play("6LG", f"{RUN} 6LG:L | {SET}"), "In this run, 6L must count as gem, like the others: 3G 4G 5G 6L."),
        (play("6LG", f"{RUN} | {SET} | 6LG:G"), "A run or a set has at least 3 cards. This meld is too small: 6G."),
        (
            play("6LG", f"{RUN} 6LG:G hand-G-1:7 | {SET}"),
            "These cards were not on the table, and you do not play them: hand-G-1.",
        ),
    ],
)
def test_what_lies_on_the_table_is_what_lay_there_and_what_is_played(move: Any, sentence: str) -> None:
    state = position("6LG 9LG", "1LM", table=f"{RUN} | {SET}", deck="2LM")
    assert refusal(state, move).startswith(sentence)


def test_at_the_end_of_a_turn_everything_lies_in_melds() -> None:
    state = position("6LG 7LG", "1LM", table=RUN)
    assert refusal(state, play("6LG 7LG", f"{RUN} | 6LG:G 7LG:G")) == (
        "A run or a set has at least 3 cards. This meld is too small: 6G 7G."
    )


def test_draw_takes_the_first_card_of_the_deck() -> None:
    state = act(position("6LG", "1LM", deck="2LM 3LM"), DRAW)
    assert expected(state, "hands", "deck_size", "to_act") == {
        "hands": {"0": ["2LM", "6LG"], "1": ["1LM"]},
        "deck_size": 1,
        "to_act": [1],
    }


FULL = "1LG 2LG 3LG 4LG 5LG 6LG 7LG 8LG 9LG 10LG 11LG 1LM 2LM"


def test_no_drawing_with_thirteen_cards_but_passing() -> None:
    state = position(FULL, "1LC", deck="3LM")
    assert refusal(state, DRAW) == "With 13 cards in hand you cannot draw. Play cards or pass."
    assert expected(act(state, PASS), "to_act") == [1]
    twelve = position(FULL.removesuffix(" 2LM"), "1LC", deck="3LM")
    assert refusal(twelve, PASS) == (
        "You may pass only with 13 cards in hand or when the deck is empty. Play cards or draw."
    )
    assert expected(act(twelve, DRAW), "hand_sizes") == [13, 1]


def test_no_drawing_from_an_empty_deck_but_passing() -> None:
    state = position("6LG", "1LM")
    assert refusal(state, DRAW) == "The deck is empty. Play cards or pass."
    assert expected(act(state, PASS), "to_act") == [1]


def test_who_may_pass_may_play_instead() -> None:
    state = position("6LG", "1LM", table=RUN)
    assert expected(act(state, play("6LG", f"{RUN} 6LG:G")), "hand_sizes") == [0, 1]


def test_a_turn_that_ran_out_draws_or_else_passes() -> None:
    assert expected(act(position("6LG", "1LM", deck="2LM"), "turn"), "hands", "to_act") == {
        "hands": {"0": ["2LM", "6LG"], "1": ["1LM"]},
        "to_act": [1],
    }
    assert expected(act(position("6LG", "1LM"), "turn"), "hand_sizes", "to_act") == {
        "hand_sizes": [1, 1],
        "to_act": [1],
    }


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ([], "A move must be an object with “play”, “draw”, “activate” or “pass”"),
        ({}, "In one turn you do exactly one of these"),
        ({"draw": True, "pass": True}, "In one turn you do exactly one of these"),
        ({"draw": 1}, "To draw or to pass, “draw” must be true."),
        ({"pass": False}, "To draw or to pass, “pass” must be true."),
        ({"draw": True, "why": 1}, "This move cannot have “why”."),
        ({"draw": True, "table": []}, "This move cannot have “table”."),
        ({"play": ["6LG"]}, "“table” must be a list of all melds"),
        ({"play": ["6LG"], "table": ["6LG:G"]}, "“table” must be a list of all melds"),
        ({"play": ["6LG"], "table": [[]] * 43}, "“table” must be a list of all melds"),
        ({"play": ["6LG"], "table": [[["6LG:G"]]]}, "A meld must be a list of cards"),
        ({"play": ["6LG"], "table": [[6]]}, "“?” is not a card of this game."),
        ({"play": "6LG", "table": []}, "Play at least one card from your hand."),
        ({"play": ["6LG", 7], "table": []}, "“?” is not a card of this game."),
        ({"play": ["6LG"], "table": [], "wilds": "hand-G-1"}, "“wilds” must be a list"),
        ({"play": ["6LG"], "table": [], "wilds": ["hat"]}, "“hat” is not a piece of clothing or is listed twice."),
        (
            {"play": ["6LG"], "table": [], "wilds": ["hand-G-1"] * 2},
            "“hand-G-1” is not a piece of clothing or is listed twice.",
        ),
        ({"play": ["6LG"], "table": [], "claim": None}, "“?” is not a piece of clothing."),
        ({"play": ["6LG"], "table": [], "claim": ["hand-G-1"]}, "“?” is not a piece of clothing."),
        ({"play": ["6LG"], "table": [], "why": 1}, "This move cannot have “why”."),
        ({"play": ["6LG"], "table": [], "set": []}, "This move cannot have “set”."),
        ({"play": ["6LG"], "table": [], "spot": "head"}, "You can choose a spot only for clothing that you take."),
        ({"play": ["6LG"], "table": [], "claim": "hand-G-1", "spot": "tail"}, "An animal has no spot “tail”"),
        ({"activate": "jump", "set": []}, "There is no special rule “jump”."),
        ({"activate": ["loop"], "set": []}, "There is no special rule “?”."),
        ({"activate": "loop"}, "“set” must be a list of the cards in the set."),
        ({"activate": "loop", "set": [["6LG:G"]]}, "A meld must be a list of cards"),
        ({"activate": "loop", "set": [], "claim": "hand-G-1"}, "This move cannot have “claim”."),
        ({"activate": "loop", "set": [], "table": []}, "This move cannot have “table”."),
    ],
)
def test_what_is_no_move(move: Any, sentence: str) -> None:
    assert refusal(position("6LG", "1LM", deck="2LM"), move).startswith(sentence)


def test_only_the_seat_to_act_moves_and_nobody_after_the_end() -> None:
    state = position("6LG", "1LM", deck="2LM")
    assert refusal(state, DRAW, seat=1) == "It is not your turn."
    over = act(position("6LG", "1LM"), PASS, PASS)
    assert refusal(over, DRAW, seat=0) == "The game is over."
    assert FANCY.to_act(over) == ()


# Activating


def test_activating_lays_a_set_from_the_hand_and_switches_a_rule_on_for_everyone() -> None:
    state = act(
        position("7LG 7GM 7MC 1LG", "1LM", deck="2LM"), {"activate": "loop", "set": ["7LG:L", "7GM:G", "7MC:M"]}
    )
    assert expected(state, "active", "table", "hands", "to_act") == {
        "active": ["loop"],
        "table": [["7LG:L", "7GM:G", "7MC:M"]],
        "hands": {"0": ["1LG"], "1": ["1LM"]},
        "to_act": [1],
    }


def test_the_set_of_an_activation_lies_on_the_table_like_everything_else() -> None:
    state = act(
        position("7LG 7GM 7MC", "8LG 8GM 8MC 7LC", deck="2LM"), {"activate": "loop", "set": ["7LG:L", "7GM:G", "7MC:M"]}
    )
    eights = "8LG:L 8GM:G 8MC:M"
    assert refusal(state, play("8LG 8GM 8MC", eights)) == (
        "These cards were on the table and must stay there: 7LG 7GM 7MC."
    )
    assert expected(act(state, play("7LC", "7LG:L 7GM:G 7MC:M 7LC:C")), "table") == [
        ["7LG:L", "7GM:G", "7MC:M", "7LC:C"]
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("7LG:L 7GM:G", "A run or a set has at least 3 cards. This meld is too small: 7L 7G."),
        ("7LG:L 8LG:L 9LG:L", "To activate a special rule, play a set"),
        ("7LG:L 7GM:G 7LC:C", "All cards of the set must come from your hand."),
        ("7LG:L 7GM:G hand-M-3:7", "All cards of the set must come from your hand."),
        ("7LG:G 7GM:G 7MC:M", "Each card of a set must be of a different material. This set has gem twice: 7G 7G 7M."),
    ],
)
def test_what_does_not_activate(words: str, sentence: str) -> None:
    state = position("7LG 7GM 7MC 8LG 9LG", "1LM", deck="2LM", worn=[{"hand": ["hand-M-3"]}, {}])
    assert refusal(state, {"activate": "mix", "set": words.split()}).startswith(sentence)


def test_a_rule_that_is_on_cannot_be_activated_again() -> None:
    state = position("7LG 7GM 7MC", "1LM", active=("loop",))
    move = {"activate": "loop", "set": ["7LG:L", "7GM:G", "7MC:M"]}
    assert refusal(state, move) == "The special rule “loop” is already active."
    assert expected(act(state, {**move, "activate": "cover"}), "active") == ["cover", "loop"]


def test_four_cards_activate_too_and_need_not_be_all() -> None:
    state = position("7LG 7GM 7MC 7LC", "1LM")
    four = {"activate": "cover", "set": ["7LG:L", "7GM:G", "7MC:M", "7LC:C"]}
    assert expected(act(state, four), "hand_sizes") == [0, 1]
    assert expected(act(state, {**four, "set": four["set"][:3]}), "hand_sizes") == [1, 1]
