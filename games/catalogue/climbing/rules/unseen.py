"""Deals the cards that a viewer does not see anew.

Respected is what the viewer saw: their hand, who played what, the sizes of the hands, their own gifts, and that
the cards they gave are still there unless that seat has played as many. Not respected is what they might conclude
from the rules of the exchange and from passes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import Hand, Pack
from games.catalogue.climbing.rules.state import Gift, State
from games.rules.base import Seat
from games.rules.chance import Chance


def reshuffle(state: State, seat: Seat | None, rng: random.Random, pack: Pack) -> State:
    """A state with the same view: other cards in hidden hands and out of the deal, another seed for later deals."""
    deal = state.deal
    played = [start - hand for start, hand in zip(deal.start, state.hands, strict=True)]
    hands = _deal_unseen(state, rng, pack=pack, certain=_list_certain_cards(state, seat, played))
    start = tuple(hand + gone for hand, gone in zip(hands, played, strict=True))
    gifts = tuple(_invent_gift(gift, seat, deal.order, start) for gift in deal.gifts)
    progress = state.progress._replace(terms=state.progress.terms._replace(listed=()), chance=Chance(rng.randbytes(32)))
    return state._replace(progress=progress, deal=deal._replace(start=start, gifts=gifts), hands=hands)


def _list_certain_cards(state: State, seat: Seat | None, played: Sequence[Hand]) -> list[Hand]:
    """By place, the cards that the viewer is sure of: their own, and their gifts that cannot have been played yet."""
    deal = state.deal
    certain = [hand if deal.order[place] == seat else 0 for place, hand in enumerate(state.hands)]
    for gift in deal.gifts:
        if gift.giver == seat:
            taker = deal.order.index(gift.taker)
            certain[taker] = _subtract_hand(gift.cards, played[taker])
    return certain


def _subtract_hand(hand: Hand, gone: Hand) -> Hand:
    """What surely remains of the hand when these cards, or equal ones, are gone."""
    left = list(cards.list_kinds(hand))
    for kind in cards.list_kinds(gone):
        if kind in left:
            left.remove(kind)
    return cards.pack_hand(left)


def _deal_unseen(state: State, rng: random.Random, *, pack: Pack, certain: Sequence[Hand]) -> tuple[Hand, ...]:
    pool = list(cards.list_kinds(sum(state.hands) - sum(certain) + pack.whole - sum(state.deal.start)))
    rng.shuffle(pool)
    hands = []
    for hand, sure in zip(state.hands, certain, strict=True):
        missing = cards.count_cards(hand) - cards.count_cards(sure)
        hands.append(sure + cards.pack_hand(pool[:missing]))
        del pool[:missing]
    return tuple(hands)


def _invent_gift(gift: Gift, seat: Seat | None, order: Sequence[Seat], start: Sequence[Hand]) -> Gift:
    """The viewer's own gifts as they were; of others' something that the taker held."""
    if seat in (gift.giver, gift.taker):
        return gift
    count = cards.count_cards(gift.cards)
    taker = order.index(gift.taker)
    choose = cards.take_highest if taker < order.index(gift.giver) else cards.take_lowest
    return gift._replace(cards=choose(start[taker], count))
