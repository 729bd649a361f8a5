"""The schemas of organising in `openapi.json`: entrants, rounds as organisers see them, steps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.shapes import EntrantOut, SeatOut

Number = Annotated[int, Field(ge=1, le=100_000)]


class NewEntrantIn(KeyIn):
    """A new entrant. At check-in and later they count as present at once. name: of the person or bot. club: their
    club or family, as text. bot: the level of a bot; empty for a person.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana", "club": "Harbour", "key": "door-17"}]})
    name: str
    club: str = ""
    bot: str = ""


class ImportIn(KeyIn):
    """A list to import. csv: its first line names the columns: `name`, and if you like `club`, `seed`, `bot`, `where`
    (`device` or `room`) and `team`. skip: whether to import the good lines although there are bad ones.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"csv": "name,club\nAna,Harbour\nTom,"}]})
    csv: str
    skip: bool = False


class BadLineOut(Schema):
    """A line of an import that was left out. line: its number, from 1."""

    line: int
    sentence: str


class ImportedOut(Schema):
    """What an import did. added: how many entrants are new. left_out: with `skip`, the bad lines. doubts: sentences
    about names that look alike. entrants: all entrants now.
    """

    added: int
    left_out: list[BadLineOut]
    doubts: list[str]
    entrants: list[EntrantOut]


class MarkIn(KeyIn):
    """A mark for several entrants. entrants: their numbers. mark: `present` or `missing` at the check-in; `away` to
    sit out or `back`; `device` or `room`, where they play; `withdraw` or `return`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"entrants": [1, 2, 5], "mark": "present"}]})
    entrants: Annotated[list[Number], Field(max_length=2000)]
    mark: Literal["present", "missing", "away", "back", "device", "room", "withdraw", "return"]


class EntrantIn(KeyIn):
    """Corrections of an entrant. Only what is sent changes. name: the right name. seed: their rank for the first
    draw, 1 is the strongest; null for none. fixed_table: the real table at which they always sit; null for any.
    """

    name: str | None = None
    seed: int | None = None
    fixed_table: int | None = None


class PenaltyIn(KeyIn):
    """A penalty to give. points: taken away in the present round, in 840ths; negative for a bonus. reason: for
    everybody to read.
    """

    entrant: Number
    points: int
    reason: str


class TeamIn(KeyIn):
    """A team. name: new or corrected."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Harbour Foxes", "key": "team-1"}]})
    name: str


class TeamMembersIn(KeyIn):
    """People of a team, from the next round on. entrants: their numbers. role: `member`, `substitute`, `captain` (one
    person of the team) or `none`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"entrants": [1, 2], "role": "member"}]})
    entrants: Annotated[list[Number], Field(max_length=100)]
    role: Literal["member", "substitute", "captain", "none"]


class PairRuleOut(Schema):
    """A rule for two entrants. kind: `apart` if they may not meet, or `together`."""

    first: int
    second: int
    kind: str


class PairRuleIn(KeyIn):
    """A rule for two entrants. kind: `apart` if they may not meet, `together`, or null for no rule."""

    first: Number
    second: Number
    kind: Literal["apart", "together"] | None


class DrawIn(KeyIn):
    """A draw to make. again: draw a draft again; locked tables stay. instead: draw only if the draft still has this
    seed.
    """

    again: bool = False
    instead: str = ""


class SwapIn(KeyIn):
    """Two entrants who change places. first_table, second_table: the tables at which you saw them, 0 for a bye. If
    they are no longer there, the swap is refused.
    """

    first: Number
    second: Number
    first_table: int | None = None
    second_table: int | None = None


class ToggleIn(KeyIn):
    """A switch."""

    on: bool = True


class CompleteIn(KeyIn):
    """The end of a round. missing: what missing results count as: `void` for nobody, `shared` as a first place shared
    by all; empty if none are missing.
    """

    missing: Literal["", "void", "shared"] = ""


class ExtendIn(KeyIn):
    """More time for a round. minutes: negative for less; at most 240, in a tournament over days 43,200 (30 days)."""

    minutes: Annotated[int, Field(ge=-43_200, le=43_200)]


class FateIn(KeyIn):
    """What happens to a seat."""

    fate: Literal["plays", "no-show", "forfeit"]


class SubstituteIn(KeyIn):
    """A substitute. Send one of the two; without both, the entrant plays. person: the id of a member of the club.
    name: of anybody, at a real table.
    """

    person: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    name: str = ""


class ReportOut(Schema):
    """A result that was entered and does not count yet. by: the name of the person who entered it. status: `proposed`
    or `rejected`. places: by seat. rejected_by: the name of the person who disputes it, or empty.
    """

    id: int
    by: str
    status: str
    places: list[int]
    scores: list[int] | None
    rejected_by: str


class ReportedTableOut(Schema):
    """A table whose result was reported, and does not count yet. reports: the reported results."""

    number: int
    reports: list[ReportOut]


class OrganiserTableOut(Schema):
    """A table of a round as its organisers see it. reports: results that were entered and do not count yet."""

    number: int
    is_online: bool
    is_locked: bool
    is_decided: bool
    is_void: bool
    table: str | None
    seats: list[SeatOut]
    reasons: list[str]
    reports: list[ReportOut]


class OrganiserRoundOut(Schema):
    """A round as its organisers see it. status: `drawing`, `draft`, `released` or `complete`. trouble: why the draw
    failed, or empty. progress: of the draw, in percent, or null. paused_at: since when it is paused, in seconds since
    1970, or null. missing: the numbers of the tables without a result. absent: the numbers of the entrants who sit
    out or are away. draw: the draw with its certificate, in `menagerie-draw/1`, or null.
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
    tables: list[OrganiserTableOut]
    missing: list[int]
    byes: list[int]
    absent: list[int]
    draw: dict[str, Any] | None


class StepOut(Schema):
    """A step of the log. kind: what it did, as a word."""

    number: int
    kind: str
    at: float
    who: str
    what: str
    is_reverted: bool
