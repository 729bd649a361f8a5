"""The immutable state, and the draft that one step works on. Sets of seats are bit masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.catalogue.super_zwierzaki.rules.kinds import Hand
from games.rules.base import Event, Seat
from games.rules.chance import Chance

Phase: TypeAlias = Literal[
    "turn", "reaction", "colour", "name", "swap", "discard", "give", "sigma", "duel", "win", "over"
]
NOBODY: Final = -1


class Terms(NamedTuple):
    """What the table agreed on, and the moment before the first turn (for `setup_of`).

    Seconds are None for the default. counters: red, orc, stop, demand; named: (kind, seat) of the demand, or None.
    """

    seats: int
    minutes: int | None
    turn_seconds: int | None
    reaction_seconds: int
    call_seconds: int
    win_seconds: int
    order: tuple[Seat, ...]
    counters: tuple[int, int, int, int]
    named: tuple[int, Seat] | None
    lost: tuple[int, ...]


class Play(NamedTuple):
    """What lies on the heap and waits to take effect. copies: how many identical cards; nine: the nine colours."""

    seat: Seat
    kind: int
    copies: int
    nine: tuple[int, ...] = ()


class Demand(NamedTuple):
    """What is demanded. value: the counter when it was named."""

    kind: int
    by: Seat
    value: int


class Duel(NamedTuple):
    """kind: "Oth" or "Giv"; inside: mask of seats; after_red: the last card played in it was a Red."""

    kind: str
    points: int
    inside: int
    after_red: bool


class State(NamedTuple):
    """A position."""

    terms: Terms
    chance: Chance
    shuffles: int
    """How often the heap has become the draw pile."""
    halves: int
    """How often chance has chosen half of a hand."""
    hands: tuple[Hand, ...]
    """Cards in hand, by seat."""
    heap: bytes
    """Kinds under the top card, bottom first."""
    top: int
    pile: bytes
    """The draw pile, first card first."""
    colour: str
    """The given colour, or ALL."""
    group: str
    """The given class, or "all"."""
    order: tuple[Seat, ...]
    """The ring of seats in playing order, from any of them."""
    turn: Seat
    red: int
    orc: int
    stop: int
    demand: int
    named: Demand | None
    lost: tuple[int, ...]
    """Turns that each seat is still to lose."""
    phase: Phase
    asked: int
    """Mask of the seats whose answer is awaited."""
    play: Play | None
    todo: tuple[str, ...]
    """What is still to happen of the play, in order."""
    need: int
    """Exactly so many cards are to be put under the top card or given away."""
    chain: tuple[tuple[Seat, int], ...]
    """Reactions in this row of windows: who, which kind."""
    duel: Duel | None
    winner: Seat
    """The seat that has no cards and wins unless it is stopped, −1 for nobody."""
    owing: tuple[int, ...]
    """The serial of the call that each seat owes, 0 for none."""
    said: int
    """Mask of the seats that have called since a turn or win window was last settled."""
    more: int
    """Mask of the seats that had more than one card then."""
    bell: bool
    places: tuple[int, ...]
    serial: int
    """The last serial that was given to a wait."""
    turn_serial: int
    """Serial of the turn under way, choices included."""
    wait: int
    """Serial of the wait that is on."""
    turns: int
    """Turns begun."""


class Draft:
    """A working copy of a state, changed freely within one step and frozen at its end."""

    __slots__ = (*State._fields, "emitted")

    terms: Terms
    chance: Chance
    shuffles: int
    halves: int
    hands: tuple[Hand, ...]
    heap: bytes
    top: int
    pile: bytes
    colour: str
    group: str
    order: tuple[Seat, ...]
    turn: Seat
    red: int
    orc: int
    stop: int
    demand: int
    named: Demand | None
    lost: tuple[int, ...]
    phase: Phase
    asked: int
    play: Play | None
    todo: tuple[str, ...]
    need: int
    chain: tuple[tuple[Seat, int], ...]
    duel: Duel | None
    winner: Seat
    owing: tuple[int, ...]
    said: int
    more: int
    bell: bool
    places: tuple[int, ...]
    serial: int
    turn_serial: int
    wait: int
    turns: int
    emitted: list[Event]

    def __init__(self, state: State) -> None:
        (
            self.terms, self.chance, self.shuffles, self.halves, self.hands, self.heap, self.top, self.pile,
            self.colour, self.group, self.order, self.turn, self.red, self.orc, self.stop, self.demand, self.named,
            self.lost, self.phase, self.asked, self.play, self.todo, self.need, self.chain, self.duel, self.winner,
            self.owing, self.said, self.more, self.bell, self.places, self.serial, self.turn_serial,
            self.wait, self.turns,
        ) = state  # fmt: skip
        self.emitted = []

    def freeze(self) -> State:
        """The state as it is now."""
        return tuple.__new__(
            State,
            (
                self.terms, self.chance, self.shuffles, self.halves, self.hands, self.heap, self.top, self.pile,
                self.colour, self.group, self.order, self.turn, self.red, self.orc, self.stop, self.demand, self.named,
                self.lost, self.phase, self.asked, self.play, self.todo, self.need, self.chain, self.duel, self.winner,
                self.owing, self.said, self.more, self.bell, self.places, self.serial, self.turn_serial,
                self.wait, self.turns,
            ),
        )  # fmt: skip

    def emit(self, kind: str, seat: Seat | None, data: Mapping[str, Any], to: tuple[Seat, ...] | None = None) -> None:
        """Note a fact for the log; see events.py for the closed list."""
        self.emitted.append(Event(kind, seat, data, to))

    def ask(self, phase: Phase, asked: int, wait: int | None = None) -> None:
        """Wait for these seats. wait: the serial of a wait that goes on, else a new one begins."""
        self.phase = phase
        self.asked = asked
        if wait is None:
            self.serial += 1
            wait = self.serial
        self.wait = wait

    def set_hand(self, seat: Seat, hand: Hand) -> None:
        """The seat holds these cards now."""
        hands = self.hands
        self.hands = (*hands[:seat], hand, *hands[seat + 1 :])


def list_seats(mask: int) -> tuple[Seat, ...]:
    """The seats in a mask, rising."""
    return _MEMBERS[mask]


_MEMBERS: Final = tuple(tuple(seat for seat in range(8) if mask >> seat & 1) for mask in range(256))


def find_next(order: tuple[Seat, ...], seat: Seat) -> Seat:
    """Who comes after this seat in the ring."""
    return order[order.index(seat) + 1 - len(order)]
