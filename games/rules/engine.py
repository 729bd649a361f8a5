"""The base class of engines: options, clock events, records and JSON, with hooks that a game fills in. Pure."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

import msgspec

from games.rules.base import (
    BadSetup,
    Config,
    Deadline,
    Event,
    IllegalMove,
    Move,
    Option,
    Outcome,
    S,
    Seat,
    View,
    quote,
)
from games.rules.chance import Chance
from games.rules.move_schemas import ANY_MOVE
from games.rules.options import check_option_names, check_seats

CLOCK_EVENTS = ("turn", "time-up")


class Engine(ABC, Generic[S]):
    """A base class for `games.rules.base.Rules`.

    A game sets the class variables without a value and writes the abstract methods. What it does not override holds for
    games in which a turn that runs out plays `time_out_move`. A game in which chance decides something after the start
    sets `chance_names` and overrides `with_chance` and `check_supplied`.
    """

    slug: ClassVar[str]
    version: ClassVar[int] = 1
    seat_counts: ClassVar[range]
    has_scores: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = ()
    move_schema: ClassVar[Mapping[str, Any]] = ANY_MOVE
    standing_pass_ends: ClassVar[frozenset[str]] = frozenset()
    windows: ClassVar[frozenset[str]] = frozenset()
    standing_answers: ClassVar[tuple[str, ...]] = ()
    usual_standing_answer: ClassVar[str] = ""
    interlude_after: ClassVar[frozenset[str]] = frozenset()
    has_jobs: ClassVar[bool] = False
    ends_by_clock: ClassVar[bool] = False
    chance_names: ClassVar[tuple[str, ...]] = ()
    """Names of the values that chance decides after the start, as `Chance.note` has them; none in most games."""
    state_type: ClassVar[type[Any]]
    """The type of its states, for JSON: a frozen msgspec.Struct, NamedTuple or dataclass."""

    def __init_subclass__(cls) -> None:
        """Work out the type that `from_json` reads: msgspec crashes where two threads do so at the same moment."""
        super().__init_subclass__()
        if "state_type" in cls.__dict__ and cls.from_json is Engine.from_json:
            msgspec.json.Decoder(cls.state_type)

    def list_jobs(self, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
        """None: most games give no jobs."""
        return ()

    # What a game writes

    @abstractmethod
    def begin(self, config: Config, rng: Chance) -> S:
        """The first state, for checked options. Raises BadSetup for a set-up that is impossible, NoChance."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that may move now, rising; empty when the game is over."""

    @abstractmethod
    def legal_moves(self, state: S, seat: Seat) -> Sequence[Move] | None:
        """All legal moves of this seat in a stable order; none if it is not to act."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The next state and what happened. Raises IllegalMove, whatever JSON object `move` is."""

    @abstractmethod
    def ring(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """The agreed time is up; ringing twice is ringing once."""

    @abstractmethod
    def serial_of(self, state: S) -> int:
        """Counts turns: a new number starts the turn's clock again."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> View:
        """What this seat (None: a spectator) may know: constructed, never filtered."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game is over."""

    @abstractmethod
    def expected(self, state: S) -> dict[str, Any]:
        """The full state for `expect` in records, `to_act` included. Never for a player."""

    @abstractmethod
    def setup_of(self, state: S) -> dict[str, Any]:
        """A complete `setup` of a first state, so that its record needs no seed."""

    @abstractmethod
    def chance(self, state: S) -> Chance:
        """The state's source of randomness."""

    @abstractmethod
    def reshuffle_unseen(self, state: S, seat: Seat | None, rng: random.Random) -> S:
        """Another possible state that this viewer cannot tell from the present one."""

    # What most games share

    def start(self, config: Config, rng: Chance) -> S:
        """The first state. Raises BadSetup, NoChance."""
        self.check_options(config.seats, config.options)
        return self.begin(config, rng)

    def opening(self, state: S) -> tuple[Event, ...]:
        """No events: nothing has happened before the first move."""
        return ()

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup if the number of players or an option is impossible."""
        check_seats(seats, self.seat_counts)
        if not isinstance(options, Mapping):
            raise BadSetup("Options must be an object.")
        check_option_names(options, self.options)
        self.read_options(seats, options)

    def read_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Checks the values of options. Raises BadSetup."""

    def legal_sample(self, state: S, seat: Seat, rng: random.Random) -> Move:
        """One of the listed moves. Raises IllegalMove if the seat is not to act."""
        moves = self.legal_moves(state, seat)
        if not moves:
            raise IllegalMove("It is not your turn.")
        return rng.choice(moves)

    def check(self, state: S, seat: Seat, move: Move) -> None:
        """Raises IllegalMove with a sentence for the player if `apply` would."""
        self.apply(state, seat, move)

    def on_clock(self, state: S, event: Mapping[str, Any]) -> tuple[S, tuple[Event, ...]]:
        """{"clock": "turn"} and {"clock": "time-up"}. Raises IllegalMove."""
        clock = event.get("clock") if isinstance(event, Mapping) else None
        if clock not in CLOCK_EVENTS:
            raise IllegalMove("This clock event does not exist. Use “turn” or “time-up”.")
        if not self.to_act(state):
            raise IllegalMove("The game is over.")
        return self.time_out(state) if clock == "turn" else self.ring(state)

    def time_out(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """Every seat that was waited for makes its `time_out_move`."""
        emitted: tuple[Event, ...] = ()
        for seat in self.to_act(state):
            state, happened = self.apply(state, seat, self.time_out_move(state, seat))
            emitted += (Event("timed_out", seat, {}), *happened)
        return state, emitted

    def time_out_move(self, state: S, seat: Seat) -> Move:
        """The move that is made for a seat whose time is up: the first one."""
        moves = self.legal_moves(state, seat)
        if not moves:
            raise NotImplementedError("A game that lists no moves says which one is made for a seat whose time is up.")
        return moves[0]

    def deadlines(self, state: S) -> tuple[Deadline, ...]:
        """The turn of the seats to act."""
        acting = self.to_act(state)
        return (Deadline({"clock": "turn"}, None, acting, self.serial_of(state)),) if acting else ()

    def answer_window(self, state: S, seat: Seat, standing: str) -> Move | None:
        """None: most games have no windows."""
        return None

    def is_covered(self, state: S, seat: Seat, standing: str) -> bool:
        """No: most games have no windows."""
        return False

    def is_standing_over(self, state: S, seat: Seat, standing: str) -> bool:
        """No: a standing answer holds until the end of the game."""
        return False

    def with_chance(self, state: S, chance: Chance) -> S:
        """The state with this source of randomness."""
        return state

    def check_supplied(self, state: S, name: str, value: Any) -> None:
        """Raises BadSetup for a value that chance could never decide; name is one of `chance_names`."""

    def supply(self, state: S, values: Sequence[tuple[str, Any]]) -> S:
        """The state in which chance is decided by these values next. Raises BadSetup on an unknown name or value."""
        for name, value in values:
            if not self.chance_names:
                raise BadSetup(
                    "This game has no random value “%(name)s”: it uses no chance after the start.", name=quote(name)
                )
            if name not in self.chance_names:
                names = ", ".join(self.chance_names)
                raise BadSetup(
                    "This game has no random value “%(name)s”. It has: %(known)s.", known=names, name=quote(name)
                )
            self.check_supplied(state, name, value)
        return self.with_chance(state, self.chance(state)._replace(supplied=tuple(values)))

    def settle(self, state: S) -> S:
        """The same state with nothing drawn and nothing supplied."""
        chance = self.chance(state)
        if not chance.drawn and not chance.supplied:
            return state
        return self.with_chance(state, chance._replace(supplied=(), drawn=()))

    def to_json(self, state: S) -> dict[str, Any]:
        """The whole state as JSON values."""
        data: dict[str, Any] = msgspec.to_builtins(state)
        return data

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The inverse of `to_json`."""
        state: S = msgspec.convert(data, self.state_type)
        return state
