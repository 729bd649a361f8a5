"""The input of presenters: an immutable snapshot of a table, without hidden cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from games.play.storage.table import LogLine
from games.records.stand_ins import StandIn
from games.rules.day_pace import is_over_days

__all__ = ["Chair", "LogLine", "Screen", "ShownHoliday", "ShownInterlude"]


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat of the table, as everybody may know it."""

    index: int
    name: str
    avatar: str
    """Slug of an animal picture."""
    taken: bool
    bot: str = ""
    """Level of the bot whose chair this is, or empty."""
    stand_in: bool = False
    """A bot plays for the absent person until they are back."""
    stood_in: StandIn | None = None
    """What a bot has played for this person so far."""
    role: str = ""
    """What this person does besides playing: "organiser", "host" or nothing."""
    has_account: bool = False
    """Whether this person is no guest."""

    def __hash__(self) -> int:
        """Computed for every region that shows a chair, so over few fields."""
        return hash((self.index, self.name))


class ShownHoliday(NamedTuple):
    """When the player of this seat is on holiday, both days included. is_on: it has begun."""

    seat: int
    first: date
    last: date
    is_on: bool


class ShownInterlude(NamedTuple):
    """The pause after a new deal, from one time to another (ms since 1970) if nobody ends it earlier."""

    since: int
    until: int
    unready: tuple[int, ...]
    """The seats whose players have not yet said that they are ready."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A table at one version. Times are milliseconds since 1970."""

    table_id: str
    game: str
    options: Mapping[str, Any]
    status: str
    """"waiting", "playing" or "over"."""
    is_public: bool
    host_seat: int | None
    turn_seconds: int
    ply: int
    version: int
    chairs: tuple[Chair, ...]
    due: int | None
    """When the present turn runs out (milliseconds since 1970)."""
    bell: int | None
    """When the agreed time of the evening is over."""
    commitment: str
    contributions: tuple[str | None, ...] = ()
    """What each seat's person contributed to the deal; None if nothing, for bots and for empty seats."""
    log: tuple[LogLine, ...] = ()
    auto_pass: frozenset[int] = field(default_factory=frozenset)
    has_standing_answers: bool = False
    """Whether players can order answers to windows beforehand, and plan a move."""
    standing_answers: Mapping[int, str] = field(default_factory=dict)
    """What seats have ordered for windows; for their own players only."""
    holds: Mapping[int, int] = field(default_factory=dict)
    """Until when the page of each seat that a window asks holds back that its player lets it pass; for them only."""
    rematch_id: str | None = None
    missing: frozenset[int] | None = None
    """Before an arranged game: whose people have not come yet. None at a table that somebody has opened."""
    is_called: bool = False
    """Before the game: whether it begins by itself as soon as every chair is taken."""
    is_starting: bool = False
    """Whether only contributions to the deal are waited for: it begins in a moment."""
    has_own_deal: bool = True
    """Whether its cards come from its own secret and its people's contributions."""
    is_closed: bool = False
    """Whether it is over without a game: nobody will play here any more."""
    is_paused: bool = False
    """Whether everything stands still: nobody is asked anything, no clock runs."""
    is_standing: bool = False
    """Whether it is paused because none of its people was there."""
    is_held: bool = False
    """Whether one of its people has paused it, and any of them can resume it."""
    ending: frozenset[int] = field(default_factory=frozenset)
    """Seats whose people agree to end the game without a result."""
    is_untimed: bool = False
    """Whether turns have no time limit."""
    is_rated: bool = True
    """Whether ratings follow the result, if at least two people play."""
    pace: str = "normal"
    """How long its bots take to move."""
    interlude: ShownInterlude | None = None
    """Set while everybody is shown a new deal: nobody is asked to move."""
    has_hints: bool = False
    """Whether its players may ask for hints."""
    has_replay: bool = False
    """Whether the whole game can be watched again."""
    is_sealed: bool = False
    """Whether its deal is kept back, because others still play the same one."""
    void_reason: str = ""
    """Why the game counts for nobody, in the words of the person who voided it; empty where it counts."""
    dues: Mapping[str, int] = field(default_factory=dict)
    """When every clock that runs is over, by its name, with the seat where it has one: "turn", "call-2"."""
    holidays: tuple[ShownHoliday, ...] = ()
    """Holidays of its players, in a game over days."""

    @property
    def is_over_days(self) -> bool:
        """Whether each decision may take days."""
        return is_over_days(self.turn_seconds)

    def asked(self, to_act: Sequence[int]) -> Sequence[int]:
        """The seats that can make their move now: nobody in a pause or an interlude."""
        return () if self.is_paused or self.interlude is not None else to_act

    def lines_after(self, ply: int) -> tuple[LogLine, ...]:
        """The log's lines after this ply, which come last."""
        first = len(self.log)
        while first and self.log[first - 1].ply > ply:
            first -= 1
        return self.log[first:]
