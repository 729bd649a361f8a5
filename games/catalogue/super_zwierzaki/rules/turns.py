"""Actions in a player's own turn. Source: *A turn*, *Points and forced turns*, *Nine colours*."""

from __future__ import annotations

from games.catalogue.super_zwierzaki.rules.kinds import (
    ALL,
    COLOURS,
    CYR,
    DEM,
    FUNCTIONS,
    MATCHES,
    OF_COLOUR,
    ONE,
    ORC,
    RED,
    STP,
    WORDS,
    Mask,
    mask_held,
)
from games.catalogue.super_zwierzaki.rules.piles import draw_cards, play_to_heap
from games.catalogue.super_zwierzaki.rules.state import Draft, Play, State
from games.catalogue.super_zwierzaki.rules.turn_end import finish_turn
from games.catalogue.super_zwierzaki.rules.windows import open_window
from games.rules.base import Seat


def mask_playable(state: State) -> Mask:
    """The kinds that may be played in turn now, whichever seat holds them."""
    if state.demand and state.named is not None:
        return ONE[state.named.kind] | DEM | CYR
    matching = MATCHES[state.colour, state.group]
    if state.red:
        return matching & (RED | ALL) | CYR
    if state.orc:
        return matching & ORC | CYR
    if state.stop:
        return matching & STP | CYR
    return matching | CYR


def is_obliged(state: State, seat: Seat) -> bool:
    """Whether orc or stop points must be answered with a card."""
    return bool(state.orc or state.stop) and bool(mask_held(state.hands[seat]) & mask_playable(state))


def has_nine(state: State, seat: Seat) -> bool:
    """Whether the nine colours can be played."""
    if state.red or state.orc or state.stop or state.demand:
        return False
    kinds = mask_held(state.hands[seat])
    if kinds.bit_count() < len(COLOURS) or not all(kinds & mask for mask in OF_COLOUR.values()):
        return False
    return bool(kinds & MATCHES[state.colour, state.group] & ~ALL)


def play_cards(draft: Draft, seat: Seat, what: tuple[int, int]) -> None:
    """Identical cards onto the heap; a window opens if they are functional or several."""
    kind, count = what
    play_to_heap(draft, seat, kind, count)
    draft.play = Play(seat, kind, count)
    draft.emit("played", seat, {"card": WORDS[kind], "count": count})
    if count > 1 or FUNCTIONS[kind]:
        open_window(draft, seat)
    else:
        finish_turn(draft)


def play_nine(draft: Draft, seat: Seat, kinds: tuple[int, ...]) -> None:
    """A card of each colour, in this order; their functions do nothing."""
    for kind in kinds:
        play_to_heap(draft, seat, kind)
    draft.play = Play(seat, kinds[-1], 1, kinds)
    draft.emit("nine", seat, {"cards": [WORDS[kind] for kind in kinds]})
    open_window(draft, seat)


def draw_one(draft: Draft, seat: Seat, _: object = None) -> None:
    """One card, which cannot be played in the same turn."""
    draw_cards(draft, seat, 1, "draw")
    finish_turn(draft)


def accept(draft: Draft, seat: Seat, _: object = None) -> None:
    """What the counter does: cards for red and orc, lost turns for stop, this one counted."""
    if draft.stop:
        left = draft.stop - 1
        draft.stop = 0
        draft.lost = (*draft.lost[:seat], draft.lost[seat] + left, *draft.lost[seat + 1 :])
        draft.emit("loses_turns", seat, {"count": left})
    else:
        why = "red" if draft.red else "orc"
        count = draft.red or draft.orc
        draft.red = draft.orc = 0
        draw_cards(draft, seat, count, why)
    finish_turn(draft)
