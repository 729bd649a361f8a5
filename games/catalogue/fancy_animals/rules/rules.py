"""Fancy Animals under the engine contract."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from games.catalogue.fancy_animals.rules import events, flow
from games.catalogue.fancy_animals.rules.build_view import build_view, dump_expected, write_worn
from games.catalogue.fancy_animals.rules.cards import find_highest
from games.catalogue.fancy_animals.rules.flow import Transition
from games.catalogue.fancy_animals.rules.move_schema import MOVE_SCHEMA
from games.catalogue.fancy_animals.rules.sampling import sample_move
from games.catalogue.fancy_animals.rules.setup import begin_game, write_setup
from games.catalogue.fancy_animals.rules.state import OVER, State, can_draw
from games.catalogue.fancy_animals.rules.storage import dump_state, load_state
from games.catalogue.fancy_animals.rules.table_check import is_same_table, spell_tile
from games.catalogue.fancy_animals.rules.unseen import reshuffle
from games.rules.base import Config, Event, IllegalMove, Move, Outcome, Seat, View
from games.rules.chance import Chance
from games.rules.engine import Engine


class FancyAnimals(Engine[State]):
    """`Rules[State]` of Fancy Animals."""

    slug: ClassVar[str] = "fancy-animals"
    seat_counts: ClassVar[range] = range(2, 5)
    move_schema: ClassVar[Mapping[str, Any]] = MOVE_SCHEMA
    state_type: ClassVar[type[State]] = State

    # Beginning

    def begin(self, config: Config, rng: Chance) -> State:
        """The first state. Raises BadSetup, NoChance."""
        return begin_game(config.setup, config.seats, find_highest(config.seats), rng)

    def opening(self, state: State) -> tuple[Event, ...]:
        """Who has which animal, and who begins."""
        return (events.make_dealt(state),)

    # Moves

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """One seat, or nobody after the end."""
        return () if state.turn == OVER else (state.turn,)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move] | None:
        """None for the seat to act: its moves are too many to list. Nothing for the others."""
        return None if state.turn == seat else ()

    def legal_sample(self, state: State, seat: Seat, rng: random.Random) -> Move:
        """A legal move; every kind of move is possible. Raises IllegalMove if the seat is not to act."""
        if state.turn != seat:
            raise IllegalMove("It is not your turn.")
        return sample_move(state, rng)

    def apply(self, state: State, seat: Seat, move: Move) -> Transition:
        """The next state and what happened. Raises IllegalMove."""
        return flow.apply(state, seat, move)

    # Clock

    def ring(self, state: State) -> Transition:
        """The bell."""
        return flow.ring(state)

    def time_out_move(self, state: State, seat: Seat) -> Move:
        """Draw, or else pass."""
        return {"draw": True} if can_draw(state, seat) else {"pass": True}

    def serial_of(self, state: State) -> int:
        """Counts turns."""
        return state.serial

    # What is known

    def view(self, state: State, seat: Seat | None) -> View:
        """A `FancyAnimalsView`."""
        return cast(View, build_view(state, seat, game=self.slug))

    def outcome(self, state: State) -> Outcome | None:
        """The result, once the game is over."""
        return flow.find_outcome(state) if state.turn == OVER else None

    def expected(self, state: State) -> dict[str, Any]:
        """The full state under the document's keys."""
        return dump_expected(state)

    def is_expected(self, key: str, actual: Any, wanted: Any) -> bool:
        """Melds lie in no order, and neither do the cards of a set."""
        return key == "table" and is_same_table(actual, wanted)

    # Records

    def setup_of(self, state: State) -> dict[str, Any]:
        """Everything as dealt."""
        return write_setup(state, [write_worn(worn) for worn in state.worn], spell_tile)

    def chance(self, state: State) -> Chance:
        """The state's source of randomness."""
        return state.chance

    def reshuffle_unseen(self, state: State, seat: Seat | None, rng: random.Random) -> State:
        """See unseen.py for what is respected."""
        return reshuffle(state, seat, rng)

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON values."""
        return dump_state(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`."""
        return load_state(data)
