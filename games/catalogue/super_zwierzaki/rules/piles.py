"""Moves cards: onto the heap, under its top card, from the draw pile, from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.catalogue.super_zwierzaki.rules.kinds import (
    FUNCTIONS,
    KINDS,
    NUMBERS,
    ONE,
    WORDS,
    Hand,
    count_cards,
    list_cards,
    pack_hand,
    write_words,
)
from games.catalogue.super_zwierzaki.rules.state import Draft
from games.rules.base import BadSetup, Seat

DRAW_PILE = "draw"
"""Name of a supplied draw pile, and stream of a reshuffle, counted from 1."""
RANDOM_HALF = "half"
"""Name of a supplied half of a hand, and stream of it, counted from 1."""


def play_to_heap(draft: Draft, seat: Seat, kind: int, count: int = 1) -> None:
    """Cards of one kind from the hand onto the heap; the last one gives colour and class."""
    draft.set_hand(seat, draft.hands[seat] - count * ONE[kind])
    draft.heap += bytes((draft.top, *(kind,) * (count - 1)))
    draft.top = kind
    _, _, _, _, draft.colour, draft.group, _ = KINDS[kind]


def put_under_heap(draft: Draft, seat: Seat, gone: Hand) -> None:
    """Cards from the hand under the heap's top card."""
    draft.set_hand(seat, draft.hands[seat] - gone)
    draft.heap += bytes(list_cards(gone))
    count = count_cards(gone)
    draft.emit("discarded", seat, {"count": count})
    draft.emit("buried", seat, {"cards": write_words(gone)}, (seat,))


def give_cards(draft: Draft, giver: Seat, taker: Seat, gift: Hand) -> None:
    """Cards from hand to hand; only the two see them."""
    draft.set_hand(giver, draft.hands[giver] - gift)
    draft.set_hand(taker, draft.hands[taker] + gift)
    draft.emit("gave", giver, {"to": taker, "count": count_cards(gift)})
    draft.emit("gift", giver, {"to": taker, "cards": write_words(gift)}, tuple(sorted((giver, taker))))


def draw_cards(draft: Draft, seat: Seat, count: int, why: str) -> None:
    """Draw this many cards, or as many as there are. An empty draw pile is reshuffled. Raises NoChance."""
    taken = draft.pile[:count]
    draft.pile = draft.pile[count:]
    while len(taken) < count and draft.heap:
        _reshuffle(draft)
        missing = count - len(taken)
        taken += draft.pile[:missing]
        draft.pile = draft.pile[missing:]
    if len(taken) == 1:
        draft.set_hand(seat, draft.hands[seat] + ONE[taken[0]])
    elif taken:
        draft.set_hand(seat, draft.hands[seat] + pack_hand(taken))
    draft.emit("drew", seat, {"count": len(taken), "why": why})
    if taken:
        draft.emit("drawn", seat, {"cards": [WORDS[kind] for kind in sorted(taken)]}, (seat,))


def _reshuffle(draft: Draft) -> None:
    """The heap but its top card becomes the draw pile. Raises NoChance, BadSetup."""
    heap, draft.heap = draft.heap, b""
    draft.shuffles += 1
    chance = draft.chance
    if chance.is_supplied(DRAW_PILE):
        value, chance = chance.take()
        pile = bytes(read_cards(value, DRAW_PILE))
        if sorted(pile) != sorted(heap):
            raise BadSetup("“draw” must contain exactly the cards of the heap under its top card.")
    else:
        pile = heap if len(heap) == 1 else bytes(chance.stream(DRAW_PILE, draft.shuffles).shuffled(sorted(heap)))
    draft.pile = pile
    draft.chance = chance.note(DRAW_PILE, [WORDS[kind] for kind in pile])
    draft.emit("reshuffled", None, {"count": len(pile)})


def choose_half(draft: Draft, seat: Seat) -> Hand:
    """Half of the hand, by chance. Raises NoChance, BadSetup."""
    hand = draft.hands[seat]
    draft.halves += 1
    count = (count_cards(hand) + 1) // 2
    chance = draft.chance
    if chance.is_supplied(RANDOM_HALF):
        value, chance = chance.take()
        half = pack_hand(read_cards(value, RANDOM_HALF))
        if count_cards(half) != count or not holds_cards(hand, half):
            raise BadSetup("“half” must contain half of the hand, rounded up. Cards: %(count)s.", count=count)
    elif count == count_cards(hand):  # one card, or none
        return hand
    else:
        half = pack_hand(chance.stream(RANDOM_HALF, draft.halves).shuffled(list_cards(hand))[:count])
    draft.chance = chance.note(RANDOM_HALF, write_words(half))
    return half


def holds_cards(hand: Hand, some: Hand) -> bool:
    """Whether all these cards are in the hand."""
    return all(hand >> 4 * kind & 15 >= some >> 4 * kind & 15 for kind in set(list_cards(some)))


def read_cards(value: Any, name: str) -> list[int]:
    """The kinds of a list of words. Raises BadSetup."""
    if not isinstance(value, list | tuple):
        raise BadSetup("“%(name)s” must be a list of cards.", name=name)
    return [read_card(word, name) for word in value]


def read_card(word: Any, name: str) -> int:
    """The kind of a word. Raises BadSetup."""
    number = NUMBERS.get(word) if isinstance(word, str) else None
    if number is None:
        raise BadSetup("“%(name)s” contains a card that is not in this game.", name=name)
    return number


def find_excess_kind(found: Sequence[int]) -> int | None:
    """A kind of which there are more cards than in the deck; None if there is none."""
    tally = [0] * len(FUNCTIONS)
    for kind in found:
        tally[kind] += 1
    return next((kind for kind, count in enumerate(tally) if count and count > KINDS[kind].copies), None)
