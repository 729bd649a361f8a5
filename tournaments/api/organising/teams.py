"""Teams: named, renamed, filled, removed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from games.play.errors import BadInput, NotFound
from tournaments.api import tournaments
from tournaments.api.organising.acting import (
    ORGANISE,
    can_organise,
    do_once,
    find_actor,
    find_entrant_ids,
    find_led,
    read_fresh,
)
from tournaments.api.organising.shapes import TeamIn, TeamMembersIn
from tournaments.api.readers import CHANGE_REFUSED
from tournaments.api.routes import Router
from tournaments.api.shapes import TeamOut
from tournaments.api.teams import describe_teams
from tournaments.flow.entry import team_members, teams
from tournaments.models import Team, Tournament

router = Router(tags=ORGANISE)


@tournaments.router.post(
    "/tournaments/{tournament_id}/teams",
    tags=ORGANISE,
    auth=can_organise,
    response={200: list[TeamOut], **CHANGE_REFUSED},
)
def name_team(request: HttpRequest, tournament_id: str, wanted: TeamIn) -> Any:
    """Name a new team. The answer is all teams."""
    found = find_led(request, tournament_id)
    do_once(request, wanted.key, lambda: teams.name_team(found, find_actor(request), wanted.name, now=time.time()))
    return describe_teams(read_fresh(found))


@router.post(
    "/tournaments/{tournament_id}/teams/{team}", auth=can_organise, response={200: list[TeamOut], **CHANGE_REFUSED}
)
def rename_team(request: HttpRequest, tournament_id: str, team: int, wanted: TeamIn) -> Any:
    """Correct the name of a team. The answer is all teams."""
    found = find_led(request, tournament_id)
    pk = _find_team(found, team)
    do_once(
        request, wanted.key, lambda: teams.rename_team(found, find_actor(request), pk, wanted.name, now=time.time())
    )
    return describe_teams(read_fresh(found))


@router.post(
    "/tournaments/{tournament_id}/teams/{team}/members",
    auth=can_organise,
    response={200: list[TeamOut], **CHANGE_REFUSED},
)
def change_team_members(request: HttpRequest, tournament_id: str, team: int, wanted: TeamMembersIn) -> Any:
    """Put entrants into a team, make them substitutes or one of them the captain, or take them out.

    The answer is all teams.
    """
    found, actor, now = find_led(request, tournament_id), find_actor(request), time.time()
    pk, ids = _find_team(found, team), find_entrant_ids(found, wanted.entrants)

    def make_captain() -> None:
        if len(ids) != 1:
            raise BadInput("A team has one captain. Choose one person.")
        team_members.make_captain(found, actor, ids[0], now=now)

    acts: dict[str, Callable[[], None]] = {
        "member": lambda: team_members.add_to_team(found, actor, ids, pk, now=now),
        "substitute": lambda: team_members.add_to_team(found, actor, ids, pk, is_substitute=True, now=now),
        "none": lambda: team_members.remove_from_team(found, actor, ids, now=now),
        "captain": make_captain,
    }

    do_once(request, wanted.key, acts[wanted.role])
    return describe_teams(read_fresh(found))


def _find_team(found: Tournament, number: int) -> int:
    pk = Team.objects.filter(tournament=found, number=number).values_list("pk", flat=True).first()
    if pk is None:
        raise NotFound("There is no such team in this tournament. Reload the page.")
    return pk
