"""The schemas of organising in `openapi.json`: entrants, rounds as organisers see them, steps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.shapes import EntrantOut, SeatOut

Number = Annotated[int, Field(ge=1, le=100_000)]


class NewEntrantIn(KeyIn):
    """Somebody by name: a person, or a bot of this level. At check-in and later they are there at once."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana", "club": "Harbour", "key": "door-17"}]})
    name: str
    club: str = ""
    bot: str = ""


class ImportIn(KeyIn):
    """csv: the first line names the columns: name, and if wanted club, seed, bot, where ("device" or "room"), team.

    skip: import the good lines although there are bad ones.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"csv": "name,club\nAna,Harbour\nTom,"}]})
    csv: str
    skip: bool = False


class BadLineOut(Schema):
    """A line of an import that was left out. line: from 1."""

    line: int
    sentence: str


class ImportedOut(Schema):
    """added: how many are new. left_out: with `skip`, the bad lines. doubts: sentences about names that look alike."""

    added: int
    left_out: list[BadLineOut]
    doubts: list[str]
    entrants: list[EntrantOut]


class MarkIn(KeyIn):
    """present, missing: check-in; away, back: sit out rounds; device, room: where they play; withdraw, return."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entrants": [1, 2, 5], "mark": "present"}]})
    entrants: Annotated[list[Number], Field(max_length=2000)]
    mark: Literal["present", "missing", "away", "back", "device", "room", "withdraw", "return"]


class EntrantIn(KeyIn):
    """Only what is sent changes. seed: 1 is the strongest, null: none; until the first draw.

    fixed_table: the real table at which they always sit, null: any.
    """

    name: str | None = None
    seed: int | None = None
    fixed_table: int | None = None


class PenaltyIn(KeyIn):
    """points: in 840ths, taken away for the present round; negative: given. reason: everybody can read it."""

    entrant: Number
    points: int
    reason: str


class TeamIn(KeyIn):
    """The name of a team, new or corrected."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Harbour Foxes", "key": "team-1"}]})
    name: str


class TeamMembersIn(KeyIn):
    """What these entrants are for the team from the next round on. captain: one of its people; none: not in it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entrants": [1, 2], "role": "member"}]})
    entrants: Annotated[list[Number], Field(max_length=100)]
    role: Literal["member", "substitute", "captain", "none"]


class PairRuleOut(Schema):
    """Two entrants who may not meet (apart), or who sit together."""

    first: int
    second: int
    kind: str


class PairRuleIn(KeyIn):
    """kind: null for no rule."""

    first: Number
    second: Number
    kind: Literal["apart", "together"] | None


class DrawIn(KeyIn):
    """again: draw a draft again, locked tables excepted. instead: only if the draft still has this seed."""

    again: bool = False
    instead: str = ""


class SwapIn(KeyIn):
    """Two entrants who change places. first_table, second_table: refused if they are no longer there; 0 is a bye."""

    first: Number
    second: Number
    first_table: int | None = None
    second_table: int | None = None


class OnIn(KeyIn):
    """Whether it is to be so."""

    on: bool = True


class CompleteIn(KeyIn):
    """missing: what missing results count as: for nobody (void), or as a first place shared by all (shared)."""

    missing: Literal["", "void", "shared"] = ""


class ExtendIn(KeyIn):
    """minutes: more time for the round; negative: less. At most 240; in a tournament over days 43,200 (30 days)."""

    minutes: Annotated[int, Field(ge=-43_200, le=43_200)]


class FateIn(KeyIn):
    """Whether they play, did not come, or forfeit."""

    fate: Literal["plays", "no-show", "forfeit"]


class SubstituteIn(KeyIn):
    """Who plays instead: the id of a member of the club, or a name at a real table. Neither: the entrant plays."""

    person: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    name: str = ""


class ReportOut(Schema):
    """A result that somebody entered and that does not count (yet). status: proposed or rejected.

    rejected_by: a name if others at the table dispute it, else empty.
    """

    id: int
    by: str
    status: str
    places: list[int]
    scores: list[int] | None
    rejected_by: str


class ReportedTableOut(Schema):
    """A table whose result was reported, and does not count yet."""

    number: int
    reports: list[ReportOut]


class HeldTableOut(Schema):
    """A table of a round, drafts included. is_decided: its result counts. table: id of the online table, or null."""

    number: int
    is_online: bool
    is_locked: bool
    is_decided: bool
    is_void: bool
    table: str | None
    seats: list[SeatOut]
    reasons: list[str]
    reports: list[ReportOut]


class HeldRoundOut(Schema):
    """A round as its organisers see it. status: drawing, draft, released or complete.

    trouble: why the draw failed, or empty. progress: of a draw, in percent, or null. missing: numbers of the released
    tables without a result. draw: the solution with its certificate, in `menagerie-draw/1`, or null.
    """

    number: int
    stage: str
    status: str
    seed: str
    trouble: str
    progress: int | None
    ends_at: float | None
    paused_at: float | None
    has_rung: bool
    tables: list[HeldTableOut]
    missing: list[int]
    byes: list[int]
    absent: list[int]
    draw: dict[str, Any] | None


class StepOut(Schema):
    """A step of the log. who: a name, empty for the site itself; what: a sentence; at: seconds since 1970."""

    number: int
    kind: str
    at: float
    who: str
    what: str
    is_reverted: bool
