"""karriere-poker.md: Every later deal."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.base import BadSetup, Config
from tests.catalogue.climbing.rules.playouts import play_until_deal
from tests.rules.playing import KARRIERE, NO_SEED, SEED, expected, karriere, run, split


def exchanged(state: Any) -> list[tuple[int, int, int]]:
    """(giver, taker, count) of all gifts."""
    return [(gift["giver"], gift["taker"], gift["count"]) for gift in KARRIERE.view(state, None)["exchanges"]]


def test_the_others_sit_clockwise_from_the_boss_in_falling_rank() -> None:
    state = karriere("6 6", "7 7", "8 8", "9 9", "10 10", ranks=[4, 2, 5, 1, 3])
    assert expected(KARRIERE, state, "order") == [3, 1, 4, 0, 2]


def test_ranks_won_in_a_deal_are_positions_and_seating_of_the_next() -> None:
    state = karriere("5", "9", "7", "2 3", options={"deals": 2})
    state = KARRIERE.supply(state, [("hands", split(["1 2", "3 4", "5 6", "7 8"]))])
    state = run(KARRIERE, state, "0: 5", "1: 9", "2: pass", "3: pass", "2: 7")
    assert expected(KARRIERE, state, "deal", "order", "positions", "to_act") == {
        "deal": 2,
        "order": [0, 1, 2, 3],
        "positions": [1, 2, 3, 4],
        "to_act": [0],
    }


def test_the_boss_leads() -> None:
    assert KARRIERE.to_act(karriere("6 6", "7 7", "8 8", "9 9", ranks=[4, 2, 1, 3])) == (2,)


@pytest.mark.parametrize(("seats", "extra"), [(4, 2), (5, 2), (6, 3), (7, 3), (8, 4)])
def test_the_dishwasher_keeps_the_extra_cards(seats: int, extra: int) -> None:
    state = play_until_deal(KARRIERE, KARRIERE.start(Config(seats), SEED), 2)
    by_rank = [expected(KARRIERE, state, "hand_sizes")[seat] for seat in state.deal.order]
    assert by_rank == [13] * (seats - 1) + [13 + extra]


@pytest.mark.parametrize(
    ("seats", "pairs"),
    [
        (4, {(1, 4): 2, (2, 3): 1}),
        (5, {(1, 5): 2, (2, 4): 1}),
        (6, {(1, 6): 3, (2, 5): 2, (3, 4): 1}),
        (7, {(1, 7): 3, (2, 6): 2, (3, 5): 1}),
        (8, {(1, 8): 4, (2, 7): 3, (3, 6): 2, (4, 5): 1}),
    ],
)
def test_pairs_of_the_class_privilege(seats: int, pairs: dict[tuple[int, int], int]) -> None:
    state = play_until_deal(KARRIERE, KARRIERE.start(Config(seats), SEED), 2)
    rank = {seat: place + 1 for place, seat in enumerate(state.deal.order)}
    both_ways = {**pairs, **{(lower, upper): count for (upper, lower), count in pairs.items()}}
    assert {(rank[giver], rank[taker]): count for giver, taker, count in exchanged(state)} == both_ways


def test_the_lower_gives_their_highest_jokers_above_all_and_the_higher_their_lowest() -> None:
    state = karriere("1 2 13", "4 5", "6 7", "3 13 J", ranks=[1, 2, 3, 4])
    assert expected(KARRIERE, state, "hands") == {
        "0": ["13", "13", "J"],
        "1": ["5", "7"],
        "2": ["4", "6"],
        "3": ["1", "2", "3"],
    }


def test_gifts_are_from_the_hands_as_dealt_not_from_what_was_just_received() -> None:
    state = karriere("13 J", "4 5", "6 7", "1 2", ranks=[1, 2, 3, 4])
    assert expected(KARRIERE, state, "hands")["0"] == ["1", "2"]


def test_every_player_is_shown_exactly_what_they_gave_and_got() -> None:
    state = karriere("1 2 13", "4 5", "6 7", "3 13 J", ranks=[1, 2, 3, 4])
    assert KARRIERE.view(state, 3)["exchanges"] == [
        {"giver": 3, "taker": 0, "count": 2, "cards": ["13", "J"]},
        {"giver": 0, "taker": 3, "count": 2, "cards": ["1", "2"]},
        {"giver": 2, "taker": 1, "count": 1, "cards": None},
        {"giver": 1, "taker": 2, "count": 1, "cards": None},
    ]


def test_all_are_shown_which_players_exchanged_cards() -> None:
    state = karriere("1 2 13", "4 5", "6 7", "3 13 J", ranks=[1, 2, 3, 4])
    assert exchanged(state) == [(3, 0, 2), (0, 3, 2), (2, 1, 1), (1, 2, 1)]
    assert [gift["cards"] for gift in KARRIERE.view(state, None)["exchanges"]] == [None] * 4


def test_a_hand_too_small_for_the_exchange_is_invalid() -> None:
    with pytest.raises(BadSetup, match=r"Seat 3 has too few cards for the exchange\. It needs at least 2"):
        karriere("1 2", "3", "4", "5", ranks=[1, 2, 3, 4])


def test_the_third_of_five_exchanges_nothing() -> None:
    state = karriere("1 2", "3 4", "5 6", "7 8", "9 10", ranks=[1, 2, 3, 4, 5])
    assert expected(KARRIERE, state, "hands")["2"] == ["5", "6"]


def test_positions_in_a_setup_make_deal_one_a_later_deal() -> None:
    setup = {"positions": [2, 1, 4, 3]}
    state = KARRIERE.start(Config(4, {}, setup), SEED)
    assert expected(KARRIERE, state, "deal", "order", "hand_sizes") == {
        "deal": 1,
        "order": [1, 0, 3, 2],
        "hand_sizes": [13, 13, 15, 13],
    }
    assert len(exchanged(state)) == 4


def test_a_deal_that_is_listed_in_the_setup_is_used_for_its_number() -> None:
    deals = [{"hands": split(["5", "9", "7", "2 3"])}, {"hands": split(["1 2", "3 4", "5 6", "7 8"])}]
    state = KARRIERE.start(Config(4, {}, {"order": [0, 1, 2, 3], "deals": deals}), NO_SEED)
    state = run(KARRIERE, state, "0: 5", "1: 9", "2: pass", "3: pass", "2: 7")
    assert expected(KARRIERE, state, "hands") == {"0": ["7", "8"], "1": ["4", "6"], "2": ["3", "5"], "3": ["1", "2"]}
