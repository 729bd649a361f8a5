"""The plan of a season: its game, the points of a tournament, how many tournaments of each person count."""

from __future__ import annotations

from typing import Any

import msgspec

from games.models import Player
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput
from games.play.seats.player_names import clean_name
from tournaments.flow.permissions import require_organiser
from tournaments.flow.planning.tournament_plan import MAX_ABOUT, check_points, find_game
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import read_columns, take_season_step
from tournaments.flow.tokens import make_id, make_seed
from tournaments.models import Club, Season, Step
from tournaments.scoring.points import BEATEN
from tournaments.scoring.seasons import TIE_BREAKS

MAX_COUNTED = 100
"""Tournaments of one person that can count."""
JSON_FIELDS = ("points_table", "tie_breaks")


class SeasonPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of a season. Unchecked until `check`; units as in `Season`."""

    name: str
    game: str = ""
    about: str = ""
    is_public: bool = True
    best_of: int | None = None
    points: str = BEATEN
    points_table: list[int] = msgspec.field(default_factory=lambda: [5, 3, 2, 1])
    tie_breaks: list[str] = msgspec.field(default_factory=lambda: list(TIE_BREAKS))


def plan_season(club: Club, player: Player | None, season_plan: SeasonPlan, *, now: float) -> Season:
    """A new season of this club. Raises NotAllowed, BadInput."""
    require_organiser(club, player)
    check(season_plan)
    season = Season.objects.create(id=make_id(), club=club, lot_seed=make_seed(), **columns(season_plan))
    Step.objects.create(
        season=season, number=0, kind=Kind.PLAN, actor=player, actor_name=player.name if player else "", at=now
    )
    return season


def revise(season: Season, player: Player | None, season_plan: SeasonPlan, *, now: float) -> None:
    """Change the plan, at any time: the table follows. Raises NotAllowed, BadInput."""
    require_organiser(season.club, player)
    check(season_plan)
    with take_season_step(season.pk, Kind.REVISE, actor=player, now=now) as step:
        columns_now = read_columns(step.season)
        wanted = {name: value for name, value in columns(season_plan).items() if columns_now[name] != value}
        step.details["fields"] = sorted(wanted)
        step.change(step.season, **wanted)


def columns(season_plan: SeasonPlan) -> dict[str, Any]:
    """The plan as columns of a season."""
    values = msgspec.structs.asdict(season_plan)
    values["name"] = collapse_spaces(season_plan.name)
    return values | {name: msgspec.json.encode(values[name]).decode() for name in JSON_FIELDS}


def read(season: Season) -> SeasonPlan:
    """The plan of a season."""
    columns_now = read_columns(season)
    values = {name: columns_now[name] for name in SeasonPlan.__struct_fields__}
    return SeasonPlan(**(values | {name: msgspec.json.decode(values[name]) for name in JSON_FIELDS}))


def check(season_plan: SeasonPlan) -> None:
    """Raises BadInput with a sentence for an impossible plan."""
    clean_name(season_plan.name, least=2, most=80)
    if season_plan.game:
        find_game(season_plan.game)
    if len(season_plan.about) > MAX_ABOUT:
        raise BadInput("This text can have at most 2,000 characters.")
    check_points(season_plan.points, season_plan.points_table, season_plan.tie_breaks)
    if season_plan.best_of is not None and not 1 <= season_plan.best_of <= MAX_COUNTED:
        raise BadInput("Choose how many tournaments of a season count: the best 1 to 100, or all of them.")
