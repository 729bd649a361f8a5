"""Middleware that sets `request.player`, the person of a request, and their time zone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.accounts import guest_creation
from games.accounts.current_player import player_of
from games.accounts.session import player_id_of, renew, session_ended
from games.accounts.time_zones import COOKIE, in_zone
from games.models import Player, User


class PlayerMiddleware:
    """Puts the player, or None, on the request; tells which session has ended with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        player = find_player(request.session) or find_newcomer(request)
        if player is not None:
            renew(request.session, now=time.time())
        request.player = player  # type: ignore[attr-defined]
        key = request.session.session_key
        response = self.get_response(request)
        if key is not None and request.session.session_key is None:
            session_ended.send_robust(sender=type(request.session), key=key)
        guest_creation.give_token(request, response, is_stranger=player_of(request) is None)
        return response


class ZoneMiddleware:
    """Shows and parses all times in the reader's own zone; in TIME_ZONE until their browser has sent it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with in_zone(request.COOKIES.get(COOKIE)):
            return self.get_response(request)


def find_player(session: SessionBase) -> Player | None:
    """The player of this session; None for a stranger, for who has gone and left this browser signed in, and for an
    account that this browser is no longer signed in to: its password is another one now, or it has been closed."""
    player_id = player_id_of(session)
    if player_id is None:
        return None
    player = Player.objects.select_related("user").filter(pk=player_id, left_at=None).first()
    return player if player is not None and _is_theirs(session, player) else None


class SessionReader(NamedTuple):
    """What is in a session, and its player (see `find_player`)."""

    data: Mapping[str, Any]
    player: Player | None


def find_readers(keys: Iterable[str]) -> dict[str, SessionReader]:
    """The readers of these session keys, as far as they exist: two queries for many, where `find_player` is for one."""
    sessions = Session.objects.filter(expire_date__gt=timezone.now()).in_bulk(list(keys))
    data = {key: session.get_decoded() for key, session in sessions.items()}
    ids = {player_id for value in data.values() if (player_id := player_id_of(value)) is not None}
    players = Player.objects.select_related("user").filter(left_at=None).in_bulk(ids)

    def find(data: Mapping[str, Any]) -> Player | None:
        player = players.get(player_id_of(data))
        return player if player is not None and _is_theirs(data, player) else None

    return {key: SessionReader(one, find(one)) for key, one in data.items()}


def find_lost(held: Iterable[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    """The session keys that no longer belong to the player given with them."""
    wanted = frozenset(held)
    readers = find_readers(key for key, _ in wanted)
    theirs = {(key, reader.player.pk) for key, reader in readers.items() if reader.player is not None}
    return wanted - theirs


def find_newcomer(request: HttpRequest) -> Player | None:
    """The guest that this browser became with an earlier request whose response was lost."""
    session = guest_creation.find_session(request)
    player = None if session is None else find_player(session)
    if session is not None and player is None:  # they have been deleted since
        session.delete()
    elif session is not None:
        session.modified = True  # so that this answer brings it
        request.session = session
    return player


def _is_theirs(session: SessionBase | Mapping[str, Any], player: Player) -> bool:
    return player.user is None or _is_signed_in(session, player.user)


def _is_signed_in(session: SessionBase | Mapping[str, Any], user: User) -> bool:
    is_same = session.get(SESSION_KEY) == str(user.pk) and user.is_active
    return is_same and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
