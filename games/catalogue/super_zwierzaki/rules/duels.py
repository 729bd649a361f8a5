"""Duels: fold, or play one card that changes the points. Source: *Duel*."""

from __future__ import annotations

from games.catalogue.super_zwierzaki.rules.effects import continue_effects
from games.catalogue.super_zwierzaki.rules.kinds import ALL, CYR, FUNCTIONS, GIV, OTH, RED, WORDS, Mask, count_cards
from games.catalogue.super_zwierzaki.rules.piles import draw_cards, play_to_heap
from games.catalogue.super_zwierzaki.rules.state import Draft, Duel, find_next
from games.rules.base import Seat


def mask_answers(duel: Duel) -> Mask:
    """The kinds that change the points of this duel now."""
    own = OTH if duel.kind == "Oth" else GIV
    return own | RED | CYR | (ALL if duel.after_red else 0)


def play_in_duel(draft: Draft, seat: Seat, kind: int) -> None:
    """One card changes the points; at 0 the duel is over without a winner."""
    duel = draft.duel
    assert duel is not None  # noqa: S101 - the phase says so
    play_to_heap(draft, seat, kind)
    function = FUNCTIONS[kind]
    points = 0 if function in ("All", "Cyr") else duel.points + (2 if function == "Red" else 1)
    draft.emit("dueled", seat, {"card": WORDS[kind], "points": points})
    if not points:
        draft.duel = None
        draft.emit("duel_over", None, {"points": 0})
        continue_effects(draft)
        return
    draft.duel = duel._replace(points=points, after_red=function == "Red")
    _ask_next(draft, seat)


def fold(draft: Draft, seat: Seat) -> None:
    """Out of this duel; the last one left wins it."""
    duel = draft.duel
    assert duel is not None  # noqa: S101 - the phase says so
    inside = duel.inside & ~(1 << seat)
    draft.duel = duel._replace(inside=inside)
    draft.emit("folded", seat, {})
    if inside & inside - 1:
        _ask_next(draft, seat)
    else:
        _end_duel(draft, inside.bit_length() - 1)


def _ask_next(draft: Draft, seat: Seat) -> None:
    duel = draft.duel
    assert duel is not None  # noqa: S101 - the phase says so
    seat = find_next(draft.order, seat)
    while not duel.inside >> seat & 1:
        seat = find_next(draft.order, seat)
    draft.ask("duel", 1 << seat)


def _end_duel(draft: Draft, winner: Seat) -> None:
    """Apes: everybody else draws. Givers: the winner may give away."""
    duel, draft.duel = draft.duel, None
    assert duel is not None  # noqa: S101 - the phase says so
    draft.emit("duel_over", winner, {"points": duel.points})
    if duel.kind == "Oth":
        at = draft.order.index(draft.turn)
        for seat in draft.order[at:] + draft.order[:at]:
            if seat != winner:
                draw_cards(draft, seat, duel.points, "duel")
        continue_effects(draft)
        return
    count = count_cards(draft.hands[winner])
    draft.need = min(duel.points, count - 1 if count > 1 else count)
    if draft.need:
        draft.ask("give", 1 << winner, draft.turn_serial if winner == draft.turn else None)
    else:
        continue_effects(draft)
