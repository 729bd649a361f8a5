"""The view of a seat or spectator: what they may know, as JSON values. It is constructed, never cut from the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from games.catalogue.super_zwierzaki.rules import turns
from games.catalogue.super_zwierzaki.rules.kinds import CLASSES, COLOURS, WORDS, count_cards, write_words
from games.catalogue.super_zwierzaki.rules.legal import choose_default, list_playable
from games.catalogue.super_zwierzaki.rules.moves import may_call
from games.catalogue.super_zwierzaki.rules.standing import WINDOWS
from games.catalogue.super_zwierzaki.rules.state import NOBODY, State, list_seats
from games.catalogue.super_zwierzaki.rules.turn_end import is_single
from games.rules.base import Seat


class GivenView(TypedDict):
    """Given colours and classes, sorted; all of them after a card that has every one."""

    colours: list[str]
    classes: list[str]


class PlayView(TypedDict):
    """The play that is under way. nine: the nine colours in order, else empty."""

    seat: int
    card: str
    count: int
    nine: list[str]


class ReactionView(TypedDict):
    """One reaction of the chain."""

    seat: int
    card: str


class DuelView(TypedDict):
    """A duel. inside: seats that have not folded; kind: "Oth" or "Giv"."""

    kind: str
    points: int
    inside: list[int]
    after_red: bool


class OwnView(TypedDict):
    """What only the viewer knows.

    may_call: saying "Codziennie niskie ceny!" alone is allowed now; default: the move that time makes
    for them if they let their time run out (None in a window, which merely closes); plays: kinds that they
    may play, throw in or answer with now, and how many copies at most; nine: they may play the nine colours.
    """

    hand: list[str]
    plays: dict[str, int]
    nine: bool
    may_call: bool
    default: Mapping[str, Any] | None


class SuperZwierzakiView(TypedDict):
    """The one shape. Seats are numbers; cards are kind words."""

    game: str
    seat: int | None
    phase: str
    """turn, reaction, colour, name, swap, discard, give, sigma, duel, win, over."""
    to_act: list[int]
    """In a window every seat that it asked: who has answered stays hidden until it closes. The viewer's own seat only
    while it is asked."""
    turn: int
    """Whose turn it is, also while others react or choose."""
    turns: int
    order: list[int]
    """Playing order, from the seat whose turn it is."""
    hand_sizes: list[int]
    top: str
    given: GivenView
    counters: dict[str, int]
    named: str | None
    named_by: int | None
    lost_turns: list[int]
    draw_size: int
    heap_size: int
    """Cards under the top card."""
    play: PlayView | None
    chain: list[ReactionView]
    duel: DuelView | None
    need: int
    """Exactly so many cards are to be put under the top card or given; 0 where nothing of the kind is asked."""
    seconds: dict[str, int]
    """How long the windows "reaction" and "win" are open."""
    may_decline: bool
    """The choice that is asked is an offer."""
    winner: int | None
    """The seat that has no cards and wins unless it is stopped."""
    must_call: list[int]
    minutes: int | None
    bell: bool
    """The time is up: the game ends with the turn under way."""
    over: bool
    places: list[int] | None
    scores: None
    """There are none."""
    mine: OwnView | None
    """None for a spectator."""


def build_view(state: State, seat: Seat | None) -> SuperZwierzakiView:
    """The view of this seat (None: a spectator)."""
    return SuperZwierzakiView(
        game="super-zwierzaki",
        seat=seat,
        phase=state.phase,
        to_act=list(list_seats(_mask_asked(state, seat))),
        turn=state.turn,
        turns=state.turns,
        order=list_order(state),
        hand_sizes=[count_cards(hand) for hand in state.hands],
        top=WORDS[state.top],
        given=build_given(state),
        counters=list_counters(state),
        named=WORDS[state.named.kind] if state.named else None,
        named_by=state.named.by if state.named else None,
        lost_turns=list(state.lost),
        draw_size=len(state.pile),
        heap_size=len(state.heap),
        play=_build_play(state),
        chain=[ReactionView(seat=who, card=WORDS[kind]) for who, kind in state.chain],
        duel=_build_duel(state),
        need=state.need if state.phase in ("discard", "give") else 0,
        seconds={"reaction": state.terms.reaction_seconds, "win": state.terms.win_seconds},
        may_decline=is_offer(state),
        winner=None if state.winner == NOBODY else state.winner,
        must_call=list_owing(state),
        minutes=state.terms.minutes,
        bell=state.bell,
        over=state.phase == "over",
        places=list(state.places) if state.places else None,
        scores=None,
        mine=None if seat is None else _build_own(state, seat),
    )


def _mask_asked(state: State, seat: Seat | None) -> int:
    """The seats that are asked, as far as this viewer may know."""
    if state.phase not in WINDOWS:
        return state.asked
    if state.phase == "win":
        opener = state.winner
    elif state.chain:
        opener = state.chain[-1][0]
    else:
        opener = state.play.seat if state.play is not None else NOBODY
    asked: int = (1 << state.terms.seats) - 1
    if opener != NOBODY:
        asked &= ~(1 << opener)
    return asked if seat is None else asked & ~(1 << seat) | state.asked & 1 << seat


def dump_expected(state: State) -> dict[str, Any]:
    """The full state under the document's keys for `expect`."""
    duel = state.duel
    return {
        "phase": state.phase,
        "to_act": list(list_seats(state.asked)),
        "hands": {str(seat): write_words(hand) for seat, hand in enumerate(state.hands)},
        "hand_sizes": [count_cards(hand) for hand in state.hands],
        "top": WORDS[state.top],
        "given": build_given(state),
        "counters": list_counters(state),
        "named": WORDS[state.named.kind] if state.named else None,
        "duel": {"points": duel.points, "in": list(list_seats(duel.inside))} if duel else None,
        "order": list_order(state),
        "lost_turns": list(state.lost),
        "must_call": list_owing(state),
        "draw_size": len(state.pile),
        "over": state.phase == "over",
        "places": list(state.places) if state.places else None,
    }


def list_order(state: State) -> list[int]:
    """Playing order from the seat whose turn it is."""
    at = state.order.index(state.turn)
    return list(state.order[at:] + state.order[:at])


def build_given(state: State) -> GivenView:
    """The given colours and classes."""
    return GivenView(
        colours=list(COLOURS) if state.colour == "ALL" else [state.colour],
        classes=list(CLASSES) if state.group == "all" else [state.group],
    )


def list_counters(state: State) -> dict[str, int]:
    """All four."""
    return {"red": state.red, "orc": state.orc, "stop": state.stop, "demand": state.demand}


def list_owing(state: State) -> list[int]:
    """Who owes "Codziennie niskie ceny!"."""
    return [seat for seat, serial in enumerate(state.owing) if serial and is_single(state.hands[seat])]


def is_offer(state: State) -> bool:
    """Whether the choice that is asked is an offer."""
    is_nine = state.play is not None and bool(state.play.nine)
    return state.phase in ("colour", "discard") or (state.phase == "give" and not is_nine)


def _build_play(state: State) -> PlayView | None:
    play = state.play
    if play is None:
        return None
    nine = [WORDS[kind] for kind in play.nine]
    return PlayView(seat=play.seat, card=WORDS[play.kind], count=play.copies, nine=nine)


def _build_duel(state: State) -> DuelView | None:
    duel = state.duel
    if duel is None:
        return None
    return DuelView(kind=duel.kind, points=duel.points, inside=list(list_seats(duel.inside)), after_red=duel.after_red)


def _build_own(state: State, seat: Seat) -> OwnView:
    is_asked = bool(state.asked >> seat & 1) and state.phase not in ("reaction", "win")
    is_turn = state.phase == "turn" and bool(state.asked >> seat & 1)
    return OwnView(
        hand=write_words(state.hands[seat]),
        plays=list_playable(state, seat),
        nine=is_turn and turns.has_nine(state, seat),
        may_call=state.phase != "over" and may_call(state, seat),
        default=dict(choose_default(state, seat)) if is_asked else None,
    )
