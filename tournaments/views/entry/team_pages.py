"""The teams of a tournament: who plays for which, for everybody to read and for organisers to change."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from games.accounts.current_player import player_of
from games.models import Player
from games.play.errors import BadInput, NotFound
from games.presenters.render import macro
from tournaments.flow.entry import team_members, teams
from tournaments.flow.entry.entry_deadline import OPEN
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Phase, Round, Tournament
from tournaments.scoring.teams import MAX_PEOPLE
from tournaments.views.lookups import (
    disable_caching,
    find_page_version,
    find_tournament,
    is_organiser,
    read_int,
    require_organiser,
    run_action,
)
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import cached_rows, team_views, tournament_view

TeamAction = Callable[[HttpRequest, Tournament, Player | None], object]


def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The teams and their standings. POST runs the field `action`: one of `ACTIONS`. Raises NotFound without teams."""
    tournament, role = find_tournament(request, tournament_id)
    if tournament.team_size is None:
        raise NotFound("This tournament has no teams.")
    if request.method == "POST":
        require_organiser(role)
        action = request.POST.get("action", "")
        if action not in ACTIONS:
            raise BadInput("This action does not exist. Reload the page and try again.")
        return run_action(request, lambda: ACTIONS[action](request, tournament, player_of(request)), back=request.path)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    me = tournament_view.find_own_entrant(book, player_of(request))
    context = build_frame(request, tournament, role, "teams") | {
        "teams": team_views.list_teams(book),
        "most": MAX_PEOPLE,
        "rounds": book.complete_rounds(),
        **describe_choice(book, me),
        **team_views.describe_team_standings(book, None, me),
        "can_change": is_organiser(role) and tournament.phase in (Phase.PLANNED, *OPEN),
        "has_begun": has_begun(book),
        "free": _render_free(book) if is_organiser(role) else "",
    }
    return disable_caching(render(request, "tournaments/entry/teams.html", context))


def has_begun(book: Book) -> bool:
    """Whether a round has been released."""
    return any(played.status in (Round.Status.RELEASED, Round.Status.COMPLETE) for played in book.rounds)


def describe_choice(book: Book, me: Entrant | None) -> dict[str, Any]:
    """Template context of the reader's team, and of the choice of one where the plan allows it."""
    tournament = book.tournament
    is_open = tournament.has_open_teams and tournament.team_size is not None
    return {
        "my_team": None if me is None else book.find_team(me),
        "can_choose_team": is_open and tournament.phase in OPEN and not has_begun(book),
        "team_choices": list(book.teams.values()) if is_open else [],
    }


def _render_free(book: Book) -> SafeString:
    """Everybody by name with a box to tick, those without a team first."""
    people = [entrant for entrant in cached_rows.sort_by_name(cached_rows.list_entered(book)) if not entrant.is_filler]
    people.sort(key=lambda entrant: entrant.pk in book.team_places)
    render_row = macro("entrants.jinja", "tick")
    return cached_rows.join(
        render_row(id=entrant.pk, status=entrant.status, name=entrant.name, marks=_name_team(book, entrant))
        for entrant in people
    )


def _name_team(book: Book, entrant: Entrant) -> tuple[str, ...]:
    team = book.find_team(entrant)
    return () if team is None else (team.name,)


def _add_people(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    ids = [read_int(text) for text in request.POST.getlist("entrant")]
    if not ids:
        raise BadInput("Nobody is selected. Tick people in the list first.")
    team_members.add_to_team(
        tournament,
        who,
        ids,
        read_int(request.POST.get("team")),
        is_substitute=request.POST.get("substitute") == "1",
        now=time.time(),
    )


ACTIONS: dict[str, TeamAction] = {
    "new": lambda request, one, who: teams.name_team(one, who, request.POST.get("name", ""), now=time.time()),
    "rename": lambda request, one, who: teams.rename_team(
        one, who, read_int(request.POST.get("team")), request.POST.get("name", ""), now=time.time()
    ),
    "remove": lambda request, one, who: teams.remove_team(
        one, who, read_int(request.POST.get("team")), now=time.time()
    ),
    "add": _add_people,
    "out": lambda request, one, who: team_members.remove_from_team(
        one, who, [read_int(request.POST.get("entrant"))], now=time.time()
    ),
    "captain": lambda request, one, who: team_members.make_captain(
        one, who, read_int(request.POST.get("entrant")), now=time.time()
    ),
}
"""Actions of organisers, by the name that buttons send."""


def choose_own_team(request: HttpRequest, tournament: Tournament, player: Player | None) -> None:
    """Somebody chooses a team: the form field `team` (its id, or empty), or the new one of `team_name`."""
    if player is None:
        raise NotFound("You are not in this tournament.")
    wanted = request.POST.get("team", "")
    name = request.POST.get("team_name", "").strip() if wanted in ("", "new") else ""
    if wanted == "new" and not name:
        raise BadInput("Give your new team a name.")
    team_id = read_int(wanted) if wanted not in ("", "new") else None
    team_members.choose_team(tournament, player, team_id, team_name=name, now=time.time())
