"""A table at one version, as the use cases see it: immutable, complete, shared by a process's threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.records.stand_ins import DecisionLog, StandIn
from games.rules.base import Outcome, Rules, Seat
from games.rules.clock import Clock, find_next_due

WAITING, PLAYING, OVER = "waiting", "playing", "over"

BOT_GRACE = 2.0
"""Seconds after which the sweeper makes a bot's turn whose message was lost."""


class Place(NamedTuple):
    """A chair that is taken: by a person (player_id) or by a bot of some level."""

    seat: Seat
    player_id: int | None
    bot: str
    name: str
    avatar: str
    entropy: str | None
    """What this person contributed to the deal; None for a bot, and as long as they have contributed nothing."""
    chair: int | None = None
    """Where they sat before the seats were drawn; None before that, and where somebody else decides who sits where."""


class Line(NamedTuple):
    """One event of the game, for the log. to: who may know it, None for everybody."""

    ply: int
    kind: str
    seat: Seat | None
    data: Mapping[str, Any]
    to: tuple[Seat, ...] | None = None


class Arrangement(NamedTuple):
    """What a table knows of who arranged it: nobody but its people sits down, and it starts by itself."""

    arrived: frozenset[Seat] = frozenset()
    """Seats whose people have come."""
    deal_seed: str = ""
    """Hex digits of a seed that other tables have, too; empty where the table makes its own."""
    is_sealed: bool = False
    """Whether record, seed and secret are kept back although the game is over."""
    home: str = ""
    """The address of the page to which its people go back."""
    shared_deal: int | None = None
    """Of which `SharedDeal` the seed is made; None where the table makes its own, and of tables from before."""


class BotDue(NamedTuple):
    """When a bot will answer this wait; None if it has nothing to say to it."""

    seat: Seat
    serial: int
    due: float | None


class Desk(NamedTuple):
    """What the table keeps beside the game: clocks, who is absent, standing orders."""

    clocks: tuple[Clock, ...] = ()
    bot_due: float | None = None
    """When the next bot moves."""
    bots: tuple[BotDue, ...] = ()
    """Each bot that is waited for has a moment of its own."""
    timeouts: tuple[int, ...] = ()
    """Turns in a row that ran out, by seat."""
    stand_ins: frozenset[Seat] = frozenset()
    """Seats of absent people that a bot plays for."""
    standing_passes: frozenset[Seat] = frozenset()
    """Seats that pass until the lead changes."""
    paused_at: float | None = None
    """Since when everything stands still."""
    is_standing: bool = False
    """Whether it does because nobody is there, and goes on by itself when one of its people comes back."""
    arranged: Arrangement | None = None
    played: DecisionLog = DecisionLog()
    """Who decided so far: people, or bots that stood in for them."""
    is_called: bool = False
    """Whether the game begins by itself as soon as every chair is taken: somebody has asked for its start."""
    waits: tuple[tuple[Seat, float], ...] = ()
    """Until when a person's contribution to the deal is waited for, once the game is to begin; by seat."""
    lost: float = 0.0
    """Seconds in which its people could not come to an arranged table: nobody was there to let them in."""


class Loaded(NamedTuple):
    """One table at one version. `state` is None until the game has started."""

    id: str
    rules: Rules[Any]
    options: Mapping[str, Any]
    status: str
    is_public: bool
    is_rated: bool
    talk: str
    invite: str
    host_id: int | None
    seat_count: int
    turn_seconds: int
    version: int
    ply: int
    state: Any
    desk: Desk
    places: tuple[Place, ...]
    created_at: float
    started_at: float | None
    ended_at: float | None
    secret: str
    commitment: str
    seed: str
    outcome: Outcome | None
    rematch_id: str | None
    log: tuple[Line, ...]
    void_reason: str = ""
    """Why its game counts for nobody; empty where it counts."""
    procedure: int = 1
    """How its deal was made: from 2 on everybody contributed after the commitment was published."""

    @property
    def wake_at(self) -> float | None:
        """When something is due without anybody's doing."""
        if self.status == WAITING:
            return self.begins_at
        if self.status != PLAYING or self.desk.paused_at is not None:
            return None
        dues = [due for due in (find_next_due(self.desk.clocks), self.desk.bot_due) if due is not None]
        return min(dues, default=None)

    @property
    def begins_at(self) -> float | None:
        """When the game begins by itself, at once (0) if all have contributed; None while something else is missing."""
        is_wanted = self.desk.is_called or self.desk.arranged is not None
        if self.status != WAITING or not is_wanted or self.desk.paused_at is not None:
            return None
        if self.missing() or self.free_chairs():
            return None
        waits = dict(self.desk.waits)
        return max((waits.get(seat, 0.0) for seat in self.silent()), default=0.0)

    @property
    def has_own_deal(self) -> bool:
        """Whether its cards come from its own secret and its people's contributions, and not from a round's."""
        return self.desk.arranged is None or not self.desk.arranged.deal_seed

    def silent(self) -> tuple[Seat, ...]:
        """The seats of people who could still contribute to the deal and have not."""
        if not self.has_own_deal:
            return ()
        return tuple(
            place.seat
            for place in self.places
            if place.player_id is not None and not place.entropy and place.seat not in self.desk.stand_ins
        )

    def seat_of(self, player_id: int | None) -> Seat | None:
        """The seat of this person, or None."""
        if player_id is not None:
            for place in self.places:  # asked for every screen with every move: a generator takes twice as long
                if place.player_id == player_id:
                    return place.seat
        return None

    def place(self, seat: Seat) -> Place | None:
        """Who sits on this chair."""
        for place in self.places:
            if place.seat == seat:
                return place
        return None

    def bot_level(self, seat: Seat) -> str | None:
        """The level of the bot that plays for this seat now, or None if a person does."""
        if seat in self.desk.stand_ins:
            return "steady"
        place = self.place(seat)
        return place.bot or None if place else None

    def list_stand_ins(self) -> dict[Seat, StandIn]:
        """What bots have played for people, by seat."""
        return self.desk.played.list_stand_ins()

    def missing(self) -> tuple[Seat, ...]:
        """At an arranged table: the chairs of people who have not come yet, and for whom no bot plays meanwhile."""
        if self.desk.arranged is None:
            return ()
        here = self.desk.arranged.arrived | self.desk.stand_ins
        return tuple(place.seat for place in self.places if place.player_id is not None and place.seat not in here)

    @property
    def allows_hints(self) -> bool:
        """Hints are for games that count for nothing: neither arranged, nor rated between two people or more."""
        people = sum(not place.bot for place in self.places)
        return self.desk.arranged is None and (people < 2 or not self.is_rated)

    def free_chairs(self) -> list[Seat]:
        """Chairs that nobody has taken, rising."""
        taken = {place.seat for place in self.places}
        return [index for index in range(self.seat_count) if index not in taken]

    def changed(self, **changes: Any) -> Loaded:
        """The table one version later."""
        return self._replace(version=self.version + 1, **changes)
