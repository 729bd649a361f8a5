"""animal-poker.md: End of the game; Notation."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.animal_poker.rules import AnimalPoker
from games.catalogue.climbing.rules.state import State
from games.rules.base import BadSetup, Config, IllegalMove, Outcome
from games.rules.chance import NoChance
from tests.rules.playing import ANIMAL, NO_SEED, SEED, animal, expected, refusal, run

SESSION = ("0: 5 5 5", "1: pass", "2: pass", "3: pass", "3: 1 1", "1: 8 8", "2: 9 9")


def short(options: dict[str, Any]) -> State:
    """A session that SESSION ends with the jobs as they were; later ones come from the seed."""
    state = animal("1 1 1", "9 9", "8 8", "5 5 5", options=options)
    return state._replace(progress=state.progress._replace(chance=SEED))


def test_half_an_hour_is_the_default() -> None:
    assert [wait.seconds for wait in ANIMAL.deadlines(short({}))] == [None, 1800.0]


def test_a_number_of_sessions_replaces_the_default() -> None:
    assert [wait.seconds for wait in ANIMAL.deadlines(short({"sessions": 2}))] == [None]


def test_the_game_is_over_after_the_number_of_sessions() -> None:
    assert ANIMAL.outcome(run(ANIMAL, short({"sessions": 1}), *SESSION)) == Outcome((1, 2, 3, 4), None)


def test_both_may_be_set_and_the_first_ends_the_evening() -> None:
    both = {"sessions": 2, "minutes": 10}
    assert expected(ANIMAL, run(ANIMAL, short(both), *SESSION), "session", "over") == {"session": 2, "over": False}
    assert expected(ANIMAL, run(ANIMAL, short(both), "time-up", *SESSION), "over") is True


def test_the_bell_changes_nothing_until_the_session_ends() -> None:
    before = short({})
    after = run(ANIMAL, before, "time-up")
    assert ANIMAL.expected(after) == ANIMAL.expected(before)
    assert expected(ANIMAL, run(ANIMAL, after, *SESSION), "over") is True


def test_the_bell_after_a_session_lets_the_new_one_be_played() -> None:
    state = run(ANIMAL, short({}), *SESSION, "time-up")
    assert expected(ANIMAL, state, "session", "over") == {"session": 2, "over": False}


def test_places_are_the_jobs_of_the_last_session() -> None:
    assert AnimalPoker().places(((1, 2, 3, 4), (1, 2, 3, 4), (4, 3, 1, 2))) == (4, 3, 1, 2)


def test_the_history_keeps_every_job_in_every_session() -> None:
    state = run(ANIMAL, short({}), *SESSION)
    assert ANIMAL.view(state, 0)["past"] == [{"deal": 1, "ranks": [1, 2, 3, 4]}]


def test_there_are_no_scores() -> None:
    state = short({})
    assert "scores" not in ANIMAL.expected(state)
    assert ANIMAL.view(state, 0)["scores"] is None


def test_the_starter_whose_turn_ran_out_plays_their_lowest_single_card() -> None:
    assert expected(ANIMAL, run(ANIMAL, animal("9 9 9 7", "2 2", "2 2", "4 4 8"), "turn"), "table") == ["4"]


def test_the_starter_who_has_freelancers_only_plays_one() -> None:
    assert expected(ANIMAL, run(ANIMAL, animal("1 1 1", "2 2", "2 2", "F F F"), "turn"), "table") == ["F"]


def test_anyone_else_whose_turn_ran_out_passes() -> None:
    state = run(ANIMAL, short({}), "0: 5", "turn")
    assert (ANIMAL.view(state, None)["passed"], ANIMAL.view(state, None)["done"]) == ([1], [0, 1])


def test_everything_is_refused_after_the_end() -> None:
    state = run(ANIMAL, short({"sessions": 1}), *SESSION)
    for turn in ("3: 1", "3: pass", "turn", "time-up"):
        assert refusal(ANIMAL, state, turn) == "The game is over."


def test_expectations_have_the_words_of_this_game() -> None:
    assert set(ANIMAL.expected(short({}))) == {
        "session", "order", "jobs", "to_act", "table", "table_number", "hands", "hand_sizes", "out", "over",
    }  # fmt: skip


def test_the_order_may_be_left_out_or_must_agree_with_the_jobs() -> None:
    assert expected(ANIMAL, ANIMAL.start(Config(4, {}, {"jobs": [2, 1, 4, 3]}), SEED), "order") == [1, 0, 3, 2]
    with pytest.raises(BadSetup, match="“order” and “jobs” do not match"):
        ANIMAL.start(Config(4, {}, {"jobs": [2, 1, 4, 3], "order": [0, 1, 2, 3]}), SEED)


def test_an_order_alone_says_who_holds_which_job() -> None:
    assert expected(ANIMAL, ANIMAL.start(Config(4, {}, {"order": [1, 0, 3, 2]}), SEED), "jobs") == [2, 1, 4, 3]


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"positions": [1, 2, 3, 4]}, "no key “positions”. It can have: order, jobs, sessions"),
        ({"deals": []}, "no key “deals”"),
        ({"jobs": [1, 2, 3]}, "“jobs” must contain each number from 1 to 4 exactly once"),
        ({"sessions": [{"hands": [["J"], ["2"], ["3"], ["4"]]}]}, "“J” is not a card of this game"),
    ],
)
def test_an_impossible_setup_is_invalid(setup: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        ANIMAL.start(Config(4, {}, setup), SEED)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": 2}, "no option “deals”. This game has: minutes, sessions, lazy"),
        ({"sessions": 0}, "“sessions” must be a whole number from 1"),
        ({"lazy": 1}, "“lazy” must be true or false"),
        ({"lazy": "true"}, "“lazy” must be true or false"),
    ],
)
def test_an_impossible_option_is_invalid(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        ANIMAL.check_options(4, options)


def test_a_flag_that_is_false_is_not_set() -> None:
    plain, false = (ANIMAL.start(Config(4, options), SEED) for options in ({}, {"lazy": False}))
    assert ANIMAL.expected(plain) == ANIMAL.expected(false)


def test_a_joker_of_the_sister_game_is_no_card_here() -> None:
    with pytest.raises(IllegalMove, match="“J” is not a card of this game"):
        ANIMAL.apply(short({}), 0, {"play": ["J"]})


def test_jobs_come_from_the_seed_unless_set_up() -> None:
    with pytest.raises(NoChance):
        ANIMAL.start(Config(4), NO_SEED)
