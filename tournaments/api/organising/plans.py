"""Create a tournament, change its plan, plan it again, and move it on through its phases."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import HttpRequest

from games.accounts import access_tokens, time_zones
from games.play.errors import BadInput, NotFound
from tournaments.api import tournaments
from tournaments.api.organising.acting import (
    ORGANISE,
    can_organise,
    do_once,
    find_actor,
    find_led,
    make_once_here,
)
from tournaments.api.organising.plan_shapes import (
    CopyIn,
    KeyIn,
    NewTournamentIn,
    PhaseIn,
    PlanIn,
    TemplateIn,
    TemplateOut,
)
from tournaments.api.readers import CHANGE_REFUSED, REFUSED, find_club
from tournaments.api.routes import Router
from tournaments.api.shapes import WholeTournamentOut
from tournaments.api.tournaments import describe_whole
from tournaments.flow.permissions import require_organiser
from tournaments.flow.planning import phases, plan_templates, tournament_plan
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.flow.rounds import arena
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.models import Club, Phase, Tournament

router = Router(tags=ORGANISE)
NO_PLAN = {"key", "season", "weeks", "zone", "template"}
"""What is sent with a plan and is no part of it."""


@tournaments.router.post(
    "/clubs/{slug}/tournaments",
    tags=ORGANISE,
    auth=can_organise,
    response={200: WholeTournamentOut, **CHANGE_REFUSED},
)
def create_tournament(request: HttpRequest, slug: str, wanted: NewTournamentIn) -> Any:
    """Plan a tournament. Only `name` and `game` are needed. The same `key` twice is one tournament."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    require_organiser(club, find_actor(request))
    given = wanted.model_dump(exclude_unset=True, exclude=NO_PLAN)
    if wanted.template is None:
        agreement = Agreement(**given)
    else:
        agreement = _replace(plan_templates.read_template(club, wanted.template), given)
    if wanted.zone and time_zones.find_zone(wanted.zone) is None:
        raise BadInput("There is no such time zone. Use a name such as Europe/Berlin.")
    plans = [agreement]
    if wanted.weeks > 1:
        tournament_plan.check(agreement)
        with time_zones.in_zone(wanted.zone):
            plans = list(plan_templates.repeat_weekly(agreement, wanted.weeks))
    return _describe_tournament(
        make_once_here(request, wanted.key, lambda: _create(request, club, plans, wanted.season))
    )


def _create(request: HttpRequest, club: Club, plans: Sequence[Agreement], season_id: str | None) -> str:
    """The id of the first of these tournaments. Raises NotAllowed, NotFound, BadInput, Stale."""
    actor, now = find_actor(request), time.time()
    made = [tournament_plan.plan_tournament(club, actor, plan, now=now) for plan in plans]
    if season_id is not None:
        season = season_phases.open_seasons(club).select_related("club").filter(pk=season_id).first()
        if season is None:
            raise NotFound("There is no such season.")
        for planned in made:
            season_changes.count_tournament(season, actor, planned.pk, counts=True, now=now)
    return made[0].pk


@router.post(
    "/tournaments/{tournament_id}/plan", auth=can_organise, response={200: WholeTournamentOut, **CHANGE_REFUSED}
)
def change_plan(request: HttpRequest, tournament_id: str, wanted: PlanIn) -> Any:
    """Change the plan; only what is sent changes. After the first draw, most of it can no longer change."""
    found = find_led(request, tournament_id)
    given = wanted.model_dump(exclude_unset=True, exclude=NO_PLAN)
    agreement = _replace(tournament_plan.read(found), given)
    do_once(request, wanted.key, lambda: tournament_plan.revise(found, find_actor(request), agreement, now=time.time()))
    return _describe_tournament(found.pk)


@router.post(
    "/tournaments/{tournament_id}/copy", auth=can_organise, response={200: WholeTournamentOut, **CHANGE_REFUSED}
)
def copy_tournament(request: HttpRequest, tournament_id: str, wanted: CopyIn) -> Any:
    """Plan it again: a new tournament with the same plan. Send a `key`: the same one twice is one copy."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    given = {"starts_at": wanted.starts_at} | ({} if wanted.name is None else {"name": wanted.name})
    agreement = _replace(tournament_plan.read(found), given)
    return _describe_tournament(
        make_once_here(request, wanted.key, lambda: _create(request, found.club, [agreement], None))
    )


def _replace(agreement: Agreement, given: Mapping[str, Any]) -> Agreement:
    return msgspec.structs.replace(agreement, **given)


@router.post(
    "/tournaments/{tournament_id}/phase", auth=can_organise, response={200: WholeTournamentOut, **CHANGE_REFUSED}
)
def move_on(request: HttpRequest, tournament_id: str, wanted: PhaseIn) -> Any:
    """Open sign-up, start the check-in, finish or archive a tournament, or cancel it before its first draw."""
    found, phase = find_led(request, tournament_id), Phase(wanted.phase)

    def act() -> None:
        if phase == Phase.CALLED_OFF:
            phases.call_off(found, find_actor(request), now=time.time())
        else:
            phases.move_on(found, find_actor(request), phase, now=time.time())

    do_once(request, wanted.key, act)
    return _describe_tournament(found.pk)


@router.post(
    "/tournaments/{tournament_id}/arena", auth=can_organise, response={200: WholeTournamentOut, **CHANGE_REFUSED}
)
def open_arena(request: HttpRequest, tournament_id: str, wanted: KeyIn) -> Any:
    """Open an arena. From now on, it seats people by itself."""
    found = find_led(request, tournament_id)
    do_once(request, wanted.key, lambda: arena.open_arena(found, find_actor(request), now=time.time()))
    return _describe_tournament(found.pk)


@router.post("/tournaments/{tournament_id}/template", auth=can_organise, response={200: TemplateOut, **CHANGE_REFUSED})
def save_template(request: HttpRequest, tournament_id: str, wanted: TemplateIn) -> Any:
    """Keep the plan as a template of the club, in place of an older one of this name."""
    found, actor = find_led(request, tournament_id), find_actor(request)

    def make() -> str:
        return str(plan_templates.save_template(found, actor, name=wanted.name, now=time.time()).pk)

    saved = plan_templates.list_templates(found.club).filter(pk=int(make_once_here(request, wanted.key, make))).first()
    if saved is None:
        raise NotFound("There is no such template. Perhaps somebody has deleted it.")
    return saved


@router.get("/clubs/{slug}/templates", auth=can_organise, response={200: list[TemplateOut], **REFUSED})
def list_templates(request: HttpRequest, slug: str) -> Any:
    """The club's templates, by name."""
    club = find_club(request, slug, scope=access_tokens.TOURNAMENTS)
    require_organiser(club, find_actor(request))
    return list(plan_templates.list_templates(club))


@router.post(
    "/clubs/{slug}/templates/{template}/delete", auth=can_organise, response={200: list[TemplateOut], **CHANGE_REFUSED}
)
def delete_template(request: HttpRequest, slug: str, template: int, wanted: KeyIn) -> Any:
    """Delete a template. The answer is the templates that are left."""
    club, actor = find_club(request, slug, scope=access_tokens.TOURNAMENTS), find_actor(request)
    require_organiser(club, actor)
    do_once(request, wanted.key, lambda: plan_templates.delete_template(club, actor, template, now=time.time()))
    return list(plan_templates.list_templates(club))


def _describe_tournament(tournament_id: str) -> dict[str, Any]:
    return describe_whole(Tournament.objects.select_related("club").get(pk=tournament_id))
