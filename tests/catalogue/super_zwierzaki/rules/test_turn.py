"""Setup, a turn, points and forced turns."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from games.rules.base import BadSetup, Config
from games.rules.chance import Chance
from tests.catalogue.super_zwierzaki.rules.playing import (
    given,
    hands,
    kinds,
    make_state,
    points,
    read_keys,
    refusal,
    run,
    run_events,
)

SEED = Chance(bytes(range(32)))


def test_everybody_gets_five_cards_and_one_is_turned_up() -> None:
    state = RULES.start(Config(4), SEED)
    assert read_keys(state, "hand_sizes", "draw_size", "phase") == [[5, 5, 5, 5], 537 - 21, "turn"]
    assert read_keys(state, "counters", "duel", "must_call") == [
        dict.fromkeys(("red", "orc", "stop", "demand"), 0),
        None,
        [],
    ]


@pytest.mark.parametrize("seats", [1, 9])
def test_it_is_for_two_to_eight(seats: int) -> None:
    with pytest.raises(BadSetup, match="This game is for 2 to 8 players"):
        RULES.start(Config(seats), SEED)


def test_player_numbers_are_drawn_and_number_0_starts() -> None:
    orders = [read_keys(RULES.start(Config(5), Chance(bytes([n]) * 32)), "order") for n in range(6)]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders)
    assert len({tuple(order) for order in orders}) > 3
    state = RULES.start(Config(5), SEED)
    first, second = read_keys(state, "order")[:2]
    assert read_keys(state, "to_act") == [first]
    assert read_keys(run(state, f"{first}: draw"), "to_act") == [second]


def test_the_function_of_the_first_card_does_nothing() -> None:
    state = make_state("26", "1", top="25")
    assert (points(state), given(state), read_keys(state, "phase")) == ("", "R reptile", "turn")


def test_a_first_card_of_every_colour_gives_all() -> None:
    state = make_state("3 97", "1", top="4")
    assert [len(values) for values in read_keys(state, "given").values()] == [9, 19]
    assert read_keys(run(state, "0: play 97"), "top") == "97"


@pytest.mark.parametrize(("card", "why"), [("38", "colour"), ("3", "class"), ("4", "every colour")])
def test_a_play_shares_a_given_colour_or_class(card: str, why: str) -> None:
    state = run(make_state(f"{card} 1 1", "1 1"), f"0: play {card}")
    assert read_keys(state, "top") == card


def test_another_card_is_refused_and_so_is_one_that_is_not_held() -> None:
    state = make_state("1 38", "1 1")
    assert refusal(state, "0: play 1") == "A card must match the given colour or the given class."
    assert refusal(state, "0: play 39") == "You do not have that many of this card."
    assert refusal(state, "0: play 38 x2") == "You do not have that many of this card."
    assert refusal(state, "1: play 1") == "It is not your turn."


def test_the_last_card_played_gives_colour_and_class() -> None:
    assert given(run(make_state("38 1", "1 1"), "0: play 38")) == "DB bird"


def test_identical_cards_go_together() -> None:
    state = run(make_state("38 38 38 1", "1 1"), "0: play 38 x3", "reaction")
    assert (hands(state)[0], read_keys(state, "top"), bytes(state.heap)) == ("1", "38", bytes([40, 38, 38]))


def test_drawing_is_a_turn_and_the_drawn_card_cannot_be_played_in_it() -> None:
    state = run(make_state("1", "1", draw="38 39"), "0: draw")
    assert (hands(state)[0], read_keys(state, "to_act")) == ("1 38", [1])


def test_nobody_says_i_am_done() -> None:
    state = run(make_state("38 1 1", "1 1"), "0: play 38")
    assert read_keys(state, "phase", "to_act") == ["turn", [1]]


def test_red_is_answered_by_a_red_an_all_a_teal_or_by_taking_the_cards() -> None:
    state = make_state("25 4 107 1 38", "1 1", top="26", counters={"red": 4})
    assert points(run(state, "0: play 25", "reaction")) == "red 6"
    assert points(run(state, "0: play 4", "reaction")) == ""
    assert points(run(state, "0: play 107", "reaction")) == ""
    taken = run(state, "0: accept")
    assert (points(taken), read_keys(taken, "hand_sizes", "to_act")) == ("", [[9, 2], [1]])
    assert refusal(state, "0: draw") == "You cannot draw now. Play a card that changes the points, or accept them."
    assert refusal(state, "0: play 38").startswith("This card does not change the points on the table")


@pytest.mark.parametrize(
    ("top", "fits", "counters"),
    [("26", "71", {"red": 2}), ("51", "68", {"orc": 3}), ("22", "9", {"stop": 1})],
)
def test_a_card_that_matches_but_does_not_change_the_counter_is_refused(
    top: str, fits: str, counters: dict[str, int]
) -> None:
    assert read_keys(run(make_state(f"{fits} 1 1", "1 1", top=top), f"0: play {fits}"), "top") == fits
    state = make_state(f"{fits} 107 1", "1 1", top=top, counters=counters)
    assert refusal(state, f"0: play {fits}").startswith("This card does not change the points on the table")
    assert RULES.view(state, 0)["mine"]["plays"] == {"107": 1}


@pytest.mark.parametrize(("counters", "kind"), [({"orc": 3}, "51"), ({"stop": 1}, "22")])
def test_orc_and_stop_still_have_to_match_as_well(counters: dict[str, int], kind: str) -> None:
    state = make_state(f"{kind} 1", "1 1", top="40", counters=counters)
    assert refusal(state, f"0: play {kind}").startswith("This card does not change the points on the table")


@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ({"red": 2}, ("drew", 0, {"count": 2, "why": "red"})),
        ({"orc": 3}, ("drew", 0, {"count": 3, "why": "orc"})),
        ({"stop": 3}, ("loses_turns", 0, {"count": 2})),
    ],
)
def test_what_is_accepted_is_told(counters: dict[str, int], expected: tuple[str, int, dict[str, Any]]) -> None:
    assert run_events(make_state("1 1", "1 3", counters=counters), "0: accept")[1][0][:3] == expected


def test_who_could_answer_red_may_take_the_cards_all_the_same() -> None:
    assert read_keys(run(make_state("25", "1 1", top="26", counters={"red": 2}), "0: accept"), "hand_sizes") == [3, 2]


def test_a_red_still_has_to_match() -> None:
    state = make_state("25 1", "1 1", top="40", counters={"red": 2})
    assert refusal(state, "0: play 25").startswith("This card does not change the points on the table")


def test_orc_must_be_answered_if_it_can_be() -> None:
    state = make_state("51 1", "1 1", top="49", counters={"orc": 3})
    assert refusal(state, "0: accept") == "You have a card that changes the points, so you must play it."
    assert points(run(state, "0: play 51", "reaction")) == "orc 6"
    assert refusal(make_state("107 1", "1 1", counters={"orc": 3}), "0: accept").startswith("You have a card")


def test_who_cannot_answer_orc_draws_that_many() -> None:
    state = run(make_state("51 4 1", "1 1", top="40", counters={"orc": 3}), "0: accept")
    assert (points(state), read_keys(state, "hand_sizes", "to_act")) == ("", [[6, 2], [1]])


@pytest.mark.parametrize("counter", ["orc", "stop"])
def test_a_teal_answers_them_and_so_must_be_played(counter: str) -> None:
    state = make_state("107 1", "1 1", counters={counter: 3})
    assert refusal(state, "0: accept").startswith("You have a card")
    assert points(run(state, "0: play 107", "reaction")) == ""


def test_stop_must_be_answered_if_it_can_be() -> None:
    state = make_state("22 1", "1 1", top="88", counters={"stop": 2})
    assert refusal(state, "0: accept").startswith("You have a card")
    assert points(run(state, "0: play 22", "reaction")) == "stop 3"


def test_who_cannot_answer_stop_loses_that_many_turns_this_one_counted() -> None:
    state = run(make_state("1 1", "1 3", "3 5", counters={"stop": 3}), "0: accept")
    assert (points(state), read_keys(state, "lost_turns", "to_act")) == ("", [[2, 0, 0], [1]])
    once, events = run_events(state, "1: draw", "2: draw")
    assert read_keys(once, "lost_turns", "to_act") == [[1, 0, 0], [1]]
    assert events[-1][:3] == ("empty_turn", 0, {"left": 1})
    twice = run(once, "1: draw", "2: draw", "1: draw", "2: draw")
    assert read_keys(twice, "lost_turns", "to_act") == [[0, 0, 0], [0]]


def test_stop_of_one_costs_this_turn_only() -> None:
    assert read_keys(run(make_state("1 1", "1 3", counters={"stop": 1}), "0: accept"), "lost_turns", "to_act") == [
        [0, 0],
        [1],
    ]


def test_nothing_forces_an_empty_turn() -> None:
    state = make_state("1 1", "1 3", "3 5", counters={"red": 4}, lost_turns=[1, 0, 0])
    assert (points(state), read_keys(state, "to_act", "hand_sizes", "lost_turns")) == (
        "red 4",
        [[1], [2, 2, 2], [0, 0, 0]],
    )


def test_under_a_demand_only_the_kind_another_demand_or_a_teal_or_a_card_drawn() -> None:
    setup: dict[str, Any] = {"counters": {"demand": 1}, "demand": {"named": "97", "by": 2}}
    state = make_state("97 14 107 38 1", "1 1", "3 3", top="40", **setup)
    assert read_keys(state, "named") == "97"
    assert read_keys(run(state, "0: play 97"), "top", "named") == ["97", "97"]
    assert read_keys(run(state, "0: play 14"), "phase") == "reaction"
    assert points(run(state, "0: play 107", "reaction")) == ""
    assert read_keys(run(state, "0: draw"), "hand_sizes", "named") == [[6, 2, 2], "97"]
    assert refusal(state, "0: play 38").startswith("You can only play the demanded animal")
    assert refusal(state, "0: accept") == "There are no points to accept."


def test_a_demand_runs_out_at_the_next_turn_of_who_named_if_nobody_added_to_it() -> None:
    setup: dict[str, Any] = {"counters": {"demand": 1}, "demand": {"named": "97", "by": 1}}
    state, events = run_events(make_state("1 1", "3 3", "1", **setup), "0: draw")
    assert (points(state), read_keys(state, "named"), kinds(events)[-1]) == ("", None, "expired")


def test_a_demand_that_has_grown_goes_on_under_the_new_name() -> None:
    state = make_state("14 1 1", "17 1 1", "5 5 5", top="54")
    state = run(state, "0: play 14", "reaction", "0: name 1", "1: play 17", "reaction", "1: name 3")
    assert (points(state), read_keys(state, "named")) == ("demand 2", "3")
    state = run(state, "2: draw")
    assert (points(state), read_keys(state, "to_act")) == ("demand 2", [0])
    state = run(state, "0: draw")
    assert (points(state), read_keys(state, "named")) == ("", None)


def test_an_empty_turn_counts_for_the_demand() -> None:
    setup: dict[str, Any] = {
        "counters": {"demand": 1},
        "demand": {"named": "97", "by": 1},
        "lost_turns": [0, 1, 0],
    }
    state = run(make_state("1 1", "3 3", "5 5", **setup), "0: draw")
    assert (points(state), read_keys(state, "to_act")) == ("", [2])


def test_a_setup_with_two_counters_is_invalid() -> None:
    with pytest.raises(BadSetup, match="Only one counter may be above zero"):
        make_state("1", "1", counters={"red": 1, "stop": 1})


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"counters": {"red": 1000}}, "“counters” must be an object"),
        ({"counters": {"blue": 1}}, "“counters” must be an object"),
        ({"counters": {"demand": 1}}, "“demand” must be an object"),
        (
            {"counters": {"demand": 1}, "demand": {"named": "25", "by": 0}},
            "Only a kind without a function",
        ),
        ({"counters": {"demand": 1}, "demand": {"named": "1", "by": 2}}, "There is no seat 2"),
        ({"demand": {"named": "1", "by": 0}}, "“demand” must be an object"),
        ({"lost_turns": [1]}, "“lost_turns” must be a list of 2 whole numbers"),
        ({"order": [0, 0]}, "“order” must contain each number from 0 to 1 exactly once"),
        ({"top": ["19"]}, "“top” contains a card that is not in this game"),
        ({"heap": "12"}, "“heap” must be a list of cards."),
        ({"heap": ["72"]}, "“heap” contains a card that is not in this game"),
        ({"heap": ["61", "61", "61"]}, "“setup” contains too many of card 61. The deck has only 2."),
        ({"tea": 1}, "“setup” has no key “tea”"),
    ],
)
def test_other_setups_that_are_invalid(setup: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup) as caught:
        make_state("1", "1", **setup)
    assert str(caught.value).startswith(sentence)


def test_what_a_setup_leaves_out_comes_from_the_seed_without_what_it_names() -> None:
    state = RULES.start(Config(2, {}, {"hands": [["107"] * 5, ["61", "61"]]}), SEED)
    assert read_keys(state, "hand_sizes", "draw_size") == [[5, 2], 537 - 8]
    assert not {61, 107} & {*state.pile, state.top}
    named = RULES.start(Config(2, {}, {"draw": ["1"], "top": "3"}), SEED)
    assert read_keys(named, "hand_sizes", "draw_size", "top") == [[5, 5], 1, "3"]


def test_when_the_draw_pile_is_empty_the_heap_but_its_top_card_is_shuffled() -> None:
    state = make_state("1", "1", draw="", heap=["38", "39", "41"])
    drawn, events = run_events(state, "0: draw", supply=[("draw", ["41", "38", "39"])])
    assert [event[:3] for event in events][:2] == [
        ("reshuffled", None, {"count": 3}),
        ("drew", 0, {"count": 1, "why": "draw"}),
    ]
    assert (hands(drawn)[0], read_keys(drawn, "draw_size", "top")) == ("1 41", [2, "40"])
    assert RULES.chance(drawn).drawn == (("draw", ["41", "38", "39"]),)
    with pytest.raises(BadSetup, match="exactly the cards of the heap"):
        run(state, "0: draw", supply=[("draw", ["41", "38"])])


def test_a_reshuffle_and_a_half_come_from_streams_of_their_own_counted_from_one() -> None:
    """docs/fair-deals.md: so that another program deals the same cards."""
    setup: dict[str, Any] = {"hands": [["53"] * 4 + ["1"], ["3", "5", "6", "8"]], "top": "49", "draw": []}
    state = RULES.start(Config(2, {}, {**setup, "order": [0, 1], "heap": ["9", "10", "11"]}), SEED)
    drawn: list[tuple[str, Any]] = []
    for turn in ("0: play 53 x2", "reaction", "0: sigma 0 1 from 1 to 0", "1: draw", "0: play 53 x2"):
        state = run(state, turn)
        drawn += RULES.chance(state).drawn
        state = RULES.settle(state)
    state = run(state, "reaction", "0: sigma 0 1 from 0 to 1", "1: draw", "0: draw", "1: draw", "0: draw")
    drawn += RULES.chance(state).drawn
    first = SEED.stream("half", 1).shuffled([3, 5, 6, 8])[:2]
    heap = SEED.stream("draw", 1).shuffled(sorted([49, 53, 9, 10, 11]))
    rest = sorted([1, *first])
    second = SEED.stream("half", 2).shuffled(rest)[:2]
    assert [name for name, _ in drawn][:3] == ["half", "draw", "half"]
    assert [value for _, value in drawn][:3] == [
        [str(kind) for kind in sorted(first)],
        [str(kind) for kind in heap],
        [str(kind) for kind in sorted(second)],
    ]


def test_what_is_missing_comes_from_the_new_pile_and_no_more() -> None:
    state = make_state("1", "1", draw="38", counters={"red": 3}, heap=["39", "41", "42", "43"])
    after = run(state, "0: accept", supply=[("draw", ["41", "39", "43", "42"])])
    assert (hands(after)[0], read_keys(after, "draw_size"), bytes(after.pile), after.heap) == (
        "1 38 39 41",
        2,
        bytes([43, 42]),
        b"",
    )


def test_as_many_are_drawn_as_there_are() -> None:
    state = make_state("1", "1", draw="38", counters={"red": 9}, heap=["39"])
    assert hands(run(state, "0: accept"))[0] == "1 38 39"
    assert hands(run(make_state("1", "1", draw=""), "0: draw"))[0] == "1"
