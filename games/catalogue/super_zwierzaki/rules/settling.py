"""Between two turns: who must say it, who has won, whose turn begins. Source: *"Codziennie niskie ceny"*, *End*."""

from __future__ import annotations

from typing import Final

from games.catalogue.super_zwierzaki.rules.kinds import LOWEST, WORDS, Hand, size
from games.catalogue.super_zwierzaki.rules.piles import draw
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Draft, next_in
from games.rules.base import Seat

FORGOTTEN: Final = 2
"""Cards drawn by whoever has not said it."""


def is_single(hand: Hand) -> bool:
    """Whether the hand is exactly one card."""
    return not hand & hand - 1 and bool(hand & LOWEST)


def say(draft: Draft, seat: Seat) -> None:
    """ "Codziennie niskie ceny!" """
    draft.said |= 1 << seat
    _forgive(draft, seat)
    draft.tell("called", seat, {})


def punish(draft: Draft, seat: Seat) -> None:
    """The time to say it is over: two cards, if it is still owed."""
    if draft.owing[seat]:
        _forgive(draft, seat)
        if is_single(draft.hands[seat]):
            draft.tell("forgot", seat, {})
            draw(draft, seat, FORGOTTEN, "call")


def _forgive(draft: Draft, seat: Seat) -> None:
    owing = draft.owing
    if owing[seat]:
        draft.owing = (*owing[:seat], 0, *owing[seat + 1 :])


def zero(draft: Draft, seat: Seat) -> None:
    """All four counters become 0."""
    draft.red = draft.orc = draft.stop = draft.demand = 0
    draft.named = None
    draft.tell("zeroed", seat, {})


def finish_turn(draft: Draft) -> None:
    """Everything that the turn caused is settled: calls are due, winners have their windows, the next turn begins."""
    draft.play = None
    settle(draft)
    if not _offer_win(draft):
        draft.turn = next_in(draft.order, draft.turn)
        begin_turn(draft)


def settle(draft: Draft) -> None:
    """The moment after a turn or a win window: who has come down to one card owes the call."""
    before, said = draft.more, draft.said
    more, bit = 0, 1
    for seat, hand in enumerate(draft.hands):
        if hand & hand - 1 or not hand & LOWEST:  # not a single card
            if hand:
                more |= bit
            if draft.owing[seat]:
                _forgive(draft, seat)
        elif before & bit and not said & bit and not draft.owing[seat]:
            draft.serial += 1
            draft.owing = (*draft.owing[:seat], draft.serial, *draft.owing[seat + 1 :])
        bit <<= 1
    draft.more = more
    draft.said = 0


def _offer_win(draft: Draft) -> bool:
    """Open the window of the next player without cards, or end the game whose time is up. False to play on."""
    if not all(draft.hands):
        for seat in _from_turn(draft):
            if not draft.hands[seat]:
                draft.winner = seat
                draft.ask("win", everyone(draft) & ~(1 << seat))
                draft.tell("win_window", seat, {})
                return True
    if draft.bell:
        _end(draft, [size(hand) for hand in draft.hands])
    return draft.bell


def everyone(draft: Draft) -> int:
    """The mask of all seats."""
    return (1 << draft.terms.seats) - 1


def stop_win(draft: Draft, seat: Seat, kind: int) -> None:
    """The player without cards draws one (the card that lay on top before is there), and the game goes on."""
    winner, draft.winner = draft.winner, NOBODY
    draft.tell("prevented", winner, {"by": seat, "card": WORDS[kind]})
    draw(draft, winner, 1, "stopped")
    draft.chain = ()
    settle(draft)
    if not _offer_win(draft):
        draft.turn = next_in(draft.order, draft.turn)
        begin_turn(draft)


def win(draft: Draft) -> None:
    """Nobody has stopped him: he is first, the others without cards follow, the rest is placed by cards left."""
    ranks = [size(hand) for hand in draft.hands]
    empty = [seat for seat in _from_turn(draft) if not ranks[seat] and seat != draft.winner]
    for place, seat in enumerate((draft.winner, *empty)):
        ranks[seat] = place - len(ranks)
    _end(draft, ranks)


def _end(draft: Draft, ranks: list[int]) -> None:
    """The game is over; the lowest rank is the best, equal ones share a place."""
    draft.places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    draft.chain, draft.winner, draft.owing, draft.play = (), NOBODY, (0,) * len(ranks), None
    draft.ask("over", 0)
    draft.tell("game_over", None, {"places": list(draft.places), "scores": None})


def _from_turn(draft: Draft) -> tuple[Seat, ...]:
    at = draft.order.index(draft.turn)
    return draft.order[at:] + draft.order[:at]


def begin_turn(draft: Draft) -> None:
    """Demand expiry, then lost turns, one player after the other, until somebody is to act."""
    while True:
        seat = draft.turn
        draft.turns += 1
        _expire(draft, seat)
        if not draft.lost[seat]:
            draft.ask("turn", 1 << seat)
            draft.turn_serial = draft.wait
            return
        _pass_over(draft, seat)
        settle(draft)
        if _offer_win(draft):
            return
        draft.turn = next_in(draft.order, seat)


def _expire(draft: Draft, seat: Seat) -> None:
    named = draft.named
    if named is not None and named.by == seat and named.value == draft.demand:
        draft.demand, draft.named = 0, None
        draft.tell("expired", seat, {"card": WORDS[named.kind]})


def _pass_over(draft: Draft, seat: Seat) -> None:
    """An empty turn. It counts as a move."""
    punish(draft, seat)
    left = draft.lost[seat] - 1
    draft.lost = (*draft.lost[:seat], left, *draft.lost[seat + 1 :])
    draft.tell("empty_turn", seat, {"left": left})
