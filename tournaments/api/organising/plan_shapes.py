"""The schemas of plans in `openapi.json`, and the key that every change may have."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from tournaments.flow.planning.tournament_plan import Agreement

_PLAN = Agreement(name="", game="")
Key = Annotated[str, Field(max_length=48)]
Count = Annotated[int, Field(ge=0, le=999)]


class KeyIn(Schema):
    """A change without details. key: any text, new for each change. The same one, sent again, changes nothing."""

    key: Key = ""


class PlanIn(KeyIn):
    """The plan of a tournament. In a change, only what is sent changes.

    points: `beaten` (share of opponents beaten), `table` (points by place, see `points_table`) or `score` (the score
    of the game). tie_breaks: `opponents`, `wins`, `head-to-head`, `best`, `ratio`, `lot`, in order.
    """

    name: str = ""
    game: str = ""
    format: str = _PLAN.format
    about: str = _PLAN.about
    options: dict[str, Any] = Field(default_factory=dict)
    starts_at: datetime | None = None
    is_public: bool = _PLAN.is_public
    rounds_planned: int = _PLAN.rounds_planned
    wanted: Count = _PLAN.wanted
    least: Count = _PLAN.least
    most: Count = _PLAN.most
    venue: str = _PLAN.venue
    repeat_worth: int = _PLAN.repeat_worth
    advance: Count = _PLAN.advance
    cut_to: Count = _PLAN.cut_to
    bots_fill: bool = _PLAN.bots_fill
    bot_level: str = _PLAN.bot_level
    is_rated: bool = _PLAN.is_rated
    duplicate: bool = _PLAN.duplicate
    points: str = _PLAN.points
    points_table: list[int] = _PLAN.points_table
    tie_breaks: list[str] = _PLAN.tie_breaks
    bye_points: int = _PLAN.bye_points
    absent_points: int = _PLAN.absent_points
    no_show_points: int = _PLAN.no_show_points
    forfeit_points: int = _PLAN.forfeit_points
    turn_seconds: int = _PLAN.turn_seconds
    round_minutes: int | None = _PLAN.round_minutes
    grace_minutes: int = _PLAN.grace_minutes
    no_show: str = _PLAN.no_show
    has_sound: bool = _PLAN.has_sound
    at_end: str = _PLAN.at_end
    capacity: int | None = _PLAN.capacity
    fee: str = _PLAN.fee
    entry_closes_at: datetime | None = _PLAN.entry_closes_at
    clubs_apart: str = _PLAN.clubs_apart
    team_size: Count | None = _PLAN.team_size
    team_best: Count | None = _PLAN.team_best
    has_open_teams: bool = _PLAN.has_open_teams


class NewTournamentIn(PlanIn):
    """A tournament to create.

    points: `beaten` (share of opponents beaten), `table` (points by place, see `points_table`) or `score` (the score
    of the game). tie_breaks: `opponents`, `wins`, `head-to-head`, `best`, `ratio`, `lot`, in order. season: the id of
    the open season it counts for, or null. weeks: for how many weeks to plan it, each a tournament of its own; the
    answer is the first. zone: the time zone in which the hour stays the same, such as Europe/Berlin. template: the id
    of a template of the club for what is not sent, or null.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Thursday",
                    "game": "karriere-poker",
                    "venue": "real",
                    "rounds_planned": 3,
                    "key": "2055-06-03",
                }
            ]
        }
    )
    name: str
    game: str
    season: str | None = None
    weeks: Annotated[int, Field(ge=1, le=999)] = 1
    zone: str = ""
    template: int | None = None


class TemplateIn(KeyIn):
    """A template to keep. name: it takes the place of an older template of that name."""

    name: str


class TemplateOut(Schema):
    """A plan that the club keeps."""

    id: int
    name: str


class CopyIn(KeyIn):
    """A copy of a plan; nobody is entered. name: of the copy; null for the same."""

    name: str | None = None
    starts_at: datetime | None = None


class PhaseIn(KeyIn):
    """The next phase. phase: `called-off` cancels the tournament. The first draw makes it `running`."""

    phase: Literal["entry", "check-in", "finished", "archived", "called-off"]
