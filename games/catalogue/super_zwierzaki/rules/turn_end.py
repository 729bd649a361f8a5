"""Settles a turn: calls that are owed, wins, and the next turn. Source: *"Codziennie niskie ceny"*, *End*."""

from __future__ import annotations

from typing import Final

from games.catalogue.super_zwierzaki.rules.kinds import LOWEST, WORDS, Hand, count_cards
from games.catalogue.super_zwierzaki.rules.piles import draw_cards
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Draft, find_next
from games.rules.base import Seat

MISSED_CALL_CARDS: Final = 2
"""Cards that a missed call costs."""


def is_single(hand: Hand) -> bool:
    """Whether the hand is exactly one card."""
    return not hand & hand - 1 and bool(hand & LOWEST)


def make_call(draft: Draft, seat: Seat) -> None:
    """ "Codziennie niskie ceny!" """
    draft.said |= 1 << seat
    _clear_owed_call(draft, seat)
    draft.emit("called", seat, {})


def penalise_missed_call(draft: Draft, seat: Seat) -> None:
    """The time to call is over: `MISSED_CALL_CARDS` cards, if the call is still owed."""
    if draft.owing[seat]:
        _clear_owed_call(draft, seat)
        if is_single(draft.hands[seat]):
            draft.emit("forgot", seat, {})
            draw_cards(draft, seat, MISSED_CALL_CARDS, "call")


def _clear_owed_call(draft: Draft, seat: Seat) -> None:
    owing = draft.owing
    if owing[seat]:
        draft.owing = (*owing[:seat], 0, *owing[seat + 1 :])


def zero_counters(draft: Draft, seat: Seat) -> None:
    """All four counters become 0."""
    draft.red = draft.orc = draft.stop = draft.demand = 0
    draft.named = None
    draft.emit("zeroed", seat, {})


def finish_turn(draft: Draft) -> None:
    """Everything that the turn caused is settled: calls are due, winners have their windows, the next turn begins."""
    draft.play = None
    settle_calls(draft)
    if not _offer_win(draft):
        draft.turn = find_next(draft.order, draft.turn)
        begin_turn(draft)


def settle_calls(draft: Draft) -> None:
    """The moment after a turn or a win window: who has come down to one card owes the call."""
    before, called = draft.more, draft.said
    more, bit = 0, 1
    for seat, hand in enumerate(draft.hands):
        if hand & hand - 1 or not hand & LOWEST:  # not a single card
            if hand:
                more |= bit
            if draft.owing[seat]:
                _clear_owed_call(draft, seat)
        elif before & bit and not called & bit and not draft.owing[seat]:
            draft.serial += 1
            draft.owing = (*draft.owing[:seat], draft.serial, *draft.owing[seat + 1 :])
        bit <<= 1
    draft.more = more
    draft.said = 0


def _offer_win(draft: Draft) -> bool:
    """Open the window of the next player without cards, or end the game whose time is up. False to play on."""
    if not all(draft.hands):
        for seat in _order_from_turn(draft):
            if not draft.hands[seat]:
                draft.winner = seat
                draft.ask("win", mask_all_seats(draft) & ~(1 << seat))
                draft.emit("win_window", seat, {})
                return True
    if draft.bell:
        _end_game(draft, [count_cards(hand) for hand in draft.hands])
    return draft.bell


def mask_all_seats(draft: Draft) -> int:
    """The mask of all seats."""
    return (1 << draft.terms.seats) - 1


def stop_win(draft: Draft, seat: Seat, kind: int) -> None:
    """The player without cards draws one (the card that lay on top before is there), and the game goes on."""
    winner, draft.winner = draft.winner, NOBODY
    draft.emit("prevented", winner, {"by": seat, "card": WORDS[kind]})
    draw_cards(draft, winner, 1, "stopped")
    draft.chain = ()
    settle_calls(draft)
    if not _offer_win(draft):
        draft.turn = find_next(draft.order, draft.turn)
        begin_turn(draft)


def end_by_win(draft: Draft) -> None:
    """End the game by a win that nobody stopped. Others without cards follow; the rest is placed by cards left."""
    ranks = [count_cards(hand) for hand in draft.hands]
    empty = [seat for seat in _order_from_turn(draft) if not ranks[seat] and seat != draft.winner]
    for place, seat in enumerate((draft.winner, *empty)):
        ranks[seat] = place - len(ranks)
    _end_game(draft, ranks)


def _end_game(draft: Draft, ranks: list[int]) -> None:
    """The game is over; the lowest rank is the best, equal ones share a place."""
    draft.places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    draft.chain, draft.winner, draft.owing, draft.play = (), NOBODY, (0,) * len(ranks), None
    draft.ask("over", 0)
    draft.emit("game_over", None, {"places": list(draft.places), "scores": None})


def _order_from_turn(draft: Draft) -> tuple[Seat, ...]:
    at = draft.order.index(draft.turn)
    return draft.order[at:] + draft.order[:at]


def begin_turn(draft: Draft) -> None:
    """Demand expiry, then lost turns, one player after the other, until somebody is to act."""
    while True:
        seat = draft.turn
        draft.turns += 1
        _expire_demand(draft, seat)
        if not draft.lost[seat]:
            draft.ask("turn", 1 << seat)
            draft.turn_serial = draft.wait
            return
        _lose_turn(draft, seat)
        settle_calls(draft)
        if _offer_win(draft):
            return
        draft.turn = find_next(draft.order, seat)


def _expire_demand(draft: Draft, seat: Seat) -> None:
    named = draft.named
    if named is not None and named.by == seat and named.value == draft.demand:
        draft.demand, draft.named = 0, None
        draft.emit("expired", seat, {"card": WORDS[named.kind]})


def _lose_turn(draft: Draft, seat: Seat) -> None:
    """An empty turn. It counts as a move."""
    penalise_missed_call(draft, seat)
    left = draft.lost[seat] - 1
    draft.lost = (*draft.lost[:seat], left, *draft.lost[seat + 1 :])
    draft.emit("empty_turn", seat, {"left": left})
