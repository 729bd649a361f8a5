"""Search for people, clubs and tournaments: a page, and suggestions in the header as somebody types."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.presenters.names import GAMES
from tournaments.flow.profiles import finding
from tournaments.flow.profiles.finding import SearchResults
from tournaments.views.lookups import disable_caching
from tournaments.views.profiles.leaderboards import PEOPLE_URL

SUGGESTIONS = "suggestions"
"""The id of the list in the header."""


class SearchHit(NamedTuple):
    """A line of the results. animal: of a person or club; has_account: of a person."""

    name: str
    url: str
    animal: str = ""
    about: str = ""
    has_account: bool = False


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What the words in `q` find; for the list in the header its options only."""
    wanted = request.GET.get("q", "").strip()[: finding.MAX_LETTERS]
    is_typing = request.headers.get("HX-Target") == SUGGESTIONS
    found = finding.find(wanted, player_id(request), most=finding.SUGGESTED if is_typing else finding.SHOWN)
    context = {"wanted": wanted, "groups": _group(found), "is_empty": found.is_empty}
    template = "people/suggestions.html" if is_typing else "people/search.html"
    return disable_caching(render(request, template, context))


def _group(found: SearchResults) -> list[tuple[str, list[SearchHit]]]:
    people = [
        SearchHit(player.name, f"{PEOPLE_URL}{player.pk}/", player.avatar, has_account=player.user_id is not None)
        for player in found.people
    ]
    clubs = [SearchHit(club.name, reverse("tournaments:club", args=[club.slug]), club.avatar) for club in found.clubs]
    tournaments = [
        SearchHit(
            tournament.name,
            reverse("tournaments:tournament", args=[tournament.pk]),
            about=str(GAMES[tournament.game].name) if tournament.game in GAMES else tournament.game,
        )
        for tournament in found.tournaments
    ]
    groups = ((_("People"), people), (_("Clubs"), clubs), (_("Tournaments"), tournaments))
    return [(head, hits) for head, hits in groups if hits]
