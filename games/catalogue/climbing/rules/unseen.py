"""Another deal of the cards that a viewer does not see.

Respected is what the viewer saw: his hand, what was played and by whom, the sizes of the hands, his own
gifts, and that the cards he gave are still where he gave them unless that seat has played as many. Not
respected is what he might conclude from the rules of the exchange and from passes.
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
    hands = _deal_unseen(state, rng, pack=pack, known=_known_hands(state, seat, played))
    start = tuple(hand + gone for hand, gone in zip(hands, played, strict=True))
    gifts = tuple(_imagine_gift(gift, seat, deal.order, start) for gift in deal.gifts)
    evening = state.evening._replace(terms=state.evening.terms._replace(listed=()), chance=Chance(rng.randbytes(32)))
    return state._replace(evening=evening, deal=deal._replace(start=start, gifts=gifts), hands=hands)


def _known_hands(state: State, seat: Seat | None, played: Sequence[Hand]) -> list[Hand]:
    """By place, the cards that the viewer is sure of: his own, and gifts of his that cannot have been played yet."""
    deal = state.deal
    known = [hand if deal.order[place] == seat else 0 for place, hand in enumerate(state.hands)]
    for gift in deal.gifts:
        if gift.giver == seat:
            taker = deal.order.index(gift.taker)
            known[taker] = _without(gift.cards, played[taker])
    return known


def _without(hand: Hand, gone: Hand) -> Hand:
    """What surely remains of the hand when these cards, or equal ones, are gone."""
    left = list(cards.kinds(hand))
    for kind in cards.kinds(gone):
        if kind in left:
            left.remove(kind)
    return cards.gather(left)


def _deal_unseen(state: State, rng: random.Random, *, pack: Pack, known: Sequence[Hand]) -> tuple[Hand, ...]:
    pool = list(cards.kinds(sum(state.hands) - sum(known) + pack.whole - sum(state.deal.start)))
    rng.shuffle(pool)
    hands = []
    for hand, sure in zip(state.hands, known, strict=True):
        missing = cards.size(hand) - cards.size(sure)
        hands.append(sure + cards.gather(pool[:missing]))
        del pool[:missing]
    return tuple(hands)


def _imagine_gift(gift: Gift, seat: Seat | None, order: Sequence[Seat], start: Sequence[Hand]) -> Gift:
    """The viewer's own gifts as they were; of others' something that the taker held."""
    if seat in (gift.giver, gift.taker):
        return gift
    count = cards.size(gift.cards)
    taker = order.index(gift.taker)
    choose = cards.highest if taker < order.index(gift.giver) else cards.lowest
    return gift._replace(cards=choose(start[taker], count))
