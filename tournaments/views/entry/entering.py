"""What players do themselves: enter, check in, sit out, withdraw, enter and confirm results."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.accounts.current_player import player_of
from games.accounts.guests import require_player
from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.entry import attendance, entry_deadline, sign_up
from tournaments.flow.permissions import has_duty, seat_of
from tournaments.flow.rounds import disputes, results
from tournaments.flow.rounds.result_reports import ReportedResult, check_pod_result, needs_scores
from tournaments.models import Duty, Entrant, Pod, Tournament, Venue
from tournaments.views.entry import photos, team_pages
from tournaments.views.entry.claiming import claim_listed, list_claimable, read_on_device
from tournaments.views.lookups import (
    disable_caching,
    find_page_version,
    find_table_url,
    find_tournament,
    is_organiser,
    read_int,
    run_action,
)
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import table_views, tournament_view
from tournaments.words.terms import NO_ACTOR

LONGEST_KEY = 40
"""Characters of the key of a result."""


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Run the POST field `action`: claim or one of `ACTIONS`. `table`: redirect to the page of this table."""
    tournament, role = find_tournament(request, tournament_id)
    action = request.POST.get("action", "")
    back = find_table_url(tournament, request.POST.get("table", "")) or _build_tournament_url(tournament)
    if action == "claim":
        return run_action(request, lambda: claim_listed(request, tournament, role), back=back)
    if action not in ACTIONS:
        raise BadInput("This action does not exist. Reload the page and try again.")
    typed = "name" if action == "enter" and "name" in request.POST else ""
    return run_action(request, lambda: ACTIONS[action](request, tournament), back=back, typed=typed)


def _build_tournament_url(tournament: Tournament) -> str:
    return reverse("tournaments:tournament", args=[tournament.pk])


def _enter(request: HttpRequest, tournament: Tournament) -> None:
    name = request.POST.get("name", "")
    entry_deadline.require_open(tournament)
    if name and player_of(request) is None:
        sign_up.require_unlisted(tournament, name)  # before a guest account of this name is made
    where = read_on_device(request, tournament)
    is_on_device = tournament.venue != Venue.REAL if where is None else where
    player = require_player(request, name=name)
    sign_up.enter(tournament, player, name=name, is_on_device=is_on_device, now=time.time())
    if tournament.has_open_teams and (request.POST.get("team") or request.POST.get("team_name", "").strip()):
        team_pages.choose_own_team(request, tournament, player)


def _for_own_entrant(
    act: Callable[[Tournament, Player | None, int], None],
) -> Callable[[HttpRequest, Tournament], None]:
    def run(request: HttpRequest, tournament: Tournament) -> None:
        player = player_of(request)
        mine = Entrant.objects.filter(tournament=tournament, player=player).first() if player else None
        if mine is None:
            raise NotFound("You are not in this tournament.")
        act(tournament, player, mine.pk)

    return run


ACTIONS: dict[str, Callable[[HttpRequest, Tournament], None]] = {
    "enter": _enter,
    "here": _for_own_entrant(lambda tournament, who, pk: attendance.check_in(tournament, who, [pk], now=time.time())),
    "away": _for_own_entrant(
        lambda tournament, who, pk: attendance.set_away(tournament, who, [pk], away=True, now=time.time())
    ),
    "back": _for_own_entrant(
        lambda tournament, who, pk: attendance.set_away(tournament, who, [pk], away=False, now=time.time())
    ),
    "on-device": _for_own_entrant(
        lambda tournament, who, pk: attendance.play_where(tournament, who, [pk], on_device=True, now=time.time())
    ),
    "in-room": _for_own_entrant(
        lambda tournament, who, pk: attendance.play_where(tournament, who, [pk], on_device=False, now=time.time())
    ),
    "team": lambda request, one: team_pages.choose_own_team(request, one, player_of(request)),
    "withdraw": _for_own_entrant(
        lambda tournament, who, pk: attendance.withdraw(tournament, who, [pk], now=time.time())
    ),
}


def show_pod(request: HttpRequest, tournament_id: str, number: int, table: int) -> HttpResponse:
    """The page of a table of a round: its players, and the form to enter and confirm the result. Raises NotFound."""
    tournament, role = find_tournament(request, tournament_id)
    found = Pod.objects.filter(round__tournament=tournament, round__number=number, number=table)
    row = found.exclude(round__status__in=["drawing", "draft"]).select_related("round").first()
    if row is None:
        raise NotFound("There is no such table in this round.")
    path = request.path
    if request.method == "POST":
        return run_action(request, lambda: _submit_result(request, tournament, row), back=path)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    player = player_of(request)
    me = tournament_view.find_own_entrant(book, player)
    played = next(played for played in book.rounds if played.pk == row.round_id)
    view = next(
        pod_view
        for pod_view in table_views.list_pods(book, played, tournament_view.find_tables(book, played), me)
        if pod_view.id == row.pk
    )
    is_player = seat_of(row, player.pk if player else None) is not None
    may_score = has_duty(tournament, player, Duty.SCORER)
    context = build_frame(request, tournament, role, "pairings") | {
        "pod": view,
        "round": played,
        "is_player": is_player,
        "can_enter": played.status == "released" and (is_player or may_score),
        "can_correct": is_organiser(role) and results.may_decide(tournament, played, book.rounds),
        "needs_scores": needs_scores(tournament),
        "claimable": list_claimable(request, book, role, me=me, at=view) if played.status == "released" else [],
        "proposals": [_describe_result(result, view, player) for result in view.proposed],
        "objections": [
            _describe_result(table_views.view_result(book, objection.result), view, player)
            | {"by": objection.by or NO_ACTOR}
            for objection in (disputes.list_objections(row) if played.status == "released" else ())
        ],
        "places": view.places,
        **photos.describe(tournament, player, row),
    }
    return disable_caching(render(request, "tournaments/results/pod.html", context))


def _describe_result(
    result: table_views.ResultView, view: table_views.PodView, player: Player | None
) -> dict[str, Any]:
    return {
        "result": result,
        "order": result.order(view.seats),
        "is_mine": player is not None and result.entered_by == player.pk,
    }


def _submit_result(request: HttpRequest, tournament: Tournament, row: Pod) -> None:
    player = player_of(request)
    if player is None:
        raise BadInput("Choose your name first.")
    action = request.POST.get("action", "enter")
    if action == "confirm":
        results.confirm(tournament, player, read_int(request.POST.get("result")), now=time.time())
    elif action == "reject":
        results.reject(tournament, player, read_int(request.POST.get("result")), now=time.time())
    else:
        reported = read_result(request, tournament, row)
        now = time.time()
        since = now - _read_wait(request)
        results.enter(
            tournament,
            player,
            row.pk,
            reported,
            key=read_result_key(request),
            since=since,
            seen=read_seen(request),
            now=now,
        )


def read_result_key(request: HttpRequest) -> str | None:
    """The key that a page gives each result it sends, so that one that is sent again is taken once. Raises BadInput."""
    key = request.POST.get("key", "")
    if len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadInput("This form is incomplete. Reload the page and try again.")
    return f"result:{key}" if key else None


def _read_wait(request: HttpRequest) -> int:
    """The seconds that a result has waited on the device that sends it. Raises BadInput."""
    text = request.POST.get("waited", "")
    return max(0, read_int(text)) if text else 0


def read_seen(request: HttpRequest) -> int | None:
    """The id of the accepted result that the form showed, 0 without one; None if it does not say. Raises BadInput."""
    text = request.POST.get("seen", "")
    return read_int(text) if text else None


def read_result(request: HttpRequest, tournament: Tournament, row: Pod) -> ReportedResult:
    """The result of a form with `place-0`, `score-0` and so on, by seat.

    Raises BadInput; Stale if the players differ from those of the form (`seated`: entrant ids by seat).
    """
    seated = [str(pk) for pk in row.seats.order_by("index").values_list("entrant_id", flat=True)]
    if request.POST.getlist("seated", seated) != seated:
        raise Stale("Somebody else has just changed this. Reload the page.")
    seats = len(seated)
    places = [_read_cell(request, f"place-{index}") for index in range(seats)]
    scores = [_read_cell(request, f"score-{index}") for index in range(seats)]
    return check_pod_result(tournament, row, places, scores)


def _read_cell(request: HttpRequest, name: str) -> int | None:
    text = request.POST.get(name, "").strip()
    return read_int(text) if text else None
