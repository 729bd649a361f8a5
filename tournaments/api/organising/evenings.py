"""Run an evening: open it, seat people at its tables, give it more time, pause and end it; its guests and its log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest

from games.accounts import access_tokens, rate_limits, time_zones
from games.accounts.site_urls import address_of
from games.models import Seat
from games.play.errors import BadInput, NotAllowed, NotFound, TooFast
from tournaments.api import evenings
from tournaments.api.evenings import WholeEveningOut, describe_whole
from tournaments.api.organising.acting import ORGANISE, can_organise, do_once, find_actor, make_once_here
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.programme_shapes import (
    BroughtTableIn,
    CandidateOut,
    EveningTableIn,
    ExtendEveningIn,
    GuestLinkOut,
    NewEveningIn,
    VersionedIn,
)
from tournaments.api.organising.shapes import StepOut
from tournaments.api.readers import CHANGE_REFUSED, REFUSED, find_reader
from tournaments.api.routes import Router
from tournaments.flow.evenings import candidates, guests, sessions
from tournaments.flow.permissions import role_of
from tournaments.flow.planning import repeated_evenings
from tournaments.flow.undo import evening_undo
from tournaments.models import Club, Step, TimedSession
from tournaments.words.step_words import say_evening_step

router = Router(tags=ORGANISE)
EVENING: Final = "/evenings/{evening_id}"
RESPONSES: Final[dict[int, Any]] = {200: WholeEveningOut, **CHANGE_REFUSED}
MAX_LETTERS: Final = 24
"""Letters of a search."""


@evenings.router.post(
    "/clubs/{slug}/evenings", tags=ORGANISE, auth=can_organise, response={200: WholeEveningOut, **CHANGE_REFUSED}
)
def open_evening(request: HttpRequest, slug: str, wanted: NewEveningIn) -> Any:
    """Open an evening, as a member of the club. Send a `key`: the same one twice is one evening."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    if wanted.starts_at is not None and wanted.starts_at.tzinfo is None:
        raise BadInput("The start time needs a time zone.")
    if wanted.zone and time_zones.find_zone(wanted.zone) is None:
        raise BadInput("There is no such time zone. Use a name such as Europe/Berlin.")
    starts_at = None if wanted.starts_at is None else wanted.starts_at.timestamp()
    plan, actor = sessions.EveningPlan(wanted.name, wanted.game, wanted.minutes, starts_at), find_actor(request)

    def make() -> str:
        if not rate_limits.allow_table(actor.pk):
            raise TooFast("That was too fast. Wait a moment and try again.")
        with time_zones.in_zone(wanted.zone):
            made: str = repeated_evenings.open_weekly(club, actor, plan, wanted.weeks, now=time.time()).pk
        return made

    return describe_whole(sessions.find(make_once_here(request, wanted.key, make)))


def _find_led(request: HttpRequest, evening_id: str) -> TimedSession:
    """An evening that the player may see; its steps decide what they change. Raises NotFound, NotAllowed."""
    found = sessions.find(evening_id)
    if not sessions.can_see(found, find_reader(request, found.club_id, scope=access_tokens.TOURNAMENTS)):
        raise NotAllowed("Only members of the club can see this evening. Ask one of them for an invitation.")
    return found


def _act_on_evening(
    request: HttpRequest, evening_id: str, wanted: KeyIn, act: Callable[..., object], *args: Any
) -> Any:
    """Do this once for each key. Answers with the evening as it is then."""
    found, actor = _find_led(request, evening_id), find_actor(request)
    seen: dict[str, Any] = {}
    if isinstance(wanted, VersionedIn):
        seen["version"] = found.version if wanted.version is None else wanted.version
    do_once(request, wanted.key, lambda: act(found, actor, *args, now=time.time(), **seen))
    return describe_whole(sessions.find(evening_id))


@router.post(f"{EVENING}/tables", auth=can_organise, response=RESPONSES)
def add_evening_table(request: HttpRequest, evening_id: str, wanted: EveningTableIn) -> Any:
    """Open another table for these people. Send a `key`: the same one twice is one table."""
    return _act_on_evening(request, evening_id, wanted, sessions.add_table, wanted.people)


@router.post(f"{EVENING}/bring", auth=can_organise, response=RESPONSES)
def bring_table(request: HttpRequest, evening_id: str, wanted: BroughtTableIn) -> Any:
    """Bring a table of your own to the evening. It then ends with the evening."""
    return _act_on_evening(request, evening_id, wanted, sessions.bring_table, wanted.table)


@router.post(f"{EVENING}/tables/{{table}}/begin", auth=can_organise, response=RESPONSES)
def begin_evening_table(request: HttpRequest, evening_id: str, table: int, wanted: KeyIn) -> Any:
    """Start a waiting table without missing players."""
    return _act_on_evening(request, evening_id, wanted, sessions.begin_table, table)


@router.post(f"{EVENING}/tables/{{table}}/close", auth=can_organise, response=RESPONSES)
def close_evening_table(request: HttpRequest, evening_id: str, table: int, wanted: KeyIn) -> Any:
    """Close a table whose game has not begun; one that was brought along goes on without the evening."""
    return _act_on_evening(request, evening_id, wanted, sessions.close_table, table)


@router.post(f"{EVENING}/extend", auth=can_organise, response=RESPONSES)
def extend_evening(request: HttpRequest, evening_id: str, wanted: ExtendEveningIn) -> Any:
    """Give the evening more minutes, or fewer. Send a `key`: the same one twice counts once."""
    return _act_on_evening(request, evening_id, wanted, sessions.extend, wanted.minutes)


@router.post(f"{EVENING}/pause", auth=can_organise, response=RESPONSES)
def pause_evening(request: HttpRequest, evening_id: str, wanted: KeyIn) -> Any:
    """Pause all tables of the evening."""
    return _act_on_evening(request, evening_id, wanted, sessions.pause)


@router.post(f"{EVENING}/resume", auth=can_organise, response=RESPONSES)
def resume_evening(request: HttpRequest, evening_id: str, wanted: KeyIn) -> Any:
    """Resume the evening. Clocks continue where they stopped. The end is later by the length of the pause."""
    return _act_on_evening(request, evening_id, wanted, sessions.resume)


@router.post(f"{EVENING}/end", auth=can_organise, response=RESPONSES)
def end_evening(request: HttpRequest, evening_id: str, wanted: KeyIn) -> Any:
    """Ring the bell now: the deal under way is each table's last. An evening that has not begun is cancelled."""
    return _act_on_evening(request, evening_id, wanted, sessions.end)


@router.get(f"{EVENING}/candidates", auth=can_organise, response={200: list[CandidateOut], **REFUSED})
def list_candidates(request: HttpRequest, evening_id: str, q: str = "") -> Any:
    """Who can be chosen for a new table, at most 120 people."""
    found = _find_led(request, evening_id)
    sessions.require_manage(found, find_actor(request))
    wanted = q.strip()[:MAX_LETTERS]
    rows = candidates.search(found, wanted) if wanted else candidates.list_candidates(found)
    return [{"person": candidate.pk, "name": candidate.name} for candidate in rows]


@router.get(f"{EVENING}/guest-link", auth=can_organise, response={200: GuestLinkOut, **REFUSED})
def show_guest_link(request: HttpRequest, evening_id: str) -> Any:
    """The link by which guests come to the evening without joining the club."""
    found = _find_led(request, evening_id)
    sessions.require_manage(found, find_actor(request))
    return _describe_link(request, found)


@router.post(f"{EVENING}/guest-link", auth=can_organise, response={200: GuestLinkOut, **CHANGE_REFUSED})
def renew_guest_link(request: HttpRequest, evening_id: str, wanted: KeyIn) -> Any:
    """Make another link for guests. The old one no longer works. People who came by it stay."""
    found, actor = _find_led(request, evening_id), find_actor(request)
    sessions.require_manage(found, actor)
    do_once(request, wanted.key, lambda: guests.renew_token(found, actor))
    return _describe_link(request, sessions.find(evening_id))


def _describe_link(request: HttpRequest, found: TimedSession) -> dict[str, str]:
    """A `GuestLinkOut`, as the page shows it."""
    if found.has_rung or found.club_id is None or not found.guest_token:
        return {"url": ""}
    return {"url": address_of(request, "tournaments:evening_guest", found.pk, found.guest_token)}


@router.get(f"{EVENING}/steps", auth=can_organise, response={200: list[StepOut], **REFUSED})
def list_evening_steps(request: HttpRequest, evening_id: str) -> Any:
    """The log of the evening, the newest first, for members of its club and people who play there."""
    found, me = _find_led(request, evening_id), find_actor(request).pk
    is_member = found.club is not None and role_of(found.club, me) is not None
    if not is_member and not Seat.objects.filter(table__session_table__timed_session=found, player_id=me).exists():
        raise NotAllowed("Only members of this club can do this. Ask a member for an invitation.")
    return _list_steps(found)


@router.post(f"{EVENING}/steps/{{step}}/undo", auth=can_organise, response={200: list[StepOut], **CHANGE_REFUSED})
def undo_evening_step(request: HttpRequest, evening_id: str, step: int, wanted: KeyIn) -> Any:
    """Undo a step, or redo what was undone. 409: a game or a later step depends on it. The answer is the log."""
    found, actor = _find_led(request, evening_id), find_actor(request)
    sessions.require_manage(found, actor)
    do_once(request, wanted.key, lambda: evening_undo.revert(found, actor, step, now=time.time()))
    return _list_steps(found)


def _list_steps(found: TimedSession) -> list[dict[str, Any]]:
    return [
        {
            "number": step.number,
            "kind": step.kind,
            "at": step.at,
            "who": step.actor_name,
            "what": _say_step(step),
            "is_reverted": step.is_reverted,
        }
        for step in evening_undo.list_steps(found)
    ]


def _say_step(step: evening_undo.LoggedEveningStep) -> str:
    about = (step.origin.kind, step.origin.details) if step.kind == Step.Kind.UNDO else None
    return say_evening_step(step.kind, step.details, about)
