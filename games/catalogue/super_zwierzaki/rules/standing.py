"""What a seat answers in a reaction or win window without being asked. Source: *Reactions*, *End*; house-rulings.md."""

from __future__ import annotations

from typing import Final

from games.catalogue.super_zwierzaki.rules.kinds import mask_held
from games.catalogue.super_zwierzaki.rules.legal import DECLINE
from games.catalogue.super_zwierzaki.rules.state import NOBODY, State
from games.catalogue.super_zwierzaki.rules.turn_end import is_single
from games.catalogue.super_zwierzaki.rules.windows import mask_reactions
from games.rules.base import Move, Seat

WINDOWS: Final = frozenset({"reaction", "win"})
"""The phases, and clock events, of windows."""
EVERYTHING: Final = "pass"
"""Let every window pass until my turn begins."""
WINS: Final = "wins"
"""Ask me only in windows about a win."""
STANDING_ANSWERS: Final = (EVERYTHING, WINS)


def covers(standing: str, *, is_about_win: bool) -> bool:
    """Whether this standing answer lets such a window pass; an empty one lets none."""
    return standing == EVERYTHING or (standing == WINS and not is_about_win)


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
    winner = None if state.winner == NOBODY else state.winner
    if mask_held(hand) & mask_reactions(state) and not covers(standing, is_about_win=is_about_win(state.phase, winner)):
        return None
    return DECLINE


def is_standing_over(state: State, seat: Seat, standing: str) -> bool:
    """Whether this standing answer of this seat lapses here: its turn has begun."""
    return standing == EVERYTHING and state.phase == "turn" and state.turn == seat
