"""Completes a view of Super Zwierzaki to a state that fits it: other hands, the draw pile and the heap.

What the viewer does not see is equally likely everywhere; the cards of the play and the reactions under way lie on the
heap. A view does not say what a play that asks for several choices has asked already: then the first one is assumed.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from games.catalogue.super_zwierzaki.rules.effects import list_effects
from games.catalogue.super_zwierzaki.rules.kinds import NUMBERS, WHOLE, list_cards, pack_hand
from games.catalogue.super_zwierzaki.rules.setup import COUNTERS, DEFAULTS
from games.catalogue.super_zwierzaki.rules.state import NOBODY, Demand, Duel, Play, State, Terms
from games.rules.base import View
from games.rules.chance import Chance

_PHASES: Final = {
    "Orc": "colour", "Cch": "colour", "Oth": "duel", "Giv": "duel", "Pol": "discard", "one": "discard",
    "rest": "discard", "Kaz": "give", "nine": "give", "Dem": "name", "War": "swap", "sigma": "sigma",
}  # fmt: skip
"""Step of a play → the phase in which it asks."""
_SERIAL: Final = 1
"""The serial of every wait of a completed state, which has no time."""


def complete_view(view: View, rng: random.Random) -> State:
    """A state of which this is the view."""
    mine = view["mine"]
    hand = pack_hand(NUMBERS[word] for word in mine["hand"]) if mine is not None else 0
    top, play = NUMBERS[view["top"]], _read_play(view)
    lying = _list_lying_cards(view, play, top)[: view["heap_size"]]
    hidden = list((Counter(list_cards(WHOLE)) - Counter([*list_cards(hand), top, *lying])).elements())
    rng.shuffle(hidden)
    hands = []
    for seat, size in enumerate(view["hand_sizes"]):
        if seat == view["seat"]:
            hands.append(hand)
        else:
            hands.append(pack_hand(hidden[:size]))
            del hidden[:size]
    pile = bytes(hidden[: view["draw_size"]])
    heap = bytes(hidden[view["draw_size"] : view["draw_size"] + view["heap_size"] - len(lying)] + lying)
    red, orc, stop, demand = (view["counters"][name] for name in COUNTERS)
    duel, seats = view["duel"], len(hands)
    return State(
        terms=_make_terms(view, seats),
        chance=Chance(rng.randbytes(32)),
        shuffles=0,
        halves=0,
        hands=tuple(hands),
        heap=heap,
        top=top,
        pile=pile,
        colour=view["given"]["colours"][0] if len(view["given"]["colours"]) == 1 else "ALL",
        group=view["given"]["classes"][0] if len(view["given"]["classes"]) == 1 else "all",
        order=tuple(view["order"]),
        turn=view["turn"],
        red=red,
        orc=orc,
        stop=stop,
        demand=demand,
        named=None if view["named"] is None else Demand(NUMBERS[view["named"]], view["named_by"], demand),
        lost=tuple(view["lost_turns"]),
        phase=view["phase"],
        asked=_mask(view["to_act"]),
        play=play,
        todo=_list_steps_left(view, play),
        need=view["need"],
        chain=tuple((reaction["seat"], NUMBERS[reaction["card"]]) for reaction in view["chain"]),
        duel=None
        if duel is None
        else Duel(duel["kind"], duel["points"], _mask(duel["inside"]), after_red=duel["after_red"]),
        winner=NOBODY if view["winner"] is None else view["winner"],
        owing=tuple(_SERIAL if seat in view["must_call"] else 0 for seat in range(seats)),
        said=0,
        more=_mask(seat for seat in range(seats) if _had_more(view, seat)),
        bell=view["bell"],
        places=tuple(view["places"] or ()),
        serial=_SERIAL,
        turn_serial=_SERIAL,
        wait=_SERIAL,
        turns=view["turns"],
    )


def _mask(seats: object) -> int:
    return sum(1 << seat for seat in seats)  # type: ignore[attr-defined]


def _read_play(view: View) -> Play | None:
    play = view["play"]
    if play is None:
        return None
    return Play(play["seat"], NUMBERS[play["card"]], play["count"], tuple(NUMBERS[word] for word in play["nine"]))


def _list_lying_cards(view: View, play: Play | None, top: int) -> list[int]:
    """The cards of the play and of reactions to it that lie under the top card."""
    lying: list[int] = []
    if play is not None:
        lying += play.nine or [play.kind] * play.copies
    lying += [NUMBERS[reaction["card"]] for reaction in view["chain"]]
    if top in lying:
        lying.remove(top)
    return lying


def _list_steps_left(view: View, play: Play | None) -> tuple[str, ...]:
    """What is still to happen of the play after the choice that is asked."""
    if play is None or view["phase"] in ("turn", "reaction", "win", "over"):
        return ()
    steps = list_effects(play)
    asking = ("give", "duel") if view["phase"] == "give" else (view["phase"],)
    at = next((at for at, step in enumerate(steps) if _PHASES.get(step) in asking), len(steps))
    return steps[at + 1 :]


def _had_more(view: View, seat: int) -> bool:
    """Whether the seat had more than one card when the last turn was settled, as far as it matters."""
    size: int = view["hand_sizes"][seat]
    if size == 1 and seat == view["seat"]:
        return bool(view["mine"]["may_call"]) and seat not in view["must_call"]
    return size > 1


def _make_terms(view: View, seats: int) -> Terms:
    seconds = {**DEFAULTS, "reaction_seconds": view["seconds"]["reaction"], "win_seconds": view["seconds"]["win"]}
    return Terms(
        seats,
        view["minutes"],
        None,
        **seconds,
        order=tuple(view["order"]),
        counters=(0, 0, 0, 0),
        named=None,
        lost=(0,) * seats,
    )
