"""The schemas of running evenings, seasons and the members of a club in `openapi.json`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.shapes import Number
from tournaments.flow.seasons.season_plan import SeasonPlan

_SEASON = SeasonPlan(name="")
Person = Annotated[int, Field(ge=1, lt=2**31)]
"""The id of a person, the same everywhere in the API."""
RoleName = Literal["owner", "organiser", "member"]


class NewEveningIn(KeyIn):
    """An evening to open. minutes: until the bell. starts_at: in ISO 8601; null for now. weeks: for how many weeks to
    open it, each an evening of its own; the answer is the first. More than one is for organisers. zone: the time zone
    in which the hour stays the same, such as Europe/Berlin.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "Friday", "game": "animal-poker", "minutes": 120, "key": "2055-06-04"}]
        }
    )
    name: str
    game: str
    minutes: Annotated[int, Field(ge=1, le=10_000)]
    starts_at: datetime | None = None
    weeks: Annotated[int, Field(ge=1, le=999)] = 1
    zone: str = ""


class VersionedIn(KeyIn):
    """A change of an evening. version: of the evening as you saw it. If it has changed since, the change is refused
    (409); null for any.
    """

    version: Annotated[int, Field(ge=0)] | None = None


class EveningTableIn(VersionedIn):
    """A new table of an evening. people: their ids; with fewer than four, bots take the other seats. version: of the
    evening as you saw it, or null for any.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"people": [17, 23, 31, 40], "key": "table-1"}]})
    people: Annotated[list[Person], Field(max_length=8)]


class BroughtTableIn(VersionedIn):
    """A table to bring to an evening. table: the id of a table that the player hosts. version: of the evening as you
    saw it, or null for any.
    """

    table: Annotated[str, Field(max_length=32)]


class ExtendEveningIn(VersionedIn):
    """More time for an evening. minutes: negative for less. version: of the evening as you saw it, or null for any."""

    minutes: Annotated[int, Field(ge=-240, le=240)]


class CandidateOut(Schema):
    """A person who can be chosen for a new table: a member or guest who sits at no open table of the evening."""

    person: int
    name: str


class GuestLinkOut(Schema):
    """A link for guests of an evening. url: the link; empty once it cannot be used."""

    url: str


class SeasonPlanIn(KeyIn):
    """The plan of a season. In a change, only what is sent changes. game: its slug; empty for all games. best_of: how
    many tournaments of each person count; null for all. points: `beaten` (share of opponents beaten), `table` (points
    by place, see `points_table`) or `score` (the tournament's own points). tie_breaks: `wins`, `best`,
    `head-to-head`, `lot`, in order.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Winter", "best_of": 6, "key": "winter"}]})
    name: str = ""
    game: str = _SEASON.game
    about: str = _SEASON.about
    is_public: bool = _SEASON.is_public
    best_of: int | None = _SEASON.best_of
    points: str = _SEASON.points
    points_table: list[int] = _SEASON.points_table
    tie_breaks: list[str] = _SEASON.tie_breaks


class NewSeasonIn(SeasonPlanIn):
    """A season to plan. game: its slug; empty for all games. best_of: how many tournaments of each person count; null
    for all. points: `beaten` (share of opponents beaten), `table` (points by place, see `points_table`) or `score`
    (the tournament's own points). tie_breaks: `wins`, `best`, `head-to-head`, `lot`, in order.
    """

    name: str


class SeasonPlanOut(Schema):
    """The plan of a season. game: its slug; empty for all games. best_of: how many tournaments of each person count;
    null for all. points: `beaten` (share of opponents beaten), `table` (points by place, see `points_table`) or
    `score` (the tournament's own points).
    """

    name: str
    game: str
    about: str
    is_public: bool
    best_of: int | None
    points: str
    points_table: list[int]
    tie_breaks: list[str]


class CountedOut(Schema):
    """A tournament that counts for a season as soon as it is finished."""

    id: str
    name: str
    phase: str


class OrganiserSeasonOut(Schema):
    """A season as its organisers see it. plan: what was agreed."""

    id: str
    club: str
    phase: str
    version: int
    plan: SeasonPlanOut
    tournaments: list[CountedOut]


class SeasonPhaseIn(KeyIn):
    """The next phase. phase: `running` opens the season, `called-off` cancels it."""

    phase: Literal["running", "finished", "archived", "called-off"]


class CountedIn(KeyIn):
    """A tournament of a season. counts: whether it counts for the season."""

    tournament: Annotated[str, Field(max_length=16)]
    counts: bool = True


class SeasonNameOut(Schema):
    """The name of an entrant in a season. entrant: their number in the tournament. name: there.
    shown: in the season.
    """

    tournament: str
    entrant: int
    name: str
    shown: str


class SeasonNameIn(KeyIn):
    """The name of an entrant in a season. Entrants with the same name are one person. entrant: their number in the
    tournament. name: in the season; empty for their own.
    """

    tournament: Annotated[str, Field(max_length=16)]
    entrant: Number
    name: str


class MemberOut(Schema):
    """A member of a club. name: as the club calls them. silenced_until: in seconds since 1970, or null; only
    organisers see it.
    """

    person: int
    name: str
    role: RoleName
    silenced_until: float | None


class RoleIn(KeyIn):
    """A role to give. role: from now on."""

    role: RoleName


class RemoveIn(KeyIn):
    """A removal. keep_out: whether later invitations let them in no more, either."""

    keep_out: bool = False


class RemovedOut(Schema):
    """A person who is kept out of the club. at: since when, in ISO 8601."""

    person: int
    name: str
    at: str


class InvitationIn(KeyIn):
    """An invitation to make. role: of the people who join by it. uses: for how many; null for any number. days: 1, 7
    or 30; null for ever.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "member", "uses": 20, "days": 7, "key": "fair"}]}
    )
    role: RoleName = "member"
    uses: int | None = None
    days: int | None = 7


class InvitationOut(Schema):
    """An invitation that can be used. url: the link. role: of the people who join by it. uses_left: for how many
    more; null for any number. joined: how many people joined by it. expires_at: in ISO 8601; null for never. made_by:
    the id of the person who made it, or null.
    """

    token: str
    url: str
    role: RoleName
    uses_left: int | None
    joined: int
    expires_at: str | None
    made_by: int | None


class ClubStepOut(Schema):
    """A step of a club's log, which also has the chat and device links. kind: what it did, as a word. person: the id
    of the person it is about, or null.
    """

    number: int
    kind: str
    at: float
    who: str
    what: str
    person: int | None
    is_reverted: bool


def drop_key(wanted: KeyIn) -> dict[str, Any]:
    """What was sent, without its key."""
    return wanted.model_dump(exclude_unset=True, exclude={"key"})
