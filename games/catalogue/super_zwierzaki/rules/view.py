"""What a seat or a spectator may know. JSON values only; built by construction, from nothing but what he may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from games.catalogue.super_zwierzaki.rules import turns
from games.catalogue.super_zwierzaki.rules.kinds import CLASSES, COLOURS, WORDS, size, words
from games.catalogue.super_zwierzaki.rules.legal import default, fitting
from games.catalogue.super_zwierzaki.rules.moves import may_call
from games.catalogue.super_zwierzaki.rules.settling import is_single
from games.catalogue.super_zwierzaki.rules.state import NOBODY, State, members
from games.rules.base import Seat


class Given(TypedDict):
    """Given colours and classes, sorted; all of them after a card that has every one."""

    colours: list[str]
    classes: list[str]


class Played(TypedDict):
    """The play that is under way. nine: the nine colours in order, else empty."""

    seat: int
    card: str
    count: int
    nine: list[str]


class Reaction(TypedDict):
    """One reaction of the chain."""

    seat: int
    card: str


class Contest(TypedDict):
    """A duel. inside: seats that have not folded; kind: "Oth" or "Giv"."""

    kind: str
    points: int
    inside: list[int]
    after_red: bool


class Mine(TypedDict):
    """What only the viewer knows.

    may_call: saying "Codziennie niskie ceny!" alone is allowed now; default: the move that time makes
    for him if he is asked and lets it run out (None in a window, which merely closes); plays: kinds that he
    may play, throw in or answer with now, and how many copies at most; nine: he may play the nine colours.
    """

    hand: list[str]
    plays: dict[str, int]
    nine: bool
    may_call: bool
    default: Mapping[str, Any] | None


class ZooView(TypedDict):
    """The one shape. Seats are numbers; cards are kind words."""

    game: str
    seat: int | None
    phase: str
    """turn, reaction, colour, name, swap, discard, give, sigma, duel, win, over."""
    to_act: list[int]
    turn: int
    """Whose turn it is, also while others react or choose."""
    turns: int
    order: list[int]
    """Playing order, from the seat whose turn it is."""
    hand_sizes: list[int]
    top: str
    given: Given
    counters: dict[str, int]
    named: str | None
    named_by: int | None
    lost_turns: list[int]
    draw_size: int
    heap_size: int
    """Cards under the top card."""
    play: Played | None
    chain: list[Reaction]
    duel: Contest | None
    need: int
    """Exactly so many cards are to be put under the top card or given; 0 where nothing of the kind is asked."""
    seconds: dict[str, int]
    """How long the windows "reaction" and "win" are open."""
    may_decline: bool
    """The choice that is asked is an offer."""
    winner: int | None
    """Who has no cards and wins unless he is stopped."""
    must_call: list[int]
    minutes: int | None
    bell: bool
    """The time is up: the game ends with the turn under way."""
    over: bool
    places: list[int] | None
    scores: None
    """There are none."""
    mine: Mine | None
    """None for a spectator."""


def show(state: State, seat: Seat | None) -> ZooView:
    """The view of this seat (None: a spectator)."""
    return ZooView(
        game="super-zwierzaki",
        seat=seat,
        phase=state.phase,
        to_act=list(members(state.asked)),
        turn=state.turn,
        turns=state.turns,
        order=ring(state),
        hand_sizes=[size(hand) for hand in state.hands],
        top=WORDS[state.top],
        given=given(state),
        counters=counters(state),
        named=WORDS[state.named.kind] if state.named else None,
        named_by=state.named.by if state.named else None,
        lost_turns=list(state.lost),
        draw_size=len(state.pile),
        heap_size=len(state.heap),
        play=_show_play(state),
        chain=[Reaction(seat=who, card=WORDS[kind]) for who, kind in state.chain],
        duel=_show_duel(state),
        need=state.need if state.phase in ("discard", "give") else 0,
        seconds={"reaction": state.terms.reaction_seconds, "win": state.terms.win_seconds},
        may_decline=may_decline(state),
        winner=None if state.winner == NOBODY else state.winner,
        must_call=must_call(state),
        minutes=state.terms.minutes,
        bell=state.bell,
        over=state.phase == "over",
        places=list(state.places) if state.places else None,
        scores=None,
        mine=None if seat is None else _show_mine(state, seat),
    )


def expect(state: State) -> dict[str, Any]:
    """The full state under the document's keys for `expect`."""
    duel = state.duel
    return {
        "phase": state.phase,
        "to_act": list(members(state.asked)),
        "hands": {str(seat): words(hand) for seat, hand in enumerate(state.hands)},
        "hand_sizes": [size(hand) for hand in state.hands],
        "top": WORDS[state.top],
        "given": given(state),
        "counters": counters(state),
        "named": WORDS[state.named.kind] if state.named else None,
        "duel": {"points": duel.points, "in": list(members(duel.inside))} if duel else None,
        "order": ring(state),
        "lost_turns": list(state.lost),
        "must_call": must_call(state),
        "draw_size": len(state.pile),
        "over": state.phase == "over",
        "places": list(state.places) if state.places else None,
    }


def ring(state: State) -> list[int]:
    """Playing order from the seat whose turn it is."""
    at = state.order.index(state.turn)
    return list(state.order[at:] + state.order[:at])


def given(state: State) -> Given:
    """The given colours and classes."""
    return Given(
        colours=list(COLOURS) if state.colour == "ALL" else [state.colour],
        classes=list(CLASSES) if state.group == "all" else [state.group],
    )


def counters(state: State) -> dict[str, int]:
    """All four."""
    return {"red": state.red, "orc": state.orc, "stop": state.stop, "demand": state.demand}


def must_call(state: State) -> list[int]:
    """Who owes "Codziennie niskie ceny!"."""
    return [seat for seat, serial in enumerate(state.owing) if serial and is_single(state.hands[seat])]


def may_decline(state: State) -> bool:
    """Whether the choice that is asked is an offer."""
    is_nine = state.play is not None and bool(state.play.nine)
    return state.phase in ("colour", "discard") or (state.phase == "give" and not is_nine)


def _show_play(state: State) -> Played | None:
    play = state.play
    if play is None:
        return None
    nine = [WORDS[kind] for kind in play.nine]
    return Played(seat=play.seat, card=WORDS[play.kind], count=play.copies, nine=nine)


def _show_duel(state: State) -> Contest | None:
    duel = state.duel
    if duel is None:
        return None
    return Contest(kind=duel.kind, points=duel.points, inside=list(members(duel.inside)), after_red=duel.after_red)


def _show_mine(state: State, seat: Seat) -> Mine:
    is_asked = bool(state.asked >> seat & 1) and state.phase not in ("reaction", "win")
    is_turn = state.phase == "turn" and bool(state.asked >> seat & 1)
    return Mine(
        hand=words(state.hands[seat]),
        plays=fitting(state, seat),
        nine=is_turn and turns.has_nine(state, seat),
        may_call=state.phase != "over" and may_call(state, seat),
        default=dict(default(state, seat)) if is_asked else None,
    )
