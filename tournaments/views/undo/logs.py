"""The audit log of a tournament or season, and the latest steps on its console with undo and redo."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone, get_current_timezone_name
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.models import spelling
from games.presenters.render import cache_by_language, macro
from games.templatetags.menagerie import clock_time, day
from tournaments.flow.undo import season_undo, step_undo, undo_offers
from tournaments.models import Season, Step, Tournament
from tournaments.views.lookups import disable_caching, find_tournament, read_int, read_search, require_organiser
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import cached_rows
from tournaments.words.change_words import NO_NAMES, Change, find_names, say_changes
from tournaments.words.step_words import SEASON_STEPS, say_step
from tournaments.words.terms import NO_ACTOR

Logged: TypeAlias = Tournament | Season
PAGE_LINES = 50
"""Steps on one page of the log."""
LATEST = 8
"""Steps on a console."""
BATCH, SEARCHED_BATCHES = 500, 10
"""Steps that are read at once for a search, and how often: a search looks at 5,000, and *Older* at the next ones."""
MAX_CHANGES = 40
"""Changed rows that are shown of one step. A draw changes hundreds, which would fill the page."""


def describe_latest_steps(subject: Logged, reader: int | None) -> dict[str, Any]:
    """Context of a console: the latest steps, and the steps offered for undo and redo. reader: a player id."""
    latest, now = step_undo.list_steps(subject, limit=LATEST), time.time()
    undo = step_undo.find_last(subject)
    redo = step_undo.find_undone(subject) if latest and latest[0].kind == Step.Kind.UNDO else None
    return {
        "steps": _add_day_labels([describe_step(step, subject, reader) for step in latest], now),
        "undo": _describe_offer(undo, undo, subject, reader, now),
        "redo": _describe_offer(redo, step_undo.origin_of(redo) if redo else None, subject, reader, now),
    }


def _describe_offer(
    step: Step | None, about: Step | None, subject: Logged, reader: int | None, now: float
) -> dict[str, Any] | None:
    """The step described by `about`, with the number of the step to revert; None if it cannot be reverted."""
    if step is None or about is None or not _can_offer(step, subject, now=now):
        return None
    return describe_step(about, subject, reader) | {"number": step.number}


def _can_offer(step: Step, subject: Logged, *, now: float) -> bool:
    if isinstance(subject, Season):
        return season_undo.can_offer(step, subject, now=now)
    return step_undo.can_offer(step, subject, now=now)


def _add_day_labels(steps: list[dict[str, Any]], now: float) -> list[dict[str, Any]]:
    """Set `day` on the first step of each earlier day, in the active time zone; else it is empty."""
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
    context = build_frame(request, tournament, role, "console") | build_log_page(request, tournament)
    return disable_caching(render(request, "tournaments/undo/log.html", context))


def build_log_page(request: HttpRequest, subject: Logged) -> dict[str, Any]:
    """Context of a page of the log: the newest steps, or those before a step (`?before=`), that say `?q=`."""
    before, wanted = read_int(request.GET.get("before", "0")) or None, read_search(request)
    if wanted:
        numbers, older = _search(subject, wanted, before)
        steps = step_undo.list_steps(subject, numbers=numbers, with_changes=True)
    else:
        steps = step_undo.list_steps(subject, before=before, limit=PAGE_LINES + 1, with_changes=True)
        older = steps[PAGE_LINES - 1].number if len(steps) > PAGE_LINES else None
    return {
        "rows": _render_lines(request, subject, steps[:PAGE_LINES]),
        "wanted": wanted,
        "search": f"&{urlencode({'q': wanted})}" if wanted else "",
        "is_paged": bool(wanted or before or older),
        "is_newest": before is None,
        "older": older,
    }


def _search(subject: Logged, wanted: str, before: int | None) -> tuple[list[int], int | None]:
    """Numbers of the newest steps whose line has words that begin like the searched ones, at most a page of them, and
    before which step to search on; None at the beginning of the log."""
    found: list[int] = []
    for _batch in range(SEARCHED_BATCHES):
        steps = step_undo.list_steps(subject, before=before, limit=BATCH)
        for step in steps:
            line = describe_step(step, subject, None)
            if spelling.mentions(wanted, f"{line['who']} {line['what']}"):
                found.append(step.number)
                if len(found) == PAGE_LINES:
                    return found, step.number
        if len(steps) < BATCH:
            return found, None
        before = steps[-1].number
    return found, before


def _render_lines(request: HttpRequest, subject: Logged, steps: Sequence[Step]) -> SafeString:
    token, zone, reader = cached_rows.render_csrf_field(request), get_current_timezone_name(), player_id(request)
    changes = [msgspec.json.decode(step.changes) for step in steps]
    if isinstance(subject, Season):
        names, offered = NO_NAMES, season_undo.find_offered(subject, steps, now=time.time())
    else:
        names, offered = find_names(subject, changes), undo_offers.find_offered(subject, steps, now=time.time())
    lines = (
        _render_line(
            StepLine(subject.pk, **describe_step(step, subject, reader), can_undo=step.number in offered),
            say_changes(changed, names, MAX_CHANGES),
            zone,
        )
        for step, changed in zip(steps, changes, strict=True)
    )
    return cached_rows.insert_day_headings(
        (step.at, line.replace(cached_rows.CSRF_PLACEHOLDER, token)) for step, line in zip(steps, lines, strict=True)
    )


class StepLine(NamedTuple):
    """A line of the log. subject: the id of the tournament or season; at: seconds since 1970."""

    subject: str
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
def _render_line(line: StepLine, changes: tuple[Change, ...], zone: str) -> str:
    """One line. zone: the active time zone, here only as part of the cache key."""
    return macro("log.jinja", "line")(
        row=line, csrf=cached_rows.CSRF_PLACEHOLDER, time=clock_time(line.at), changed=changes
    )


def describe_step(step: Step, subject: Logged, reader: int | None) -> dict[str, Any]:
    """A step as the fields of a line of the log. reader: the id of the player who reads it."""
    return {
        "number": step.number,
        "kind": step.kind,
        "at": step.at,
        "who": step.actor_name or str(NO_ACTOR),
        "is_me": reader is not None and step.actor_id == reader,
        "what": say_step(step, format_slug=SEASON_STEPS if isinstance(subject, Season) else subject.format),
        "is_reverted": step_undo.is_reverted(step),
        "is_redo": step_undo.is_redo(step),
    }
