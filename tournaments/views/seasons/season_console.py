"""The organiser's pages of a season: the form for its plan, the console with its actions, the log."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_id, player_of
from games.models import Player, spelling
from games.play.errors import BadInput, Refusal
from games.play.moves.form_keys import make_once
from games.play.sentences import say_sentence
from games.views.forms import sent_key
from tournaments.flow.permissions import require_role
from tournaments.flow.seasons import season_changes, season_phases, season_plan
from tournaments.flow.seasons.season_people import Entry
from tournaments.flow.seasons.season_phases import SETTLED
from tournaments.flow.seasons.season_standings import SeasonTable, read_table
from tournaments.flow.undo import season_undo
from tournaments.models import Phase, Role, Season
from tournaments.views.forms.season_forms import SeasonForm
from tournaments.views.lookups import (
    build_console_url,
    disable_caching,
    find_club,
    find_season,
    read_int,
    require_organiser,
    run_action,
)
from tournaments.views.seasons.season_frame import build_frame
from tournaments.views.undo.logs import build_log_page, describe_latest_steps
from tournaments.words.terms import PHASES

NEXT = {
    Phase.PLANNED: "open-season", Phase.RUNNING: "finish", Phase.FINISHED: "archive", Phase.CALLED_OFF: "called-off",
}  # fmt: skip
"""The next step by phase; else it is "done"."""
MAX_NAMES = 400
"""Entries listed by name on the console. Others are found by searching; more make the page slow."""
LONGEST_SEARCH = 40
"""Characters of a search."""


def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new season of a club. POST creates it."""
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
            form.add_error(None, say_sentence(error))
        else:
            return redirect("tournaments:console", made)
    context = {"form": form, "club": club}
    return render(request, "seasons/form.html", context, status=422 if form.errors else 200)


def revise(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The form that changes the plan."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    sent = request.POST if request.method == "POST" else None
    form = SeasonForm(sent, initial=SeasonForm.initial_of(season_plan.read(season)))
    if sent is not None and form.is_valid():
        try:
            season_plan.revise(season, player_of(request), form.season_plan(), now=time.time())
        except Refusal as refusal:
            form.add_error(None, say_sentence(refusal))
        else:
            return redirect("tournaments:console", season.pk)
    context = build_frame(request, season, role, "console") | {"form": form, "club": season.club}
    return render(request, "seasons/form.html", context, status=422 if form.errors else 200)


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The console: the next step, the tournaments that count, the entries by name, the latest steps."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    context, table = build_frame(request, season, role, "console"), read_table(season)
    names = {tournament.pk: tournament.name for tournament in table.counted}
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    entries = _find_entries(table, wanted)
    context |= {
        "next": NEXT.get(Phase(season.phase), "done"),
        "can_call_off": season.phase in (Phase.PLANNED, Phase.RUNNING) and not table.finished,
        "counted": [{"tournament": tournament, "phase": PHASES[tournament.phase]} for tournament in table.counted],
        "counting": sum(tournament.phase != Phase.CALLED_OFF for tournament in table.counted),
        "missing": [tournament.name for tournament in table.counted if tournament.phase not in SETTLED],
        "can_finish": table.finished and all(tournament.phase in SETTLED for tournament in table.counted),
        "others": [
            {
                "tournament": tournament,
                "phase": PHASES[tournament.phase],
                "elsewhere": tournament.season_id is not None,
                "is_hidden": season_changes.is_hidden_from(season, tournament),
            }
            for tournament in season_changes.list_countable(season)
        ],
        "names": [
            {"entry": entry, "name": table.names[entry.pk], "tournament": names[entry.tournament_id]}
            for entry in entries[:MAX_NAMES]
        ],
        "wanted": wanted,
        "has_more_names": len(entries) > MAX_NAMES,
        "key": secrets.token_hex(8),
    }
    context |= describe_latest_steps(season, player_id(request))
    return disable_caching(render(request, "seasons/console.html", context))


def _find_entries(table: SeasonTable, wanted: str) -> Sequence[Entry]:
    """The entries whose name, in the tournament or in the season, matches the search; all if it is empty."""
    if not wanted:
        return table.entries
    queries = spelling.parse_name_query(wanted)
    return [
        entry
        for entry in table.entries
        if any(spelling.finds(queries, name) for name in (entry.name, table.names[entry.pk]))
    ]


@require_safe
def show_log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The audit log with the changes of each step."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    context = build_frame(request, season, role, "console") | build_log_page(request, season)
    return disable_caching(render(request, "seasons/log.html", context))


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Run the POST field `action`; its arguments are further fields. Sending it twice has no further effect."""
    season, role = find_season(request, tournament_id)
    require_organiser(role)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("This action does not exist. Reload the page and try again.")
    return run_action(
        request,
        lambda: ACTIONS[action](request, season, player_of(request)),
        back=build_console_url(request, season.pk),
    )


ConsoleAction = Callable[[HttpRequest, Season, Player | None], object]


def _set_counted(*, counts: bool) -> ConsoleAction:
    return lambda request, one, who: season_changes.count_tournament(
        one, who, request.POST.get("tournament", "")[:16], counts=counts, now=time.time()
    )


ACTIONS: dict[str, ConsoleAction] = {
    "open-season": lambda request, one, who: season_phases.open_season(one, who, now=time.time()),
    "finish": lambda request, one, who: season_phases.finish(one, who, now=time.time()),
    "archive": lambda request, one, who: season_phases.archive(one, who, now=time.time()),
    "call-off": lambda request, one, who: season_phases.call_off(one, who, now=time.time()),
    "undo": lambda request, one, who: season_undo.revert(one, who, read_int(request.POST.get("step")), now=time.time()),
    "count": _set_counted(counts=True),
    "uncount": _set_counted(counts=False),
    "league-name": lambda request, one, who: season_changes.name_person(
        one, who, read_int(request.POST.get("entrant")), request.POST.get("name", ""), now=time.time()
    ),
}
"""The actions, by the value of `action` that buttons send."""
