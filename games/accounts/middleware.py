"""`request.player`: the person of a request; and the time zone in which he reads."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse

from games.accounts.session import player_id_of
from games.accounts.zone import COOKIE, in_zone
from games.models import Player


class PlayerMiddleware:
    """Puts the player, or None, on the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.player = find_player(request.session)  # type: ignore[attr-defined]
        return self.get_response(request)


class ZoneMiddleware:
    """Says and reads all times in the reader's own zone; in TIME_ZONE while his browser has not told it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with in_zone(request.COOKIES.get(COOKIE)):
            return self.get_response(request)


def find_player(session: SessionBase) -> Player | None:
    """The player of this session; None for a stranger, and for who has gone and left this browser signed in."""
    player_id = player_id_of(session)
    return None if player_id is None else Player.objects.filter(pk=player_id, left_at=None).first()
