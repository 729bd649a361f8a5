"""The log of a tournament's steps, and undoing one of them."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest

from tournaments.api.organising.acting import ORGANISE, can_organise, do_once, find_actor, find_led
from tournaments.api.organising.plan_shapes import KeyIn
from tournaments.api.organising.shapes import StepOut
from tournaments.api.readers import CHANGE_REFUSED, PAGE_ROWS, REFUSED
from tournaments.api.routes import Router
from tournaments.flow.permissions import require_organiser
from tournaments.flow.undo import step_undo
from tournaments.models import Season, Tournament
from tournaments.words.step_words import say_step

router = Router(tags=ORGANISE)


@router.get("/tournaments/{tournament_id}/steps", auth=can_organise, response={200: list[StepOut], **REFUSED})
def list_steps(request: HttpRequest, tournament_id: str, before: int | None = None) -> Any:
    """The log, the newest first, a hundred steps at a time."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    return describe_steps(found, before, format_slug=found.format)


@router.post(
    "/tournaments/{tournament_id}/steps/{step}/undo", auth=can_organise, response={200: list[StepOut], **CHANGE_REFUSED}
)
def undo_step(request: HttpRequest, tournament_id: str, step: int, wanted: KeyIn) -> Any:
    """Undo a step, or redo what was undone. 409: later steps depend on it. The answer is the log."""
    found, actor = find_led(request, tournament_id), find_actor(request)
    require_organiser(found.club, actor)
    do_once(request, wanted.key, lambda: step_undo.revert(found, actor, step, now=time.time()))
    return describe_steps(found, None, format_slug=found.format)


def describe_steps(found: Tournament | Season, before: int | None, *, format_slug: str) -> list[dict[str, Any]]:
    """A list of `StepOut`. format_slug: as `say_step` takes it."""
    return [
        {
            "number": step.number,
            "kind": step.kind,
            "at": step.at,
            "who": step.actor_name,
            "what": say_step(step, format_slug=format_slug),
            "is_reverted": step_undo.is_reverted(step),
        }
        for step in step_undo.list_steps(found, before=before, limit=PAGE_ROWS)
    ]
