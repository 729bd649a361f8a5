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
    """An evening to open. starts_at: null for now.

    weeks: as an organiser, open it for so many weeks, each an evening of its own; the answer is the first. zone: the
    time zone in which the hour stays the same, such as Europe/Berlin.
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


class SeenIn(KeyIn):
    """version: of the evening as the program saw it; the change is refused (409) if it has changed since."""

    version: Annotated[int, Field(ge=0)] | None = None


class EveningTableIn(SeenIn):
    """people: ids of the people who play at the new table; bots take the seats that four people leave free."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"people": [17, 23, 31, 40], "key": "table-1"}]})
    people: Annotated[list[Person], Field(max_length=8)]


class BroughtTableIn(SeenIn):
    """table: the id of a table that the player hosts. From now on it ends with the evening."""

    table: Annotated[str, Field(max_length=32)]


class LongerIn(SeenIn):
    """minutes: more time for the evening; negative: less."""

    minutes: Annotated[int, Field(ge=-240, le=240)]


class CandidateOut(Schema):
    """A person who can be chosen for a new table: a member or a guest who sits at no open table of the evening."""

    person: int
    name: str


class GuestLinkOut(Schema):
    """url: the link by which guests come to the evening; empty once it cannot be used."""

    url: str


class SeasonPlanIn(KeyIn):
    """The plan of a season. Of a change: only what is sent changes. game: empty for all games of the club.

    best_of: how many tournaments of each person count, null for all.
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
    """A season to plan."""

    name: str


class SeasonPlanOut(Schema):
    """The plan of a season, as it is sent."""

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


class HeldSeasonOut(Schema):
    """A season as its organisers see it. `version` rises with each change."""

    id: str
    club: str
    phase: str
    version: int
    plan: SeasonPlanOut
    tournaments: list[CountedOut]


class SeasonPhaseIn(KeyIn):
    """The phase to go on to: running opens the season."""

    phase: Literal["running", "finished", "archived", "called-off"]


class CountedIn(KeyIn):
    """Whether this tournament of the club counts for the season."""

    tournament: Annotated[str, Field(max_length=16)]
    counts: bool = True


class SeasonNameOut(Schema):
    """Under which name an entrant of a tournament stands in the season; entrant: their number there."""

    tournament: str
    entrant: int
    name: str
    shown: str


class SeasonNameIn(KeyIn):
    """name: under which name the entrant stands in the season; empty: their own. The same name makes one person."""

    tournament: Annotated[str, Field(max_length=16)]
    entrant: Number
    name: str


class MemberOut(Schema):
    """A member of a club. name: as the club calls them. silenced_until: told to organisers only, else null."""

    person: int
    name: str
    role: RoleName
    silenced_until: float | None


class RoleIn(KeyIn):
    """The role that a member has from now on."""

    role: RoleName


class RemoveIn(KeyIn):
    """keep_out: later invitations do not let them in, either."""

    keep_out: bool = False


class RemovedOut(Schema):
    """A person who is banned from the club. at: ISO 8601."""

    person: int
    name: str
    at: str


class InvitationIn(KeyIn):
    """A link by which people join. uses: for how many, null for any number; days: 1, 7, 30, or null for ever."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "member", "uses": 20, "days": 7, "key": "fair"}]}
    )
    role: RoleName = "member"
    uses: int | None = None
    days: int | None = 7


class InvitationOut(Schema):
    """A link that can be used. uses_left: null for any number; joined: how many people joined by it.

    expires_at: ISO 8601, or null.
    """

    token: str
    url: str
    role: RoleName
    uses_left: int | None
    joined: int
    expires_at: str | None
    made_by: int | None


class ClubStepOut(Schema):
    """A step of a club's log, which also has chat and device links. who: a name; what: a sentence; at: since 1970.

    person: whom it is about, or null.
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
