"""animals-on-board.md: Start of a round; whose turn it is; how a round ends."""

from __future__ import annotations

import pytest

from games.rules.base import Config, IllegalMove
from tests.catalogue.animals_on_board.rules.positions import (
    NO_SEED,
    RULES,
    SPARE,
    begin_game,
    position,
    read_expected_keys,
    run,
)


def play_on(seats: int) -> dict[str, list[str]]:
    """The middle of round 1."""
    state = begin_game(seats)
    keeps = [f"{seat}: keep {RULES.view(state, seat)['drawn'][0]}" for seat in range(seats)]
    groups: dict[str, list[str]] = read_expected_keys(run(state, *keeps), "groups")
    return groups


@pytest.mark.parametrize(("seats", "face_up"), [(2, 8), (3, 10), (4, 12)])
def test_one_group_of_face_up_tiles_and_one_face_down(seats: int, face_up: int) -> None:
    groups = play_on(seats)
    assert list(groups) == ["1"]
    assert (len(groups["1"]), groups["1"].index("?")) == (face_up + 1, face_up)


def test_old_groups_are_pushed_together_by_number_then_come_new_tiles_and_a_face_down_one() -> None:
    state = position(
        ["", ""],
        ["fox-1 fox-2", "lion-1", "tiger-1 ?", "panda-1"],
        crates=[1, 2],
        face_down="rhino-5",
        stack="zebra-1 zebra-2 zebra-3 zebra-4 zebra-5",
    )
    state = run(state, "0: take 2", "1: take 3")
    wanted = ["fox-1", "fox-2", "panda-1", "zebra-1", "zebra-2", "zebra-3", "zebra-4", "zebra-5"]
    assert read_expected_keys(state, "groups", "face_down", "stack_size") == {
        "groups": {"1": wanted},
        "face_down": None,
        "stack_size": 0,
    }


def test_the_old_face_down_tile_stays_where_it_lies() -> None:
    middle = ["fox-1 ? fox-2 fox-3 fox-4 fox-5 lion-2", "lion-1", "tiger-1"]
    state = position(["", ""], middle, face_down="rhino-5", stack="zebra-1 zebra-2 zebra-3")
    state = run(state, "0: take 2", "1: take 3")
    assert read_expected_keys(state, "groups", "face_down", "stack_size") == {
        "groups": {"1": ["fox-1", "?", "fox-2", "fox-3", "fox-4", "fox-5", "lion-2", "zebra-1", "zebra-2"]},
        "face_down": "rhino-5",
        "stack_size": 1,
    }


def test_if_the_stack_runs_dry_what_there_is_is_laid_out_face_up_first() -> None:
    state = position(["", ""], ["fox-1", "lion-1", "tiger-1 tiger-2"], stack="zebra-1 zebra-2")
    state = run(state, "0: take 1", "1: take 2")
    assert read_expected_keys(state, "groups", "stack_size") == {
        "groups": {"1": ["tiger-1", "tiger-2", "zebra-1", "zebra-2"]},
        "stack_size": 0,
    }


def test_if_the_middle_is_still_empty_the_game_ends() -> None:
    state = run(position(["", ""], ["fox-1", "lion-3"], stack=""), "0: take 1", "1: take 2")
    assert read_expected_keys(state, "over", "round", "to_act") == {"over": True, "round": 1, "to_act": []}
    assert RULES.outcome(state) == ((2, 1), (1, 3))


def test_nobody_knows_the_face_down_tile_but_who_takes_it() -> None:
    state = position(["", "", ""], ["fox-1 ?", "lion-1"], crates=[2, 1, 1], face_down="rhino-5")
    for seat in (None, 0, 1, 2):
        assert "rhino-5" not in str(RULES.view(state, seat))
    taken, events = RULES.apply(state, 0, {"take": 1})
    assert RULES.view(taken, 0)["ark"] == ["fox-1", "rhino-5"]
    for seat in (None, 1, 2):
        assert "rhino-5" not in str(RULES.view(taken, seat))
    assert [event.to for event in events if "rhino-5" in str(event.data)] == [(0,)]


def test_own_tiles_are_hidden_until_the_end_their_number_and_the_crates_are_not() -> None:
    state = position(["fox-1 lion-2", "tiger-4"], ["panda-1"], crates=[3, 0])
    view = RULES.view(state, 1)
    assert (view["tile_counts"], view["crates"], view["ark"], view["loads"]) == ([2, 1], [3, 0], ["tiger-4"], None)
    assert "fox-1" not in str(view)
    spectator = RULES.view(state, None)
    assert (spectator["ark"], spectator["load"]) == (None, None)


def test_what_others_took_is_not_told_again() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1 panda-1"]), "0: take 1")
    assert "fox-1" not in str(RULES.view(state, 1))
    assert RULES.view(state, 0)["ark"] == ["fox-1"]


def test_turns_go_clockwise_and_leave_out_who_has_dropped_out() -> None:
    state = position(["", "", ""], ["fox-1", "lion-1 panda-1 panda-2 panda-3"], to_act=1, start=1)
    state = run(state, "1: take 1")
    assert read_expected_keys(state, "to_act") == [2]
    state = run(state, "2: split 2 lion-1")
    assert read_expected_keys(state, "to_act") == [0]
    assert read_expected_keys(run(state, "0: split 2 panda-1"), "to_act") == [2]


def test_only_the_seat_to_act_moves() -> None:
    state = position(["", ""], ["fox-1", "lion-1 panda-1"])
    with pytest.raises(IllegalMove, match="It is not your turn"):
        RULES.apply(state, 1, {"take": 1})


def test_the_first_to_drop_out_gets_the_flag_and_begins_the_next_round() -> None:
    state = position(["", "", ""], ["fox-1", "lion-1", "panda-1", "tiger-2"], to_act=1)
    state = run(state, "1: take 1")
    assert read_expected_keys(state, "flag", "dropped") == {"flag": 1, "dropped": [1]}
    state = run(state, "2: take 2")
    assert read_expected_keys(state, "flag", "dropped") == {"flag": 1, "dropped": [1, 2]}
    state = run(state, "0: take 3")
    assert read_expected_keys(state, "round", "to_act", "dropped", "flag") == {
        "round": 2,
        "to_act": [1],
        "dropped": [],
        "flag": 1,
    }


def test_the_last_player_gets_exactly_one_more_turn_to_split() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1 panda-1"]), "0: take 1")
    assert read_expected_keys(state, "to_act", "round") == {"to_act": [1], "round": 1}
    state = run(state, "1: split 2 lion-1")
    assert read_expected_keys(state, "round", "crates") == {"round": 2, "crates": [0, 2]}


def test_the_last_player_gets_exactly_one_more_turn_to_take() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1", "panda-1"]), "0: take 1", "1: take 2")
    assert read_expected_keys(state, "round", "arks") == {"round": 2, "arks": {"0": ["fox-1"], "1": ["lion-1"]}}


def test_the_last_player_gets_exactly_one_more_turn_to_forfeit() -> None:
    state = run(position(["", ""], ["fox-1", "lion-1"], crates=[1, 0]), "0: take 1", "1: forfeit")
    assert read_expected_keys(state, "round", "crates", "over") == {"round": 2, "crates": [0, 0], "over": False}


def test_a_round_that_begins_with_one_player_in_it_has_one_turn() -> None:
    state = position(["", "fox-5"], ["fox-1 lion-1"], in_round=[0])
    assert read_expected_keys(state, "dropped") == [1]
    assert read_expected_keys(run(state, "0: split 1 fox-1"), "round") == 2


def test_if_everybody_forfeits_one_after_the_other_the_round_ends() -> None:
    state = position(["", "", ""], ["fox-1", "lion-1"], crates=[0, 0, 0])
    state = run(state, "0: forfeit", "1: forfeit")
    assert read_expected_keys(state, "round", "to_act") == {"round": 1, "to_act": [2]}
    state = run(state, "2: forfeit")
    assert read_expected_keys(state, "round", "to_act", "flag", "over") == {
        "round": 2,
        "to_act": [0],
        "flag": 0,
        "over": False,
    }
    assert read_expected_keys(state, "groups")["1"][:3] == ["fox-1", "lion-1", "zebra-1"]


def test_if_nobody_dropped_out_the_flag_stays_where_it_is() -> None:
    state = position(["", ""], ["fox-1"], crates=[0, 0], start=1, to_act=0)
    assert read_expected_keys(run(state, "0: forfeit", "1: forfeit"), "flag", "to_act") == {"flag": 1, "to_act": [1]}


def test_forfeits_count_only_one_after_the_other() -> None:
    state = position(["", "", ""], ["fox-1", "lion-1"], crates=[0, 1, 0])
    state = run(state, "0: forfeit", "1: take 1", "2: forfeit")
    assert read_expected_keys(state, "round", "to_act") == {"round": 1, "to_act": [0]}


def test_if_all_forfeit_and_nothing_can_come_the_game_ends() -> None:
    state = position(["fox-2", "lion-4"], ["fox-1"], crates=[0, 0], stack="")
    state = run(state, "0: forfeit", "1: forfeit")
    assert read_expected_keys(state, "over", "scores", "groups") == {
        "over": True,
        "scores": [2, 4],
        "groups": {"1": ["fox-1"]},
    }


def test_if_something_was_laid_out_at_its_start_one_more_round_is_played() -> None:
    state = position(["", ""], ["fox-1"], crates=[0, 0], stack="lion-1")
    state = run(state, "0: forfeit", "1: forfeit")
    assert read_expected_keys(state, "round", "over", "groups") == {
        "round": 2,
        "over": False,
        "groups": {"1": ["fox-1", "lion-1"]},
    }


def test_what_was_laid_out_keeps_the_game_going_for_one_round_only() -> None:
    state = run(position(["", ""], [], crates=[0, 0], stack="lion-1"), "0: forfeit", "1: forfeit")
    assert read_expected_keys(state, "round", "groups", "stack_size") == {
        "round": 2,
        "groups": {"1": ["lion-1"]},
        "stack_size": 0,
    }
    state = run(state, "0: forfeit")
    assert read_expected_keys(state, "round", "to_act", "over") == {"round": 2, "to_act": [1], "over": False}
    state = run(state, "1: forfeit")
    assert read_expected_keys(state, "round", "over") == {"round": 3, "over": False}
    assert read_expected_keys(run(state, "0: forfeit", "1: forfeit"), "round", "over") == {"round": 3, "over": True}


def test_enough_tiles_lie_face_up_so_only_one_face_down_is_added() -> None:
    eight = "fox-1 fox-2 fox-3 fox-4 lion-1 lion-2 lion-3 lion-4"
    state = position(["", ""], [eight, "tiger-1"], stack="zebra-1 zebra-2 zebra-3")
    state = run(state, "0: take 2", "1: split 1 fox-1")
    assert read_expected_keys(state, "round", "groups", "face_down", "stack_size") == {
        "round": 2,
        "groups": {"1": [*eight.split()[1:], "fox-1", "?"]},
        "face_down": "zebra-1",
        "stack_size": 2,
    }
    assert state.round.is_laid


def test_the_stack_is_drawn_from_where_the_round_before_has_left_it() -> None:
    state = position(["", ""], ["fox-1", "lion-1"], stack=[*SPARE, "tiger-1", "tiger-2", "tiger-3", "tiger-4", "fox-5"])
    state = run(state, "0: take 1", "1: take 2")
    assert read_expected_keys(state, "groups", "face_down") == {
        "groups": {"1": [*SPARE, "tiger-1", "tiger-2", "tiger-3", "?"]},
        "face_down": "tiger-4",
    }
    state = run(state, "0: split 1 ?", "1: split 1 zebra-1", "0: take 2", "1: split 1 zebra-2")
    assert read_expected_keys(state, "round", "arks", "face_down", "stack_size") == {
        "round": 3,
        "arks": {"0": ["fox-1", "tiger-4"], "1": ["lion-1"]},
        "face_down": "fox-5",
        "stack_size": 0,
    }


def test_everybody_is_in_the_new_round() -> None:
    state = position(["", "", ""], ["fox-1", "lion-1", "panda-1"], stack=SPARE)
    state = run(state, "0: take 1", "1: take 2", "2: take 3")
    assert (RULES.view(state, None)["in_round"], read_expected_keys(state, "dropped")) == ([0, 1, 2], [])
    state = run(state, "0: split 1 zebra-1", "1: split 1 zebra-2")
    assert read_expected_keys(state, "to_act", "groups") == {
        "to_act": [2],
        "groups": {"1": ["zebra-3", "zebra-4", "zebra-5"], "2": ["zebra-1"], "3": ["zebra-2"]},
    }


def test_numbers_of_groups_are_those_of_the_round() -> None:
    state = position(["", ""], ["fox-1 fox-2 fox-3 fox-4"])
    state = run(state, "0: split 1 fox-4", "1: take 2", "0: split 1 fox-1 fox-2")
    assert read_expected_keys(state, "round", "groups")["round"] == 2
    assert list(read_expected_keys(state, "groups")) == ["1"]


def test_a_number_that_was_used_is_not_used_again() -> None:
    state = position(["", "", ""], ["fox-1 fox-2 fox-3 fox-4"])
    state = run(state, "0: split 1 fox-4", "1: take 2", "2: split 1 fox-1")
    assert read_expected_keys(state, "groups") == {"1": ["fox-2", "fox-3"], "3": ["fox-1"]}


def test_a_later_position_may_say_which_round_it_is_and_who_dropped_out_in_which_order() -> None:
    state = position(["", "", ""], ["fox-1"], round=6, in_round=[1], dropped=[2, 0], to_act=1)
    assert read_expected_keys(state, "round", "dropped", "to_act") == {"round": 6, "dropped": [2, 0], "to_act": [1]}
    assert RULES.setup_of(state)["dropped"] == [2, 0]
    again = RULES.start(Config(3, {}, RULES.setup_of(state)), NO_SEED)
    assert RULES.expected(again) == RULES.expected(state)
