"""Who makes a request to the API (by key or browser session), its rate limit, and what they may see."""

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
    """A refusal: the HTTP status, and a sentence that says what to do."""

    status: int
    sentence: str


REFUSED: Final[dict[int, Any]] = {401: Said, 403: Said, 404: Said, 422: Said, 429: Said, 503: Said}
"""What each request may be answered with: an invalid key, no permission, not found, unreadable parameters, too many
requests, a database that does not answer."""


class Throttle(BaseThrottle):
    """Limits requests a minute per valid key; without one per network address."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request, once however often this is called."""
        attributes = vars(request)
        if "_is_allowed" not in attributes:
            attributes["_is_allowed"] = rate_limits.allow_question(_throttle_key(request))
        return bool(attributes["_is_allowed"])


class Key(HttpBearer):
    """`Authorization: Bearer mng_…`, a key of the club."""

    def __call__(self, request: HttpRequest) -> ApiKey | None:
        """The key, or None. Attempts with invalid keys count for the limit. Raises AuthenticationError, Throttled."""
        if not Throttle().allow_request(request):
            raise Throttled(wait=None)
        found: ApiKey | None = super().__call__(request)
        return found

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        """The key of the request. Raises AuthenticationError."""
        return find_key(request)


def _throttle_key(request: HttpRequest) -> str:
    """Whose limit the request counts for. Invalid keys count for their network address, however many are tried."""
    try:
        key = find_key(request)
    except AuthenticationError:
        key = None
    return f"key {key.pk}" if key else str(request.META.get("REMOTE_ADDR", ""))


def _read_key(request: HttpRequest) -> str:
    header = request.headers.get("Authorization", "")
    return header.removeprefix(BEARER).strip() if header.startswith(BEARER) else ""


def find_key(request: HttpRequest) -> ApiKey | None:
    """The key of the request, looked up once; None if it has none. Raises AuthenticationError for an invalid key."""
    if "_key" not in vars(request):
        text = _read_key(request)
        key = api_keys.find(text) if text else None
        if text and key is None:
            raise AuthenticationError
        vars(request)["_key"] = key
    found: ApiKey | None = vars(request)["_key"]
    return found


def say_bad_key() -> str:
    """The sentence for an invalid or missing key."""
    return _("The API key is missing or not valid. Check it, or ask for a new one.")


def find_reader(request: HttpRequest, club_id: int | None = None) -> int | None:
    """The id of the player who asks about something of this club; None for a stranger.

    A key acts as its maker, and in its own club only. Without a key, the browser session tells. Raises
    AuthenticationError for an invalid key.
    """
    key = find_key(request)
    if key is not None:
        return key.made_by_id if key.club_id == club_id else None
    return player_id(request)


def query_own_clubs(request: HttpRequest) -> QuerySet[Club]:
    """The clubs that the reader belongs to; with a key, the club of the key."""
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
        raise NotAllowed("Only members can see this club. Ask one of them for an invitation.")
    return club


def find_tournament(request: HttpRequest, tournament_id: str) -> Tournament:
    """A tournament that the reader may see. Raises NotFound, NotAllowed."""
    tournament = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if tournament is None:
        find_key(request)
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    reader = find_reader(request, tournament.club_id)
    if not permissions.can_see(tournament, reader, permissions.role_of(tournament.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask an organiser for the link.")
    return tournament


def find_season(request: HttpRequest, season_id: str) -> Season:
    """A season that the reader may see. Raises NotFound, NotAllowed."""
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        find_key(request)
        raise NotFound("There is no such season.")
    reader = find_reader(request, season.club_id)
    if not permissions.can_see_season(season, permissions.role_of(season.club, reader)):
        raise NotAllowed("This season is for members of its club. Ask an organiser for the link.")
    return season


def filter_visible(club: Club, reader: int | None) -> Q:
    """The filter for the tournaments of the club that the reader may see; empty for members."""
    if permissions.role_of(club, reader) is not None:
        return Q()
    return Q(is_public=True) | Q(pk__in=Tournament.objects.filter(entrants__player_id=reader or 0).values("pk"))
