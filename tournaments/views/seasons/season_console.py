"""The organiser's pages of a season: the form that plans it, the console with its buttons, the log."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_id, player_of
from games.models import Player, spelling
from games.play.errors import BadInput, Refusal
from games.play.moves.form_keys import make_once
from games.views.forms import sent_key
from tournaments.flow.permissions import require_role
from tournaments.flow.seasons import season_changes, season_phases, season_plan
from tournaments.flow.seasons.season_people import Entry
from tournaments.flow.seasons.season_phases import SETTLED
from tournaments.flow.seasons.season_standings import Table, read_table
from tournaments.flow.undo import season_undo
from tournaments.models import Phase, Role, Season
from tournaments.views.forms.season_forms import SeasonForm
from tournaments.views.lookups import do, find_club, find_season, find_way_back, fresh, read_int, require_organiser
from tournaments.views.seasons.season_frame import frame
from tournaments.views.undo.logs import look_back, read_log
from tournaments.words.terms import PHASES

NEXT = {
    Phase.PLANNED: "open-season", Phase.RUNNING: "finish", Phase.FINISHED: "archive", Phase.CALLED_OFF: "called-off",
}  # fmt: skip
MOST_NAMES = 400
"""Entrants that the organiser's page lists by name; the others are found by theirs."""
MOST_WANTED = 40


def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new season of a club, and the season."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = make_once(
                player_id(request),
                sent_key(request),
                lambda: season_plan.plan_season(club, player_of(request), form.season_plan(), now=time.time()).pk,
                now=time.time(),
            )
        except BadInput as error:
            form.add_error(None, _(error.template) % error.values)
        else:
            return redirect("tournaments:console", made)
    context = {"form": form, "club": club}
    return render(request, "seasons/form.html", context, status=422 if form.errors else 200)


def revise(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change the plan."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    sent = request.POST if request.method == "POST" else None
    form = SeasonForm(sent, initial=SeasonForm.initial_of(season_plan.read(season)))
    if sent is not None and form.is_valid():
        try:
            season_plan.revise(season, player_of(request), form.season_plan(), now=time.time())
        except Refusal as refusal:
            form.add_error(None, _(refusal.template) % refusal.values)
        else:
            return redirect("tournaments:console", season.pk)
    context = frame(request, season, role, "console") | {"form": form, "club": season.club}
    return render(request, "seasons/form.html", context, status=422 if form.errors else 200)


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What counts, who is who, the next step, what was done."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    context, table = frame(request, season, role, "console"), read_table(season)
    names = {one.pk: one.name for one in table.counted}
    wanted = request.GET.get("q", "").strip()[:MOST_WANTED]
    entries = _find_entries(table, wanted)
    context |= {
        "next": NEXT.get(Phase(season.phase), "done"),
        "can_call_off": season.phase in (Phase.PLANNED, Phase.RUNNING) and not table.finished,
        "counted": [{"tournament": one, "phase": PHASES[one.phase]} for one in table.counted],
        "counting": sum(one.phase != Phase.CALLED_OFF for one in table.counted),
        "missing": [one.name for one in table.counted if one.phase not in SETTLED],
        "can_finish": table.finished and all(one.phase in SETTLED for one in table.counted),
        "others": [
            {
                "tournament": one,
                "phase": PHASES[one.phase],
                "elsewhere": one.season_id is not None,
                "is_hidden": season_changes.is_hidden_from(season, one),
            }
            for one in season_changes.offered(season)
        ],
        "names": [
            {"entry": one, "name": table.names[one.pk], "tournament": names[one.tournament_id]}
            for one in entries[:MOST_NAMES]
        ],
        "wanted": wanted,
        "has_more_names": len(entries) > MOST_NAMES,
        "key": secrets.token_hex(8),
    }
    context |= look_back(season, player_id(request))
    return fresh(render(request, "seasons/console.html", context))


def _find_entries(table: Table, wanted: str) -> Sequence[Entry]:
    """Those whose name, of their own or in the season, is found by what somebody typed; all for nothing."""
    if not wanted:
        return table.entries
    wishes = spelling.parse_name_query(wanted)
    return [
        one for one in table.entries if any(spelling.finds(wishes, name) for name in (one.name, table.names[one.pk]))
    ]


@require_safe
def show_log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The audit log: who did what, and what it was before."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    context = frame(request, season, role, "console") | read_log(request, season)
    return fresh(render(request, "seasons/log.html", context))


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """`action` names the button; what it needs stands beside it. Everything may be sent twice."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("There is no such button. Reload the page.")
    return do(
        request,
        lambda: ACTIONS[action](request, season, player_of(request)),
        back=find_way_back(request, season.pk),
    )


Doing = Callable[[HttpRequest, Season, Player | None], object]


def _count(*, counts: bool) -> Doing:
    return lambda request, one, who: season_changes.count_tournament(
        one, who, request.POST.get("tournament", "")[:16], counts=counts, now=time.time()
    )


ACTIONS: dict[str, Doing] = {
    "open-season": lambda request, one, who: season_phases.open_season(one, who, now=time.time()),
    "finish": lambda request, one, who: season_phases.finish(one, who, now=time.time()),
    "archive": lambda request, one, who: season_phases.archive(one, who, now=time.time()),
    "call-off": lambda request, one, who: season_phases.call_off(one, who, now=time.time()),
    "undo": lambda request, one, who: season_undo.revert(one, who, read_int(request.POST.get("step")), now=time.time()),
    "count": _count(counts=True),
    "uncount": _count(counts=False),
    "league-name": lambda request, one, who: season_changes.name_person(
        one, who, read_int(request.POST.get("entrant")), request.POST.get("name", ""), now=time.time()
    ),
}
"""Every button of the console."""
