"""What a player does himself: enter, check in, sit out, withdraw, claim his name, enter and confirm results."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.accounts.guests import require_player
from games.models import Player
from games.play.errors import BadInput, NotFound, Refusal
from tournaments.flow import entry, presence, results
from tournaments.flow.permissions import seat_of
from tournaments.models import Entrant, Pod, Tournament
from tournaments.views import seating, shown
from tournaments.views.finding import do, find_tournament, fresh, is_organiser, player_of, read_int, remember, stamp
from tournaments.views.pages import frame


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """`action`: enter, here, away, back or withdraw."""
    tournament, _role = find_tournament(request, tournament_id)
    action = request.POST.get("action", "")
    if action not in ACTIONS:
        raise BadInput("There is no such button. Reload the page.")
    return do(request, lambda: ACTIONS[action](request, tournament), back=_home(tournament))


def _home(tournament: Tournament) -> str:
    return reverse("tournaments:tournament", args=[tournament.pk])


def _enter(request: HttpRequest, tournament: Tournament) -> None:
    if tournament.phase not in entry.OPEN:
        entry.require_open(tournament)  # before a stranger becomes a guest
    entry.enter(tournament, require_player(request), now=time.time())


def _own(act: Callable[[Tournament, Player | None, int], None]) -> Callable[[HttpRequest, Tournament], None]:
    def run(request: HttpRequest, tournament: Tournament) -> None:
        player = player_of(request)
        mine = Entrant.objects.filter(tournament=tournament, player=player).first() if player else None
        if mine is None:
            raise NotFound("You are not in this tournament.")
        act(tournament, player, mine.pk)

    return run


ACTIONS: dict[str, Callable[[HttpRequest, Tournament], None]] = {
    "enter": _enter,
    "here": _own(lambda one, who, pk: presence.check_in(one, who, [pk], now=time.time())),
    "away": _own(lambda one, who, pk: presence.set_away(one, who, [pk], away=True, now=time.time())),
    "back": _own(lambda one, who, pk: presence.set_away(one, who, [pk], away=False, now=time.time())),
    "withdraw": _own(lambda one, who, pk: presence.withdraw(one, who, [pk], now=time.time())),
}


def claim(request: HttpRequest, tournament_id: str, token: str) -> HttpResponse:
    """The page behind a walk-in's QR code: "that is me"."""
    entrant = Entrant.objects.select_related("tournament__club").filter(
        tournament_id=tournament_id, claim_token=token, bot=""
    ).first()  # fmt: skip
    if entrant is None:
        raise NotFound("This link belongs to nobody in this tournament.")
    remember(request, entrant.tournament)
    if request.method == "POST":
        try:
            entry.claim(entrant.tournament, token, require_player(request), now=time.time())
        except Refusal as refusal:
            notes.error(request, _(refusal.template) % refusal.values)
        return redirect(_home(entrant.tournament))
    player = player_of(request)
    context = {
        "tournament": entrant.tournament,
        "entrant": entrant,
        "is_mine": player and entrant.player_id == player.pk,
    }
    return fresh(render(request, "tournaments/claim.html", context))


def pod(request: HttpRequest, tournament_id: str, number: int, table: int) -> HttpResponse:
    """A table of a round: who sits there, and its result, to be entered and confirmed with a thumb."""
    tournament, role = find_tournament(request, tournament_id)
    found = Pod.objects.filter(round__tournament=tournament, round__number=number, number=table)
    row = found.exclude(round__status__in=["drawing", "draft"]).select_related("round").first()
    if row is None:
        raise NotFound("There is no such table in this round.")
    here = request.path
    if request.method == "POST":
        return do(request, lambda: _result(request, tournament, row), back=here)
    book = shown.read_book(tournament, stamp(tournament))
    player = player_of(request)
    me = shown.my_entrant(book, player)
    played = next(one for one in book.rounds if one.pk == row.round_id)
    view = next(one for one in seating.list_pods(book, played, shown.find_tables(book, played), me) if one.id == row.pk)
    is_player = seat_of(row, player.pk if player else None) is not None
    context = frame(request, tournament, role, "pairings") | {
        "pod": view,
        "round": played,
        "is_player": is_player,
        "can_enter": played.status == "released" and (is_player or is_organiser(role)),
        "needs_scores": results.needs_scores(tournament),
        "proposals": [_proposal(one, view, player) for one in view.proposed],
        "places": range(1, len(view.seats) + 1),
    }
    return fresh(render(request, "tournaments/pod.html", context))


def _proposal(result: seating.ResultView, view: seating.PodView, player: Player | None) -> dict[str, Any]:
    order = sorted(zip(result.places, (seat.name for seat in view.seats), strict=True))
    return {"result": result, "order": order, "is_mine": player is not None and result.entered_by == player.pk}


def _result(request: HttpRequest, tournament: Tournament, row: Pod) -> None:
    player = player_of(request)
    if player is None:
        raise BadInput("Say first who you are: choose your name.")
    action = request.POST.get("action", "enter")
    if action == "confirm":
        results.confirm(tournament, player, read_int(request.POST.get("result")), now=time.time())
    elif action == "reject":
        results.reject(tournament, player, read_int(request.POST.get("result")), now=time.time())
    else:
        results.enter(tournament, player, row.pk, read_result(request, tournament, row), now=time.time())


def read_result(request: HttpRequest, tournament: Tournament, row: Pod) -> results.Said:
    """Places and scores of a form: `place-0`, `score-0` … Raises BadInput."""
    seats = row.seats.count()
    places = [_cell(request, f"place-{index}") for index in range(seats)]
    scores = [_cell(request, f"score-{index}") for index in range(seats)]
    return results.read_said(places, scores, seats=seats, needs_scores=results.needs_scores(tournament))


def _cell(request: HttpRequest, name: str) -> int | None:
    text = request.POST.get(name, "").strip()
    return read_int(text) if text else None
