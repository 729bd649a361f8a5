"""Who asks the API, and what he may see."""

from __future__ import annotations

from typing import Annotated, Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Schema
from ninja.errors import AuthenticationError, Throttled
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from games.accounts import rate_limits
from games.accounts.current_player import player_id
from games.play.errors import NotAllowed, NotFound
from tournaments.flow import permissions
from tournaments.flow.clubs import api_keys
from tournaments.models import ApiKey, Club, Season, Tournament

Page = Annotated[int, Query(ge=1, le=1_000_000)]
PAGE_ROWS = 100
"""Rows of a list that has pages."""
BEARER = "Bearer "


class Said(Schema):
    """A refusal: a status, and a sentence that says what to do."""

    status: int
    sentence: str


REFUSED: Final[dict[int, Any]] = {401: Said, 403: Said, 404: Said, 422: Said, 429: Said, 503: Said}
"""What every question may be answered with: a key that opens nothing, what is not for the reader, what there is not,
what cannot be read, too much at once, a database that does not answer."""


class Throttle(BaseThrottle):
    """So many questions a minute for each key that opens something; for everybody else for each network address."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this one, once however often it is looked at."""
        known = vars(request)
        if "_is_allowed" not in known:
            known["_is_allowed"] = rate_limits.allow_question(_throttle_key(request))
        return bool(known["_is_allowed"])


class Key(HttpBearer):
    """`Authorization: Bearer mng_…`, a key of the club."""

    def __call__(self, request: HttpRequest) -> ApiKey | None:
        """The key, or None. Raises AuthenticationError, Throttled: to try keys is to ask, too."""
        if not Throttle().allow_request(request):
            raise Throttled(wait=None)
        found: ApiKey | None = super().__call__(request)
        return found

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        """The key that was shown."""
        return find_key(request)


def _throttle_key(request: HttpRequest) -> str:
    """Whose questions this is one of. Whoever makes keys up is one asker, however many he makes up."""
    try:
        key = find_key(request)
    except AuthenticationError:
        key = None
    return f"key {key.pk}" if key else str(request.META.get("REMOTE_ADDR", ""))


def _read_key(request: HttpRequest) -> str:
    header = request.headers.get("Authorization", "")
    return header.removeprefix(BEARER).strip() if header.startswith(BEARER) else ""


def find_key(request: HttpRequest) -> ApiKey | None:
    """The key that is shown, found once for each request. Raises AuthenticationError for one that opens nothing."""
    if "_key" not in vars(request):
        said = _read_key(request)
        key = api_keys.find(said) if said else None
        if said and key is None:
            raise AuthenticationError
        vars(request)["_key"] = key
    found: ApiKey | None = vars(request)["_key"]
    return found


def say_bad_key() -> str:
    """The sentence for whoever shows no key that opens anything."""
    return _("That key opens nothing here. Perhaps it was withdrawn.")


def find_reader(request: HttpRequest, club_id: int | None = None) -> int | None:
    """Who asks about something of this club: by key, which acts as its maker in its own club only, or by the session of
    a browser. Raises AuthenticationError for a key that opens nothing."""
    key = find_key(request)
    if key is not None:
        return key.made_by_id if key.club_id == club_id else None
    return player_id(request)


def query_own_clubs(request: HttpRequest) -> QuerySet[Club]:
    """The clubs that the reader belongs to; with a key its own."""
    key = find_key(request)
    if key is not None:
        return Club.objects.filter(pk=key.club_id)
    return Club.objects.filter(memberships__player_id=find_reader(request) or 0)


def find_club(request: HttpRequest, slug: str) -> Club:
    """A club that the reader may see. Raises NotFound, NotAllowed."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        find_key(request)
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    if not permissions.can_see_club(club, find_reader(request, club.pk)):
        raise NotAllowed("This club shows itself to its members only. Ask one of them for an invitation.")
    return club


def find_tournament(request: HttpRequest, tournament_id: str) -> Tournament:
    """A tournament that the reader may see. Raises NotFound, NotAllowed."""
    tournament = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if tournament is None:
        find_key(request)
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    reader = find_reader(request, tournament.club_id)
    if not permissions.can_see(tournament, reader, permissions.role_of(tournament.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return tournament


def find_season(request: HttpRequest, season_id: str) -> Season:
    """A season that the reader may see. Raises NotFound, NotAllowed."""
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        find_key(request)
        raise NotFound("There is no such season.")
    reader = find_reader(request, season.club_id)
    if not permissions.can_see_season(season, permissions.role_of(season.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return season


def filter_visible(club: Club, reader: int | None) -> Q:
    """Which tournaments of the club the reader may see."""
    if permissions.role_of(club, reader) is not None:
        return Q()
    return Q(is_public=True) | Q(pk__in=Tournament.objects.filter(entrants__player_id=reader or 0).values("pk"))
