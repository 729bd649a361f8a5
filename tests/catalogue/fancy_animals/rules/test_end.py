"""The bell, the last turns, the score and ties."""

from __future__ import annotations

import pytest

from games.rules.base import Outcome
from tests.catalogue.fancy_animals.rules.playing import DRAW, FANCY, PASS, act, expected, play, position, refusal

RUN = "3LG:G 4GM:G 5GC:G 6LG:G"
FIVE = f"{RUN} 7GM:G"
THREE_WORN = {"hand": ["hand-L-1"], "body": ["body-C-5"], "head": ["head-C-8"]}
CLAIM = play("7GM", FIVE, claim="feet-G-4")


def test_when_the_last_spot_is_filled_each_other_player_has_one_more_turn() -> None:
    state = position("7GM", "1LM", "1GC", table=RUN, deck="5LM 6LM 7LM", worn=[THREE_WORN, {}, {}])
    filled = act(state, CLAIM)
    assert expected(filled, "last_turns", "to_act", "over") == {"last_turns": [1, 2], "to_act": [1], "over": False}
    assert expected(act(filled, DRAW), "last_turns", "to_act") == {"last_turns": [2], "to_act": [2]}
    over = act(filled, DRAW, DRAW)
    assert expected(over, "last_turns", "to_act", "over", "deck_size") == {
        "last_turns": [],
        "to_act": [],
        "over": True,
        "deck_size": 1,
    }
    outcome = FANCY.outcome(over)
    assert outcome is not None
    assert outcome.scores == (1 + 5 + 8 + 4 + (1 + 2), 0, 0)


def test_a_pass_is_one_of_the_last_turns() -> None:
    state = position("7GM", "1LM", "1GC", table=RUN, worn=[THREE_WORN, {}, {}])
    assert expected(act(state, CLAIM, PASS), "last_turns", "over") == {"last_turns": [2], "over": False}
    assert expected(act(state, CLAIM, PASS, PASS), "last_turns", "over") == {"last_turns": [], "over": True}


def test_a_wrong_piece_on_the_last_spot_ends_the_game_too() -> None:
    worn = {"feet": ["feet-C-3"], "body": ["body-C-5"], "head": ["head-C-8"]}
    state = position("7GM", "1LM", table=RUN, worn=[worn, {}], deck="2LM")
    after = act(state, CLAIM)
    assert expected(after, "last_turns", "worn") == {"last_turns": [1], "worn": [{**worn, "hand": ["feet-G-4"]}, {}]}


def test_filling_a_spot_during_the_last_turns_changes_nothing() -> None:
    state = position("1LM", "7GM", "1GC", table=RUN, deck="2LM 3LM 9LM", worn=[{}, THREE_WORN, {}])
    after = act(state, "time-up", DRAW, CLAIM)
    assert expected(after, "last_turns", "to_act") == {"last_turns": [2], "to_act": [2]}
    assert expected(act(after, DRAW), "over") is True


def test_if_all_players_pass_in_succession_the_game_ends() -> None:
    state = position("6LC", "1LM", "1GC", table=RUN)
    assert expected(act(state, PASS, PASS), "over") is False
    over = act(state, PASS, PASS, PASS)
    assert expected(over, "over", "last_turns") == {"over": True, "last_turns": None}


def test_a_play_in_between_begins_the_count_of_passes_anew() -> None:
    state = position("2LG", "1LM", table=RUN)
    played = act(state, play("2LG", f"2LG:G {RUN}"))
    assert expected(act(played, PASS), "over") is False
    assert expected(act(played, PASS, PASS), "over") is True


def test_a_turn_that_ran_out_may_be_the_last_pass() -> None:
    assert expected(act(position("6LC", "1LM"), "turn", "turn"), "over") is True


def test_all_passing_ends_the_last_turns_as_well() -> None:
    state = position("6LC", "1LM", "1GC")
    over = act(state, PASS, PASS, "time-up", PASS)
    assert expected(over, "over", "last_turns") == {"over": True, "last_turns": []}


def test_the_bell_lets_everyone_have_one_more_turn_beginning_with_the_player_to_act() -> None:
    state = act(position("1LC", "1LM", "1GC", deck="2LM 3LM 4LM 5LM 6LM"), DRAW)
    rung = act(state, "time-up")
    assert expected(rung, "last_turns", "to_act", "over") == {"last_turns": [1, 2, 0], "to_act": [1], "over": False}
    assert expected(act(rung, DRAW, "time-up"), "last_turns") == [2, 0]
    assert expected(act(rung, DRAW, DRAW, DRAW), "over", "deck_size") == {"over": True, "deck_size": 1}


def test_a_bell_during_the_last_turns_changes_nothing() -> None:
    state = position("7GM", "1LM", "1GC", table=RUN, deck="5LM 6LM", worn=[THREE_WORN, {}, {}])
    filled = act(state, CLAIM)
    assert FANCY.on_clock(filled, {"clock": "time-up"}) == (filled, ())


@pytest.mark.parametrize(
    ("animal", "worn", "score"),
    [
        ("tiger", {}, 0),
        ("tiger", {"hand": ["hand-L-3"], "feet": ["feet-M-4"]}, 7),
        ("tiger", {"hand": ["hand-C-3"]}, 3 + 1),
        ("tiger", {"hand": ["hand-C-3"], "feet": ["feet-C-4"]}, 7 + 1 + 2),
        ("tiger", {"hand": ["hand-C-3"], "feet": ["feet-C-4"], "body": ["body-C-5"]}, 12 + 1 + 2 + 3),
        (
            "tiger",
            {"hand": ["hand-C-3"], "feet": ["feet-C-4"], "body": ["body-C-5"], "head": ["head-C-7"]},
            19 + 1 + 2 + 3 + 4,
        ),
        ("pig", {"hand": ["hand-G-3"]}, 4),
        ("fox", {"hand": ["hand-L-3"]}, 4),
        ("owl", {"hand": ["hand-M-3"]}, 4),
        ("owl", {"hand": ["hand-L-3"]}, 3),
        # a wrong spot
        ("tiger", {"hand": ["head-L-9"]}, 7),
        ("tiger", {"head": ["hand-L-1"]}, -1),
        ("tiger", {"head": ["hand-C-1"]}, -1 + 1),
        # covered: half, rounded up, never −2, for no bonus
        ("tiger", {"hand": ["hand-L-3", "hand-L-2"]}, 2 + 2),
        ("tiger", {"hand": ["head-L-9", "hand-L-2"]}, 5 + 2),
        ("tiger", {"hand": ["head-C-8", "feet-L-4", "hand-C-1"]}, 4 + 2 + 1 + 1),
    ],
)
def test_the_score(animal: str, worn: dict[str, list[str]], score: int) -> None:
    others = [other for other in ("tiger", "pig", "owl", "fox") if other != animal]
    state = position(
        "1LM",
        "1GC",
        worn=[worn, {}],
        animals=[animal, others[0]],
        clothing={"hand": [], "feet": [], "body": [], "head": []},
    )
    assert expected(state, "scores") == [score, 0]


@pytest.mark.parametrize(
    ("hands", "worn", "places"),
    [
        (("1LM", "1GC"), [{"hand": ["hand-L-2"]}, {"hand": ["hand-G-1"]}], (1, 2)),
        # equal: more favourite pieces, covered ones included (tiger: cloth, owl: metal)
        (("1LM", "11GC"), [{"hand": ["hand-C-1"]}, {"hand": ["hand-L-2"]}], (1, 2)),
        (("1LM", "11GC"), [{"hand": ["hand-C-2", "hand-L-1"]}, {"hand": ["hand-L-2"]}], (1, 2)),
        # equal: the higher sum of numbers left in hand
        (("1LM 5GC", "7GC"), [{"hand": ["hand-L-2"]}, {"hand": ["hand-G-2"]}], (2, 1)),
        # then shared
        (("2LM 5GC", "7GC"), [{"hand": ["hand-L-2"]}, {"hand": ["hand-G-2"]}], (1, 1)),
    ],
)
def test_highest_total_wins_and_ties(
    hands: tuple[str, str], worn: list[dict[str, list[str]]], places: tuple[int, int]
) -> None:
    nothing: dict[str, list[str]] = {"hand": [], "feet": [], "body": [], "head": []}
    over = act(position(*hands, worn=worn, clothing=nothing), PASS, PASS)
    outcome = FANCY.outcome(over)
    assert outcome is not None
    assert outcome.places == places


def test_equal_places_share_and_the_next_is_skipped() -> None:
    over = act(position("1LM", "1GC", "9LC"), PASS, PASS, PASS)
    assert FANCY.outcome(over) == Outcome((2, 2, 1), (0, 0, 0))


def test_other_clock_events_are_refused_and_all_after_the_end() -> None:
    over = act(position("1LM", "1GC"), PASS, PASS)
    assert refusal(over, PASS, seat=0) == "The game is over."
