"""Who on the organiser's list one is: by the link of one's name, by the tournament's link, by the card on a table."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.accounts.current_player import player_id, player_of
from games.accounts.guests import require_player
from games.accounts.site_urls import address_of
from games.play.errors import NotAllowed, NotFound, Refusal
from tournaments.flow.entry import entry_deadline, sign_up
from tournaments.flow.permissions import OPENED, role_of
from tournaments.flow.standings.book import Book
from tournaments.models import BOTH_PLACES, Entrant, Role, Round, Tournament
from tournaments.views.lookups import draw_qr, fresh, is_organiser, read_int, remember
from tournaments.views.standings import cached_rows
from tournaments.views.standings.table_views import PodView


def claim(request: HttpRequest, tournament_id: str, token: str) -> HttpResponse:
    """The page behind a walk-in's own link: "that is me". To an organiser it shows the link, to be scanned."""
    entrant = Entrant.objects.select_related("tournament__club").filter(
        tournament_id=tournament_id, claim_token=token, bot=""
    ).first()  # fmt: skip
    if entrant is None:
        raise NotFound("This link belongs to nobody in this tournament.")
    remember(request, entrant.tournament)
    if request.method == "POST":
        try:
            _claim(request, entrant)
        except Refusal as refusal:
            notes.error(request, _(refusal.template) % refusal.values)
        return redirect(reverse("tournaments:tournament", args=[tournament_id]))
    me = player_id(request)
    context = {
        "tournament": entrant.tournament,
        "entrant": entrant,
        "is_mine": me is not None and entrant.player_id == me,
        "asks_where": entrant.tournament.venue in BOTH_PLACES,
        "is_on_device": entrant.is_on_device,
    }
    if is_organiser(role_of(entrant.tournament.club, me)):
        url = address_of(request, "tournaments:claim", tournament_id, token)
        context |= {"url": url, "qr": draw_qr(url)}
    return fresh(render(request, "tournaments/claim.html", context))


def _claim(request: HttpRequest, entrant: Entrant) -> None:
    if player_of(request) is None:
        sign_up.require_unclaimed(entrant)  # before a stranger becomes a guest of this name
    player = require_player(request, name=entrant.name)
    where = read_where(request, entrant.tournament)
    sign_up.claim(entrant.tournament, entrant.claim_token, player, is_on_device=where, now=time.time())


def read_where(request: HttpRequest, tournament: Tournament) -> bool | None:
    """Whether somebody says in a form that they play on a device (`where`); None where nobody was asked."""
    said = request.POST.get("where", "")
    if tournament.venue not in BOTH_PLACES or said not in ("device", "room"):
        return None
    return said == "device"


def ask_where(book: Book, me: Entrant | None) -> dict[str, Any]:
    """Where the reader plays, if both are played: on a device or in the room, and until the next draw the other."""
    asks = book.tournament.venue in BOTH_PLACES
    drafted = any(one.status in (Round.Status.DRAWING, Round.Status.DRAFT) for one in book.rounds)
    return {"asks_where": asks, "is_on_device": me is None or me.is_on_device, "can_change_where": not drafted}


def claim_listed(request: HttpRequest, tournament: Tournament, role: Role | None) -> None:
    """Say which of those on the list (`entrant`) one is. At a table's card (`table`) nobody is asked where they play.

    Raises NotAllowed, NotFound, Stale, BadInput.
    """
    if not _may_claim(request, tournament, role):
        raise NotAllowed("Open the link of this tournament first, or point your phone at its code.")
    entrant = Entrant.objects.filter(tournament=tournament, pk=read_int(request.POST.get("entrant")), bot="").first()
    if entrant is None:
        raise NotFound("This person is not in this tournament.")
    _claim(request, entrant)


def _may_claim(request: HttpRequest, tournament: Tournament, role: Role | None) -> bool:
    """Who has opened the tournament's link, or belongs to its club."""
    return role is not None or tournament.pk in request.session.get(OPENED, ())


def list_claimable(
    request: HttpRequest, book: Book, role: Role | None, *, me: Entrant | None, at: PodView | None = None
) -> list[Entrant]:
    """Those on the list, by name, of whom the reader may say that it is he; at: only those at this table."""
    if (
        me is not None
        or book.tournament.phase not in entry_deadline.OPEN
        or not _may_claim(request, book.tournament, role)
    ):
        return []
    here = None if at is None else {seat.entrant_id for seat in at.seats if not seat.substitute and not seat.is_gone}
    free = (one for one in cached_rows.sort_by_name(cached_rows.list_in(book)) if one.player_id is None and not one.bot)
    return [one for one in free if here is None or one.pk in here]
