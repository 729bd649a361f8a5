"""Claiming a name on the organiser's list: by its own link, by the entry link, or by the card of a table."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.accounts.site_urls import address_of
from games.play.errors import NotAllowed, NotFound, Refusal
from games.play.sentences import say_sentence
from tournaments.flow.entry import entry_deadline, sign_up, waiting_list
from tournaments.flow.permissions import OPENED, has_duty, role_of
from tournaments.flow.standings.book import Book
from tournaments.models import BOTH_PLACES, Duty, Entrant, Phase, Role, Round, Tournament
from tournaments.views.lookups import disable_caching, is_organiser, read_int, remember_opened_link, render_qr
from tournaments.views.standings import cached_rows
from tournaments.views.standings.table_views import PodView


def show_claim(request: HttpRequest, tournament_id: str, token: str) -> HttpResponse:
    """The page of a claim link, where a walk-in confirms their name. Organisers see its QR code to show them."""
    entrant = Entrant.objects.select_related("tournament__club").filter(
        tournament_id=tournament_id, claim_token=token, bot=""
    ).first()  # fmt: skip
    if entrant is None:
        raise NotFound("This link does not belong to anybody in this tournament. Ask an organiser for a new link.")
    remember_opened_link(request, entrant.tournament)
    if request.method == "POST":
        try:
            _claim(request, entrant)
        except Refusal as refusal:
            notes.error(request, say_sentence(refusal))
        return redirect(reverse("tournaments:tournament", args=[tournament_id]))
    me = player_id(request)
    context = {
        "tournament": entrant.tournament,
        "entrant": entrant,
        "is_mine": me is not None and entrant.player_id == me,
        "asks_where": entrant.tournament.venue in BOTH_PLACES,
        "is_on_device": entrant.is_on_device,
    }
    is_at_door = has_duty(entrant.tournament, player_of(request), Duty.DOOR)
    context["can_check_in"] = is_at_door and _can_come_in(entrant)
    if is_organiser(role_of(entrant.tournament.club, me)) or is_at_door:
        url = address_of(request, "tournaments:claim", tournament_id, token)
        context |= {"url": url, "qr": render_qr(url)}
    return disable_caching(render(request, "tournaments/entry/claim.html", context))


def _can_come_in(entrant: Entrant) -> bool:
    """Whether the door can check this person in now."""
    is_open = entrant.tournament.phase in (Phase.CHECK_IN, Phase.RUNNING)
    return is_open and entrant.status in (Entrant.Status.ENTERED, Entrant.Status.WAITING)


def _claim(request: HttpRequest, entrant: Entrant) -> None:
    if player_of(request) is None:
        sign_up.require_unclaimed(entrant)  # before a guest account of this name is made
    player = require_player(request, name=entrant.name)
    where = read_on_device(request, entrant.tournament)
    sign_up.claim(entrant.tournament, entrant.claim_token, player, is_on_device=where, now=time.time())


def read_on_device(request: HttpRequest, tournament: Tournament) -> bool | None:
    """Whether the form field `where` says that they play on a device; None if it was not asked."""
    answer = request.POST.get("where", "")
    if tournament.venue not in BOTH_PLACES or answer not in ("device", "room"):
        return None
    return answer == "device"


def describe_device_choice(book: Book, me: Entrant | None) -> dict[str, Any]:
    """Template context of the choice between device and room; it can be changed until the next draw."""
    asks = book.tournament.venue in BOTH_PLACES
    drafted = any(played.status in (Round.Status.DRAWING, Round.Status.DRAFT) for played in book.rounds)
    return {"asks_where": asks, "is_on_device": me is None or me.is_on_device, "can_change_where": not drafted}


def describe_entry(request: HttpRequest, book: Book, me: Entrant | None, *, now: float) -> dict[str, Any]:
    """Template context of what entry asks and gives: the waiting list, the deadline, the reader's code for the door."""
    tournament = book.tournament
    waiting = waiting_list.sort_waiting(list(book.entrants.values()))
    is_expected = me is not None and me.status in (Entrant.Status.ENTERED, Entrant.Status.WAITING)
    has_code = me is not None and is_expected and tournament.phase in (Phase.ENTRY, Phase.CHECK_IN)
    return {
        "on_list": len(waiting),
        "waits_at": waiting.index(me) + 1 if me in waiting else None,
        "is_sign_up_closed": tournament.phase in entry_deadline.OPEN
        and entry_deadline.is_sign_up_closed(tournament, now=now),
        "can_still_enter": tournament.phase in (Phase.PLANNED, Phase.ENTRY, Phase.CHECK_IN),
        "must_wait": me is None and tournament.capacity is not None and _is_full(book),
        "door_code": _render_door_code(request, me) if me is not None and has_code else "",
    }


def _render_door_code(request: HttpRequest, me: Entrant) -> str:
    return render_qr(address_of(request, "tournaments:claim", me.tournament_id, me.claim_token))


def _is_full(book: Book) -> bool:
    """Whether somebody who signs up now goes on the waiting list."""
    tournament = book.tournament
    if tournament.capacity is None or tournament.phase not in waiting_list.MOVES_UP_IN:
        return False
    taken = sum(entrant.status in waiting_list.IN and not entrant.is_filler for entrant in book.entrants.values())
    return taken >= tournament.capacity or any(
        entrant.status == Entrant.Status.WAITING for entrant in book.entrants.values()
    )


def claim_listed(request: HttpRequest, tournament: Tournament, role: Role | None) -> None:
    """Claim the name of the POST field `entrant` (its id) on the list.

    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    if not _may_claim(request, tournament, role):
        raise NotAllowed("First open the link of this tournament, or scan its code with your phone.")
    entrant = Entrant.objects.filter(tournament=tournament, pk=read_int(request.POST.get("entrant")), bot="").first()
    if entrant is None:
        raise NotFound("This person is not in this tournament.")
    _claim(request, entrant)


def _may_claim(request: HttpRequest, tournament: Tournament, role: Role | None) -> bool:
    """Whether the reader has opened the entry link or belongs to the club."""
    return role is not None or tournament.pk in request.session.get(OPENED, ())


def list_claimable(
    request: HttpRequest, book: Book, role: Role | None, *, me: Entrant | None, at: PodView | None = None
) -> list[Entrant]:
    """The entrants by name that the reader may claim to be; at: only those at this table."""
    if (
        me is not None
        or book.tournament.phase not in entry_deadline.OPEN
        or not _may_claim(request, book.tournament, role)
    ):
        return []
    here = None if at is None else {seat.entrant_id for seat in at.seats if not seat.substitute and not seat.is_gone}
    free = (
        entrant
        for entrant in cached_rows.sort_by_name(cached_rows.list_entered(book))
        if entrant.player_id is None and not entrant.bot
    )
    return [entrant for entrant in free if here is None or entrant.pk in here]
