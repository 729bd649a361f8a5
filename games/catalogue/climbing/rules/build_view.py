"""Builds the view of each seat, and the expectations of records. A view is constructed, never cut from the state."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import Pack
from games.catalogue.climbing.rules.setup import RecordKeys
from games.catalogue.climbing.rules.state import OVER, Gift, State, list_led, list_places, list_refused, rank_seats
from games.catalogue.climbing.rules.view import ClimbingView, Exchange, FinishedDeal, PackView
from games.rules.base import Outcome, Seat


def build_spectator_view(
    state: State,
    *,
    game: str,
    wild: str,
    can_name_jokers: bool,
    one_turn: bool,
    scores: tuple[int, ...] | None,
    is_last: bool,
    outcome: Outcome | None,
    pack: Pack,
) -> ClimbingView:
    """The view of a spectator: what everybody may know."""
    deal, terms = state.deal, state.progress.terms
    order = deal.order
    refused, led = list_refused(state.refused, terms.seats), list_led(state.led, terms.seats)
    return ClimbingView(
        game=game,
        seat=None,
        deal=deal.number,
        order=list(order),
        ranks=rank_seats(order) if deal.is_ranked else None,
        rank_names=list(terms.names),
        to_act=list(list_seats_to_act(state)),
        leader=order[state.leader],
        table=list(state.play.words) if state.play else [],
        table_number=state.number or None,
        table_seat=order[state.holder] if state.play else None,
        passed=_list_seats(order, state.passed),
        done=_list_seats(order, state.acted) if one_turn else [],
        hand_sizes=list_sizes(state),
        hand=None,
        played=list_played(state, wild),
        refused=[_read_refused(refused[rank - 1]) for rank in rank_seats(order)],
        led=[led[rank - 1] for rank in rank_seats(order)],
        pack=PackView(sets=pack.sets, jokers=pack.jokers),
        wild=wild,
        can_name_jokers=can_name_jokers,
        out=[order[place] for place in state.out],
        scores=None if scores is None else list(scores),
        exchanges=list(_list_exchanges(deal.gifts, None, wild)),
        exchanged_now=state.serial == deal.serial,
        past=list(_list_finished_deals(state.progress.past)),
        last_deal=is_last,
        deals=terms.deals,
        minutes=terms.minutes,
        over=state.turn == OVER,
        places=None if outcome is None else list(outcome.places),
    )


def build_seat_view(state: State, seat: Seat, common: ClimbingView) -> ClimbingView:
    """The view of a seat: the spectators', its own hand, and the gifts that it gave or got."""
    wild, deal = common["wild"], state.deal
    view = common.copy()
    view["seat"] = seat
    view["hand"] = cards.write_words(state.hands[deal.order.index(seat)], wild)
    if deal.gifts:
        view["exchanges"] = list(_list_exchanges(deal.gifts, seat, wild))
    return view


# Most of a view is as it was a move ago. What is shared like this is not to be changed.


@lru_cache(maxsize=1 << 12)
def _list_exchanges(gifts: tuple[Gift, ...], seat: Seat | None, wild: str) -> tuple[Exchange, ...]:
    return tuple(
        Exchange(
            giver=gift.giver,
            taker=gift.taker,
            count=cards.count_cards(gift.cards),
            cards=cards.write_words(gift.cards, wild) if seat in (gift.giver, gift.taker) else None,
        )
        for gift in gifts
    )


@lru_cache(maxsize=1 << 12)
def _list_finished_deals(past: tuple[tuple[int, ...], ...]) -> tuple[FinishedDeal, ...]:
    return tuple(FinishedDeal(deal=number, ranks=list(ranks)) for number, ranks in enumerate(past, start=1))


def dump_expected(state: State, *, keys: RecordKeys, wild: str, scores: tuple[int, ...] | None) -> dict[str, Any]:
    """The full state under the documents' keys."""
    deal = state.deal
    sizes = list_sizes(state)
    found = {
        keys.deal: deal.number,
        "order": list(deal.order),
        keys.ranks: rank_seats(deal.order) if deal.is_ranked else None,
        "to_act": list(list_seats_to_act(state)),
        "table": list(state.play.words) if state.play else [],
        "table_number": state.number or None,
        "hands": {
            str(seat): cards.write_words(state.hands[deal.order.index(seat)], wild) for seat in range(len(sizes))
        },
        "hand_sizes": sizes,
        "out": [deal.order[place] for place in state.out],
        "over": state.turn == OVER,
    }
    return found if scores is None else {**found, "scores": list(scores)}


def list_seats_to_act(state: State) -> tuple[Seat, ...]:
    """The one seat whose turn it is; nobody after the end."""
    return () if state.turn == OVER else (state.deal.order[state.turn],)


def list_sizes(state: State) -> list[int]:
    """The number of cards of each seat."""
    return [cards.count_cards(state.hands[rank - 1]) for rank in rank_seats(state.deal.order)]


def list_played(state: State, wild: str) -> list[list[str]]:
    """The cards that each seat has played in this deal."""
    start, hands = state.deal.start, state.hands
    return [cards.write_words(start[rank - 1] - hands[rank - 1], wild) for rank in rank_seats(state.deal.order)]


@lru_cache(maxsize=1 << 12)
def _read_refused(packed: int) -> dict[str, int]:
    entries = {str(count): packed >> 4 * (count - 1) & 15 for count in range(1, cards.MAX_SETS + 1)}
    return {count: number for count, number in entries.items() if number}


def _list_seats(order: tuple[Seat, ...], mask: int) -> list[Seat]:
    return sorted(order[place] for place in list_places(mask))
