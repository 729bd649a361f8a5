"""Run a season: its plan, its phases, the tournaments that count, who is who in them, and its log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from django.http import HttpRequest

from games.accounts import access_tokens
from games.models import Player
from games.play.errors import NotFound
from tournaments.api import seasons
from tournaments.api.organising.acting import (
    ORGANISE,
    can_organise,
    do_once,
    find_actor,
    find_entrant_ids,
    make_once_here,
)
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.programme_shapes import (
    CountedIn,
    NewSeasonIn,
    OrganiserSeasonOut,
    SeasonNameIn,
    SeasonNameOut,
    SeasonPhaseIn,
    SeasonPlanIn,
    drop_key,
)
from tournaments.api.organising.shapes import StepOut
from tournaments.api.organising.steps import describe_steps
from tournaments.api.readers import CHANGE_REFUSED, PAGE_ROWS, REFUSED, Page, find_club, find_reader, find_season
from tournaments.api.routes import Router
from tournaments.flow.permissions import require_organiser, role_of
from tournaments.flow.seasons import season_changes, season_phases, season_plan, season_standings
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.flow.undo import season_undo
from tournaments.models import Club, Phase, Season
from tournaments.words.step_words import SEASON_STEPS

router = Router(tags=ORGANISE)
SEASON: Final = "/seasons/{season_id}"
RESPONSES: Final[dict[int, Any]] = {200: OrganiserSeasonOut, **CHANGE_REFUSED}
PHASES: Final[dict[str, Callable[..., None]]] = {
    Phase.RUNNING: season_phases.open_season,
    Phase.FINISHED: season_phases.finish,
    Phase.ARCHIVED: season_phases.archive,
    Phase.CALLED_OFF: season_phases.call_off,
}


@seasons.router.get("/clubs/{slug}/seasons", response={200: list[OrganiserSeasonOut], **REFUSED})
def list_seasons(request: HttpRequest, slug: str, page: Page = 1) -> Any:
    """The club's seasons that the reader may see, the newest first, a hundred a page, until a page is empty."""
    club = find_club(request, slug)
    rows = Season.objects.filter(club=club).select_related("club").order_by("-created_at", "pk")
    reader = find_reader(request, club.pk)
    if role_of(club, reader) is None:
        rows = rows.filter(is_public=True)
    return [_describe(season, reader) for season in rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]]


@seasons.router.post("/clubs/{slug}/seasons", tags=ORGANISE, auth=can_organise, response=RESPONSES)
def create_season(request: HttpRequest, slug: str, wanted: NewSeasonIn) -> Any:
    """Plan a season. Only `name` is needed. The same `key` twice is one season."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    plan, actor = SeasonPlan(**drop_key(wanted)), find_actor(request)

    def make() -> str:
        made: str = season_plan.plan_season(club, actor, plan, now=time.time()).pk
        return made

    return _describe_season(make_once_here(request, wanted.key, make), actor)


def _find_led(request: HttpRequest, season_id: str) -> Season:
    """A season that the player may see. What they may change is up to its steps. Raises NotFound, NotAllowed."""
    return find_season(request, season_id, scope=access_tokens.TOURNAMENTS)


def _act_on_season(request: HttpRequest, season_id: str, wanted: KeyIn, act: Callable[..., object], *args: Any) -> Any:
    """Do this once for each key. Answers with the season as it is then."""
    found, actor = _find_led(request, season_id), find_actor(request)
    do_once(request, wanted.key, lambda: act(found, actor, *args, now=time.time()))
    return _describe_season(season_id, actor)


@router.post(f"{SEASON}/plan", auth=can_organise, response=RESPONSES)
def change_season(request: HttpRequest, season_id: str, wanted: SeasonPlanIn) -> Any:
    """Change the plan of a season; only what is sent changes. The standings follow."""
    plan = msgspec.structs.replace(season_plan.read(_find_led(request, season_id)), **drop_key(wanted))
    return _act_on_season(request, season_id, wanted, season_plan.revise, plan)


@router.post(f"{SEASON}/phase", auth=can_organise, response=RESPONSES)
def move_season_on(request: HttpRequest, season_id: str, wanted: SeasonPhaseIn) -> Any:
    """Open the season, finish or archive it; or cancel it before anything of it was played."""
    return _act_on_season(request, season_id, wanted, PHASES[wanted.phase])


@router.post(f"{SEASON}/tournaments", auth=can_organise, response=RESPONSES)
def count_tournament(request: HttpRequest, season_id: str, wanted: CountedIn) -> Any:
    """Let a tournament of the club count for the season, or (`counts`: false) no longer."""

    def count(found: Season, actor: Player, *, now: float) -> None:
        season_changes.count_tournament(found, actor, wanted.tournament, counts=wanted.counts, now=now)

    return _act_on_season(request, season_id, wanted, count)


@router.get(f"{SEASON}/names", auth=can_organise, response={200: list[SeasonNameOut], **REFUSED})
def list_season_names(request: HttpRequest, season_id: str) -> Any:
    """The names in the season of all entrants of its tournaments."""
    found = _find_led(request, season_id)
    require_organiser(found.club, find_actor(request))
    return _list_names(found)


@router.post(f"{SEASON}/names", auth=can_organise, response={200: list[SeasonNameOut], **CHANGE_REFUSED})
def name_season_person(request: HttpRequest, season_id: str, wanted: SeasonNameIn) -> Any:
    """Give an entrant another name in the season. The answer is all names."""
    found, actor = _find_led(request, season_id), find_actor(request)
    require_organiser(found.club, actor)
    counted = season_standings.counted_of(found).filter(pk=wanted.tournament).first()
    if counted is None:
        raise NotFound("This person is not in any tournament of this season.")
    [pk] = find_entrant_ids(counted, [wanted.entrant])
    do_once(request, wanted.key, lambda: season_changes.name_person(found, actor, pk, wanted.name, now=time.time()))
    return _list_names(Season.objects.select_related("club").get(pk=season_id))


def _list_names(found: Season) -> list[dict[str, Any]]:
    table = season_standings.read_table(found)
    return [
        {"tournament": entry.tournament_id, "entrant": entry.number, "name": entry.name, "shown": table.names[entry.pk]}
        for entry in table.entries
    ]


@router.get(f"{SEASON}/steps", auth=can_organise, response={200: list[StepOut], **REFUSED})
def list_season_steps(request: HttpRequest, season_id: str, before: int | None = None) -> Any:
    """The log, the newest first, a hundred steps at a time."""
    found = _find_led(request, season_id)
    require_organiser(found.club, find_actor(request))
    return describe_steps(found, before, format_slug=SEASON_STEPS)


@router.post(f"{SEASON}/steps/{{step}}/undo", auth=can_organise, response={200: list[StepOut], **CHANGE_REFUSED})
def undo_season_step(request: HttpRequest, season_id: str, step: int, wanted: KeyIn) -> Any:
    """Undo a step, or redo what was undone. 409: later steps depend on it. The answer is the log."""
    found, actor = _find_led(request, season_id), find_actor(request)
    require_organiser(found.club, actor)
    do_once(request, wanted.key, lambda: season_undo.revert(found, actor, step, now=time.time()))
    return describe_steps(found, None, format_slug=SEASON_STEPS)


def _describe_season(season_id: str, actor: Player) -> dict[str, Any]:
    return _describe(Season.objects.select_related("club").get(pk=season_id), actor.pk)


def _describe(season: Season, reader: int | None) -> dict[str, Any]:
    """An `OrganiserSeasonOut`. Only members see a tournament that is not public."""
    counted = season_standings.counted_of(season)
    if role_of(season.club, reader) is None:
        counted = counted.filter(is_public=True)
    return {
        "id": season.pk,
        "club": season.club.slug,
        "phase": season.phase,
        "version": season.version,
        "plan": msgspec.to_builtins(season_plan.read(season)),
        "tournaments": [{"id": each.pk, "name": each.name, "phase": each.phase} for each in counted],
    }
