"""Builds the view of each seat, and the expectations of records. A view is constructed, never cut from the state."""

from __future__ import annotations

from typing import Any

from games.catalogue.fancy_animals.rules.cards import write_words
from games.catalogue.fancy_animals.rules.claims import list_offer
from games.catalogue.fancy_animals.rules.clothing import BY_ID, OFFERED, SLOTS
from games.catalogue.fancy_animals.rules.flow import find_outcome, list_scores
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.catalogue.fancy_animals.rules.state import OVER, State, can_draw
from games.catalogue.fancy_animals.rules.view import FancyAnimalsView
from games.rules.base import Seat


def build_view(state: State, seat: Seat | None, *, game: str) -> FancyAnimalsView:
    """The view of a seat, or of a spectator."""
    is_over = state.turn == OVER
    return FancyAnimalsView(
        game=game,
        seat=seat,
        to_act=[] if is_over else [state.turn],
        top=state.top,
        animals=list(state.animals),
        table=[list(meld.words) for meld in state.table],
        hand=None if seat is None else write_words(state.hands[seat]),
        hand_sizes=[hand.bit_count() for hand in state.hands],
        deck_size=len(state.deck),
        offer=[[BY_ID[piece].word for piece in deck[:OFFERED]] for deck in state.clothing],
        clothing_sizes=[len(deck) for deck in state.clothing],
        worn=[write_worn(worn) for worn in state.worn],
        scores=list(list_scores(state)),
        active=list(state.active),
        can_draw=not is_over and can_draw(state, state.turn),
        passes=state.passes,
        last_turns=None if state.last_turns is None else list(state.last_turns),
        over=is_over,
        places=list(find_outcome(state).places) if is_over else None,
    )


def dump_expected(state: State) -> dict[str, Any]:
    """The full state under the document's keys."""
    return {
        "to_act": [] if state.turn == OVER else [state.turn],
        "hands": {str(seat): write_words(hand) for seat, hand in enumerate(state.hands)},
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "table": [list(meld.words) for meld in state.table],
        "offer": sorted(BY_ID[piece].word for piece in list_offer(state.clothing)),
        "worn": [write_worn(worn) for worn in state.worn],
        "active": list(state.active),
        "deck_size": len(state.deck),
        "last_turns": None if state.last_turns is None else list(state.last_turns),
        "over": state.turn == OVER,
        "scores": list(list_scores(state)),
    }


def write_worn(worn: Worn) -> dict[str, list[str]]:
    """What an animal wears, spots without clothing left out."""
    return {spot: [BY_ID[piece].word for piece in pile] for spot, pile in zip(SLOTS, worn, strict=True) if pile}
