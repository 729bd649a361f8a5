"""Evenings (timed sessions): the form for a new one, its page, and the actions of its organiser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.accounts.site_urls import address_of
from games.accounts.time_zones import in_zone
from games.play.errors import BadInput, NotAllowed, TooFast
from games.play.moves.form_keys import make_once
from games.play.sentences import say_sentence
from games.play.storage.table import OVER
from games.views.forms import sent_key
from games.views.json_responses import JsonAnswer
from tournaments.flow.evenings import candidates, guests, jobs, sessions
from tournaments.flow.permissions import is_at_least, require_role, role_of
from tournaments.flow.planning import repeated_evenings
from tournaments.flow.undo import evening_undo, evening_undo_offers
from tournaments.formats import ladder
from tournaments.models import Club, Role, Step, TimedSession
from tournaments.views.evenings import table_panels
from tournaments.views.forms.evening_form import EveningForm
from tournaments.views.lookups import disable_caching, find_club, read_int, render_qr, run_action
from tournaments.views.standings import job_table

LATEST = 6
"""Log lines that are always shown; the earlier ones are folded away."""


def list_rows(agreed: Iterable[TimedSession], *, now: float) -> list[dict[str, Any]]:
    """Evenings as rows of a list. now: seconds since 1970."""
    return [
        {"evening": evening, "starts_at": _to_datetime(evening.starts_at), "state": say_state(evening, now=now)}
        for evening in agreed
    ]


def say_state(evening: TimedSession, *, now: float) -> str:
    """The state of an evening in words."""
    if evening.is_called_off:
        return _("Cancelled")
    if evening.ended_at is not None:
        return _("Over")
    if evening.has_rung:
        return _("Playing the last deal")
    if evening.paused_at is not None:
        return _("Paused")
    return _("Under way") if evening.starts_at <= now else _("Planned")


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC)


def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new evening of a club. POST opens it. `?copy=` begins with the plan of another evening."""
    club, role = find_club(request, slug)
    require_role(club, player_id(request), Role.MEMBER)
    is_led, copy_of = is_at_least(role, Role.ORGANISER), request.GET.get("copy")
    copied = repeated_evenings.copy_evening(club, copy_of, now=time.time()) if copy_of else None
    form = EveningForm(request.POST if request.method == "POST" else None, copied=copied, can_repeat=is_led)
    if request.method == "POST" and form.is_valid():
        try:
            made = _open(request, club, form)
        except BadInput as error:
            form.add_error(None, say_sentence(error))
        else:
            return redirect("tournaments:evening", made)
    plan_a_ladder = urlencode({"format": ladder.FORMAT.slug, "game": next(iter(sessions.GAMES), "")})
    context = {"form": form, "club": club, "is_organiser": is_led, "ladder_query": plan_a_ladder}
    return render(request, "evenings/form.html", context, status=422 if form.errors else 200)


def _open(request: HttpRequest, club: Club, form: EveningForm) -> str:
    """Open the evenings (one a week), all or none; returns the first one's id. Raises BadInput, TooFast."""
    player, now = player_of(request), time.time()

    def make() -> str:
        if not rate_limits.allow_table(player_id(request) or 0):
            raise TooFast("That was too fast. Wait a moment and try again.")
        weeks = form.cleaned_data.get("weeks") or 1
        with in_zone(request.POST.get("zone")):
            made: str = repeated_evenings.open_weekly(club, player, form.plan(), weeks, now=now).pk
        return made

    return make_once(player_id(request), sent_key(request), make, now=now)


def find_evening(request: HttpRequest, evening_id: str) -> TimedSession:
    """The evening, if the reader can see it. Raises NotFound, NotAllowed."""
    evening = sessions.find(evening_id)
    if not sessions.can_see(evening, player_id(request)):
        raise NotAllowed("Only members of the club can see this evening. Ask one of them for an invitation.")
    return evening


@require_safe
def show(request: HttpRequest, evening_id: str) -> HttpResponse:
    """The page of an evening: tables with their jobs, deal by deal, the log, and the organiser's actions."""
    evening, me, now = find_evening(request, evening_id), player_id(request), time.time()
    others, stories = candidates.read_mark(evening), jobs.list_stories(evening)
    role = role_of(evening.club, me) if evening.club is not None else None
    is_open, mine = not evening.has_rung, [story.table for story in stories if job_table.is_seated(story, me)]
    belongs, can_undo = role is not None or bool(mine), sessions.is_managed_by(evening, role, me)
    reader = table_panels.EveningReader(me, belongs, can_steer=can_undo and is_open)
    context = {
        "evening": evening,
        "version": jobs.build_version(evening, stories, others, now=now),
        "state": say_state(evening, now=now),
        "starts_at": _to_datetime(evening.starts_at),
        "ends_at": _to_datetime(evening.ends_at),
        "role": role,
        "has_begun": evening.starts_at <= now,
        "is_open": is_open,
        "can_steer": reader.can_steer,
        "can_bring": is_open and role is not None,
        "wanted": _read_search(request.GET),
        "choice": candidates.choose(evening, _read_search(request.GET), _read_chosen_players(request.GET))
        if reader.can_steer
        else None,
        **_describe_guest_link(request, evening, reader),
        "tables": table_panels.render_panels(request, evening, stories, reader),
        "mine": next((table for table in mine if table.status != OVER), None),
    }
    if belongs:
        context |= _describe_log(request, evening, stories if can_undo else None, now=now)
    return disable_caching(render(request, "evenings/evening.html", context))


def _describe_guest_link(
    request: HttpRequest, evening: TimedSession, reader: table_panels.EveningReader
) -> dict[str, Any]:
    """Template context of the link for guests, for those who run the evening."""
    if not reader.can_steer or evening.club is None or not evening.guest_token:
        return {"guest_url": "", "can_invite_guests": reader.can_steer and evening.club is not None}
    url = address_of(request, "tournaments:evening_guest", evening.pk, evening.guest_token)
    return {"guest_url": url, "guest_qr": render_qr(url), "can_invite_guests": True}


def _describe_log(
    request: HttpRequest, evening: TimedSession, stories: Sequence[jobs.TableStory] | None, *, now: float
) -> dict[str, Any]:
    """Context of the log, newest first, with the steps that can be undone or redone.

    stories: of its tables; None for a reader who may not undo.
    """
    done = evening_undo.list_steps(evening)
    offered = evening_undo_offers.find_offered(done, evening, stories, now=now) if stories is not None else set()
    steps = [(step, step.number in offered) for step in done]
    undo = next((one for one, can_undo in steps if can_undo and not one.is_redo), None)
    since = takewhile(lambda step: step[0].kind == Step.Kind.UNDO, steps)
    redo = next((one for one, can_undo in since if can_undo and one.is_redo), None)
    return {
        "steps": table_panels.render_log(request, evening, steps[:LATEST]),
        "earlier": table_panels.render_log(request, evening, steps[LATEST:]),
        "undo": None if undo is None else _describe_offer(undo, undo, player_id(request)),
        "redo": None if redo is None else _describe_offer(redo, redo.origin, player_id(request)),
    }


def _describe_offer(
    step: evening_undo.LoggedEveningStep,
    about: evening_undo.LoggedEveningStep | evening_undo.Origin,
    reader: int | None,
) -> dict[str, Any]:
    """The number of the step to revert, and what that undoes or redoes."""
    return {
        "number": step.number,
        "who": table_panels.name_actor(about),
        "is_me": table_panels.is_own(about, reader),
        "what": table_panels.say_step(about),
    }


@require_safe
def show_version(request: HttpRequest, evening_id: str) -> HttpResponse:
    """The version of the page, for browsers without a WebSocket."""
    return disable_caching(JsonAnswer({"version": jobs.version_of(find_evening(request, evening_id), now=time.time())}))


@require_POST
def act(request: HttpRequest, evening_id: str) -> HttpResponse:
    """Run `action`: table, bring, close, begin, extend, pause, resume, end or undo; find searches members by name.

    Raises BadInput for an unknown action.
    """
    evening = find_evening(request, evening_id)
    actions = _list_actions(request, evening)
    action = request.POST.get("action", "")
    if action not in actions:
        raise BadInput("This action does not exist. Reload the page and try again.")
    back = reverse("tournaments:evening", args=[evening_id])
    if action == "find":
        asked = {"q": _read_search(request.POST), "player": _read_chosen_players(request.POST)}
        back += f"?{urlencode(asked, doseq=True)}#another"
    return run_action(request, actions[action], back=back)


def _read_search(sent: QueryDict) -> str:
    return sent.get("q", "").strip()[:24]


def _read_chosen_players(sent: QueryDict) -> list[int]:
    """Ids of the ticked players, at most as many as one table takes."""
    return [int(text) for text in sent.getlist("player") if text.isdecimal() and len(text) < 13][: sessions.MAX_SEATS]


def _list_actions(request: HttpRequest, evening: TimedSession) -> dict[str, Callable[[], object]]:
    me, now, sent = player_of(request), time.time(), request.POST

    def number(name: str) -> int:
        return read_int(sent.get(name))

    return {
        "find": lambda: sessions.require_manage(evening, me),
        "table": lambda: sessions.add_table(
            evening, me, [read_int(text) for text in sent.getlist("player")], version=number("version"), now=now
        ),
        "bring": lambda: sessions.bring_table(evening, me, _read_table_id(sent), version=number("version"), now=now),
        "close": lambda: sessions.close_table(evening, me, number("table"), now=now),
        "begin": lambda: sessions.begin_table(evening, me, number("table"), now=now),
        "extend": lambda: sessions.extend(evening, me, number("minutes"), version=number("version"), now=now),
        "pause": lambda: sessions.pause(evening, me, now=now),
        "resume": lambda: sessions.resume(evening, me, now=now),
        "end": lambda: sessions.end(evening, me, now=now),
        "new-guest-link": lambda: guests.renew_token(evening, me),
        "undo": lambda: evening_undo.revert(evening, me, number("step"), now=now),
    }


def _read_table_id(sent: Any) -> str:
    """The id of a table, from its address or by itself. Raises BadInput."""
    parts = [part for part in str(sent.get("table", ""))[:300].split("?")[0].split("/") if part]
    if not parts:
        raise BadInput("Enter the link to the table.")
    return parts[parts.index("tables") + 1] if "tables" in parts[:-1] else parts[-1]
