"""Standing answers in reaction and win windows, given without asking. Source: *Reactions*, *End*; house-rulings.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.catalogue.super_zwierzaki.rules.effects import list_effects
from games.catalogue.super_zwierzaki.rules.kinds import mask_held
from games.catalogue.super_zwierzaki.rules.legal import DECLINE
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Play, State, find_next
from games.catalogue.super_zwierzaki.rules.turn_end import is_single
from games.catalogue.super_zwierzaki.rules.windows import mask_reactions
from games.rules.base import Move, Seat

WINDOWS: Final = frozenset({"reaction", "win"})
"""The phases, and clock events, of windows."""
EVERYTHING: Final = "pass"
"""Let every window pass until this seat's turn begins."""
WINS: Final = "wins"
"""Ask me only in windows about a win."""
HITS: Final = "hits"
"""Ask me only in windows about a win, and about what hits me (`is_hit`)."""
STANDING_ANSWERS: Final = (EVERYTHING, WINS, HITS)
HIT_NEXT: Final = frozenset({"Red", "Orc", "Stp", "Dem"})
"""Effects that the next player in playing order has to answer."""
HIT_ANYBODY: Final = frozenset({"Kaz", "War", "sigma", "nine"})
"""Effects whose victim is chosen after the window."""


def covers(standing: str, *, is_about_win: bool, is_hit: bool) -> bool:
    """Whether this standing answer lets such a window pass; an empty one lets none."""
    if standing == EVERYTHING:
        return True
    return not is_about_win and (standing == WINS or (standing == HITS and not is_hit))


def is_hit(seat: Seat, play: Play | None, reactions: int, order: Sequence[Seat]) -> bool:
    """Whether what happens if all let this window pass is aimed at this seat. All of it is open to everybody.

    reactions: how many cards the chain has. Of an odd number the play is rejected, which hits the player who made it;
    of an even number it takes effect. order: the playing order, a ring.
    """
    if play is None:
        return False
    if reactions % 2:
        return seat == play.seat
    effects = set(list_effects(play))
    is_next = seat == find_next(tuple(order), play.seat)
    return seat != play.seat and (bool(effects & HIT_ANYBODY) or (is_next and bool(effects & HIT_NEXT)))


def is_about_win(phase: str, winner: Seat | None) -> bool:
    """Whether a win is at stake: it may be stopped now, or was stopped and that may be rejected.

    winner: the seat that wins unless it is stopped.
    """
    return phase == "win" or (phase == "reaction" and winner is not None)


def answer_window(state: State, seat: Seat, standing: str) -> Move | None:
    """The answer of a seat that can play nothing in this window, or lets it pass by its standing answer.

    None where its player is to be asked. A seat that owes the call has no answer: it would cost two cards.
    """
    if state.phase not in WINDOWS or not state.asked >> seat & 1:
        return None
    hand = state.hands[seat]
    if state.owing[seat] and is_single(hand):
        return None
    if mask_held(hand) & mask_reactions(state) and not is_covered(state, seat, standing):
        return None
    return DECLINE


def is_covered(state: State, seat: Seat, standing: str) -> bool:
    """Whether this standing answer lets the window that is open pass, whatever the seat holds."""
    winner = None if state.winner == NOBODY else state.winner
    return covers(
        standing,
        is_about_win=is_about_win(state.phase, winner),
        is_hit=is_hit(seat, state.play, len(state.chain), state.order),
    )


def is_standing_over(state: State, seat: Seat, standing: str) -> bool:
    """Whether this standing answer of this seat lapses here: its turn has begun."""
    return standing == EVERYTHING and state.phase == "turn" and state.turn == seat
