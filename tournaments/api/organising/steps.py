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
from tournaments.models import Tournament
from tournaments.words.step_words import say_step

router = Router(tags=ORGANISE)


@router.get("/tournaments/{tournament_id}/steps", auth=can_organise, response={200: list[StepOut], **REFUSED})
def list_steps(request: HttpRequest, tournament_id: str, before: int | None = None) -> Any:
    """The log, the newest first, a hundred steps at a time. before: only steps with a smaller number."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    return _list_steps(found, before)


@router.post(
    "/tournaments/{tournament_id}/steps/{step}/undo", auth=can_organise, response={200: list[StepOut], **CHANGE_REFUSED}
)
def undo_step(request: HttpRequest, tournament_id: str, step: int, wanted: KeyIn) -> Any:
    """Undo a step; of an undo, redo what was undone. 409: later steps depend on it. The answer is the log."""
    found, actor = find_led(request, tournament_id), find_actor(request)
    do_once(request, wanted.key, lambda: step_undo.revert(found, actor, step, now=time.time()))
    return _list_steps(found, None)


def _list_steps(found: Tournament, before: int | None) -> list[dict[str, Any]]:
    return [
        {
            "number": one.number,
            "kind": one.kind,
            "at": one.at,
            "who": one.actor_name,
            "what": say_step(one, format_slug=found.format),
            "is_reverted": step_undo.is_reverted(one),
        }
        for one in step_undo.list_steps(found, before=before, limit=PAGE_ROWS)
    ]
