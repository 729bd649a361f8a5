"""Who makes a request to the API (by token, club key or browser session), its rate limit, and what they may see."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Schema
from ninja.errors import AuthenticationError, Throttled
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle
from ninja.utils import check_csrf

from games.accounts import access_tokens, rate_limits
from games.accounts.current_player import player_id, player_of
from games.models import AccessToken, Player
from games.play.errors import NotAllowed, NotFound
from tournaments.flow import permissions
from tournaments.flow.clubs import api_keys
from tournaments.models import ApiKey, Club, Season, Tournament

Page = Annotated[int, Query(ge=1, le=1_000_000)]
PAGE_ROWS = 100
"""Rows of a list that has pages."""
BEARER = "Bearer "


class RefusalOut(Schema):
    """A refusal: the HTTP status, and a sentence that says what to do."""

    status: int
    sentence: str


REFUSED: Final[dict[int, Any]] = dict.fromkeys((401, 403, 404, 422, 429, 503), RefusalOut)
"""What each request may be answered with: an invalid key, no permission, not found, unreadable parameters, too many
requests, a database that does not answer."""
CHANGE_REFUSED: Final[dict[int, Any]] = {**REFUSED, **dict.fromkeys((400, 409, 413), RefusalOut)}
"""What a change may be refused with besides: bad input, something that has moved on, too much data."""


class Throttle(BaseThrottle):
    """Limits requests a minute per valid key; without one per network address."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request, once however often this is called."""
        attributes = vars(request)
        if "_is_allowed" not in attributes:
            attributes["_is_allowed"] = rate_limits.allow_question(_throttle_key(request))
        return bool(attributes["_is_allowed"])


class Key(HttpBearer):
    """`Authorization: Bearer`, with a key of the club (`mng_…`) or a personal access token (`mgt_…`)."""

    def __call__(self, request: HttpRequest) -> ApiKey | AccessToken | None:
        """The key or token, or None. Attempts with invalid ones count for the limit.

        Raises AuthenticationError, Throttled.
        """
        if not Throttle().allow_request(request):
            raise Throttled(wait=None)
        found: ApiKey | AccessToken | None = super().__call__(request)
        return found

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | AccessToken | None:
        """The key or token of the request. Raises AuthenticationError."""
        return find_key(request) or find_token(request)


class Token(HttpBearer):
    """A personal access token with this scope; without one a browser session with its CSRF token."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self._scope = scope

    def __call__(self, request: HttpRequest) -> Player | None:
        """The player who acts, or None. Raises AuthenticationError, Throttled, NotAllowed."""
        if not Throttle().allow_request(request):
            raise Throttled(wait=None)
        if _read_key(request):
            token = find_token(request)
            if token is None:  # a club's key plays nothing
                raise AuthenticationError
            access_tokens.require_scope(token, self._scope)
            return token.player
        player = player_of(request)
        if player is not None and request.method not in ("GET", "HEAD") and check_csrf(request) is not None:
            raise NotAllowed("A browser session needs its CSRF token here. A program uses an access token instead.")
        return player

    def authenticate(self, request: HttpRequest, token: str) -> Player | None:
        """Not used: `__call__` decides."""
        return None


def _throttle_key(request: HttpRequest) -> str:
    """Whose limit the request counts for. Invalid keys count for their network address, however many are tried."""
    try:
        key, token = find_key(request), find_token(request)
    except AuthenticationError:
        key, token = None, None
    if token is not None:
        return f"token {token.pk}"
    return f"key {key.pk}" if key else str(request.META.get("REMOTE_ADDR", ""))


def _read_key(request: HttpRequest) -> str:
    header = request.headers.get("Authorization", "")
    return header.removeprefix(BEARER).strip() if header.startswith(BEARER) else ""


def find_key(request: HttpRequest) -> ApiKey | None:
    """The club's key of the request, looked up once; None if it has none.

    Raises AuthenticationError for an invalid key or token.
    """
    return _find_sent(request)[0]


def find_token(request: HttpRequest) -> AccessToken | None:
    """The personal access token of the request, looked up once; None if it has none. Raises AuthenticationError."""
    return _find_sent(request)[1]


def _find_sent(request: HttpRequest) -> tuple[ApiKey | None, AccessToken | None]:
    if "_sent" not in vars(request):
        text = _read_key(request)
        is_token = text.startswith(access_tokens.PREFIX)
        key = api_keys.find(text) if text and not is_token else None
        token = access_tokens.find(text, now=time.time()) if is_token else None
        if text and key is None and token is None:
            raise AuthenticationError
        vars(request)["_sent"] = key, token
    sent: tuple[ApiKey | None, AccessToken | None] = vars(request)["_sent"]
    return sent


def say_bad_key() -> str:
    """The sentence for an invalid or missing key."""
    return _("The API key is missing or not valid. Check it, or ask for a new one.")


def find_reader(request: HttpRequest, club_id: int | None = None, *, scope: str = "") -> int | None:
    """The id of the player who asks about something of this club; None for a stranger.

    A club's key acts as its maker, and in its own club only. A token needs the scope `read`, and for what only
    members see `club`, or the scope of what is to be done. Without either, the browser session tells. Raises
    AuthenticationError for an invalid key or token.
    """
    key, token = find_key(request), find_token(request)
    if key is not None:
        return key.made_by_id if key.club_id == club_id else None
    if token is None:
        return player_id(request)
    scopes = access_tokens.list_scopes(token)
    needed = access_tokens.READ if club_id is None else access_tokens.CLUB
    return token.player_id if scopes & {needed, scope} else None


def read_session(request: HttpRequest) -> Mapping[str, Any]:
    """The browser session, for what it has opened; empty for a program, whatever cookies it sends."""
    return {} if _read_key(request) else request.session


def query_own_clubs(request: HttpRequest) -> QuerySet[Club]:
    """The clubs that the reader belongs to; with a key, the club of the key."""
    key, token = find_key(request), find_token(request)
    if key is not None:
        return Club.objects.filter(pk=key.club_id)
    if token is not None and access_tokens.CLUB not in access_tokens.list_scopes(token):
        return Club.objects.none()
    return Club.objects.filter(memberships__player_id=find_reader(request) or 0)


def find_club(request: HttpRequest, slug: str, *, scope: str = "") -> Club:
    """A club that the reader may see, or needs to with a token of this scope. Raises NotFound, NotAllowed."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        find_key(request)
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    if not permissions.can_see_club(club, find_reader(request, club.pk, scope=scope)):
        raise NotAllowed("Only members can see this club. Ask one of them for an invitation.")
    return club


def find_tournament(request: HttpRequest, tournament_id: str, *, scope: str = "") -> Tournament:
    """A tournament that the reader may see, or needs to with a token of this scope. Raises NotFound, NotAllowed."""
    tournament = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if tournament is None:
        find_key(request)
        raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
    reader = find_reader(request, tournament.club_id, scope=scope)
    if not permissions.can_see(tournament, reader, permissions.role_of(tournament.club, reader)):
        raise NotAllowed("This tournament is for members of its club. Ask an organiser for the link.")
    return tournament


def find_season(request: HttpRequest, season_id: str, *, scope: str = "") -> Season:
    """A season that the reader may see, or needs to with a token of this scope. Raises NotFound, NotAllowed."""
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        find_key(request)
        raise NotFound("There is no such season.")
    reader = find_reader(request, season.club_id, scope=scope)
    if not permissions.can_see_season(season, permissions.role_of(season.club, reader)):
        raise NotAllowed("This season is for members of its club. Ask an organiser for the link.")
    return season


def filter_visible(club: Club, reader: int | None) -> Q:
    """The filter for the tournaments of the club that the reader may see; empty for members."""
    if permissions.role_of(club, reader) is not None:
        return Q()
    return Q(is_public=True) | Q(pk__in=Tournament.objects.filter(entrants__player_id=reader or 0).values("pk"))
