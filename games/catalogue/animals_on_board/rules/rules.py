"""The engine contract for Animals on Board."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, cast

from games.catalogue.animals_on_board.rules import events, flow, moves
from games.catalogue.animals_on_board.rules.build_view import build_view, dump_expected, list_seats_to_act
from games.catalogue.animals_on_board.rules.fields import find_species, read_seat
from games.catalogue.animals_on_board.rules.flow import Transition
from games.catalogue.animals_on_board.rules.move_list import MAX_LISTED_SPLITS, list_moves, write_split, write_take
from games.catalogue.animals_on_board.rules.move_schema import MOVE_SCHEMA
from games.catalogue.animals_on_board.rules.setup import read_setup, write_setup
from games.catalogue.animals_on_board.rules.state import (
    CHOOSING,
    OVER,
    State,
    can_split,
    list_choosers,
    list_drawn_tiles,
)
from games.catalogue.animals_on_board.rules.storage import dump_state, load_state
from games.catalogue.animals_on_board.rules.tiles import SPECIES
from games.catalogue.animals_on_board.rules.unseen import reshuffle
from games.rules.base import (
    Config,
    Event,
    Move,
    Option,
    Outcome,
    Seat,
    View,
)
from games.rules.chance import Chance
from games.rules.engine import Engine

_FORFEIT: Final[tuple[Move, ...]] = ({"forfeit": True},)
_SEATS: Final = tuple((seat,) for seat in range(4))


class AnimalsOnBoard(Engine[State]):
    """Split or take: `Rules[State]`."""

    slug: ClassVar[str] = "animals-on-board"
    seat_counts: ClassVar[range] = range(2, 5)
    options: ClassVar[tuple[Option, ...]] = (
        Option("species", "species", choices=SPECIES),
        Option("start", "seat", 0, 3),
    )
    move_schema: ClassVar[Mapping[str, Any]] = MOVE_SCHEMA
    state_type: ClassVar[type[State]] = State

    # Beginning

    def begin(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        return read_setup(config.setup, config.seats, config.options, rng)

    def opening(self, state: State) -> tuple[Event, ...]:
        """Who has the flag; of a later position its round."""
        return (events.make_began(state) if state.is_choosing else events.make_round(state),)

    def read_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup."""
        find_species(seats, options)
        if options.get("start") is not None:
            read_seat(options["start"], seats, "start")

    # Moves

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Everybody who has not chosen yet; then one seat; nobody after the end."""
        return _SEATS[state.turn] if state.turn >= 0 else list_seats_to_act(state)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move] | None:
        """All moves, unless there are more than a few ways to split."""
        turn = state.turn
        if turn == CHOOSING:
            return [{"keep": tile} for tile in list_drawn_tiles(state, seat)] if seat in list_choosers(state) else ()
        if turn != seat:
            return ()
        listing = list_moves(state.groups, state.crates[seat])
        return listing if listing is None or len(listing) else _FORFEIT

    def legal_sample(self, state: State, seat: Seat, rng: random.Random) -> Move:
        """One of the listed moves; where they are too many, any group is split or taken, and any of its tiles leave.

        Raises IllegalMove if the seat is not to act.
        """
        crates, choices, splits = state.crates[seat], [], 0
        for number, tiles in state.groups.items():
            size = len(tiles)
            if size <= crates:
                choices.append(-number)
            if size > 1:
                choices.append(number)
                splits += (1 << size) - 2
        if splits <= MAX_LISTED_SPLITS or seat != state.turn:
            moves.check_turn(state, seat)
            return rng.choice(self.legal_moves(state, seat) or ())
        number = choices[int(rng.random() * len(choices))]
        if number < 0:
            return write_take(-number)
        tiles = state.groups[number]
        mask = 1 + int(rng.random() * ((1 << len(tiles)) - 2))
        return write_split(number, tiles, [place for place in range(len(tiles)) if mask >> place & 1])

    def apply(self, state: State, seat: Seat, move: Move) -> Transition:
        """The next state and what happened. Raises IllegalMove."""
        if seat != state.turn:
            moves.check_turn(state, seat)
        if type(move) is dict:  # the two that are nearly all moves
            if len(move) == 2 and "split" in move and "off" in move:
                return flow.split(state, *moves.read_split(state, move["split"], move["off"]))
            if len(move) == 1 and "take" in move:
                return flow.take(state, moves.read_take(state, seat, move["take"]))
        kind = moves.read_kind(move)
        if kind == "split":
            return flow.split(state, *moves.read_split(state, move["split"], move.get("off")))
        if kind == "take":
            return flow.take(state, moves.read_take(state, seat, move["take"]))
        if kind == "keep":
            return flow.keep(state, seat, moves.read_keep(state, seat, move["keep"]))
        moves.read_forfeit(state, seat, move["forfeit"])
        return flow.forfeit(state)

    # Clock

    def ring(self, state: State) -> Transition:
        """The running round is the last."""
        return (state, ()) if state.bell else (state._replace(bell=True), (events.make_bell(state),))

    def time_out_move(self, state: State, seat: Seat) -> Move:
        """Keep the first drawn; split the last tile off the largest group; take the cheapest; forfeit."""
        return _time_out_move(state, seat)

    def serial_of(self, state: State) -> int:
        """Counts turns."""
        return state.serial

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """An `AnimalsOnBoardView`."""
        return cast(View, build_view(state, seat, game=self.slug))

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return flow.find_outcome(state) if state.turn == OVER else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        return dump_expected(state)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """The whole stack, or the later position."""
        return write_setup(state)

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.table.chance

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng)

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump_state(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load_state(data)


def _time_out_move(state: State, seat: Seat) -> Move:
    if state.is_choosing:
        return {"keep": list_drawn_tiles(state, seat)[0]}
    sizes = [(len(tiles), -number) for number, tiles in state.groups.items()]
    if can_split(state):
        number = -max(sizes)[1]
        return {"split": number, "off": [state.groups[number][-1]]}
    cheap = min(((size, -number) for size, number in sizes), default=None)
    if cheap is not None and cheap[0] <= state.crates[seat]:
        return {"take": cheap[1]}
    return {"forfeit": True}
