"""A table at one version, as the use cases see it: immutable, complete, shared by a process's threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.records.stand_ins import DecisionLog, StandIn
from games.rules.base import Deadline, Outcome, Rules, Seat
from games.rules.clock import UNTIMED_SECONDS, Clock, find_next_due
from games.rules.day_pace import DAY_SECONDS, SeatHoliday

WAITING, PLAYING, OVER = "waiting", "playing", "over"
QUICK, NORMAL, SLOW = "quick", "normal", "slow"
PACES = (QUICK, NORMAL, SLOW)
"""How long bots take to move."""

BOT_GRACE = 2.0
"""Seconds after which the sweeper makes a bot's turn whose message was lost: longer than a message usually waits."""


class SeatedPlayer(NamedTuple):
    """Who sits on one seat of a table: a person (player_id), or a bot of this level (bot)."""

    seat: Seat
    player_id: int | None
    bot: str
    name: str
    avatar: str
    entropy: str | None
    """What this person contributed to the deal; None for a bot, and as long as they have contributed nothing."""
    chair: int | None = None
    """Their seat before the seats were assigned by lot; None before that, and at arranged tables."""
    has_account: bool = False
    """Whether this person signs in with an account; a guest and a bot do not."""


class LogLine(NamedTuple):
    """One event of the game, for the log. to: the seats that may see it, None for everybody."""

    ply: int
    kind: str
    seat: Seat | None
    data: Mapping[str, Any]
    to: tuple[Seat, ...] | None = None


class Arrangement(NamedTuple):
    """A tournament's or evening's table: only its players sit down, and it starts by itself."""

    arrived: frozenset[Seat] = frozenset()
    """Seats whose players have arrived."""
    deal_seed: str = ""
    """Seed in hex digits that other tables share; empty if the table makes its own."""
    is_sealed: bool = False
    """Whether record, seed and secret stay hidden although the game is over."""
    home: str = ""
    """URL path of the page to which its players return."""
    shared_deal: int | None = None
    """Id of the `SharedDeal` behind the seed; None if the table makes its own, and in old rows."""


class BotDue(NamedTuple):
    """When (seconds since 1970) a bot answers the clock with this serial; None if it stays silent.

    is_reserved: it waits so long because people are asked, too.
    """

    seat: Seat
    serial: int
    due: float | None
    is_reserved: bool = False


class AnswerDue(NamedTuple):
    """When (seconds since 1970) a person's seat is answered for in the window with this serial, unless it is asked.

    due: drawn whatever the seat holds (`games.play.moves.window_answers`); None: the window runs out.
    """

    seat: Seat
    serial: int
    due: float | None


class Interlude(NamedTuple):
    """A pause after a new deal (`games.play.moves.interludes`), from one time to another if nobody ends it earlier."""

    since: float
    until: float
    ready: frozenset[Seat] = frozenset()
    """Seats whose players want to go on."""


class TableRuntime(NamedTuple):
    """What a table keeps beside its game's state: clocks, stand-ins, standing orders. Stored in the column `desk`."""

    clocks: tuple[Clock, ...] = ()
    bot_due: float | None = None
    """When the next bot moves, or the next person is answered for. All times here are seconds since 1970."""
    bots: tuple[BotDue, ...] = ()
    """One entry for each bot that a clock waits for."""
    timeouts: tuple[int, ...] = ()
    """Turns in a row that have run out, by seat."""
    stand_ins: frozenset[Seat] = frozenset()
    """Seats of absent people that a bot plays for."""
    standing_passes: frozenset[Seat] = frozenset()
    """Seats that pass until the lead changes."""
    standing_answers: tuple[tuple[Seat, str], ...] = ()
    """(seat, order) pairs: what players have ordered for windows, one of the game's `standing_answers`."""
    answers: tuple[AnswerDue, ...] = ()
    """One entry for each person that a window asks."""
    paused_at: float | None = None
    """Since when the table is paused: its clocks stand still and no bot moves."""
    is_standing: bool = False
    """Whether it is paused because nobody is there: it resumes by itself when one of its players returns."""
    arranged: Arrangement | None = None
    decisions: DecisionLog = DecisionLog()
    """Who decided so far: people, or their stand-ins."""
    is_called: bool = False
    """Whether a start was requested: the game begins as soon as every seat is taken."""
    waits: tuple[tuple[Seat, float], ...] = ()
    """(seat, time) pairs: until when the start waits for this seat's contribution to the deal."""
    lost: float = 0.0
    """Seconds of downtime in which the players of an arranged table could not arrive."""
    pace: str = NORMAL
    """How long its bots take to move: one of `PACES`."""
    is_timed: bool = False
    """Whether turns shall have a time limit even if only one person plays."""
    is_untimed: bool = False
    """Whether the turns of the game under way have no time limit."""
    is_held: bool = False
    """Whether one of its players has paused it: any of them can resume it."""
    ending: frozenset[Seat] = frozenset()
    """Seats whose players agree to end the game without a result."""
    interlude: Interlude | None = None
    """Set while all are shown a new deal: nobody is to act."""
    holidays: tuple[SeatHoliday, ...] = ()
    """When clocks that wait for a seat stand still because its player is on holiday, in a game over days."""


class LoadedTable(NamedTuple):
    """One table at one version. Times are seconds since 1970. `state` is None until the game has started."""

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
    runtime: TableRuntime
    places: tuple[SeatedPlayer, ...]
    created_at: float
    started_at: float | None
    ended_at: float | None
    secret: str
    commitment: str
    seed: str
    outcome: Outcome | None
    rematch_id: str | None
    log: tuple[LogLine, ...]
    void_reason: str = ""
    """Why the game was voided; empty if it counts."""
    procedure: int = 1
    """Version of the fair-deal procedure: from 2 on everybody contributed after the commitment was published."""

    @property
    def wake_at(self) -> float | None:
        """When the next clock or bot is due, an interlude ends, or the game starts; None if nothing is."""
        if self.status == WAITING:
            return self.begins_at
        if self.status != PLAYING or self.runtime.paused_at is not None:
            return None
        interlude_end = self.runtime.interlude.until if self.runtime.interlude is not None else None
        dues = (find_next_due(self.runtime.clocks), self.runtime.bot_due, interlude_end)
        return min((due for due in dues if due is not None), default=None)

    @property
    def is_over_days(self) -> bool:
        """Whether each decision may take days: nobody needs to be there, and nobody waits at the table."""
        return self.turn_seconds >= DAY_SECONDS  # asked several times a move

    @property
    def usual_standing_answer(self) -> str:
        """What every seat has ordered for windows until its player chooses: something only in a game over days."""
        return self.rules.usual_standing_answer if self.is_over_days else ""

    @property
    def is_suspended(self) -> bool:
        """Whether nobody can move now: it is paused, or a new deal is shown."""
        return self.runtime.paused_at is not None or self.runtime.interlude is not None

    @property
    def begins_at(self) -> float | None:
        """When the game begins by itself: 0 (at once) if all have contributed, None while players are missing."""
        is_wanted = self.runtime.is_called or self.runtime.arranged is not None
        if self.status != WAITING or not is_wanted or self.runtime.paused_at is not None:
            return None
        if self.missing() or self.free_chairs():
            return None
        waits = dict(self.runtime.waits)
        return max((waits.get(seat, 0.0) for seat in self.silent()), default=0.0)

    @property
    def has_own_deal(self) -> bool:
        """Whether its cards come from its own secret and contributions, and not from a deal that a round shares."""
        return self.runtime.arranged is None or not self.runtime.arranged.deal_seed

    def silent(self) -> tuple[Seat, ...]:
        """The seats of people who could still contribute to the deal and have not."""
        if not self.has_own_deal:
            return ()
        return tuple(
            place.seat
            for place in self.places
            if place.player_id is not None and not place.entropy and place.seat not in self.runtime.stand_ins
        )

    def seat_of(self, player_id: int | None) -> Seat | None:
        """The seat of this person, or None."""
        if player_id is not None:
            for place in self.places:  # called for every screen with every move: a generator takes twice as long
                if place.player_id == player_id:
                    return place.seat
        return None

    def place(self, seat: Seat) -> SeatedPlayer | None:
        """Who sits on this seat, or None."""
        for place in self.places:
            if place.seat == seat:
                return place
        return None

    def bot_level(self, seat: Seat) -> str | None:
        """The level of the bot that plays for this seat now, or None if a person does."""
        if seat in self.runtime.stand_ins:
            return "steady"
        place = self.place(seat)
        return place.bot or None if place else None

    def list_stand_ins(self) -> dict[Seat, StandIn]:
        """What bots have played for people, by seat."""
        return self.runtime.decisions.list_stand_ins()

    def missing(self) -> tuple[Seat, ...]:
        """The seats of an arranged table whose people have not arrived and have no stand-in."""
        if self.runtime.arranged is None:
            return ()
        present = self.runtime.arranged.arrived | self.runtime.stand_ins
        return tuple(place.seat for place in self.places if place.player_id is not None and place.seat not in present)

    @property
    def allows_hints(self) -> bool:
        """Hints are for games that count for nothing: neither arranged, nor rated between two people or more."""
        return self.runtime.arranged is None and (len(self.people) < 2 or not self.is_rated)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people, with or without a stand-in."""
        return tuple(place.seat for place in self.places if not place.bot)

    @property
    def pace(self) -> str:
        """How long its bots take to move. At an arranged table all share one bell, so its bots are quick."""
        return self.runtime.pace if self.runtime.arranged is None else QUICK

    @property
    def is_untimed(self) -> bool:
        """Whether turns have no time limit: one person against bots, unless they wish for one."""
        if self.status != WAITING:
            return self.runtime.is_untimed
        is_alone = len(self.people) == 1 and not self.free_chairs()
        return is_alone and self.runtime.arranged is None and not self.runtime.is_timed and not self.is_over_days

    def has_limit(self, clock: Clock) -> bool:
        """Whether this clock of the game under way can run out while somebody waits for it."""
        return not (self.runtime.is_untimed and clock.event.get("clock") == "turn")

    def list_deadlines(self, state: Any) -> tuple[Deadline, ...]:
        """What the clock waits for in this state of the game."""
        waits = self.rules.deadlines(state)
        if self.is_over_days:  # windows, duels and calls, too, last as long as a turn
            return tuple(wait if not wait.seats else wait._replace(seconds=None) for wait in waits)
        if not self.runtime.is_untimed:
            return waits
        return tuple(
            wait._replace(seconds=UNTIMED_SECONDS) if wait.event.get("clock") == "turn" else wait for wait in waits
        )

    def free_chairs(self) -> list[Seat]:
        """Free seats, ascending."""
        taken = {place.seat for place in self.places}
        return [index for index in range(self.seat_count) if index not in taken]

    def changed(self, **changes: Any) -> LoadedTable:
        """The table one version later."""
        return self._replace(version=self.version + 1, **changes)
