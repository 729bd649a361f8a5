"""Karriere Poker: be rid of your cards first and be the boss of the next deal. Source: karriere-poker.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Final

from games.catalogue.climbing.rules.cards import Pack
from games.catalogue.climbing.rules.move_schema import describe_climbing_moves
from games.catalogue.climbing.rules.rules import Climbing
from games.catalogue.climbing.rules.setup import RecordKeys, Setup
from games.catalogue.climbing.rules.state import State, Terms
from games.rules.base import BadSetup, Option, Rules, Seat
from games.rules.chance import Chance
from games.rules.options import MAX_DEALS, MAX_MINUTES, read_integer

POSITIONS: Final = (
    "boss",
    "managing-director",
    "manager",
    "department-head",
    "supervisor",
    "journeyman",
    "trainee",
    "dishwasher",
)
"""All positions from the top, as slugs; an option may write them as people do ("Managing Director")."""

DEFAULT_DEALS: Final = 3
_JOKERS: Final = {4: 2, 5: 2, 6: 3, 7: 3, 8: 4}
"""Players → jokers in the pack."""
_EXCHANGES: Final = {4: (2, 1), 5: (2, 1), 6: (3, 2, 1), 7: (3, 2, 1), 8: (4, 3, 2, 1)}
"""Players → cards exchanged between the first and the last, the second and the last but one …"""


class KarrierePoker(Climbing):
    """What Karriere Poker decides."""

    slug: ClassVar[str] = "karriere-poker"
    has_scores: ClassVar[bool] = True
    ends_by_clock: ClassVar[bool] = False
    wild: ClassVar[str] = "J"
    move_schema: ClassVar[Mapping[str, Any]] = describe_climbing_moves("J", has_named_wilds=True)
    can_name_jokers: ClassVar[bool] = True
    is_one_turn_each: ClassVar[bool] = False
    is_scored: ClassVar[bool] = True
    keys: ClassVar[RecordKeys] = RecordKeys("positions", "deals", "deal")
    options: ClassVar[tuple[Option, ...]] = (
        Option("deals", "integer", 1, MAX_DEALS),
        Option("minutes", "integer", 1, MAX_MINUTES),
        Option("positions", "names", choices=POSITIONS),
    )

    def read_terms(self, seats: int, options: Mapping[str, Any]) -> Terms:
        """Three deals, unless a number of deals or a time is agreed."""
        deals = read_integer(options, "deals", MAX_DEALS)
        minutes = read_integer(options, "minutes", MAX_MINUTES)
        if deals is None and minutes is None:
            deals = DEFAULT_DEALS
        return Terms(seats, deals, minutes, _read_positions(options.get("positions"), seats), lazy=False, listed=())

    def order_first_deal(self, setup: Setup, seats: int, chance: Chance) -> tuple[tuple[Seat, ...], bool]:
        """As set up; else a dealer is drawn, and the seats follow in turn, the dealer last."""
        if setup.order is not None:
            return setup.order, setup.ranks is not None
        dealer = chance.stream("dealer").below(seats)
        return tuple((dealer + 1 + i) % seats for i in range(seats)), False

    def pack(self, terms: Terms) -> Pack:
        """A set for each player."""
        return Pack(terms.seats, _JOKERS[terms.seats])

    def list_exchange_counts(self, seats: int) -> tuple[int, ...]:
        """The class privilege."""
        return _EXCHANGES[seats]

    def find_next_leader(self, holder: int, alive: int) -> int:
        """The next higher rank, else the next lower, else the highest still in."""
        for near in (holder - 1, holder + 1):
            if near >= 0 and alive >> near & 1:
                return near
        return (alive & -alive).bit_length() - 1

    def scores(self, past: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...]:
        """The number of players who finished after you, over all deals."""
        return _score(past, seats)

    def places(self, past: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Total score, then the better position in the last deal."""
        last = past[-1]
        scores = self.scores(past, len(last))
        best_first = sorted(range(len(last)), key=lambda seat: (-scores[seat], last[seat]))
        return tuple(best_first.index(seat) + 1 for seat in range(len(last)))


@lru_cache(maxsize=1 << 12)
def _score(past: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...]:
    return tuple(sum(seats - ranks[seat] for ranks in past) for seat in range(seats))


def _read_positions(value: object, seats: int) -> tuple[str, ...]:
    """The names in play, from the top. Default: the top ones of the list, and dishwasher."""
    if value is None:
        return (*POSITIONS[: seats - 1], POSITIONS[-1])
    names = [_slugify(name) for name in value] if isinstance(value, list | tuple) else []
    chosen = tuple(name for name in POSITIONS if name in names)
    if tuple(names) != chosen or len(chosen) != seats:
        raise BadSetup("“positions” must list %(seats)s different positions, from the top.", seats=seats)
    if (chosen[0], chosen[-1]) != (POSITIONS[0], POSITIONS[-1]):
        raise BadSetup("Boss and Dishwasher must be among the positions.")
    return chosen


def _slugify(name: object) -> str:
    return name.strip().lower().replace(" ", "-") if isinstance(name, str) else ""


RULES: Final[Rules[State]] = KarrierePoker()
