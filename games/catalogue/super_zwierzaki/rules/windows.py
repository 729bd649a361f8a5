"""Reaction windows and their chains, and the windows in which a win may be stopped. Source: *Reactions*, *End*."""

from __future__ import annotations

from games.catalogue.super_zwierzaki.rules.effects import begin_effects
from games.catalogue.super_zwierzaki.rules.kinds import CYR, DZI, FUNCTIONS, WORDS, Mask
from games.catalogue.super_zwierzaki.rules.piles import play_to_heap
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Draft, State
from games.catalogue.super_zwierzaki.rules.turn_end import (
    end_by_win,
    finish_turn,
    mask_all_seats,
    stop_win,
    zero_counters,
)
from games.rules.base import Seat


def mask_reactions(state: State) -> Mask:
    """The kinds that may be played in the window that is open."""
    if state.phase == "win":
        return CYR | DZI
    is_first_of_nine = state.play is not None and state.play.nine and not state.chain
    return CYR | DZI if is_first_of_nine else CYR


def open_window(draft: Draft, seat: Seat) -> None:
    """Everybody but this seat is asked, whatever they hold."""
    draft.ask("reaction", mask_all_seats(draft) & ~(1 << seat))


def react(draft: Draft, seat: Seat, kind: int) -> None:
    """A card out of turn; it opens a window of its own."""
    play_to_heap(draft, seat, kind)
    draft.chain = (*draft.chain, (seat, kind))
    draft.emit("reacted", seat, {"card": WORDS[kind]})
    open_window(draft, seat)


def decline_reaction(draft: Draft, seat: Seat) -> None:
    """This seat does not react; the window closes early when all have said so."""
    draft.asked &= ~(1 << seat)
    if not draft.asked:
        close(draft)


def close(draft: Draft) -> None:
    """The last window closes: reactions cancel in pairs from the end; of an odd number the first takes effect."""
    if draft.phase == "win":
        end_by_win(draft)
    elif len(draft.chain) % 2:
        _reject(draft)
    elif draft.winner != NOBODY:
        end_by_win(draft)
    else:
        if draft.chain and draft.play is not None:
            draft.emit("stands", draft.play.seat, {})
        begin_effects(draft)


def _reject(draft: Draft) -> None:
    seat, kind = draft.chain[0]
    if FUNCTIONS[kind] == "Cyr":
        zero_counters(draft, seat)
    if draft.winner != NOBODY:
        stop_win(draft, seat, kind)
        return
    if draft.play is not None:
        draft.emit("rejected", draft.play.seat, {})
    draft.chain = ()
    finish_turn(draft)
