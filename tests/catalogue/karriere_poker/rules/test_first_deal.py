"""karriere-poker.md: Components; First deal."""

from __future__ import annotations

from collections import Counter

import pytest

from games.catalogue.climbing.rules.cards import write_words
from games.catalogue.climbing.rules.state import Terms
from games.catalogue.karriere_poker.rules import KarrierePoker
from games.rules.base import Config
from games.rules.chance import Chance
from tests.catalogue.climbing.rules.playouts import play_until_deal
from tests.rules.playing import KARRIERE, SEED, expected, karriere, run


@pytest.mark.parametrize(("seats", "jokers"), [(4, 2), (5, 2), (6, 3), (7, 3), (8, 4)])
def test_components_are_a_set_for_each_player_and_jokers(seats: int, jokers: int) -> None:
    pack = KarrierePoker().pack(Terms(seats, 3, None, (), lazy=False, listed=()))
    counts = Counter(write_words(pack.whole, "J"))
    assert counts == {**{str(number): seats for number in range(1, 14)}, "J": jokers}


@pytest.mark.parametrize("seats", [4, 5, 6, 7, 8])
def test_everyone_gets_thirteen_cards_and_the_rest_lies_out(seats: int) -> None:
    assert expected(KARRIERE, KARRIERE.start(Config(seats), SEED), "hand_sizes") == [13] * seats


@pytest.mark.parametrize("seats", [4, 5, 6, 7, 8])
def test_no_card_is_dealt_twice(seats: int) -> None:
    state = KARRIERE.start(Config(seats), SEED)
    dealt = Counter(card for hand in expected(KARRIERE, state, "hands").values() for card in hand)
    pack = KarrierePoker().pack(state.progress.terms)
    assert not dealt - Counter(write_words(pack.whole, "J"))


def test_the_dealer_is_drawn_and_sits_last_with_the_others_in_turn() -> None:
    orders = {tuple(expected(KARRIERE, KARRIERE.start(Config(4), Chance(bytes([n] * 32))), "order")) for n in range(40)}
    assert orders == {(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}


def test_the_first_seat_of_order_leads() -> None:
    state = KARRIERE.start(Config(5), SEED)
    assert KARRIERE.to_act(state) == (expected(KARRIERE, state, "order")[0],)


def test_there_are_no_positions_and_no_exchange() -> None:
    state = KARRIERE.start(Config(5), SEED)
    view = KARRIERE.view(state, None)
    assert (expected(KARRIERE, state, "positions"), view["exchanges"]) == (None, [])


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    first = expected(KARRIERE, KARRIERE.start(Config(5), SEED), "hands")
    assert expected(KARRIERE, KARRIERE.start(Config(5), SEED), "hands") == first
    assert expected(KARRIERE, KARRIERE.start(Config(5), Chance(bytes(32))), "hands") != first


def test_the_order_of_seats_stands_in_for_the_rank() -> None:
    state = karriere("1 1", "2 2", "9", "3 3", order=[3, 0, 2, 1])
    state = run(KARRIERE, state, "3: 3", "0: pass", "2: 9", "1: pass", "3: pass", "0: pass")
    assert KARRIERE.to_act(state) == (0,)


def test_the_cards_left_over_are_back_in_the_second_deal() -> None:
    state = play_until_deal(KARRIERE, KARRIERE.start(Config(6), SEED), 2)
    assert sum(expected(KARRIERE, state, "hand_sizes")) == 6 * 13 + 3
