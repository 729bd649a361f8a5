"""The fourteen functions, and the combinations on top of them."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.kinds import KINDS
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import BadSetup
from games.rules.chance import NoChance
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


def played(hand: str, count: int = 1, *others: str, top: str | None = None) -> State:
    """The position after the first card of a hand was played so many times and nobody reacted."""
    card = hand.split(maxsplit=1)[0]
    state = make_state(hand, *(others or ("1 1 3", "5 5")), top=top or _matching(card))
    return run(state, f"0: play {card} x{count}", "reaction")


def _matching(card: str) -> str:
    """Another kind, without a function, that shares a colour with this one."""
    colour = KINDS[int(card)].colour
    return next(
        (kind.word for kind in KINDS.values() if kind.colour == colour and not kind.function and kind.word != card),
        "40" if colour == "ALL" else "97",
    )


@pytest.mark.parametrize("card", [kind.word for kind in KINDS.values() if kind.function == "Red"])
def test_red_adds_two_for_each_copy(card: str) -> None:
    top = "1" if KINDS[int(card)].group == "reptile" else "4"
    assert points(run(make_state(f"{card} {card} 1 1", "1 1", top=top), f"0: play {card}", "reaction")) == "red 2"
    two = run(make_state(f"{card} {card} 1 1", "1 1", top=top), f"0: play {card} x2", "reaction", "0: decline")
    assert points(two) == "red 4"


def test_orc_adds_three_for_each_copy_and_may_name_a_colour() -> None:
    state = played("51 1 1")
    assert (points(state), read_keys(state, "phase", "to_act")) == ("orc 3", ["colour", [0]])
    assert given(run(state, "0: colour DB")) == "DB sea"
    assert given(run(state, "0: decline")) == "V sea"
    assert points(played("51 51 1 1", 2)) == "orc 6"


def test_all_takes_the_red_points_away() -> None:
    state = run(make_state("4 1 1", "1 1", top="25", counters={"red": 6}), "0: play 4", "reaction")
    assert (points(state), len(read_keys(state, "given")["colours"]), read_keys(state, "to_act")) == ("", 9, [1])
    assert read_keys(played("78 1 1"), "phase", "to_act") == ["turn", [1]]


def test_pol_may_put_half_of_the_hand_under_the_top_card() -> None:
    state = played("66 1 1 3 5 5")
    assert read_keys(state, "phase", "to_act") == ["discard", [0]]
    after = run(state, "0: discard 1 5 5")
    assert (hands(after)[0], read_keys(after, "top"), bytes(after.heap)[-3:]) == ("1 3", "66", bytes([1, 5, 5]))
    assert hands(run(state, "0: decline"))[0] == "1 1 3 5 5"
    assert refusal(state, "0: discard 1 5") == "Choose exactly 3 of your cards."
    assert refusal(state, "0: discard 1 5 6") == "You do not have all of these cards."
    assert refusal(state, "0: discard 3 3 1") == "You do not have all of these cards."


def test_half_of_one_card_is_one_and_half_of_none_is_not_asked() -> None:
    state = run(played("66 1"), "0: discard 1")
    assert (hands(state)[0], read_keys(state, "phase")) == ("", "win")
    assert read_keys(played("66"), "phase") == "win"


def test_kaz_may_give_half_of_the_hand_to_another_player() -> None:
    state = played("33 1 3 5", 1, "1 1", "6")
    assert read_keys(state, "phase", "to_act") == ["give", [0]]
    assert hands(run(state, "0: give 1 5 to 2")) == ["3", "1 1", "1 5 6"]
    assert hands(run(state, "0: decline"))[0] == "1 3 5"
    assert refusal(state, "0: give 1 5 to 0") == "Give the cards to another player."
    assert refusal(state, "0: give 1 5 to 3") == "There is no seat 3."
    assert refusal(state, "0: give 1 to 1") == "Choose exactly 2 of your cards."


def test_war_must_choose_two_players_who_swap_hands() -> None:
    state = played("53 1", 1, "3 3", "5 5 5")
    assert read_keys(state, "phase", "to_act") == ["swap", [0]]
    assert hands(run(state, "0: swap 0 2")) == ["5 5 5", "3 3", "1"]
    assert hands(run(state, "0: swap 2 1")) == ["1", "5 5 5", "3 3"]
    assert refusal(state, "0: decline") == "This choice cannot be declined."
    assert refusal(state, "0: swap 1 1") == "Choose two different players to swap hands."


def test_cch_may_name_a_new_given_colour_and_the_class_stays() -> None:
    state = played("99 1 1")
    assert given(run(state, "0: colour Y")) == "Y hoofed"
    assert given(run(state, "0: decline")) == "P hoofed"
    assert refusal(state, "0: colour ALL") == "The colour must be one of: DB, DG, LB, LG, O, P, R, V, Y."


def test_mch_reverses_the_playing_order() -> None:
    state = make_state("93 1 1", "1 1", "3 3", "5 5", top="88", order=[0, 2, 1, 3])
    assert read_keys(state, "order") == [0, 2, 1, 3]
    after, events = run_events(state, "0: play 93", "reaction")
    assert read_keys(after, "order", "to_act") == [[3, 1, 2, 0], [3]]
    assert events[0][:3] == ("reversed", 0, {"order": [0, 3, 1, 2]})


def test_mch_twice_in_one_play_takes_effect_once() -> None:
    state = run(make_state("93 93 1 1", "1 1", "3 3", top="88"), "0: play 93 x2", "reaction", "0: decline")
    assert read_keys(state, "order") == [2, 1, 0]


def test_dem_names_a_kind_without_a_function() -> None:
    state = played("14 1 1")
    assert read_keys(state, "phase", "named") == ["name", None]
    after = run(state, "0: name 97")
    assert (points(after), read_keys(after, "named")) == ("demand 1", "97")
    assert refusal(state, "0: name 25") == "Only an animal without a function can be demanded."
    assert refusal(state, "0: decline") == "This choice cannot be declined."
    assert points(run(played("17 17 1 1", 2), "0: name 97", "0: decline")) == "demand 2"


def test_stp_adds_one_for_each_copy() -> None:
    assert points(played("22 1 1")) == "stop 1"
    assert points(run(played("59 59 1 1", 2), "0: decline")) == "stop 2"
    assert points(run(played("83 83 83 1 1", 3), "0: decline")) == "stop 3"


def test_dzi_does_nothing_in_turn_but_opens_a_window() -> None:
    state = make_state("24 1 1", "1 1", top="16")
    assert read_keys(run(state, "0: play 24"), "phase") == "reaction"
    after = run(state, "0: play 24", "reaction")
    assert (read_keys(after, "to_act", "top"), points(after)) == ([[1], "24"], "")


def test_cyr_zeroes_all_counters_and_need_not_match() -> None:
    named: dict[str, Any] = {"demand": {"named": "97", "by": 1}}
    for name in ("red", "orc", "stop", "demand"):
        more = named if name == "demand" else {}
        state = make_state("107 1 1", "1 1", "3 3", top="40", counters={name: 3}, **more)
        after = run(state, "0: play 107", "reaction")
        assert (points(after), read_keys(after, "named", "to_act")) == ("", [None, [1]])
    assert given(run(make_state("107 1 1", "1 1", top="40"), "0: play 107", "reaction")) == "P bird"


def test_two_may_put_one_more_card_under_the_top_card() -> None:
    state = played("38 38 1 3", 2)
    assert read_keys(state, "phase", "to_act") == ["discard", [0]]
    assert hands(run(state, "0: discard 3"))[0] == "1"
    assert hands(run(state, "0: decline"))[0] == "1 3"


def test_three_is_as_pol_four_as_kaz_five_all_but_one() -> None:
    three = played("38 38 38 1 3 5", 3)
    assert (read_keys(three, "phase"), three.need) == ("discard", 2)
    four = played("38 38 38 38 1 3 5", 4)
    assert (read_keys(four, "phase"), four.need) == ("give", 2)
    five = played("38 38 38 38 38 1 3 5 6", 5)
    assert (read_keys(five, "phase"), five.need) == ("discard", 3)
    assert hands(run(five, "0: discard 1 3 6"))[0] == "5"


def test_five_with_one_card_left_asks_nothing() -> None:
    assert read_keys(played("38 38 38 38 38 1", 5), "phase", "to_act") == ["turn", [1]]


def test_combinations_come_on_top_of_the_function_and_after_it() -> None:
    state = played("99 99 1 1", 2)
    assert read_keys(state, "phase") == "colour"
    state = run(state, "0: colour V")
    assert (read_keys(state, "phase"), given(state)) == ("discard", "V hoofed")
    assert read_keys(run(state, "0: discard 1"), "phase", "to_act") == ["turn", [1]]


def test_half_counts_when_it_is_asked() -> None:
    """Three Nosacz cannot be: there are two; three Kazuar give half, then put half of the rest under."""
    state = played("33 33 33 1 3 5 6 8", 3, "1", "1")
    assert state.need == 3
    state = run(state, "0: give 1 3 5 to 1")
    assert (read_keys(state, "phase"), state.need) == ("discard", 1)


def test_two_waran_permute_hands_after_a_random_half_went_over() -> None:
    state = played("53 53 1", 2, "3 5 6", "8")
    assert read_keys(state, "phase", "to_act") == ["sigma", [0]]
    after, events = run_events(state, "0: sigma 1 2 0 from 1 to 2", supply=[("half", ["3", "6"])])
    assert hands(after) == ["3 6 8", "1", "5"]
    assert RULES.chance(after).drawn == (("half", ["3", "6"]),)
    assert kinds(events)[:3] == ["permuted", "gave", "gift"]
    assert (events[0].data["count"], events[2].to) == (2, (1, 2))
    assert read_keys(after, "phase", "to_act") == ["turn", [1]]


def test_two_waran_ask_neither_for_a_swap_nor_for_a_card() -> None:
    state = run(played("53 53 1 3", 2, "5", "6"), "0: sigma 0 1 2 from 1 to 2")
    assert (hands(state), read_keys(state, "phase")) == (["1 3", "", "5 6"], "win")


def test_three_waran_swap_and_are_as_pol() -> None:
    state = run(played("53 53 53 1 3", 3, "5", "6 6 6"), "0: swap 0 2")
    assert (read_keys(state, "phase"), state.need) == ("discard", 2)


def test_a_half_that_is_no_half_or_left_to_no_chance_is_refused() -> None:
    state = played("53 53 1", 2, "3 5 6", "8")
    with pytest.raises(BadSetup, match="rounded up"):
        run(state, "0: sigma 1 2 0 from 1 to 2", supply=[("half", ["3"])])
    with pytest.raises(BadSetup, match="rounded up"):
        run(state, "0: sigma 1 2 0 from 1 to 2", supply=[("half", ["8", "3"])])
    with pytest.raises(NoChance):
        run(state, "0: sigma 1 2 0 from 1 to 2")


def test_half_of_one_card_or_of_none_needs_no_chance_and_may_be_supplied_all_the_same() -> None:
    state = played("53 53 1", 2, "3", "")
    one, none = "0: sigma 0 1 2 from 1 to 0", "0: sigma 0 1 2 from 2 to 0"
    assert hands(run(state, one)) == hands(run(state, one, supply=[("half", ["3"])])) == ["1 3", "", ""]
    assert hands(run(state, none)) == hands(run(state, none, supply=[("half", [])])) == ["1", "3", ""]
    assert RULES.chance(run(state, one)).drawn == RULES.chance(run(state, none)).drawn == ()


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("sigma 1 1 0 from 0 to 1", "“sigma” must list every seat once"),
        ("sigma 1 2 from 0 to 1", "“sigma” must list every seat once"),
        ("sigma 1 2 0 from 1 to 1", "“from” and “to” must be two different players."),
        ("sigma 1 2 0 from 1", "There is no seat None."),
        ("sigma 1 2 3 from 1 to 2", "There is no seat 3."),
        ("swap 0 1", "This move is not possible now."),
    ],
)
def test_a_permutation_names_everybody_once(move: str, sentence: str) -> None:
    assert refusal(played("53 53 1", 2, "3 5 6", "8"), f"0: {move}").startswith(sentence)


def test_what_the_animals_do_is_told() -> None:
    orc = run_events(make_state("51 51 1 1", "1 1", top="49"), "0: play 51 x2", "reaction")
    colour = run_events(orc[0], "0: colour DB")
    left = run_events(colour[0], "0: decline")
    named = run_events(played("14 1 1"), "0: name 97")
    red = run_events(make_state("4 1 1", "1 1", top="25", counters={"red": 6}), "0: play 4", "reaction")
    none = run_events(make_state("4 1 1", "1 1", top="25"), "0: play 4", "reaction")
    swapped = run_events(played("53 1", 1, "3 3", "5"), "0: swap 0 2")
    assert [[event[:3] for event in events] for _, events in (orc, colour, left, named, red, none, swapped)] == [
        [("counter", 0, {"name": "orc", "value": 6})],
        [("colour", 0, {"colour": "DB"})],
        [("declined", 0, {"what": "discard"})],
        [("named", 0, {"card": "97"}), ("counter", 0, {"name": "demand", "value": 1})],
        [("counter", 0, {"name": "red", "value": 0})],
        [],
        [("swapped", 0, {"seats": [0, 2]})],
    ]


def test_half_of_no_hand_is_given_by_nobody() -> None:
    events = run_events(played("53 53 1", 2, "", "5 6"), "0: sigma 0 1 2 from 1 to 2")[1]
    assert [event[:3] for event in events][:2] == [
        ("permuted", 0, {"sigma": [0, 1, 2], "giver": 1, "taker": 2, "count": 0}),
        ("win_window", 1, {}),
    ]


def test_where_there_is_nothing_to_choose_from_nothing_is_asked() -> None:
    assert read_keys(played("33"), "phase") == "win"
    assert read_keys(played("38 38", 2), "phase") == "win"


def test_a_single_possibility_is_asked() -> None:
    assert read_keys(played("38 38 1", 2), "phase", "to_act") == ["discard", [0]]
