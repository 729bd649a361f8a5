"""Animal Poker: one turn each a round, jobs from the first session, a timed evening. Source: animal-poker.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from games.catalogue.climbing.rules.cards import MAX_SETS, Pack
from games.catalogue.climbing.rules.move_schema import describe_climbing_moves
from games.catalogue.climbing.rules.rules import Climbing
from games.catalogue.climbing.rules.setup import RecordKeys, Setup
from games.catalogue.climbing.rules.state import COUNTERCLOCKWISE, State, Terms
from games.rules.base import Option, Rules, Seat
from games.rules.chance import Chance
from games.rules.options import MAX_DEALS, MAX_MINUTES, read_flag, read_integer

JOBS: Final = (
    ("ceo", 4),
    ("director", 4),
    ("head-of-department", 6),
    ("team-lead", 8),
    ("specialist", 5),
    ("clerk", 7),
    ("assistant", 4),
    ("trainee", 4),
)
"""All jobs from the top, each with the number of players from which on it is in play."""

DEFAULT_MINUTES: Final = 30
FREELANCERS: Final = 3


class AnimalPoker(Climbing):
    """What Animal Poker decides."""

    slug: ClassVar[str] = "animal-poker"
    has_scores: ClassVar[bool] = False
    ends_by_clock: ClassVar[bool] = True
    wild: ClassVar[str] = "F"
    move_schema: ClassVar[Mapping[str, Any]] = describe_climbing_moves("F", has_named_wilds=False)
    can_name_jokers: ClassVar[bool] = False
    is_one_turn_each: ClassVar[bool] = True
    is_scored: ClassVar[bool] = False
    keys: ClassVar[RecordKeys] = RecordKeys("jobs", "sessions", "session")
    options: ClassVar[tuple[Option, ...]] = (
        Option("minutes", "integer", 1, MAX_MINUTES),
        Option("sessions", "integer", 1, MAX_DEALS),
        Option("lazy", "flag"),
    )

    def read_terms(self, seats: int, options: Mapping[str, Any]) -> Terms:
        """Half an hour, unless a time or a number of sessions is agreed."""
        sessions = read_integer(options, "sessions", MAX_DEALS)
        minutes = read_integer(options, "minutes", MAX_MINUTES)
        if sessions is None and minutes is None:
            minutes = DEFAULT_MINUTES
        names = tuple(name for name, least in JOBS if seats >= least)
        return Terms(seats, sessions, minutes, names, lazy=read_flag(options, "lazy"), listed=())

    def order_first_deal(self, setup: Setup, seats: int, chance: Chance) -> tuple[tuple[Seat, ...], bool]:
        """As set up (an order says who has which job); else the jobs are shuffled and dealt by seat."""
        if setup.order is not None:
            return setup.order, True
        jobs = chance.stream("jobs").shuffled(range(1, seats + 1))
        return tuple(sorted(range(seats), key=lambda seat: jobs[seat])), True

    def pack(self, terms: Terms) -> Pack:
        """A set for each player; all eight for lazy chaotic numbers."""
        return Pack(MAX_SETS if terms.lazy else terms.seats, FREELANCERS)

    def list_exchange_counts(self, seats: int) -> tuple[int, ...]:
        """Superiors cash in."""
        return (3, 2, 1) if seats >= 6 else (3, 2)

    def find_next_leader(self, holder: int, alive: int) -> int:
        """The nearest player counterclockwise who has cards."""
        return COUNTERCLOCKWISE[alive][holder]

    def scores(self, past: tuple[tuple[int, ...], ...], seats: int) -> None:
        """There are none."""

    def places(self, past: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """The jobs of the last session."""
        return past[-1]


RULES: Final[Rules[State]] = AnimalPoker()
