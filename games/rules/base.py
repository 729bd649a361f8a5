"""The contract that every game fulfils: pure functions over immutable states.

No Django, no clock, no randomness but what is passed in. The same contract serves live tables,
records, simulation, bots and tests (tests/rules/test_conformance.py holds every game to it).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from games.rules.chance import Chance

Seat: TypeAlias = int
Move: TypeAlias = Mapping[str, Any]
"""One seat's move, as in the Notation section of the game's document: a JSON object."""
View: TypeAlias = dict[str, Any]
"""What one seat, or a spectator, may know: JSON values only."""

S = TypeVar("S")


class _ReadableError(Exception):
    """An error that a person reads: an English sentence with named places, translated at the edge."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template % values if values else template)
        self.template = template
        self.values = values


class IllegalMove(_ReadableError):
    """The move, or clock event, is not allowed now; the state is unchanged."""


class BadSetup(_ReadableError):
    """The options, the number of players or the set-up position are impossible."""


class UnknownGame(BadSetup):
    """There is no such game, or it is not installed any more."""


_MAX_QUOTED: Final = 40
"""Characters of a player's input that an error message repeats."""


def quote(word: object) -> str:
    """A word of somebody's input, short enough for a sentence about it; no word, no quotation."""
    return word[:_MAX_QUOTED] if isinstance(word, str) else "?"


class Event(NamedTuple):
    """A fact for the log and for animation.

    kind: a closed word of the game ("played", "passed", "exchanged" …); seat: who did it, or None;
    data: JSON values; to: the seats that may know it, None for everybody.
    """

    kind: str
    seat: Seat | None
    data: Mapping[str, Any]
    to: tuple[Seat, ...] | None = None


class Deadline(NamedTuple):
    """One thing that the game waits for, for a limited time.

    event: the clock event to give to `on_clock` when the time is up; seconds: how long it waits from
    the moment it first appears, None for the table's own turn time; seats: those it waits for;
    serial: tells one wait from the next of the same event (a wait with the same event and serial
    goes on running, a new serial begins a new one). held: it stands still meanwhile, and nobody is
    waited for (a turn during which others are asked).
    """

    event: Mapping[str, Any]
    seconds: float | None
    seats: tuple[Seat, ...]
    serial: int
    held: bool = False


class Outcome(NamedTuple):
    """How a game ended. places: by seat, 1 = best, shared places share; scores: by seat, or None."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None


class Config(NamedTuple):
    """What a game begins with. options, setup: as in the game's document, JSON values, unchecked."""

    seats: int
    options: Mapping[str, Any] = {}
    setup: Mapping[str, Any] = {}


class Option(NamedTuple):
    """One table option, for the lobby's form. kind: "integer", "flag", "names", "species" or "seat".

    choices: the names to choose from; of "names" in the order in which they must stand.
    """

    name: str
    kind: str
    least: int = 1
    most: int = 1
    choices: tuple[str, ...] = ()


class Rules(Protocol[S]):
    """One game. S is its immutable state."""

    slug: ClassVar[str]
    version: ClassVar[int]
    """`rules` of a record: a changed rule gets a new number."""
    seat_counts: ClassVar[range]
    has_scores: ClassVar[bool]
    """Whether an outcome has scores beside the places."""
    options: ClassVar[tuple[Option, ...]]
    move_schema: ClassVar[Mapping[str, Any]]
    """JSON Schema of the moves that the game understands, for programs (`games.rules.move_schemas`)."""
    standing_pass_ends: ClassVar[frozenset[str]]
    """Kinds of events that end "pass for the rest of this round"; empty where a pass cannot be ordered."""
    windows: ClassVar[frozenset[str]]
    """Clock events of windows: several seats are asked at once and may let it pass. Mostly none.

    Until a window closes nobody learns who has answered: `view["to_act"]` has every seat that it asked, but the
    viewer's own seat only while that is asked."""
    standing_answers: ClassVar[tuple[str, ...]]
    """What a seat can order for the windows to come; none in most games."""
    usual_standing_answer: ClassVar[str]
    """What every seat has ordered in a game over days until its player chooses; empty for nothing."""
    interlude_after: ClassVar[frozenset[str]]
    """Kinds of events after which a table pauses for a few seconds, so that all see what changed; mostly none."""
    has_jobs: ClassVar[bool]
    """Whether every deal gives each seat a job or position: such games can be evenings, ladders and careers."""
    ends_by_clock: ClassVar[bool]
    """Whether the game lasts an agreed time unless a number of deals is agreed."""

    def start(self, config: Config, rng: Chance) -> S:
        """The first state. Raises BadSetup; NoChance if something random is needed without a seed."""

    def opening(self, state: S) -> tuple[Event, ...]:
        """What happened before the first move of a first state (cards dealt, exchanged), for the log."""

    def check_options(self, seats: int, options: Mapping[str, Any]) -> None:
        """Raises BadSetup if the number of players or an option is impossible."""

    def list_jobs(self, seats: int, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The slugs of the jobs that a deal gives, best first; none in a game without jobs. Raises BadSetup."""

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that may move now, rising; empty when the game is over."""

    def legal_moves(self, state: S, seat: Seat) -> Sequence[Move] | None:
        """All legal moves that differ in effect, in a stable order; None where they are too many to list.

        A seat that is not to act may have something to say out of turn; that never changes who is to act, and
        where a deadline waits for such a seat it has a move.
        """

    def legal_sample(self, state: S, seat: Seat, rng: random.Random) -> Move:
        """One legal move, drawn uniformly where moves are listed; every kind of move possible otherwise."""

    def check(self, state: S, seat: Seat, move: Move) -> None:
        """Raises IllegalMove with a sentence for the player if `apply` would."""

    def apply(self, state: S, seat: Seat, move: Move) -> tuple[S, tuple[Event, ...]]:
        """The next state and what happened. Raises IllegalMove, whatever JSON object `move` is."""

    def on_clock(self, state: S, event: Mapping[str, Any]) -> tuple[S, tuple[Event, ...]]:
        """What time decides, e.g. {"clock": "turn"}. Raises IllegalMove if it cannot happen now."""

    def deadlines(self, state: S) -> tuple[Deadline, ...]:
        """What the clock waits for now."""

    def answer_window(self, state: S, seat: Seat, standing: str) -> Move | None:
        """The move of a seat that a window asks and that need not be asked: it has no choice, or has ordered it.

        standing: one of `standing_answers`, or empty. None where its player is to be asked, or nothing is.
        """

    def is_covered(self, state: S, seat: Seat, standing: str) -> bool:
        """Whether this standing answer lets the window that is open pass, whatever the seat holds."""

    def is_standing_over(self, state: S, seat: Seat, standing: str) -> bool:
        """Whether this standing answer of this seat lapses in this state."""

    def view(self, state: S, seat: Seat | None) -> View:
        """What this seat (None: a spectator) may know: constructed, never filtered."""

    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game is over."""

    def expected(self, state: S) -> dict[str, Any]:
        """The full state under the document's keys for `expect`, `to_act` included. Never for a player."""

    def setup_of(self, state: S) -> dict[str, Any]:
        """A complete `setup` of a first state, so that its record needs no seed for it."""

    def supply(self, state: S, values: Sequence[tuple[str, Any]]) -> S:
        """The state in which chance is decided by these values next. Raises BadSetup on an unknown name."""

    def chance(self, state: S) -> Chance:
        """The state's source of randomness (for records)."""

    def settle(self, state: S) -> S:
        """The same state with `chance(state).drawn` and unused supplied values emptied."""

    def reshuffle_unseen(self, state: S, seat: Seat | None, rng: random.Random) -> S:
        """Another possible state that this viewer cannot tell from the present one."""

    def to_json(self, state: S) -> dict[str, Any]:
        """The whole state as JSON values."""

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The inverse of `to_json`."""
