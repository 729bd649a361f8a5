"""The legal moves against a slow account of the rules that shares nothing with the engine."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue.climbing.rules.state import State
from games.rules.base import IllegalMove, Move
from tests.rules.playing import ANIMAL, KARRIERE, animal, karriere

DECK = [*(str(number) for number in range(1, 14)), *(str(number) for number in range(1, 14)), "J", "J"]
HANDS = st.permutations(DECK).map(lambda deck: (deck[:7], deck[7:]))


def rank_of(cards: list[str]) -> int:
    """The number of a play: 14 for jokers alone, 0 for cards that are no play."""
    numbers = {card for card in cards if card != "J"}
    return 14 if not numbers else int(numbers.pop()) if len(numbers) == 1 else 0


def plays_by_hand(hand: list[str], table: list[str], *, jokers_beat_jokers: bool) -> set[str]:
    """All plays that beat these cards, as sorted words in a row. table: empty for a leader."""
    found = set()
    for count in [len(table)] if table else range(1, len(hand) + 1):
        for chosen in combinations(hand, count):
            rank, to_beat = rank_of(list(chosen)), rank_of(table) if table else 0
            if rank > to_beat or (rank == to_beat == 14 and jokers_beat_jokers):
                found.add(" ".join(sorted(chosen)))
    return found


def plays_of(moves: list[Move]) -> list[str]:
    """The listed plays in the same form."""
    return [" ".join(sorted(move["play"])).replace("F", "J") for move in moves if "play" in move]


@settings(max_examples=150, deadline=None)
@given(hands=HANDS, data=st.data())
def test_karriere_poker_lists_what_the_rules_allow(hands: tuple[list[str], list[str]], data: st.DataObject) -> None:
    hand, rest = hands
    state = karriere(" ".join(rest), " ".join(hand), "4", "5")
    leads = list(KARRIERE.legal_moves(state, 0) or ())
    assert sorted(plays_of(leads)) == sorted(plays_by_hand_of_many(rest))
    lead = data.draw(st.sampled_from(leads))
    state, _ = KARRIERE.apply(state, 0, lead)
    follows = list(KARRIERE.legal_moves(state, 1) or ())
    assert sorted(plays_of(follows)) == sorted(plays_by_hand(hand, lead["play"], jokers_beat_jokers=True))
    assert {"pass": True} in follows
    refuse_all_others(state, hand, follows)


def plays_by_hand_of_many(hand: list[str]) -> set[str]:
    """All plays of a leader with many cards: counts of each number with counts of jokers."""
    jokers = hand.count("J")
    found = {" ".join(["J"] * used) for used in range(1, jokers + 1)}
    for number in set(hand) - {"J"}:
        for naturals in range(1, hand.count(number) + 1):
            found |= {" ".join([number] * naturals + ["J"] * used) for used in range(jokers + 1)}
    return found


def refuse_all_others(state: State, hand: list[str], legal: list[Move]) -> None:
    """Every other choice of up to four cards, held or not, is refused."""
    allowed = plays_of(legal)
    for count in range(1, 5):
        for chosen in {tuple(sorted(cards)) for cards in combinations([*hand, "13", "J"], count)}:
            if " ".join(chosen) not in allowed:
                with pytest.raises(IllegalMove):
                    KARRIERE.check(state, 1, {"play": list(chosen)})


@settings(max_examples=100, deadline=None)
@given(hands=HANDS, data=st.data())
def test_animal_poker_lists_what_the_rules_allow(hands: tuple[list[str], list[str]], data: st.DataObject) -> None:
    hand, rest = ([card.replace("J", "F") for card in some] for some in hands)
    first = animal(" ".join(["1", "1", *hand]), "3 3", "4 4", " ".join(["13", "13", *rest]))
    held = [card.replace("F", "J") for card in ANIMAL.view(first, 0)["hand"]]
    leads = list(ANIMAL.legal_moves(first, 0) or ())
    assert sorted(plays_of(leads)) == sorted(plays_by_hand(held, [], jokers_beat_jokers=False))
    lead = data.draw(st.sampled_from(leads))
    state, _ = ANIMAL.apply(first, 0, lead)
    for seat in (1, 2):
        state, _ = ANIMAL.apply(state, seat, {"pass": True})
    follower = [card.replace("F", "J") for card in ANIMAL.view(state, 3)["hand"]]
    table = [card.replace("F", "J") for card in lead["play"]]
    follows = list(ANIMAL.legal_moves(state, 3) or ())
    assert set(plays_of(follows)) == plays_by_hand(follower, table, jokers_beat_jokers=False)
    assert {"pass": True} in follows
