"""The hall display of an evening (tables, jobs, countdown), and the link by which guests come."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.accounts.guests import require_player
from games.accounts.site_urls import address_of
from games.play.storage.table import OVER
from games.presenters.render import macro
from games.templatetags.menagerie import moment
from tournaments.flow.evenings import candidates, guests, jobs, sessions
from tournaments.models import TimedSession
from tournaments.views.evenings.evening_pages import find_evening, say_state
from tournaments.views.lookups import disable_caching, render_qr, run_action
from tournaments.views.standings import job_table
from tournaments.views.standings.cached_rows import join, split_evenly

TABLES_A_SHEET = 6
"""What fits on a sheet. More makes the type smaller, less makes people wait longer for their sheet."""


@require_safe
def show(request: HttpRequest, evening_id: str) -> HttpResponse:
    """The tables of an evening with their jobs, in sheets, and the countdown; `?show=timer`: only that."""
    evening, now = find_evening(request, evening_id), time.time()
    stories, me = jobs.list_stories(evening), player_id(request)
    is_counting = not evening.has_rung and evening.paused_at is None and evening.starts_at <= now
    token = evening.guest_token if sessions.can_manage(evening, me) and not evening.has_rung else ""
    link = address_of(request, "tournaments:evening_guest", evening.pk, token) if token else ""
    begins = moment(datetime.fromtimestamp(evening.starts_at, UTC)) if evening.starts_at > now else ""
    context = {
        "evening": evening,
        "version": jobs.build_version(evening, stories, candidates.read_mark(evening), now=now),
        "state": " · ".join(filter(None, (say_state(evening, now=now), begins))),
        "ends_at": round(evening.ends_at * 1000) if is_counting else None,
        "now": round(now * 1000),
        "only": "timer" if request.GET.get("show") == "timer" else "",
        "sheets": _render_sheets(stories),
        "guest_qr": bool(link),
        "code": render_qr(link or address_of(request, "tournaments:evening", evening.pk)),
    }
    return disable_caching(render(request, "evenings/hall.html", context))


def _render_sheets(stories: list[jobs.TableStory]) -> list[str]:
    render_table = macro("hall.jinja", "jobs")
    running = [story for story in stories if story.table.status != OVER]
    rows = [
        render_table(
            story.number,
            tuple((holder.job, holder.name, holder.is_bot) for holder in job_table.list_job_holders(story, None))
            or tuple(("", seat.name, bool(seat.bot)) for seat in story.seats),
        )
        for story in running
    ]
    return [join(sheet) for sheet in split_evenly(rows, TABLES_A_SHEET)]


def follow_guest_link(request: HttpRequest, evening_id: str, token: str) -> HttpResponse:
    """The page of the guests' link. POST makes the reader a guest of the evening."""
    evening = guests.find_by_token(evening_id, token)
    back = reverse("tournaments:evening", args=[evening.pk])
    if request.method == "POST":
        return run_action(request, lambda: _join_as_guest(request, evening), back=back)
    now = time.time()
    context = {
        "evening": evening,
        "state": say_state(evening, now=now),
        "starts_at": datetime.fromtimestamp(evening.starts_at, UTC),
        "has_begun": evening.starts_at <= now,
    }
    return disable_caching(render(request, "evenings/guest.html", context))


def _join_as_guest(request: HttpRequest, evening: TimedSession) -> None:
    player = require_player(request, name=request.POST.get("name", ""))
    guests.add_guest(evening, player)
