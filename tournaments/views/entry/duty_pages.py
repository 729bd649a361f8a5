"""The links by which people take over the door or the results for one night."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.accounts.site_urls import address_of
from games.models import Player
from tournaments.flow.entry import duties
from tournaments.models import Duty, NightDuty, Tournament
from tournaments.views.lookups import (
    disable_caching,
    find_tournament,
    read_int,
    remember_opened_link,
    render_qr,
    require_organiser,
    run_action,
)
from tournaments.views.page_frame import build_frame
from tournaments.words.terms import DUTIES

PAGES = {Duty.DOOR: "tournaments:door", Duty.SCORER: "tournaments:scores"}
"""The page on which each duty is done."""


def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The organiser's list of links. POST makes one (`duty`, `name`) or withdraws one (`withdraw`: its id)."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    if request.method == "POST":
        who = player_of(request)
        return run_action(request, lambda: _change_duty(request, tournament, who), back=request.path)
    rows = [_describe_duty(request, duty) for duty in duties.list_given(tournament)]
    context = build_frame(request, tournament, role, "console") | {"rows": rows, "kinds": list(DUTIES.items())}
    return disable_caching(render(request, "tournaments/entry/duties.html", context))


def _change_duty(request: HttpRequest, tournament: Tournament, who: Player | None) -> None:
    if request.POST.get("withdraw"):
        duties.withdraw_duty(tournament, who, read_int(request.POST["withdraw"]), now=time.time())
        return
    name, kind = request.POST.get("name", ""), request.POST.get("duty", "")
    duties.give_duty(tournament, who, kind, name=name, now=time.time())


def _describe_duty(request: HttpRequest, duty: NightDuty) -> dict[str, object]:
    url = address_of(request, "tournaments:duty", duty.tournament_id, duty.token)
    return {
        "pk": duty.pk,
        "name": duty.name,
        "duty": DUTIES[duty.duty],
        "taken_by": duty.player.name if duty.player else "",
        "url": url,
        "qr": "" if duty.player else render_qr(url),
    }


def take(request: HttpRequest, tournament_id: str, token: str) -> HttpResponse:
    """The page of a link: what the duty is, and the button that takes it."""
    duty = duties.find_duty(tournament_id, token)
    page_url = reverse(PAGES[Duty(duty.duty)], args=[tournament_id])
    if request.method == "POST":
        return run_action(request, lambda: _accept_duty(request, duty), back=page_url)
    context = {
        "tournament": duty.tournament,
        "duty": duty,
        "what": DUTIES[duty.duty],
        "is_mine": duty.player_id is not None and duty.player_id == player_id(request),
        "page_url": page_url,
    }
    return disable_caching(render(request, "tournaments/entry/duty.html", context))


def _accept_duty(request: HttpRequest, duty: NightDuty) -> None:
    duties.require_free(duty, player_id(request))  # before a guest account of this name is made
    player = require_player(request, name=request.POST.get("name", "") or duty.name)
    remember_opened_link(request, duty.tournament)
    duties.take_duty(duty.tournament, player, duty.token, now=time.time())
