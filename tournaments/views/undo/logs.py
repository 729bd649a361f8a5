"""The audit log: who did what, and what it was before; the latest steps on the consoles, with the way back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone, get_current_timezone_name
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.presenters.render import cache_by_language, macro
from games.templatetags.menagerie import clock_time, day
from tournaments.flow.undo import season_undo, step_undo, undo_offers
from tournaments.models import Season, Step, Tournament
from tournaments.views.lookups import find_tournament, fresh, read_int, require_organiser
from tournaments.views.page_frame import frame
from tournaments.views.standings import cached_rows
from tournaments.words.change_words import NO_NAMES, Change, find_names, say_changes
from tournaments.words.step_words import OF_SEASON, say_step
from tournaments.words.terms import NOBODY

Logged: TypeAlias = Tournament | Season
LOG_LINES = 50
"""On one page of the log."""
LATEST = 8
"""Of them on a console."""
MOST_CHANGES = 40
"""Rows of which one step tells."""


def look_back(of: Logged, reader: int | None) -> dict[str, Any]:
    """The latest steps, and the way back from the last of them that may have one, or on again. reader: who reads it."""
    latest, now = step_undo.list_steps(of, limit=LATEST), time.time()
    undo = step_undo.find_last(of)
    redo = step_undo.find_undone(of) if latest and latest[0].kind == Step.Kind.UNDO else None
    return {
        "steps": _name_days([describe(step, of, reader) for step in latest], now),
        "undo": _offer(undo, undo, of, reader, now),
        "redo": _offer(redo, step_undo.origin_of(redo) if redo else None, of, reader, now),
    }


def _offer(step: Step | None, about: Step | None, of: Logged, reader: int | None, now: float) -> dict[str, Any] | None:
    """The number of a step that can be taken back, and who had done what that is about."""
    if step is None or about is None or not _can_offer(step, of, now=now):
        return None
    return describe(about, of, reader) | {"number": step.number}


def _can_offer(step: Step, of: Logged, *, now: float) -> bool:
    if isinstance(of, Season):
        return season_undo.can_offer(step, of, now=now)
    return step_undo.can_offer(step, of, now=now)


def _name_days(steps: list[dict[str, Any]], now: float) -> list[dict[str, Any]]:
    """The same lines; above those of another day than today its date, where the reader is."""
    zone = get_current_timezone()
    last = datetime.fromtimestamp(now, tz=zone).date()
    for row in steps:
        here = datetime.fromtimestamp(row["at"], tz=zone).date()
        row["day"] = "" if here == last else day(row["at"])
        last = here
    return steps


@require_safe
def show_log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The audit log: who did what, and what it was before."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    context = frame(request, tournament, role, "console") | read_log(request, tournament)
    return fresh(render(request, "tournaments/log.html", context))


def read_log(request: HttpRequest, of: Logged) -> dict[str, Any]:
    """What a page of the log shows, the newest or that before a step (`?before=`)."""
    before = read_int(request.GET.get("before", "0"))
    steps = step_undo.list_steps(of, before=before or None, limit=LOG_LINES + 1, with_changes=True)
    return {
        "rows": _draw_lines(request, of, steps[:LOG_LINES]),
        "is_newest": not before,
        "older": steps[LOG_LINES - 1].number if len(steps) > LOG_LINES else None,
    }


def _draw_lines(request: HttpRequest, of: Logged, steps: Sequence[Step]) -> SafeString:
    token, zone, reader = cached_rows.write_token(request), get_current_timezone_name(), player_id(request)
    changes = [msgspec.json.decode(step.changes) for step in steps]
    if isinstance(of, Season):
        names, offered = NO_NAMES, season_undo.find_offered(of, steps, now=time.time())
    else:
        names, offered = find_names(of, changes), undo_offers.find_offered(of, steps, now=time.time())
    lines = (
        _draw_line(
            Line(of.pk, **describe(step, of, reader), can_undo=step.number in offered),
            say_changes(changed, names, MOST_CHANGES),
            zone,
        )
        for step, changed in zip(steps, changes, strict=True)
    )
    return cached_rows.part_days(
        (step.at, line.replace(cached_rows.CSRF, token)) for step, line in zip(steps, lines, strict=True)
    )


class Line(NamedTuple):
    """A step as a line of the log. of: the id of the tournament or season."""

    of: str
    number: int
    kind: str
    at: float
    who: str
    is_me: bool
    what: str
    is_reverted: bool
    is_redo: bool
    can_undo: bool


@cache_by_language
def _draw_line(line: Line, changes: tuple[Change, ...], zone: str) -> str:
    """zone: in which the time is said, which is the present one."""
    return macro("log.jinja", "line")(line, cached_rows.CSRF, clock_time(line.at), changes)


def describe(step: Step, of: Logged, reader: int | None) -> dict[str, Any]:
    """A step of this tournament or season as a line of the log, for this person."""
    return {
        "number": step.number,
        "kind": step.kind,
        "at": step.at,
        "who": step.actor_name or str(NOBODY),
        "is_me": reader is not None and step.actor_id == reader,
        "what": say_step(step, of=OF_SEASON if isinstance(of, Season) else of.format),
        "is_reverted": step_undo.is_reverted(step),
        "is_redo": step_undo.is_redo(step),
    }
